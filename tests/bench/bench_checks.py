"""The world log's level 2 supervisor: a session says that it is done → it is verified by a file, through the real hub.

The hub with its store on disk, one session after the other, as a client says it that is known. What stands beside it is
what looking at the file alone takes.
"""

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from hub.app.finish_checks import finish_checker
from hub.contract.world import AgentStatus
from hub.domain.provenance import LogText
from hub.domain.requests import LOCAL_CLIENT
from hub.domain.world import AgentLine
from hub.domain.world_proof import FileNeed
from hub.domain.world_requests import SayWorld, WorldSaid
from hub.io.home.clock import SystemClock
from hub.io.store.sqlite import open_store
from hub.io.world.proof_files import ProofPlaces
from hub.io.world.proving import Prover
from hub.runner import AgentRuns, HabitTrainer, Hub, SensorReader
from hub.settings.schema import WorldSettings
from tests.bench.figures import Figure, percentile
from tests.fakes.armed import FakeArming
from tests.fakes.bus import FakeBroker, FakeBus
from tests.fakes.world import a_state
from tests.loop.stage import PROFILES, a_policy
from tests.runner.running_hub import SEEDS, trained

BENCH: Final = "checks"
SESSIONS: Final = 500
VERIFIED_MS_MAX: Final = 100.0
WAIT_S: Final = 30.0
FILES: Final = 200
"""What else lies in the folder that is looked through."""


@asynccontextmanager
async def living(folder: Path) -> AsyncIterator[Hub]:
    """Run a hub with a store in this folder, which looks for files in `folder/work`."""
    store, clock = await open_store(folder / "pulse.db"), SystemClock()
    checker = finish_checker(WorldSettings(), folder / "home", (folder / "work",), frozenset)
    hub = Hub(
        a_state(a_policy(), PROFILES),
        store=store,
        bus=FakeBus(FakeBroker()),
        clock=clock,
        sensor_reader=SensorReader(store=store, clock=clock, sensors=(), twin=None, checker=checker),
        runs=AgentRuns({}),
        trainer=HabitTrainer(store, "me", trained),
        new_seed=lambda: f"b{next(SEEDS):06d}x",
        arming=FakeArming(),
    )
    await hub.start()
    try:
        yield hub
    finally:
        await hub.close()
        await store.close()


async def say(hub: Hub, session: str, status: AgentStatus, need: str = "") -> None:
    line = AgentLine(status=status, session=session, text=LogText("building the wheel"), need=LogText(need))
    reply = await hub.submit(SayWorld(line=line, client=LOCAL_CLIENT))
    if not isinstance(reply, WorldSaid):
        raise TypeError(f"{session} could not say {status}: {reply}")


async def verified_in(hub: Hub, folder: Path, number: int) -> float:
    """Return the seconds from a session's word that it is done to the moment at which it counts as verified."""
    name = f"s{number}"
    await say(hub, name, AgentStatus.START, f"file: dist/pulse-{number}-*.whl")
    await say(hub, name, AgentStatus.ACTIVE)
    (folder / "work" / "dist" / f"pulse-{number}-py3.whl").write_bytes(b"PK")
    begin = time.perf_counter()
    await say(hub, name, AgentStatus.FINISH)
    async with asyncio.timeout(WAIT_S):
        while hub.state().world.sessions[name].status is not AgentStatus.VERIFIED:  # noqa: ASYNC110  nobody is told
            await asyncio.sleep(0.0005)
    return time.perf_counter() - begin


async def looked_in(folder: Path, number: int) -> float:
    """Return the seconds that looking at such a file takes by itself."""
    prover = Prover(ProofPlaces(home=str(folder), workspaces=(str(folder / "work"),)), own_ports=frozenset)
    need = FileNeed(pattern=LogText(f"dist/pulse-{number}-*.whl"))
    begin = time.perf_counter()
    (found,) = await prover.prove((need,), "", datetime.now(UTC) - timedelta(hours=1))
    took = time.perf_counter() - begin
    if found.state != "there":
        raise RuntimeError("the file was not found")
    return took


async def measured(folder: Path, sessions: int) -> list[Figure]:
    dist = folder / "work" / "dist"
    dist.mkdir(parents=True)
    (folder / "home").mkdir()
    for number in range(FILES):
        (dist / f"other-{number}.whl").write_bytes(b"PK")
    async with living(folder) as hub:
        took = [await verified_in(hub, folder, number) for number in range(sessions)]
    looks = [await looked_in(folder, number) for number in range(sessions)]
    return [
        Figure(
            bench=BENCH,
            what=f"finish → verified by a file, p99 of {sessions}",
            value=percentile(took, 0.99) * 1e3,
            unit="ms",
            goal=VERIFIED_MS_MAX,
            reference="the look alone, p99",
            reference_value=percentile(looks, 0.99) * 1e3,
        ),
        Figure(
            bench=BENCH,
            what="finish → verified by a file, median",
            value=percentile(took, 0.5) * 1e3,
            unit="ms",
            reference="the look alone, median",
            reference_value=percentile(looks, 0.5) * 1e3,
        ),
    ]


def run(sessions: int = SESSIONS) -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="pulse-bench-") as folder:
        return asyncio.run(measured(Path(folder), sessions))
