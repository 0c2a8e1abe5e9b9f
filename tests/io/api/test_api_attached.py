"""Agents with a server of their own: attached to and left by the person, and named by the attached process alone."""

from pathlib import Path

import pytest

from hub.io.agents.lineage import descends_from_agent
from hub.io.agents.process_table import PROC, entry
from tests.hostile.test_agents_lineage import agent
from tests.io.api.running import Api, problem
from tests.io.api.test_api_asks import a_client

PATH = "/api/v1/agents/attached"
PROCESSES = "/api/v1/agents/processes"


def header(api: Api) -> dict[str, str]:
    """The attached process's own token, which lets it ask."""
    return {"Authorization": f"Bearer {api.running.admit_agent('codex')}"}


def parent_of(pid: int) -> int:
    found = entry(pid)
    assert found is not None
    return found.parent


async def test_an_agent_is_attached_to_once_and_left(api: Api) -> None:
    for _ in range(2):
        assert (await api.http.post(PATH, json={"agent": "codex"})).json() == {"agents": ["codex"]}
    assert api.behind.surfaces.needed == ["agent codex"]
    assert (await api.http.post(PATH, json={"agent": "codex", "attach": False})).json() == {"agents": []}


async def test_only_the_person_attaches(api: Api) -> None:
    refused = await api.http.post(PATH, json={"agent": "codex"}, headers=header(api))
    assert problem(refused).code == "out-of-scope"
    assert api.behind.surfaces.needed == []


@pytest.mark.skipif(not PROC.joinpath("self").exists(), reason="processes are found through /proc")
async def test_what_the_named_process_starts_is_the_agents(api: Api, tmp_path: Path) -> None:
    with agent(tmp_path / "codex") as child:
        await api.http.post(PROCESSES, json={"agent": "codex", "pid": parent_of(child)}, headers=header(api))
        assert descends_from_agent(child)


@pytest.mark.skipif(not PROC.joinpath("self").exists(), reason="processes are found through /proc")
async def test_a_process_with_another_name_is_no_agent(api: Api, tmp_path: Path) -> None:
    with agent(tmp_path / "codecs") as child:
        await api.http.post(PROCESSES, json={"agent": "codex", "pid": parent_of(child)}, headers=header(api))
        assert not descends_from_agent(child)


async def test_nobody_else_says_which_process_an_agent_is(api: Api) -> None:
    _, other = await a_client(api)
    for headers in (other, {}):
        refused = await api.http.post(PROCESSES, json={"agent": "codex", "pid": 4711}, headers=headers)
        assert problem(refused).code == "out-of-scope"


async def test_others_may_speak_for_the_same_agent(api: Api) -> None:
    body = {"agent": "codex", "tool": "shell", "act": "command", "text": "ls"}
    own = header(api)
    for headers in (own, {}):
        assert (await api.http.post("/api/v1/permissions", json=body, headers=headers)).is_success
