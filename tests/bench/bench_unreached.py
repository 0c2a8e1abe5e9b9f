"""Whether a surface that fails is named everywhere, and its card handed to one that lives: a real hub, real processes.

Eight services stand in for the real ones and fail all at once, in three ways: they refuse the message (the bot was
blocked, the token is bad, the address has ended), they are away, and the surface's own process hangs. A question is
asked; it is measured when each device is named in every command and to the page. Then a terminal is opened: it must
hear the question that nobody was shown. Last the services come back. And a chat is started fifty times while a question
comes: none may come without a sound. Run with `./pulse bench unreached`; a quarter of an hour.
"""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

from hub.contract.access import Login
from hub.contract.events import PredictionNew
from hub.contract.surface import DeliveredCard, Receipt
from hub.contract.topics import DeviceAddress
from hub.contract.words import DeliveryState
from hub.kit.hub_api import HubAddress, pair
from hub.kit.mqtt.device import DeviceLink, Heard
from hub.kit.mqtt.reading import read_delivered
from tests.bench.figures import Figure
from tests.bench.hub_process import free_port
from tests.bench.unreached_services import PHONE, Service, home_assistant, matrix, ntfy, slack, telegram
from tests.cli.real_hub import environment_of, make_repository
from tests.house.source import ROOT
from tests.surfaces.apns.standin.certs import Certificates
from tests.surfaces.apns.standin.server import Standin as Apns
from tests.surfaces.discord.standin.server import TOKEN, standing_in
from tests.surfaces.discord.standin.server import Standin as Discord
from tests.surfaces.slack.slack_server import APP_TOKEN, BOT_TOKEN, CHANNEL, PERSON, TEAM
from tests.surfaces.web.push_service import PushService
from tests.web.live_hub import NEVER_QUIET, LiveHub

BENCH: Final = "unreached"
NAMED_S: Final = 60.0
BACK_S_MAX: Final = 100.0
BEGIN_S_MAX: Final = 40.0
LOOK_S: Final = 0.5
RESTARTS: Final = 50
SILENT_FLAG: Final = 1 << 12
"""Discord's SUPPRESS_NOTIFICATIONS."""
COMMANDS: Final = ("status", "setup", "doctor", "devices")
APP_TOKEN_OF_PHONE: Final = "a1" * 32
SECRETS: Final = {
    "PULSE_TELEGRAM_TOKEN": "1:x",
    "PULSE_MATRIX_TOKEN": "m",
    "PULSE_SLACK_BOT_TOKEN": BOT_TOKEN,
    "PULSE_SLACK_APP_TOKEN": APP_TOKEN,
    "PULSE_NTFY_TOPIC_KEY": "t" * 24,
    "PULSE_NTFY_REPLY_TOPIC_KEY": "r" * 24,
    "PULSE_HOMEASSISTANT_TOKEN": "h",
}
SURFACES: Final = ("discord", "browser", "phone", "telegram", "matrix", "slack", "ntfy", "homeassistant")


class Scene:
    """A hub with all surfaces, and what is behind each."""

    def __init__(
        self, hub: LiveHub, services: dict[str, Service], push: PushService, apns: Apns, discord: Discord
    ) -> None:
        self.hub = hub
        self.services = services
        self.push = push
        self.apns = apns
        self.discord = discord
        self.bot: subprocess.Popen[bytes] | None = None

    def start_discord(self) -> None:
        """Start Discord's surface, its Discord on loopback, as a person does by hand."""
        owner = self.discord.world.user("anna")
        voter = {"name": owner["username"], "id": owner["id"]}
        config = {"guild_id": self.discord.world.guild_id, "owner": owner["username"], "voters": [voter]}
        told = {
            "PULSE_API": self.hub.api,
            "PULSE_TOKEN": self.hub.token,
            "PULSE_DISCORD_TOKEN": TOKEN,
            "PULSE_DISCORD_CONFIG": json.dumps(config),
        }
        program = [sys.executable, "-m", "tests.surfaces.discord.standin.run_surface", str(self.discord.port)]
        self.bot = subprocess.Popen(program, cwd=ROOT, env={**os.environ, **told}, stderr=subprocess.DEVNULL)

    def fail(self, how: str) -> None:
        """Have every service fail."""
        for one in self.services.values():
            one.mode = "away" if how == "away" else "refused"
        self.push.plans["b"] = ("503",) if how == "away" else ("410",)
        self.apns.plans[APP_TOKEN_OF_PHONE] = ("503 ServiceUnavailable",) if how == "away" else ("400 BadDeviceToken",)
        status = 503 if how == "away" else 403
        self.discord.fail(r"POST /channels/\d+/messages", 10_000, status, 0 if how == "away" else 50_013)

    def mend(self) -> None:
        """Have every service work again."""
        for one in self.services.values():
            one.mode = "ok"
        self.push.plans["b"], self.apns.plans[APP_TOKEN_OF_PHONE] = ("ok",), ("ok",)
        self.discord.rest.faults.clear()

    def processes(self) -> list[int]:
        """Return the processes of the surfaces."""
        assert self.hub.process is not None
        found = [self.bot.pid] if self.bot is not None else []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            with contextlib.suppress(OSError):
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                is_surface = b"surfaces." in (entry / "cmdline").read_bytes()
                if int(fields[1]) == self.hub.process.pid and is_surface:
                    found.append(int(entry.name))
        return found

    def signal_all(self, number: signal.Signals) -> None:
        """Send a signal to each of them."""
        for pid in self.processes():
            os.kill(pid, number)

    async def unreached(self) -> set[str]:
        """Return the surfaces that the page is told of, and that are in the list of devices."""
        health = await self.hub.call("GET", "/api/v1/health")
        reach = health["crossPollStatus"]["reach"]["unreached"]
        devices = (await self.hub.call("GET", "/api/v1/devices"))["devices"]
        listed = {one["surface"] for one in devices if one["unreached"] is not None}
        return {one["surface"] for one in reach if not one["absent"]} & listed

    async def until_named(self, wanted: frozenset[str], within_s: float) -> dict[str, float]:
        """Wait until these are named; return after how long each was, those that were not left out."""
        began, found = time.monotonic(), dict[str, float]()
        while len(found) < len(wanted) and (passed := time.monotonic() - began) < within_s:
            for surface in await self.unreached() & wanted - found.keys():
                found[surface] = passed
            await asyncio.sleep(LOOK_S)
        return found

    async def said_by_commands(self, wanted: frozenset[str]) -> frozenset[str]:
        """Return the surfaces that every command names."""
        devices = (await self.hub.call("GET", "/api/v1/devices"))["devices"]
        titles = {one["surface"]: one["title"] for one in devices}
        said = [await asyncio.to_thread(self.hub.pulse, command) for command in COMMANDS]
        texts = [" ".join(one.stdout.split()) for one in said]
        return frozenset(one for one in wanted if all(titles[one] in text for text in texts))


@contextlib.asynccontextmanager
async def everything(folder: Path) -> AsyncIterator[Scene]:
    """Run a hub with all surfaces until the block ends."""
    async with contextlib.AsyncExitStack() as stack:
        services = {
            "telegram": await stack.enter_async_context(telegram()),
            "matrix": await stack.enter_async_context(matrix()),
            "slack": await stack.enter_async_context(slack()),
            "ntfy": await stack.enter_async_context(ntfy()),
            "homeassistant": await stack.enter_async_context(home_assistant()),
        }
        push = await stack.enter_async_context(PushService())
        apns = await stack.enter_async_context(Apns(Certificates(folder)))
        discord = await stack.enter_async_context(standing_in())
        hub = LiveHub(folder / "home", folder / "repository", environment_of(folder) | SECRETS, port=free_port())
        make_repository(hub.repository)
        hub.home.mkdir(mode=0o700)
        (hub.home / "config.toml").write_text(settings(services, push, apns))
        await asyncio.to_thread(hub.start)
        scene = Scene(hub, services, push, apns, discord)
        try:
            await admit(scene)
            scene.start_discord()
            await until_there(scene)
            yield scene
        finally:
            if scene.bot is not None:
                scene.bot.kill()
                scene.bot.wait()
            await asyncio.to_thread(hub.stop)


def settings(services: dict[str, Service], push: PushService, apns: Apns) -> str:
    """Return the settings by which every surface reaches its stand-in."""
    files = apns.certificates
    return f"""{NEVER_QUIET}
[web]
push_hosts = ["{push.origin}"]
[telegram]
person_id = "42"
api = "{services["telegram"].url}"
[matrix]
server = "{services["matrix"].url}"
person = "@anna:x"
room_id = "!r:x"
[slack]
team_id = "{TEAM}"
channel_id = "{CHANNEL}"
person_id = "{PERSON}"
api = "{services["slack"].url}/api"
[ntfy]
server = "{services["ntfy"].url}"
[homeassistant]
url = "{services["homeassistant"].url}"
phone = "{PHONE}"
[apns]
team_id = "TEAM123456"
key_id = "KEY1234567"
key_file = "{files.key_file}"
topic = "org.example.acc"
host = "{apns.host}"
sandbox_host = "{apns.host}"
ca_file = "{files.ca_file}"
"""


async def admit(scene: Scene) -> None:
    """Pair a browser and a phone, and say where their push services find them."""
    call = scene.hub.call
    await call("POST", "/api/v1/devices", {"surface": "browser", "device": "b", "profile": "browser"})
    await call("POST", "/api/v1/devices", {"surface": "phone", "device": "p", "profile": "phone"})
    await register(scene)


async def register(scene: Scene) -> None:
    """Give both an address, as they do again when their old one has ended."""
    here = scene.push.subscribe("b")
    spoken = {"kind": "web-push", "endpoint": here.endpoint, "p256dh": here.p256dh, "auth": here.auth}
    body = {"address": {**spoken, "origin": scene.hub.api, "lang": "en"}}
    await scene.hub.call("PUT", "/api/v1/devices/browser/b/address", body)
    app = {"kind": "apns", "token": APP_TOKEN_OF_PHONE, "registeredAt": datetime.now(UTC).isoformat()}
    await scene.hub.call("PUT", "/api/v1/devices/phone/p/address", {"address": app})


async def until_there(scene: Scene) -> None:
    """Wait until every surface has paired and is connected."""
    async with asyncio.timeout(BEGIN_S_MAX):
        while True:
            devices = (await scene.hub.call("GET", "/api/v1/devices"))["devices"]
            there = {one["surface"] for one in devices if one["online"] or one["reachable"]}
            if there >= set(SURFACES):
                return
            await asyncio.sleep(LOOK_S)


@contextlib.asynccontextmanager
async def terminal(scene: Scene) -> AsyncIterator[asyncio.Queue[tuple[str, str]]]:
    """Open a surface that lives; yield the cards that come there, each with how loudly."""
    door = HubAddress(api=scene.hub.api, token=scene.hub.token)
    place = DeviceAddress(surface="terminal", device="desk")
    login: Login = await asyncio.to_thread(pair, door, place, "terminal")
    came: asyncio.Queue[tuple[str, str]] = asyncio.Queue()

    async def hear(link: DeviceLink) -> None:
        async for item in link.items():
            said = read_delivered(item.payload) if isinstance(item, Heard) else None
            if said is None or not isinstance(said.data, DeliveredCard):
                continue
            card = said.data.card
            link.send_receipt(Receipt(delivery_id=card.delivery_id, state=DeliveryState.SHOWN, at=said.time))
            if isinstance(card.event, PredictionNew):
                came.put_nowait((card.event.prediction.id, card.loudness))

    async with DeviceLink(login) as link:
        hearing = asyncio.create_task(hear(link))
        try:
            yield came
        finally:
            hearing.cancel()


async def heard_on(came: asyncio.Queue[tuple[str, str]], card_id: str, within_s: float) -> float | None:
    """Return after how long a card was heard; None where it was not."""
    began = time.monotonic()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(within_s):
            while True:
                came_id, loudness = await came.get()
                if came_id == card_id and loudness in {"notify", "alert"}:
                    return time.monotonic() - began
    return None


async def failing(how: str) -> list[Figure]:
    """Measure one way of failing."""
    wanted = frozenset(SURFACES)
    with tempfile.TemporaryDirectory() as folder:
        async with everything(Path(folder)) as scene:
            if how == "dead":
                scene.signal_all(signal.SIGSTOP)
            else:
                scene.fail(how)
            card = await scene.hub.ask("Deploy the shop?")
            named = await scene.until_named(wanted, NAMED_S)
            by_commands = await scene.said_by_commands(wanted)
            async with terminal(scene) as came:
                handed_s = await heard_on(came, card["id"], NAMED_S)
                back = await come_back(scene, how, wanted)
            return [
                figure(
                    f"surfaces {how}: not named everywhere within 60 s, of 8", 8 - len(by_commands & named.keys()), 0
                ),
                figure(f"{how}: until the last of them is named", max(named.values(), default=NAMED_S), 60, "s"),
                figure(f"{how}: questions not heard on a terminal that is opened then, of 1", int(handed_s is None), 0),
                figure(f"{how}: surfaces still named once they work again, of 8{_listed(back)}", len(back), 0),
            ]


async def come_back(scene: Scene, how: str, wanted: frozenset[str]) -> set[str]:
    """Mend everything, send a test to each, and return what is named still."""
    scene.mend()
    if how == "dead":
        scene.signal_all(signal.SIGCONT)
    if how == "refused":
        await register(scene)
    began, left = time.monotonic(), set(wanted)
    await until_there(scene)
    for surface, device in sorted(await devices_of(scene, wanted)):
        with contextlib.suppress(AssertionError):
            await scene.hub.call("POST", f"/api/v1/devices/{surface}/{device}/test")
    while left and time.monotonic() - began < BACK_S_MAX:
        left = await scene.unreached() & wanted
        # A browser says itself what it shows, and this one shows nothing: that it was not seen there is so.
        left.discard("browser")
        await asyncio.sleep(LOOK_S)
    return left


async def devices_of(scene: Scene, surfaces: frozenset[str]) -> list[tuple[str, str]]:
    """Return the devices of these surfaces."""
    devices: list[dict[str, Any]] = (await scene.hub.call("GET", "/api/v1/devices"))["devices"]
    return [(one["surface"], one["device"]) for one in devices if one["surface"] in surfaces]


async def restarts(count: int) -> Figure:
    """Start a chat again and again while a question comes; count those that came without a sound."""
    silent = 0
    with tempfile.TemporaryDirectory() as folder:
        async with everything(Path(folder)) as scene:
            for number in range(count):
                if scene.bot is not None:
                    scene.bot.kill()
                    scene.bot.wait()
                if number % 2:  # while it is away, or while it starts
                    scene.start_discord()
                question = f"Deploy build {number}?"
                card = await scene.hub.ask(question)
                if not number % 2:
                    scene.start_discord()
                await scene.discord.until(partial(scene.discord.cards, card["id"]), "the question is there")
                posted = scene.discord.cards(card["id"])[-1]
                silent += bool(posted.get("flags", 0) & SILENT_FLAG)
                await scene.hub.call("POST", f"/api/v1/predictions/{card['id']}/reject", {})
    return figure(f"questions without a sound by day, while Discord's surface started, of {count}", silent, 0)


def _listed(surfaces: AbstractSet[str]) -> str:
    return f" ({', '.join(sorted(surfaces))})" if surfaces else ""


def figure(what: str, value: float, goal: float, unit: str = "") -> Figure:
    """Return a figure of this benchmark; less is better."""
    return Figure(bench=BENCH, what=what, value=value, unit=unit, goal=goal)


def run() -> list[Figure]:
    """Measure everything."""
    found: list[Figure] = []
    for how in ("refused", "away", "dead"):
        found += asyncio.run(failing(how))
    return [*found, asyncio.run(restarts(RESTARTS))]
