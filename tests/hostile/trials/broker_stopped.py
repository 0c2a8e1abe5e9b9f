"""The broker is stopped (SIGSTOP): it takes connections and answers none. How soon is that said, and mended?"""

import os
import signal
import time

from tests.hostile.hub_stand import HubStand, hub_stand
from tests.hostile.trial import Outcome, Trial

SAID_S_MAX, WELL_S_MAX = 6.0, 15.0
POLL_S = 0.05


def run(attempts: int) -> Outcome:
    """Stop it so often; a stop that health does not tell of in time, or that is not mended, got through."""
    with hub_stand() as at:
        took = [one(at) for _ in range(attempts)]
    through = [pair for pair in took if pair[0] > SAID_S_MAX or pair[1] > WELL_S_MAX]
    figures = {
        "said after at most": f"{max(said for said, _ in took):.1f} s",
        "well again after at most": f"{max(well for _, well in took):.1f} s",
    }
    return Outcome(attempts=attempts, got_through=len(through), figures=figures)


def one(at: HubStand) -> tuple[float, float]:
    """Stop the broker; return the seconds until health was not ok, and until it was ok again with another one."""
    until(at, "ok", WELL_S_MAX)
    os.kill(at.broker_pid(), signal.SIGSTOP)
    said = until(at, "degraded", 2 * WELL_S_MAX)
    return said, said + until(at, "ok", 2 * WELL_S_MAX)


def until(at: HubStand, wanted: str, wait_s: float) -> float:
    """Return the seconds until the hub says so of its broker, `wait_s` at most."""
    began = time.monotonic()
    while at.broker_health() != wanted and time.monotonic() - began < wait_s:
        time.sleep(POLL_S)  # health is polled, as a watchdog does
    return time.monotonic() - began


TRIAL = Trial(
    name="broker_stopped",
    promise=f"a broker that does not answer is said within {SAID_S_MAX:.0f} s, and replaced",
    run=run,
    short=1,
    long=10,
)
