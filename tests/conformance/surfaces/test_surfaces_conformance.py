"""One suite for the surface processes and their fake, and what only real processes can show."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from hub.io.processes.surfaces import SurfaceProcesses, SurfaceProgram, Told
from hub.ports import Surfaces
from tests.fakes.surfaces import FakeSurfaces

ROOT = Path(__file__).parents[3]
MODULE = "tests.conformance.surfaces.a_surface"
WAIT_S = 40.0
STEP_S = 0.01


def program(log: Path, *arguments: str) -> SurfaceProgram:
    async def told() -> Told:
        environment = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "A_SURFACE_LOG": str(log),
            "PULSE_CHILD": "1",
        }
        return Told(environment=environment, secrets={"PULSE_TOKEN": "t"})

    return SurfaceProgram(name="browser", arguments=(MODULE, *arguments), told=told)


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT_S):
        while not true():  # noqa: ASYNC110  another process writes a file; there is no signal of it
            await asyncio.sleep(STEP_S)


def starts(log: Path) -> list[str]:
    return log.read_text().splitlines() if log.exists() else []


def alive(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "starts"


@pytest.fixture(params=["fake", "real"])
async def surfaces(request: pytest.FixtureRequest, log: Path) -> AsyncIterator[Surfaces]:
    made: Surfaces = FakeSurfaces() if request.param == "fake" else SurfaceProcesses({"browser": program(log)})
    yield made
    await made.close()


@pytest.fixture(params=["fake", "real"])
async def setting_up(request: pytest.FixtureRequest, log: Path) -> AsyncIterator[tuple[Surfaces, set[str]]]:
    """Surfaces of which nothing is set up at the start, and those that are by now."""
    fake = FakeSurfaces()
    real = SurfaceProcesses({}, lambda surface: program(log) if surface in fake.set_up else None)
    made: Surfaces = fake if request.param == "fake" else real
    yield made, fake.set_up
    await made.close()


async def test_what_is_set_up_later_begins_and_what_is_taken_back_ends(
    setting_up: tuple[Surfaces, set[str]],
) -> None:
    surfaces, set_up = setting_up
    await surfaces.renew("browser")
    assert surfaces.health() == ()
    set_up.add("browser")
    for _ in range(2):
        await surfaces.renew("browser")
        assert [part.name for part in surfaces.health()] == ["surface browser"]
    set_up.clear()
    await surfaces.renew("browser")
    assert surfaces.health() == ()


async def test_nothing_runs_before_it_is_needed(surfaces: Surfaces) -> None:
    assert surfaces.health() == ()


async def test_what_is_needed_twice_runs_once(surfaces: Surfaces) -> None:
    surfaces.need("browser")
    surfaces.need("browser")
    assert [part.name for part in surfaces.health()] == ["surface browser"]


async def test_what_is_released_runs_no_more_and_can_be_needed_again(surfaces: Surfaces) -> None:
    surfaces.need("browser")
    await surfaces.release("browser")
    assert surfaces.health() == ()
    await surfaces.release("browser")
    surfaces.need("browser")
    assert [part.name for part in surfaces.health()] == ["surface browser"]


async def test_after_the_end_nothing_runs(surfaces: Surfaces) -> None:
    surfaces.need("browser")
    await surfaces.close()
    assert surfaces.health() == ()


async def test_a_surface_without_a_process_of_its_own_needs_none(log: Path) -> None:
    surfaces = SurfaceProcesses({"browser": program(log)})
    surfaces.need("terminal")
    assert surfaces.health() == ()


@pytest.mark.slow
async def test_a_real_one_is_told_what_it_needs_and_ends_with_the_hub(log: Path) -> None:
    surfaces = SurfaceProcesses({"browser": program(log)})
    surfaces.need("browser")
    await until(lambda: len(starts(log)) == 1)
    await until(lambda: surfaces.health()[0].status == "ok")
    pid, token = starts(log)[0].split()
    assert token == "t"
    assert alive(int(pid))
    await surfaces.close()
    assert not alive(int(pid))


@pytest.mark.slow
async def test_one_that_falls_over_is_started_again_and_says_why(log: Path) -> None:
    surfaces = SurfaceProcesses({"browser": program(log, "crash")})
    surfaces.need("browser")
    await until(lambda: len(starts(log)) == 2)
    await until(lambda: "the surface fell over" in surfaces.health()[0].detail)
    assert surfaces.health()[0].status == "degraded"
    await surfaces.close()
