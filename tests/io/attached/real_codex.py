"""The real Codex, as its package on npm brings it along: its app-server, a client of it, a stub for its model."""

import contextlib
import itertools
import json
import os
import queue
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, unix_connect

from tests.fakes.model_server import model_server
from tests.fetched import fetched, program_of_npm

PACKAGE = "@openai/codex@0.169.0-linux-x64"
MEMBER = "package/vendor/x86_64-unknown-linux-musl/bin/codex"
SOCKET = Path(".codex") / "app-server-control" / "app-server-control.sock"
START_S_MAX = 60
S_MAX = 60
STEP_S = 0.05


def codex_program() -> Path:
    """Return Codex's program, fetched once; the test is skipped, by name, where it cannot be had."""
    return fetched(PACKAGE, lambda folder: program_of_npm(folder, PACKAGE, MEMBER, "codex")) / "codex"


class StubResponses:
    """A model that runs the commands it is told to, one after the other, then says that it is done."""

    def __init__(self) -> None:
        self.commands: list[str] = []
        self.why = "What the test wants"
        self.heard: list[str] = []
        self.url = ""
        self._lock = threading.Lock()
        self._numbers = itertools.count()

    def answer(self, body: dict[str, Any]) -> bytes:
        tools = [one.get("name") for one in body.get("tools") or []]
        with self._lock:
            if "exec_command" in tools:
                self.heard.append(json.dumps(body.get("input")))
            line = self.commands.pop(0) if "exec_command" in tools and self.commands else None
            number = next(self._numbers)
        if line is None:
            said = [{"type": "output_text", "text": "done."}]
            return _events({"type": "message", "role": "assistant", "id": "m1", "content": said})
        given: dict[str, str] = {"cmd": line}
        if not line.startswith("apply_patch"):
            given |= {"sandbox_permissions": "require_escalated", "justification": self.why}
        call = {"type": "function_call", "id": f"fc{number}", "call_id": f"call_{number}", "name": "exec_command"}
        return _events({**call, "arguments": json.dumps(given)})


def _events(item: dict[str, Any]) -> bytes:
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    said = (
        {"type": "response.created", "response": {"id": "r1"}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": {"id": "r1", "usage": usage}},
    )
    return "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in said).encode()


@contextlib.contextmanager
def stub_responses() -> Iterator[StubResponses]:
    model = StubResponses()
    with model_server(model) as url:
        model.url = f"{url}/v1"
        yield model


def write_settings(home: Path, project: Path, model_url: str) -> None:
    """Have Codex ask for what leaves its sandbox, and talk to the stub only."""
    path = home / ".codex" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"""
model = "gpt-5.4"
model_provider = "stub"
approval_policy = "on-request"
sandbox_mode = "read-only"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.stub]
name = "stub"
base_url = "{model_url}"
wire_api = "responses"
env_key = "STUB_KEY"
supports_websockets = false
[projects."{project}"]
trust_level = "trusted"
""")


def start_server(program: Path, home: Path) -> subprocess.Popen[bytes]:
    """Start Codex's app-server where its terminal finds it."""
    path = home / SOCKET
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "STUB_KEY": "x"}
    words = [str(program), "app-server", "--listen", "unix://"]
    process = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + START_S_MAX
    while not _answers(path):  # a program that says nothing when it is ready
        assert process.poll() is None, "Codex's server ended before it listened"
        assert time.monotonic() < until
        time.sleep(STEP_S)
    return process


def _answers(path: Path) -> bool:
    try:
        with unix_connect(str(path.resolve()), uri="ws://localhost/"):
            return True
    except OSError:
        return False


class CodexTerminal:
    """The client that a person sits before."""

    def __init__(self, home: Path, project: Path) -> None:
        self.requests: queue.Queue[dict[str, Any]] = queue.Queue()
        self.resolved: set[int | str] = set()
        self._numbers = itertools.count(1)
        self._replies: dict[int, queue.Queue[dict[str, Any]]] = {}
        self._turns: queue.Queue[dict[str, Any]] = queue.Queue()
        path = str((home / SOCKET).resolve())
        self._socket: ClientConnection = unix_connect(path, uri="ws://localhost/", max_size=None)
        threading.Thread(target=self._listen, daemon=True).start()
        client = {"name": "codex-tui", "version": "0"}
        self.call("initialize", {"clientInfo": client, "capabilities": {"experimentalApi": True}})
        self._send({"method": "initialized"})
        started = self.call("thread/start", {"cwd": str(project)})
        self.thread = started["thread"]["id"]

    def _listen(self) -> None:
        with contextlib.suppress(ConnectionClosed):  # its server may be killed
            for raw in self._socket:
                self._take(json.loads(raw))

    def _take(self, said: dict[str, Any]) -> None:
        if "method" not in said:
            self._replies[said["id"]].put(said)
        elif "id" in said:
            self.requests.put(said)
        elif said["method"] == "serverRequest/resolved":
            self.resolved.add(said["params"]["requestId"])
        elif said["method"] == "turn/completed":
            self._turns.put(said["params"]["turn"])

    def call(self, method: str, params: dict[str, Any]) -> Any:  # noqa: ANN401  JSON
        number = next(self._numbers)
        self._replies[number] = queue.Queue()
        self._send({"id": number, "method": method, "params": params})
        return self._replies[number].get(timeout=S_MAX)["result"]

    def say(self, text: str) -> None:
        self.call("turn/start", {"threadId": self.thread, "input": [{"type": "text", "text": text}]})

    def asked(self) -> dict[str, Any]:
        """Wait until its own dialog asks."""
        return self.requests.get(timeout=S_MAX)

    def answer(self, request: dict[str, Any], decision: str) -> None:
        self._send({"id": request["id"], "result": {"decision": decision}})

    def turn(self) -> str:
        """Wait until the turn has ended; return how."""
        return str(self._turns.get(timeout=S_MAX)["status"])

    def close(self) -> None:
        self._socket.close()

    def _send(self, message: dict[str, Any]) -> None:
        self._socket.send(json.dumps(message))
