"""Discord: reactions in, a vote to its decision, a decision elsewhere to the edited card, votes lost, memory.

The reference for reactions is discord.py with nothing around it, against the same stand-in in the same run. The other
figures use a real hub and the surface as a process of its own; the stand-in for Discord is then in this process.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from tests.bench.figures import Figure, median, percentile
from tests.bench.hub_process import ROOT, HubProcess, running

BENCH = "discord"
REFERENCE = "discord.py alone"
FLOOD, PACED, PACE, ROUNDS = 40_000, 15_000, 5_000, 5
CARDS = 100
OUTAGES = ("resume", "invalid session", "503", "restart", "hub")
QUIET = ["-W", "ignore", "-m"]
STANDIN = "tests.surfaces.discord.standin"
CONFIG = "[crosspoll]\npending_max = 1000000\n[sensors]\ntranscripts = false\n"


def flood(mode: str, count: int, rate: int) -> dict[str, float]:
    """Send reactions to a client of its own; return what it measured."""
    server = _program(f"{STANDIN}.flood_server")
    told = json.loads(_line(server))
    arguments = [mode, str(told["port"]), told["guild"], told["people"][0], str(count)]
    client = _program(f"{STANDIN}.flood_client", *arguments)
    try:
        assert _line(client) == "ready\n"
        assert server.stdin is not None
        server.stdin.write(f"{count} {rate}\n")
        server.stdin.flush()
        measured: dict[str, float] = json.loads(_line(client))
        return measured
    finally:
        for process in (client, server):
            process.terminate()
            process.communicate()


def middle_rounds() -> dict[str, dict[str, float]]:
    """Send 5,000 a second to both clients in turn; return the middle round of each, for a machine may stall in one."""
    rounds = [{mode: flood(mode, PACED, PACE) for mode in ("alone", "surface")} for _ in range(ROUNDS)]
    return {
        mode: sorted((one[mode] for one in rounds), key=lambda told: told["p99_ms"])[ROUNDS // 2]
        for mode in ("alone", "surface")
    }


def run() -> list[Figure]:
    """Measure everything; the two clients one after the other, each at its most and at 5,000 a second."""
    most = {mode: flood(mode, FLOOD, 0) for mode in ("alone", "surface")}
    paced = middle_rounds()
    figures = [
        _figure("reactions in", most["surface"]["rate"], "/s", 5_000, most["alone"]["rate"], better="higher"),
        _figure("reactions in at 5,000/s, p99", paced["surface"]["p99_ms"], "ms", 10, paced["alone"]["p99_ms"]),
    ]
    with tempfile.TemporaryDirectory(prefix="pulse-bench-") as name:
        home = Path(name) / "home"
        home.mkdir()
        (home / "config.toml").write_text(CONFIG)
        with running(home, Path(name)) as hub:
            voted_ms, edited_ms, rss_mb = asyncio.run(both_ways(hub))
    lost = {how: asyncio.run(votes_lost(how)) for how in OUTAGES}
    return [
        *figures,
        _figure("reactions in at 5,000/s, p50", paced["surface"]["p50_ms"], "ms", 10, paced["alone"]["p50_ms"]),
        _figure("processor time of a reaction", paced["surface"]["cpu_us"], "µs", 200, paced["alone"]["cpu_us"]),
        _figure("reaction to committed decision, p50", median(voted_ms), "ms", 25),
        _figure("reaction to committed decision, p99", percentile(voted_ms, 0.99), "ms", 25),
        _figure("decision elsewhere to edited card, p50", median(edited_ms), "ms", 100),
        _figure("decision elsewhere to edited card, p99", percentile(edited_ms, 0.99), "ms", 100),
        *(_figure(f"lost or doubled of 1,000 votes, {how}", float(count), "votes", 0) for how, count in lost.items()),
        _figure("memory of the surface", rss_mb, "MB", 60),
    ]


class Listener:
    """Hears what the hub tells everybody, and when."""

    def __init__(self, hub: HubProcess) -> None:
        login = hub.call("POST", "/api/v1/devices", {"surface": "terminal", "device": "bench", "profile": "terminal"})
        self.seen: dict[str, float] = {}
        ready = threading.Event()
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=login["clientId"])
        self._client.username_pw_set(login["username"], login["password"])
        self._client.on_message = self._hear
        self._client.on_subscribe = lambda *_: ready.set()
        self._client.connect(str(hub.broker.hostname), hub.broker.port or 0)
        self._client.subscribe(f"pulse/v1/{login['user']}/event/prediction/settled", qos=1)
        self._client.loop_start()
        assert ready.wait(5)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _hear(self, _client: mqtt.Client, _data: object, message: mqtt.MQTTMessage) -> None:
        at_s = time.monotonic()
        self.seen[json.loads(message.payload)["subject"]] = at_s


async def both_ways(hub: HubProcess) -> tuple[list[float], list[float], float]:
    """Vote on half of the cards, answer the others elsewhere; return how long each took, and the surface's memory."""
    from tests.surfaces.discord.standin.server import standing_in  # noqa: PLC0415  importing it warns of audioop

    async with standing_in() as discord:
        ann = discord.world.user("ann")
        with _surface(hub, discord.port, discord.world.guild_id, ann["id"]) as process:
            listener = await asyncio.to_thread(Listener, hub)
            voted = [await _voted(hub, listener, discord, ann, number) for number in range(CARDS)]
            listener.close()
            edited = [await _answered_elsewhere(hub, discord, number) for number in range(CARDS)]
            return voted, edited, _rss_mb(process.pid)


async def _card(hub: HubProcess, discord: Any, question: str) -> tuple[str, Any]:  # noqa: ANN401  the stand-in
    body = {"question": question, "timeoutS": 3_600, "risk": "low"}
    card_id = (await asyncio.to_thread(hub.call, "POST", "/api/v1/ask", body))["prediction"]["id"]
    own = discord.world.bot["id"]
    await discord.until(
        lambda: [one for one in discord.cards(card_id) if own in discord.world.who_reacted(one["id"], "👀")], question
    )
    return card_id, discord.cards(card_id)[-1]


async def _voted(hub: HubProcess, listener: Listener, discord: Any, voter: Any, number: int) -> float:  # noqa: ANN401  the stand-in
    """Return the milliseconds from a reaction until the hub tells everybody of the committed decision."""
    card_id, message = await _card(hub, discord, f"Deploy build {number}?")
    began = time.monotonic()
    await discord.react(voter, message, "✅")
    await discord.until(lambda: card_id in listener.seen, "the decision")
    return (listener.seen[card_id] - began) * 1e3


async def _answered_elsewhere(hub: HubProcess, discord: Any, number: int) -> float:  # noqa: ANN401  the stand-in
    """Return the milliseconds from an answer over HTTP until the card in the channel is edited."""
    card_id, message = await _card(hub, discord, f"Write letter {number}?")
    began = time.monotonic()
    await asyncio.to_thread(hub.call, "POST", f"/api/v1/predictions/{card_id}/reject")
    await discord.until(lambda: message["embeds"][0]["title"].startswith("✖️"), "the edit")
    edits = (at for at, method, path, _ in discord.rest.log if method == "PATCH" and path.endswith(message["id"]))
    edited: float = max(at for at in edits if at > began)
    return (edited - began) * 1e3


async def votes_lost(how: str) -> int:
    """Return how many of a thousand votes were lost or doubled over an outage."""
    from tests.surfaces.discord.conftest import Stage  # noqa: PLC0415  importing it warns of audioop
    from tests.surfaces.discord.small_hub import SmallHub  # noqa: PLC0415  importing it warns of audioop
    from tests.surfaces.discord.standin.server import standing_in  # noqa: PLC0415  importing it warns of audioop
    from tests.surfaces.discord.test_discord_thousand import thousand  # noqa: PLC0415  importing it warns of audioop

    async with standing_in() as discord:
        stage = Stage(discord, SmallHub())
        try:
            return await thousand(stage, how)
        finally:
            await stage.stop()


@contextmanager
def _surface(hub: HubProcess, port: int, guild: str, voter: str) -> Iterator[subprocess.Popen[str]]:
    from tests.surfaces.discord.standin.server import TOKEN  # noqa: PLC0415  importing it warns of audioop

    voters = [{"name": "ann", "id": voter}]
    config = {"guild_id": guild, "owner": "ann", "voters": voters, "policy": {"kind": "first"}}
    told = {
        "PULSE_API": hub.api.geturl(),
        "PULSE_TOKEN": hub.token,
        "PULSE_DISCORD_TOKEN": TOKEN,
        "PULSE_DISCORD_CONFIG": json.dumps(config),
        "MALLOC_ARENA_MAX": "2",
    }
    process = _program(f"{STANDIN}.run_surface", str(port), told=told)
    try:
        yield process
    finally:
        process.terminate()
        process.communicate()


def _program(module: str, *arguments: str, told: dict[str, str] | None = None) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *QUIET, module, *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **(told or {})},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def _line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def _rss_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))) / 1024


def _figure(
    what: str, value: float, unit: str, goal: float, reference: float | None = None, *, better: str = "lower"
) -> Figure:
    return Figure(
        bench=BENCH,
        what=what,
        value=value,
        unit=unit,
        goal=goal,
        better=better,
        reference=REFERENCE if reference is not None else "",
        reference_value=reference,
    )
