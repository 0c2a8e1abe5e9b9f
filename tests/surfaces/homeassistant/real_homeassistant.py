"""The real Home Assistant on loopback, with a phone of its app's and a broker: what its app sends is sent over HTTP."""

import asyncio
import contextlib
import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from tests.fetched import fetched, install

VERSION = "2025.4.4"
"""The last one that runs on Python 3.13 as it is: later ones want 3.14."""
PACKAGES = (
    f"homeassistant=={VERSION}",
    "home-assistant-frontend==20250411.0",
    "aiohttp_fast_zlib",
    "paho-mqtt==2.1.0",
    "PyNaCl==1.5.0",
)
PYTHON = "python3.13"
START_S_MAX = 30.0
STEP_S = 0.05
USER, PASSWORD = "judge", "judgepass"
LIMITS = {"successful": 1, "errors": 0, "maximum": 500, "resetsAt": "2099-01-01T00:00:00Z"}
CONFIGURATION = """
homeassistant:
  name: Judge
http:
  server_host: 127.0.0.1
  server_port: {port}
config:
api:
websocket_api:
mobile_app:
"""


def hass_program() -> Path:
    """Return Home Assistant's program, installed once; the test is skipped, by name, where it cannot be had.

    Without its Python it is left out under CI, too: no package of the system's brings that.
    """
    python = _python()
    if not python:
        pytest.skip(f"Home Assistant {VERSION} needs {PYTHON}")
    return fetched(f"homeassistant-{VERSION}", lambda folder: _fetch(folder, python)) / "bin" / "hass"


def _python() -> str:
    """Return the Python that it needs; empty where there is none that starts, whatever goes by its name."""
    python = shutil.which(PYTHON) or ""
    works = python and subprocess.run([python, "--version"], capture_output=True, check=False).returncode == 0
    return python if works else ""


def _fetch(folder: Path, python: str) -> None:
    install(python, "-m", "venv", folder)
    install(folder / "bin" / "python", "-m", "pip", "install", "--quiet", *PACKAGES)


def free_port() -> int:
    with contextlib.closing(socket.socket()) as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class RealHome:
    """One running Home Assistant: its API with the judge's token, its phone, and what was pushed to that."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.token = ""
        self.pushed: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.phone = "mobile_app_judges_phone"
        self._webhook = ""

    async def ask(self, method: str, path: str, body: object = None, *, form: bool = False) -> Any:  # noqa: ANN401  it is JSON
        return await asyncio.to_thread(self._ask, method, path, body, form=form)

    def _ask(self, method: str, path: str, body: object, *, form: bool) -> Any:  # noqa: ANN401  it is JSON
        data = urllib.parse.urlencode(body).encode() if form else json.dumps(body).encode()  # type: ignore[arg-type]  # a form is a dict
        kind = "application/x-www-form-urlencoded" if form else "application/json"
        headers = {"Content-Type": kind, **({"Authorization": f"Bearer {self.token}"} if self.token else {})}
        request = urllib.request.Request(  # noqa: S310  our own address
            f"{self.url}{path}", data if body is not None else None, headers, method=method
        )
        with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310  our own address
            return json.loads(answer.read() or b"null")

    async def sign_in(self) -> None:
        client = {"client_id": f"{self.url}/"}
        begun = {**client, "handler": ["homeassistant", None], "redirect_uri": f"{self.url}/"}
        flow = await self.ask("POST", "/auth/login_flow", begun)
        done = await self.ask(
            "POST", f"/auth/login_flow/{flow['flow_id']}", {**client, "username": USER, "password": PASSWORD}
        )
        code = {**client, "grant_type": "authorization_code", "code": done["result"]}
        self.token = (await self.ask("POST", "/auth/token", code, form=True))["access_token"]

    async def add_phone(self, push_url: str) -> None:
        """Register as the app does."""
        about = {
            "device_id": "phone-1",
            "app_id": "io.robbie.HomeAssistant",
            "app_name": "Home Assistant",
            "app_version": "2026.1",
            "device_name": "Judges Phone",
            "manufacturer": "Apple",
            "model": "iPhone",
            "os_name": "iOS",
            "os_version": "26",
            "supports_encryption": False,
            "app_data": {"push_url": push_url, "push_token": "t"},
        }
        self._webhook = (await self.ask("POST", "/api/mobile_app/registrations", about))["webhook_id"]

    async def add_broker(self, port: int) -> None:
        flow = await self.ask("POST", "/api/config/config_entries/flow", {"handler": "mqtt"})
        path = f"/api/config/config_entries/flow/{flow['flow_id']}"
        assert (await self.ask("POST", path, {"broker": "127.0.0.1", "port": port}))["type"] == "create_entry"

    async def press(self, action: str, **more: object) -> None:
        """Press a button of a notification, as the app tells of it."""
        data = {"event_type": "mobile_app_notification_action", "event_data": {"action": action, **more}}
        await self.ask("POST", f"/api/webhook/{self._webhook}", {"type": "fire_event", "data": data})

    async def call(self, domain: str, service: str, **data: object) -> None:
        await self.ask("POST", f"/api/services/{domain}/{service}", data)

    async def state(self, entity: str) -> dict[str, Any]:
        """Return an entity, once it is there and known."""
        return await self.until(entity, lambda one: one["state"] != "unavailable")

    async def until(self, entity: str, true: Any) -> dict[str, Any]:  # noqa: ANN401  a predicate on JSON
        async with asyncio.timeout(START_S_MAX):
            while True:
                try:
                    found: dict[str, Any] = await self.ask("GET", f"/api/states/{entity}")
                except urllib.error.HTTPError as error:  # there is no such entity yet
                    error.close()
                else:
                    if true(found):
                        return found
                await asyncio.sleep(STEP_S)


@contextlib.asynccontextmanager
async def real_home(folder: Path) -> AsyncIterator[RealHome]:
    """Start Home Assistant with a user and a phone; end both."""
    program = hass_program()
    await asyncio.to_thread(folder.mkdir)
    home = RealHome(free_port())
    port = home.url.rpartition(":")[2]
    (folder / "configuration.yaml").write_text(CONFIGURATION.format(port=port))
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    adding = [str(program), "--script", "auth", "-c", str(folder), "add", USER, PASSWORD]
    await asyncio.to_thread(lambda: subprocess.run(adding, env=environment, check=True, capture_output=True))
    with (folder / "said.log").open("wb") as log:
        running = [str(program), "-c", str(folder), "--skip-pip"]
        hass = await asyncio.to_thread(lambda: subprocess.Popen(running, env=environment, stdout=log, stderr=log))
    relay = web.AppRunner(_relay(home))
    try:
        await relay.setup()
        site = web.TCPSite(relay, "127.0.0.1", 0)
        await site.start()
        await _until_up(home, hass)
        await home.sign_in()
        await home.add_phone(f"http://127.0.0.1:{relay.addresses[0][1]}/push")
        yield home
    finally:
        hass.terminate()
        try:
            await asyncio.to_thread(hass.wait, 5)
        except subprocess.TimeoutExpired:
            hass.kill()
            await asyncio.to_thread(hass.wait)
        await relay.cleanup()


def _relay(home: RealHome) -> web.Application:
    async def push(request: web.Request) -> web.Response:
        home.pushed.put_nowait(await request.json())
        return web.json_response({"rateLimits": LIMITS}, status=201)

    app = web.Application()
    app.router.add_post("/push", push)
    return app


async def _until_up(home: RealHome, hass: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + START_S_MAX
    while time.monotonic() < until and hass.poll() is None:
        with contextlib.suppress(OSError):
            if await home.ask("GET", "/manifest.json") or True:
                return
        await asyncio.sleep(STEP_S)
    raise AssertionError("Home Assistant did not start")
