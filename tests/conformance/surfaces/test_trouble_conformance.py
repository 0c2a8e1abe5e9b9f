"""A surface that lives but cannot do its work says so in a line: what each one writes is what health shows."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path

import msgspec
import pytest

from hub.contract.api import HealthPart
from hub.io.processes.surfaces import SurfaceProcesses, SurfaceProgram, Told
from surfaces.apns.reasons import SETTINGS_HELP, Answer, explain
from tests.conformance.surfaces.a_troubled_surface import LIMITS

ROOT = Path(__file__).parents[3]
MODULE = "tests.conformance.surfaces.a_troubled_surface"
WAIT_S = 60.0
STEP_S = 0.01
SPEAKERS = {
    "apns": "surfaces.apns.app",
    "chat": "hub.kit.chat.trouble",
    "device": "hub.kit.gateway.device",
    "discord": "surfaces.discord.surface",
}
"""The module of each that says it, as `say_trouble(why)` or by its `GOES_ON`; an empty `why` says that it is over."""
REASONS = {
    "apns": [explain(Answer(status=403, reason=reason)) for reason in SETTINGS_HELP],
    "chat": ["Telegram is not reachable (ClientConnectorError)"],
    "device": ["The ntfy server does not answer (ClientConnectorError)"],
    "discord": ["The connection to Discord ended (ClientConnectorError: refused)", "There is no channel #bridge"],
}
"""The longest that each has to say."""


class Scene:
    """A surface's process under the hub, and the file that tells it what to say."""

    def __init__(self, surface: str, file: Path) -> None:
        self._file = file
        self._texts: list[str] = []
        self._write()
        program = SurfaceProgram(name=surface, arguments=(MODULE, SPEAKERS[surface], str(file)), told=_told)
        self.processes = SurfaceProcesses({surface: program})
        self.processes.need(surface)

    def says(self, text: str) -> None:
        self._texts.append(text)
        self._write()

    def crash(self) -> None:
        """Take its file away; a process that cannot read it falls over."""
        self._file.unlink()

    def _write(self) -> None:
        whole = self._file.with_suffix(".new")
        whole.write_bytes(msgspec.json.encode(self._texts))
        whole.replace(self._file)

    async def health(self, fits: Callable[[HealthPart], bool]) -> HealthPart:
        """Wait until the hub's health is so, and return it."""
        async with asyncio.timeout(WAIT_S):
            while not fits(part := self.processes.health()[0]):  # noqa: ASYNC110  another process writes; no signal of it
                await asyncio.sleep(STEP_S)
        return part


def _begins(why: str, part: HealthPart) -> bool:
    return part.detail.startswith(why)


async def _told() -> Told:
    return Told(environment={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}, secrets={})


@pytest.fixture(params=sorted(SPEAKERS))
def surface(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
async def scene(surface: str, tmp_path: Path) -> AsyncIterator[Scene]:
    made = Scene(surface, tmp_path / "texts.json")
    yield made
    await made.processes.close()


def test_every_surface_says_what_keeps_it_from_its_service() -> None:
    """By what it derives from, or by itself; a terminal has no service behind it."""
    made_by = ("ChatProgram(", "DeviceSurface[", "Gateway[", "ServiceTrouble(")
    silent = {
        folder.parent.name
        for folder in (ROOT / "surfaces").glob("*/__init__.py")
        if not any(word in file.read_text() for file in folder.parent.glob("*.py") for word in made_by)
    }
    assert silent == {"terminal"}


@pytest.mark.slow
async def test_trouble_is_shown_with_all_its_words_until_it_is_over(scene: Scene, surface: str) -> None:
    assert (await scene.health(lambda part: part.status == "ok")).detail == "running"
    for why in (*REASONS[surface], "refused: é, 🙂"):
        scene.says(why)
        shown = await scene.health(partial(_begins, why))
        assert shown.status == "degraded"
        assert shown.fix.endswith("."), "the whole sentence says what to do next"
    scene.says("")
    assert (await scene.health(lambda part: part.status == "ok")).detail == "running"


@pytest.mark.slow
async def test_trouble_of_several_lines_stays_one(scene: Scene) -> None:
    scene.says("first line\n  second line\n")
    shown = await scene.health(partial(_begins, "first line second line"))
    assert shown.status == "degraded"


@pytest.mark.slow
async def test_trouble_is_no_longer_shown_when_its_process_has_ended(scene: Scene) -> None:
    scene.says("before the end")
    await scene.health(lambda part: "before the end" in part.detail)
    scene.crash()
    await scene.health(lambda part: "ended: FileNotFoundError" in part.detail)


@pytest.mark.slow
async def test_what_only_limits_a_surface_is_shown_of_one_that_is_well(scene: Scene) -> None:
    scene.says(f"{LIMITS}In #bridge the bot may not add reactions")
    shown = await scene.health(lambda part: "add reactions" in part.detail)
    assert (shown.status, shown.fix.endswith(".")) == ("ok", True)
    scene.says("The service is away")
    assert (await scene.health(lambda part: part.status == "degraded")).detail == "The service is away"
    scene.says("")
    scene.says(LIMITS)
    assert (await scene.health(lambda part: part.status == "ok" and part.detail == "running")).fix == ""
