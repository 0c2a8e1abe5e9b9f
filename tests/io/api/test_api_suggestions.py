"""`POST /suggestions`: an agent hands in an idea; it is kept once, as its own, and not too many are."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.io.home.suggestion_box import BOX_FILE, IN_ALL_MAX, PER_AGENT_MAX, PER_CLIENT_MAX, hand_in
from hub.sense.suggested_lines import SuggestedLine, lines_in
from tests.conformance.store.samples import NOON
from tests.io.api.running import Api, Behind, problem, running

PATH = "/api/v1/suggestions"
LINE = SuggestedLine(id="a1", client="c", agent="a", idea="Tidy up", at=NOON)


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async with running(Behind(home=tmp_path)) as served:
        yield served


async def test_a_hub_without_a_folder_keeps_none() -> None:
    async with running(Behind()) as served:
        assert problem(await served.http.post(PATH, json={"idea": "Tidy up"})).code == "no-suggestion-box"


async def test_an_idea_is_kept_once_whatever_is_repeated(api: Api, tmp_path: Path) -> None:
    home = tmp_path
    replies = [
        await api.http.post(PATH, json={"idea": "Tidy up", "asker": "planner", **more})
        for more in ({}, {}, {"idempotencyKey": "k1"}, {"idea": "Tidy up, please", "idempotencyKey": "k1"})
    ]
    assert [reply.status_code for reply in replies] == [200] * 4
    assert [reply.json()["repeated"] for reply in replies] == [False, True, False, True]
    kept = lines_in((home / BOX_FILE).read_bytes())
    assert [(one.idea, "planner" in one.agent) for one in kept] == [("Tidy up", True), ("Tidy up", True)]
    assert (home / BOX_FILE).stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("idea", ["", "   \n", "x" * 501, 3, None])
async def test_what_says_nothing_or_too_much_is_refused(api: Api, idea: object) -> None:
    assert (await api.http.post(PATH, json={"idea": idea})).status_code == 422


async def test_nobody_suggests_in_the_name_of_pulse(api: Api) -> None:
    reply = await api.http.post(PATH, json={"idea": "Tidy up", "asker": "Pulse"})
    assert problem(reply).code == "name-taken"


async def test_more_than_a_person_would_look_at_is_not_taken(api: Api) -> None:
    for number in range(PER_AGENT_MAX):
        assert (await api.http.post(PATH, json={"idea": f"Idea {number}"})).status_code == 200
    reply = await api.http.post(PATH, json={"idea": "One more"})
    assert (reply.status_code, problem(reply).code) == (429, "suggested-too-often")


def taken(home: Path, agents: int, clients: int) -> int:
    """Hand in as many as possible, under so many names; return how many were taken."""
    lines = [
        replace(LINE, id=f"{client} {agent} {number}", client=f"c{client}", agent=f"a{agent}")
        for client in range(clients)
        for agent in range(agents)
        for number in range(PER_AGENT_MAX + 1)
    ]
    return [hand_in(home, line) for line in lines].count("taken")


@pytest.mark.parametrize(
    ("agents", "clients", "most"),
    [(1, 1, PER_AGENT_MAX), (5, 1, PER_CLIENT_MAX), (2, 5, IN_ALL_MAX)],
)
def test_other_names_and_other_tokens_do_not_get_round_it(tmp_path: Path, agents: int, clients: int, most: int) -> None:
    assert taken(tmp_path, agents, clients) == most
    later = replace(LINE, id="later", at=NOON + timedelta(hours=2))
    assert hand_in(tmp_path, later) == "taken"


def test_what_is_of_yesterday_goes(tmp_path: Path) -> None:
    hand_in(tmp_path, LINE)
    hand_in(tmp_path, replace(LINE, id="a2", at=NOON + timedelta(hours=25)))
    assert [one.id for one in lines_in((tmp_path / BOX_FILE).read_bytes())] == ["a2"]


def test_a_box_that_leads_elsewhere_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("mine")
    (tmp_path / BOX_FILE).symlink_to(tmp_path / "secret")
    with pytest.raises(OSError, match="symbolic"):
        hand_in(tmp_path, LINE)
    assert (tmp_path / "secret").read_text() == "mine"
