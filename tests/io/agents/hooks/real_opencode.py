"""The real OpenCode, as its own package on npm brings it along, with a stub in the place of its model."""

import contextlib
import itertools
import json
import subprocess
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.bench.hub_process import free_port
from tests.fakes.model_server import model_server
from tests.fetched import fetched, program_of_npm

PACKAGE = "opencode-linux-x64@1.18.34"
MEMBER = "package/bin/opencode"
START_S_MAX = 90
CALL_S_MAX = 60


def opencode_program() -> Path:
    """Return OpenCode's program, fetched once; the test is skipped, by name, where it cannot be had."""
    return fetched(PACKAGE, lambda folder: program_of_npm(folder, PACKAGE, MEMBER, "opencode")) / "opencode"


class StubCompletions:
    """A model that runs the commands it is told to by its `tool`, one after the other, then says that it is done."""

    def __init__(self, tool: str) -> None:
        self._tool = tool
        self._came_back = threading.Semaphore(0)
        self.commands: list[str] = []
        self.why = "What the test wants"
        self.results: list[str] = []
        self.url = ""
        self._lock = threading.Lock()

    def answer(self, body: dict[str, Any]) -> bytes:
        tools = [one["function"]["name"] for one in body.get("tools") or []]
        with self._lock:
            for result in _new_results(body["messages"]):
                self.results.append(str(result.get("content")))
                self._came_back.release()
            command = self.commands.pop(0) if self._tool in tools and self.commands else None
        if command is None:
            return _stream({"role": "assistant", "content": "done."}, "stop")
        given = json.dumps({"command": command, "description": self.why})
        call = {"index": 0, "id": "call1", "type": "function", "function": {"name": self._tool, "arguments": given}}
        return _stream({"role": "assistant", "tool_calls": [call]}, "tool_calls")

    def until_result(self) -> None:
        """Wait until one more command has come back, whatever came of it."""
        assert self._came_back.acquire(timeout=CALL_S_MAX), "no command came back to the model"


def _new_results(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what tools came back with since the model last spoke; some agents say more behind it."""
    behind = itertools.takewhile(lambda one: one["role"] != "assistant", reversed(messages))
    return [one for one in behind if one["role"] == "tool"]


def _stream(delta: dict[str, Any], why: str) -> bytes:
    chunks = [{"index": 0, "delta": delta, "finish_reason": None}, {"index": 0, "delta": {}, "finish_reason": why}]
    frame = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    lines = [f"data: {json.dumps({**frame, 'choices': [one]})}\n\n" for one in chunks]
    return "".join([*lines, "data: [DONE]\n\n"]).encode()


@contextlib.contextmanager
def stub_completions(tool: str = "bash") -> Iterator[StubCompletions]:
    model = StubCompletions(tool)
    with model_server(model) as url:
        model.url = f"{url}/v1"
        yield model


class OpenCodeServer:
    """OpenCode's own server, which a terminal or an editor talks to; here the test does."""

    def __init__(self, port: int) -> None:
        self._base = f"http://127.0.0.1:{port}"

    def call(self, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401  JSON
        raw = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._base + path, raw, {"content-type": "application/json"}, method=method)  # noqa: S310  our own loopback
        with urllib.request.urlopen(request, timeout=CALL_S_MAX) as reply:  # noqa: S310  the same
            return json.loads(reply.read() or b"null")

    def say(self, text: str) -> threading.Thread:
        """Begin a conversation; the thread ends with the agent's turn."""
        session = self.call("POST", "/session", {})["id"]
        body = {"parts": [{"type": "text", "text": text}]}
        turn = threading.Thread(target=self.call, args=("POST", f"/session/{session}/message", body), daemon=True)
        turn.start()
        return turn

    def status_of_reply(self, request_id: str, reply: str) -> int:
        """Answer in the agent's own dialog; return the HTTP status."""
        try:
            self.call("POST", f"/permission/{request_id}/reply", {"reply": reply})
        except urllib.error.HTTPError as error:
            return error.code
        return 200


@contextlib.contextmanager
def opencode_server(program: Path, project: Path, environment: dict[str, str]) -> Iterator[OpenCodeServer]:
    port = free_port()
    words = [str(program), "serve", "--port", str(port)]
    with subprocess.Popen(words, cwd=project, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as own:
        assert own.stdout is not None
        late = threading.Timer(START_S_MAX, own.kill)
        late.start()
        try:
            while b"listening" not in (line := own.stdout.readline()):
                assert line, "OpenCode ended before it listened"
            late.cancel()
            threading.Thread(target=own.stdout.read, daemon=True).start()
            yield OpenCodeServer(port)
        finally:
            late.cancel()
            own.terminate()


def write_settings(home: Path, model_url: str) -> None:
    """Have OpenCode ask for every command, and talk to the stub only."""
    options = {"baseURL": model_url, "apiKey": "x"}
    model = {"name": "m", "tool_call": True, "limit": {"context": 100_000, "output": 4_000}}
    provider = {"npm": "@ai-sdk/openai-compatible", "name": "stub", "options": options, "models": {"m": model}}
    settings = {
        "model": "stub/m",
        "small_model": "stub/m",
        "share": "disabled",
        "autoupdate": False,
        "permission": {"bash": "ask"},
        "provider": {"stub": provider},
    }
    path = home / ".config" / "opencode" / "opencode.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(settings))
