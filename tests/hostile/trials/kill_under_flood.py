"""Strangers hold connections to the API and the broker and say nothing; a person presses the emergency stop."""

import contextlib
import json
import os
import resource
import socket
import subprocess
import time
from collections.abc import Iterator

from tests.cli.real_hub import PULSE
from tests.hostile.hub_stand import HubStand, hub_stand
from tests.hostile.trial import Outcome, Trial
from tests.house.source import ROOT

SPARE_FILES = 200
KILL_S_MAX = 30
OF_THE_BROKER = 5
"""Every fifth stranger goes to the broker."""


def run(attempts: int) -> Outcome:
    """Hold so many connections, and stop; one that is not certain, or not in force, got through."""
    with hub_stand() as at, strangers(at, attempts) as held:
        began = time.monotonic()
        said = pulse(at, "kill")
        took_s = time.monotonic() - began
        answered = "enabled" in said.stdout
        status = json.loads(pulse(at, "status", "--json").stdout)
        off = status.get("crossPollStatus", {}).get("killedBy") == "emergency"
        certain = said.returncode == 0 and not (at.hub.home / "armed").exists()
    figures = {
        "connections held": str(held),
        "the command took": f"{took_s:.2f} s",
        "its stop was answered by": "the hub" if answered else "nobody, and is certain all the same",
        "the status said": "off" if off else "nothing",
    }
    return Outcome(attempts=attempts, got_through=0 if certain else 1, figures=figures)


def pulse(at: HubStand, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Call a command as the person does."""
    return subprocess.run(
        [*PULSE, *arguments, "--json"] if "--json" not in arguments else [*PULSE, *arguments],
        cwd=ROOT,
        env={**os.environ, "PULSE_HOME": str(at.hub.home)},
        capture_output=True,
        text=True,
        check=False,
        timeout=KILL_S_MAX,
    )


@contextlib.contextmanager
def strangers(at: HubStand, wanted: int) -> Iterator[int]:
    """Hold that many connections, as far as this machine and the hub let us; yield how many there are."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, wanted + SPARE_FILES), hard))
    held: list[socket.socket] = []
    try:
        for number in range(wanted):
            where = at.hub.broker if number % OF_THE_BROKER == 0 else at.hub.api
            with contextlib.suppress(OSError):  # refused, or out of files: the others stay
                held.append(socket.create_connection((where.hostname or "", where.port or 0), timeout=1))
        yield len(held)
    finally:
        for one in held:
            one.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


TRIAL = Trial(
    name="kill_under_flood",
    promise="`pulse kill` works, and is certain, while strangers hold every connection that they can get",
    run=run,
    short=2_000,
    long=10_000,
)
