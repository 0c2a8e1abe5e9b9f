"""A paired device floods the hub with what cannot be read: memory stays, others are heard, health stays well."""

import contextlib
import random
import secrets
import threading
import time

import psutil

from hub.contract.access import Login
from tests.hostile.hub_stand import HubStand, hub_stand
from tests.hostile.mqtt_raw import RawClient
from tests.hostile.trial import Outcome, Trial

GROWTH_MB_MAX = 30.0
KINDS = ("decision", "receipt", "presence", "world")
SIZES = (0, 1, 300, 5_000, 60_000, 250_000)
CONNECTIONS = 4
SETTLE_S_MAX = 60.0
MEGABYTE = 1024 * 1024


def flood(login: Login, count: int, seed: int) -> None:
    """Send garbage on every topic that the device may write, connecting again whenever the broker has enough of it."""
    draw = random.Random(seed)  # noqa: S311  garbage, not secrets
    sent = 0
    port = int(login.url.rpartition(":")[2])
    while sent < count:
        with contextlib.suppress(OSError), RawClient(port) as client:
            if not client.login(secrets.token_hex(8), login.username, login.password):
                continue
            for _ in range(min(50, count - sent)):
                topic = f"pulse/v1/{login.user}/{draw.choice(KINDS)}/{login.surface}/{login.device}"
                client.publish(topic, draw.randbytes(draw.choice(SIZES)), qos=draw.choice((0, 1)))
                sent += 1
            client.is_alive()


def memory_mb(at: HubStand) -> tuple[float, float]:
    """Return what hub and broker have in memory."""
    return at.hub.rss_mb(), psutil.Process(at.broker_pid()).memory_info().rss / MEGABYTE


def run(attempts: int) -> Outcome:
    """Send so many messages over several connections at once; too much growth or a lost answer got through."""
    with hub_stand() as at:
        login = at.pair("phone", "flooder")
        at.hub.call("GET", "/api/v1/health")
        before = memory_mb(at)
        peak = [before]
        threads = [
            threading.Thread(target=flood, args=(login, attempts // CONNECTIONS, seed)) for seed in range(CONNECTIONS)
        ]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            peak.append(memory_mb(at))
            time.sleep(0.1)
        slowest = slowest_answer(at)
        after = memory_mb(at)
        health = at.broker_health()
    hub_mb = max(one[0] for one in (*peak, after))
    failed = [hub_mb - before[0] > GROWTH_MB_MAX, health != "ok"]
    return Outcome(
        attempts=attempts,
        got_through=sum(failed),
        figures={
            "hub": f"{before[0]:.0f} → {after[0]:.0f} MB (at most {hub_mb:.0f})",
            "broker": f"{before[1]:.0f} → {after[1]:.0f} MB (at most {max(one[1] for one in (*peak, after)):.0f})",
            "health": health,
            "an answer after it": f"{slowest * 1000:.0f} ms",
        },
    )


def slowest_answer(at: HubStand) -> float:
    """Return how long a question takes to be asked right after the flood."""
    began = time.monotonic()
    at.ask("after-the-flood")
    return time.monotonic() - began


TRIAL = Trial(
    name="mqtt_garbage",
    promise=f"a flood of garbage over MQTT grows the hub by {GROWTH_MB_MAX:.0f} MB at most",
    run=run,
    short=400,
    long=10_000,
)
