"""The real `pulse mcp` beside a real hub, in both revisions of the protocol, and before the protocol's own judges."""

import json
import re
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hub.cli.api import record_of
from hub.cli.mcp_clients import program_words
from hub.io.agents.mcp_server.tools import TOOLS
from hub.io.agents.mcp_server.web import PATH, make_app
from hub.kit.hub_api import SocketConnection, unix_socket
from tests.cli.real_hub import RealHub, running_hub
from tests.io.agents.hooks.real_claude import claude_environment, claude_program
from tests.io.agents.hooks.stub_model import stub_model
from tests.io.agents.mcp_server.clients import JUDGE_S_MAX, LineClient, alone, inspector_program, judge_program
from tests.io.agents.questions.served import api, finder, served

pytestmark = pytest.mark.slow
CONNECT_MS_MAX = 45_000
"""The inspector gives a server 15 s by itself, which two programs need to start on a machine that is busy."""
WITHDRAWN_S_MAX, LOOK_S = 30, 0.1
QUESTION = {"question": "Deploy?", "options": ["Yes", "No"], "why": "All tests pass."}
SCENARIOS = {
    "server-initialize": set[str](),
    "server-session-lifecycle": set[str](),
    "ping": set[str](),
    "tools-list": set[str](),
    "server-sse-multiple-streams": set[str](),
    "dns-rebinding-protection": set[str](),
    "http-header-validation": set[str](),
    # it looks for a tool that nobody but a server made for this suite has
    "server-stateless": {"sep-2575-server-rejects-undeclared-capability", "sep-2575-missing-capability-http-400"},
    # for prompts and resources, which are not there
    "caching": {
        "sep-2549-prompts-list-caching-hints",
        "sep-2549-resources-list-caching-hints",
        "sep-2549-resources-templates-list-caching-hints",
    },
}
"""What the suite is asked, and what of it is expected to fail: only what it cannot find to look at."""


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealHub]:
    with running_hub(tmp_path_factory.mktemp("mcp")) as running:
        running.sit_down()
        yield running


def status_of(hub: RealHub, ask_id: str) -> str:
    return str(api(hub, "GET", f"/predictions/{ask_id}")["status"])


def newest(hub: RealHub) -> dict[str, Any]:
    return dict(api(hub, "GET", "/predictions?limit=1")["predictions"][0])


def withdrawn(hub: RealHub, ask_id: str) -> bool:
    """Wait until a question is settled; return True if it was taken back."""
    until = time.monotonic() + WITHDRAWN_S_MAX
    while status_of(hub, ask_id) == "pending" and time.monotonic() < until:
        time.sleep(LOOK_S)
    return status_of(hub, ask_id) == "cancelled"


def test_a_session_asks_waits_cancels_and_takes_its_questions_along(hub: RealHub) -> None:
    with LineClient(hub) as client:
        assert client.begin_session("claude-code")["serverInfo"]["name"] == "pulse"
        client.send("tools/call", {"name": "ask_human", "arguments": QUESTION, "_meta": {"progressToken": "p"}})
        assert client.heard()["params"]["progressToken"] == "p"
        card = newest(hub)
        assert (card["permission"]["agent"], card["permission"]["folder"]) == ("claude-code", str(hub.repository))
        api(hub, "POST", f"/predictions/{card['id']}/confirm", {"permission": {"answers": {"answer": ["Yes"]}}})
        assert client.heard()["result"]["content"][0]["text"] == "The user answered: Yes"

        number = client.send(
            "tools/call", {"name": "ask_human", "arguments": QUESTION, "_meta": {"progressToken": "q"}}
        )
        assert client.heard()["params"]["progressToken"] == "q"
        client.tell("notifications/cancelled", {"requestId": number})
        assert withdrawn(hub, newest(hub)["id"]), "nobody waits for it any more"

        later = client.ask("tools/call", {"name": "ask_human", "arguments": {**QUESTION, "wait_s": 0}})["result"]
        asked = later["structuredContent"]["ask_id"]
        assert later["structuredContent"]["status"] == "pending"
        told = client.ask("tools/call", {"name": "notify_human", "arguments": {"message": "The build is done."}})[
            "result"
        ]
        client.process.kill()
        assert withdrawn(hub, asked), "its agent is dead"
        assert status_of(hub, told["structuredContent"]["ask_id"]) == "pending", "what was told is not taken back"


def test_a_client_with_tasks_is_handed_one(hub: RealHub) -> None:
    meta = alone("inspector", tasks=True)
    with LineClient(hub) as client:
        found = client.ask("server/discover", {"_meta": meta})["result"]
        assert "io.modelcontextprotocol/tasks" in found["capabilities"]["extensions"]
        task = client.ask("tools/call", {"name": "ask_human", "arguments": QUESTION, "_meta": meta})["result"]
        assert (task["resultType"], task["status"]) == ("task", "working")
        asked = {"taskId": task["taskId"], "_meta": meta}
        api(hub, "POST", f"/predictions/{task['taskId']}/reject", {"reason": "Not on a Friday"})
        done = client.ask("tasks/get", asked)["result"]
        assert done["status"] == "completed"
        assert done["result"]["structuredContent"]["reason"] == "Not on a Friday"
        other = client.ask("tools/call", {"name": "ask_human", "arguments": QUESTION, "_meta": meta})["result"]
        assert (
            client.ask("tasks/cancel", {"taskId": other["taskId"], "_meta": meta})["result"]["resultType"] == "complete"
        )
        assert client.ask("tasks/get", {"taskId": other["taskId"], "_meta": meta})["result"]["status"] == "cancelled"
        without = client.ask("tasks/get", {"taskId": task["taskId"], "_meta": alone("inspector")})
        assert without["error"]["code"] == -32021
    assert client.process.returncode == 0


def test_an_idea_of_an_agents_comes_before_the_person_as_its_own(hub: RealHub) -> None:
    with LineClient(hub) as client:
        client.begin_session("claude-code")

        def suggest(**given: str) -> dict[str, Any]:
            return dict(client.ask("tools/call", {"name": "suggest", "arguments": given})["result"])

        taken = suggest(idea="List the stale branches", why="There are many.")
        assert taken["structuredContent"]["repeated"] is False
        assert suggest(idea="List the stale branches")["structuredContent"]["repeated"] is True
        assert suggest(idea=" ")["isError"] is True
        card = asked(hub, "List the stale branches")
        assert (card["source"], card["status"]) == ("predictor-hook", "pending")
        assert "claude-code suggests this" in card["reasoning"]


@pytest.mark.needs_node
def test_the_protocols_own_inspector_lists_the_tools_and_calls_one(hub: RealHub) -> None:
    inspector, server = inspector_program(), program_words(hub.home)

    def inspect(*words: str) -> dict[str, Any]:
        given = [*inspector, *server, *words, "--connect-timeout", str(CONNECT_MS_MAX)]
        said = subprocess.run(
            given,
            cwd=hub.repository,
            env=hub.environment,
            capture_output=True,
            text=True,
            timeout=JUDGE_S_MAX,
            check=False,
        )
        assert said.returncode == 0, said.stdout + said.stderr
        return dict(json.loads(said.stdout))

    listed = inspect("--method", "tools/list")["tools"]
    assert [one["name"] for one in listed] == [one.name for one in TOOLS]
    called = inspect("--method", "tools/call", "--tool-name", "world_query", "--tool-arg", "type=active")
    assert called["isError"] is False
    assert called["structuredContent"]["sessions"] == []


def test_an_agent_tells_the_log_of_its_task_and_a_person_answers(hub: RealHub) -> None:
    with LineClient(hub) as client:
        client.begin_session("claude-code")

        def say(tool: str, **given: str) -> str:
            done = client.ask("tools/call", {"name": tool, "arguments": given})["result"]
            return str(done["content"][0]["text"])

        say("world_agent", status="start", session="flight", message="Book a flight | need: confirmation number")
        say("world_agent", status="active", session="flight", message="searching")
        assert "illegal" not in say(
            "world_agent", status="failed", session="flight", message="captcha | need: solve it"
        )
        assert "solve it" in say("world_query", type="failed")
        assert "There is no tool" in say("world_respond", session="flight", text="x")
        assert "cannot verify itself" in say_after_answer(hub, say)
    assert api(hub, "GET", "/world/sessions/flight")["status"] == "finish"


def say_after_answer(hub: RealHub, say: Callable[..., str]) -> str:
    """Answer as a person; the agent goes on, says that it is done, and tries to verify that itself."""
    assert api(hub, "POST", "/world/sessions/flight/respond", {"text": "XKCD42"})["session"]["id"] == "flight"
    assert "XKCD42" in say("world_query", type="session", session="flight")
    for status in ("active", "finish"):
        say("world_agent", status=status, session="flight", message="going on")
    return say("world_agent", status="verified", session="flight")


@pytest.mark.parametrize("path", ["predictions", "permissions"])
def test_an_agent_may_ask_over_the_socket_and_nothing_else(hub: RealHub, path: str) -> None:
    record = record_of(hub.home)
    assert record is not None
    connection = SocketConnection(lambda: unix_socket(record.socket))
    connection.request("GET", f"/api/v1/{path}", headers={"Pulse-As": "agent"})
    answer = connection.getresponse()
    assert (answer.status, json.loads(answer.read())["code"]) == (403, "from-a-run")
    connection.close()


def test_claude_code_asks_with_the_tool_and_its_model_reads_the_answer(hub: RealHub, tmp_path: Path) -> None:
    program, settings = claude_program(), tmp_path / "servers.json"
    command, *arguments = program_words(hub.home)
    settings.write_text(json.dumps({"mcpServers": {"pulse": {"command": command, "args": arguments}}}))
    tool = "mcp__pulse__ask_human"
    with stub_model() as model:
        model.tools = [(tool, {**QUESTION, "question": "Publish?"})]
        words = [str(program), "--mcp-config", str(settings), "--allowedTools", tool, "-p", "go"]
        environment = claude_environment(tmp_path / "person", model.url)
        with subprocess.Popen(words, cwd=hub.repository, env=environment, stdin=subprocess.DEVNULL) as claude:
            card = asked(hub, "Publish?")
            api(hub, "POST", f"/predictions/{card['id']}/confirm", {"permission": {"answers": {"answer": ["No"]}}})
            assert claude.wait(JUDGE_S_MAX) == 0
    assert card["permission"]["agent"] == "claude-code"
    assert "The user answered: No" in model.results[0]


def asked(hub: RealHub, question: str) -> dict[str, Any]:
    """Wait until this is asked."""
    began = time.monotonic()
    while time.monotonic() - began < JUDGE_S_MAX:
        for card in api(hub, "GET", "/predictions?limit=5")["predictions"]:
            if card["status"] == "pending" and card["prompt"].startswith(question):
                return dict(card)
    raise AssertionError(question)


@pytest.fixture(scope="module")
def web(hub: RealHub) -> Iterator[str]:
    """The server over HTTP: a judge has no token, so all but strangers are given one."""
    token = api(hub, "POST", "/tokens", {"name": "judge", "scopes": ["ask"]})["token"]

    app = make_app(finder(hub.home), "1", wait_s=1.0)

    async def with_token(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401  ASGI's own
        if scope["type"] == "http" and not any(name == b"x-stranger" for name, _ in scope["headers"]):
            scope = {**scope, "headers": [*scope["headers"], (b"authorization", f"Bearer {token}".encode())]}
        await app(scope, receive, send)

    with served(lambda _: with_token) as address:
        yield address + PATH


@pytest.mark.parametrize("token", ["", "Bearer made-up", "Basic abc"])
def test_who_has_no_token_is_told_nothing(web: str, token: str) -> None:
    headers = {"X-Stranger": "1", "Content-Type": "application/json", "Authorization": token}
    request = urllib.request.Request(web, b"{}", headers)  # noqa: S310  our own loopback
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=JUDGE_S_MAX)  # noqa: S310  the same
    assert refused.value.code == 401
    refused.value.close()


@pytest.mark.needs_node
def test_the_protocols_own_suite_finds_nothing_wrong(web: str) -> None:
    program = judge_program()
    wrong = {}
    for scenario, expected in SCENARIOS.items():
        words = [*program, "server", "--url", web, "--scenario", scenario]
        said = subprocess.run(words, capture_output=True, text=True, check=False, timeout=JUDGE_S_MAX)
        plain = re.sub(r"\x1b\[\d+m", "", said.stdout)
        assert re.search(r"Passed: [1-9]", plain), said.stdout + said.stderr
        failed = set(re.findall(r"\[([\w-]+) *\] FAILURE", plain))
        wrong[scenario] = failed ^ expected
    assert {scenario: found for scenario, found in wrong.items() if found} == {}
