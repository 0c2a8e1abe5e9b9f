"""The official JavaScript client of A2A against our server and a real hub."""

import json
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hub.io.agents.a2a_server.push_allow_list import PushAllowList
from hub.io.agents.a2a_server.web import CARD_PATH, PATH, make_app
from tests.cli.real_hub import RealHub, running_hub
from tests.io.agents.mcp_server.clients import npm_package
from tests.io.agents.questions.served import api, finder, served

pytestmark = pytest.mark.slow
PACKAGE = "@a2a-js/sdk@1.3.0"
CLIENT = Path(__file__).with_name("client.mjs")
S_MAX = 60
INPUT_REQUIRED, WORKING, CANCELED, COMPLETED, REJECTED = 6, 2, 5, 3, 7
"""The states by their numbers in the specification, as the client has them."""


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealHub]:
    with running_hub(tmp_path_factory.mktemp("a2a")) as running:
        running.sit_down()
        yield running


@pytest.fixture(scope="module")
def address(hub: RealHub) -> Iterator[str]:
    with served(lambda at: make_app(finder(hub.home), at, "1", PushAllowList())) as at:
        yield at


def answer_next(hub: RealHub, question: str, verb: str, body: dict[str, Any] | None) -> None:
    """Wait until this question is open, and answer it."""
    began = time.monotonic()
    while not (cards := [one for one in api(hub, "GET", "/predictions?limit=5")["predictions"] if asks(one, question)]):
        assert time.monotonic() - began < S_MAX
    api(hub, "POST", f"/predictions/{cards[0]['id']}/{verb}", body)


def asks(card: dict[str, Any], question: str) -> bool:
    return card["status"] == "pending" and str(card["prompt"]).startswith(question)


@pytest.mark.needs_node
def test_the_official_client_asks_streams_and_cancels(hub: RealHub, address: str) -> None:
    sdk = npm_package(PACKAGE) / "node_modules" / "@a2a-js" / "sdk" / "dist" / "client" / "index.js"
    token = api(hub, "POST", "/tokens", {"name": "planner", "scopes": ["ask"]})["token"]
    words = ["node", str(CLIENT), str(sdk), address, token]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as client:
        assert client.stdout is not None
        heard = (json.loads(line) for line in client.stdout)

        def next_of(name: str) -> Any:  # noqa: ANN401  JSON
            found = next(heard)
            assert found["name"] == name
            return found["value"]

        assert next_of("input") == [INPUT_REQUIRED, True, WORKING]
        assert next_of("cancel") == [CANCELED, "JsonRpcTaskNotCancelableError"]
        assert next_of("unknown") == "JsonRpcTaskNotFoundError"
        next_of("asking")
        answer_next(hub, "Deploy?", "confirm", {"permission": {"answers": {"answer": ["Yes"]}}})
        done = next_of("answer")
        assert done["status"]["state"] == COMPLETED
        assert done["artifacts"][0]["parts"][0]["content"]["value"] == "Yes"
        assert next_of("task")["status"]["state"] == WORKING
        answer_next(hub, "Ship it?", "reject", {"reason": "Not on a Friday"})
        over = next_of("statusUpdate")["status"]
        assert over["state"] == REJECTED
        assert "Not on a Friday" in over["message"]["parts"][0]["content"]["value"]
        first, second = next_of("page"), next_of("page")
        assert [one["id"] for one in first["tasks"]] == [next_of("shipped"), done["id"]]
        assert [one["status"]["state"] for one in first["tasks"]] == [REJECTED, COMPLETED]
        assert (first["pageSize"], first["totalSize"], len(first["tasks"][1]["artifacts"])) == (2, 3, 1)
        assert ([one["status"]["state"] for one in second["tasks"]], second["nextPageToken"]) == ([CANCELED], "")
        assert next_of("listed") == [[COMPLETED], 0, 1, 0]
        assert next_of("configs") == ["second", True, 2, 1, True, ""]
        assert next_of("elsewhere") != "none"
        next_of("releasing")
        answer_next(hub, "Release?", "confirm", {"permission": {"answers": {"answer": ["Yes"]}}})
        authorization, own_token, body = next_of("told")
        assert (authorization, own_token) == ("Bearer secret", "mine")
        assert body["task"]["status"]["state"] == "TASK_STATE_COMPLETED"
        assert client.wait(S_MAX) == 0


def post(address: str, body: bytes, **headers: str) -> tuple[int, dict[str, Any]]:
    request = urllib.request.Request(address + PATH, body, headers)  # noqa: S310  our own loopback
    try:
        with urllib.request.urlopen(request, timeout=S_MAX) as answer:  # noqa: S310  the same
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, json.loads(refused.read())


def test_who_has_no_token_reads_the_card_and_nothing_else(address: str) -> None:
    with urllib.request.urlopen(address + CARD_PATH, timeout=S_MAX) as answer:  # noqa: S310  our own loopback
        card = json.loads(answer.read())
    assert card["supportedInterfaces"][0]["url"] == address + PATH
    assert card["capabilities"] == {"streaming": True, "pushNotifications": True, "extendedAgentCard": False}
    assert post(address, b"{}")[0] == 401
    assert post(address, b"{}", Authorization="Bearer made-up")[0] == 401


def asking(parts: list[dict[str, str]], push: str = "") -> dict[str, object]:
    message = {"messageId": "m1", "role": "ROLE_USER", "parts": parts}
    how = {"configuration": {"taskPushNotificationConfig": {"url": push}}} if push else {}
    return {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": message, **how}}


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", -32700),
        (b"[]", -32600),
        (b'{"jsonrpc": "1.0", "method": "GetTask"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "message/send"}', -32601),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "GetTask"}', -32602),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": {}}}', -32602),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "CreateTaskPushNotificationConfig", "params": {}}', -32602),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ListTasks", "params": {"pageSize": 101}}', -32602),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ListTasks", "params": {"pageToken": "x"}}', -32602),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ListTasks", "params": {"status": "TASK_STATE_DONE"}}', -32602),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "GetExtendedAgentCard"}', -32004),
        (json.dumps(asking([{"text": "Deploy?"}, {"raw": "aGk="}])).encode(), -32005),
        (json.dumps(asking([{"text": "Deploy?"}], push="https://example.org/told")).encode(), -32602),
    ],
)
def test_what_is_no_call_is_refused_in_the_protocols_words(hub: RealHub, address: str, body: bytes, code: int) -> None:
    token = api(hub, "POST", "/tokens", {"name": f"judge {hash(body)}", "scopes": ["ask"]})["token"]
    said = {"Authorization": f"Bearer {token}"}
    status, found = post(address, body, **said, **{"A2A-Version": "1.0"})
    assert (status, found["error"]["code"]) == (200, code)


def test_an_older_protocol_is_told_which_one_is_spoken(hub: RealHub, address: str) -> None:
    token = api(hub, "POST", "/tokens", {"name": "old", "scopes": ["ask"]})["token"]
    body = b'{"jsonrpc": "2.0", "id": 1, "method": "message/send"}'
    assert post(address, body, Authorization=f"Bearer {token}")[1]["error"]["code"] == -32009


def test_an_agent_whose_token_is_taken_back_in_the_middle_is_told_so(hub: RealHub, address: str) -> None:
    made = api(hub, "POST", "/tokens", {"name": "taken back", "scopes": ["ask"]})
    call = {**asking([{"text": "Still there?"}]), "method": "SendStreamingMessage"}
    headers = {"Authorization": f"Bearer {made['token']}", "A2A-Version": "1.0"}
    request = urllib.request.Request(address + PATH, json.dumps(call).encode(), headers)  # noqa: S310  our own loopback
    with urllib.request.urlopen(request, timeout=S_MAX) as stream:  # noqa: S310  the same
        heard = (json.loads(line.removeprefix(b"data: ")) for line in stream if line.startswith(b"data: "))
        assert next(heard)["result"]["task"]["status"]["state"] == "TASK_STATE_WORKING"
        api(hub, "DELETE", f"/tokens/{made['client']['id']}")
        (last,) = heard
        assert last["result"]["statusUpdate"]["status"]["state"] == "TASK_STATE_AUTH_REQUIRED"
