"""Sessions without an outcome after a simulated week of crashes, hangs and restarts; what looking after many costs.

`python -m tests.bench.bench_world_week 1000` lives through a week of so many sessions, and names what they came to.
"""

import asyncio
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Final

from msgspec.structs import replace

from hub.contract.world import AgentStatus
from hub.domain.world import SessionProcess, WorldSession
from hub.domain.world_findings import ProcessLook
from hub.domain.world_log_state import WorldLogState, WorldWatch
from hub.loop import step
from hub.loop.events import Event, ProcessesSeen, Stamped, Ticked
from tests.bench.figures import Figure, percentile
from tests.bench.world_week import Week, outcome
from tests.fakes.world import a_state
from tests.loop.stage import NOON, PROFILES, a_policy

BENCH: Final = "world_week"
SEED: Final = 16
SESSIONS: Final = 10_000
CALLS: Final = 200
LATER: Final = timedelta(minutes=1)


def run(sessions: int = SESSIONS) -> list[Figure]:
    """Live through a week, then measure a tick and a look with as many sessions open."""
    week = Week(SEED, sessions)
    came_to = asyncio.run(week.run())
    sys.stderr.write(f"{dict(came_to)}, {week.restarts} restarts, {week.forged} forged lines, {week.answers} answers\n")
    for one in asyncio.run(week.ended()):
        if outcome(one, week.world.now) == "lost":
            sys.stderr.write(f"lost at {week.world.now}: {one}\n")
    lost = came_to["lost"] + sessions - came_to.total()
    none, few = _slowest_ms(Ticked(), 0), _slowest_ms(Ticked(), SESSIONS)
    look = _slowest_ms(ProcessesSeen(look=_all_there()), SESSIONS)
    return [
        _figure(f"sessions of {sessions:,} left without an outcome or a question", lost, "sessions", goal=0),
        _figure("sessions failed though their process was there", len(week.falsely_failed), "sessions", goal=0),
        Figure(
            bench=BENCH,
            what=f"a tick with {SESSIONS:,} open sessions, p99 of the computing",
            value=few,
            unit="ms",
            reference="a tick without any",
            reference_value=none,
        ),
        _figure(f"judging a look at {SESSIONS:,}, p99 of the computing", look, "ms"),
    ]


def _figure(what: str, value: float, unit: str, goal: float | None = None) -> Figure:
    return Figure(bench=BENCH, what=what, value=value, unit=unit, goal=goal)


def _all_there() -> ProcessLook:
    return ProcessLook(gone=(SessionProcess(pid=1, started=1),))


def _slowest_ms(event: Event, sessions: int) -> float:
    """Return the p99 of taking an event with so many sessions at work, none of which is overdue."""
    state = a_state(a_policy(), PROFILES)
    opened = {one.id: one for one in map(_session, range(sessions))}
    watch = WorldWatch(look_at=NOON + timedelta(minutes=5), due_at=NOON + timedelta(hours=1))
    state = replace(state, world=WorldLogState(sessions=opened, watch=watch))
    took = [_ms(lambda: step(state, Stamped(at=NOON + LATER, seed="s", event=event))) for _ in range(CALLS)]
    return percentile(took, 0.99)


def _session(number: int) -> WorldSession:
    process = SessionProcess(pid=1_000 + number, started=number)
    status = AgentStatus.ACTIVE
    return WorldSession(id=f"s{number}", status=status, started_at=NOON, moved_at=NOON, heard_at=NOON, process=process)


def _ms(call: Callable[[], object]) -> float:
    """Return how long this process computes for a call: what else runs beside it is none of its cost."""
    begin = time.process_time()
    call()
    return (time.process_time() - begin) * 1e3


if __name__ == "__main__":
    for figure in run(int(sys.argv[1]) if len(sys.argv) > 1 else SESSIONS):
        sys.stdout.write(f"{figure.what}: {figure.value:.3f} {figure.unit}\n")
