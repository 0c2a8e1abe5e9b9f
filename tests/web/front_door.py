"""Draws how coding agents ask, from what really happens: `python -m tests.web.front_door [AGENT]`.

The real agent in a terminal of its own, recorded, with a stub in the place of its model; a hub as a person starts it,
and `pulse connect`; a browser of a phone's size, where the question is answered. Nothing is made up: a step that does
not happen ends the program.
"""

import asyncio
import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from playwright.async_api import Locator, Page, expect

from tests.io.agents.hooks import real_opencode
from tests.io.agents.hooks.claude_terminal import trust
from tests.io.agents.hooks.real_claude import claude_environment, claude_program
from tests.io.agents.hooks.stub_model import stub_model
from tests.io.attached import real_codex
from tests.web.chromium import new_page, running_chromium
from tests.web.first_hour import IMAGES, SHOWN_MS_MAX, started
from tests.web.live_hub import HOUR, LiveHub, zone_where_it_is
from tests.web.signing_in import READY
from tests.web.terminal_film import Film

CELLS, ROWS = 100, 30
ASKED, INSTEAD = "rm -rf build && git push --force", "rm -rf build"
WHY = "Delete the build, then push"
WISH = "Clear out the old build and publish"


class Scene(NamedTuple):
    """One agent: how it runs on film, what it shows when it listens and when it asks, and how it is answered."""

    runs: Callable[[LiveHub, Path], contextlib.AbstractContextManager[Film]]
    listens: str
    asks: str
    answer: Callable[[Page, Locator], Awaitable[None]]


@contextlib.contextmanager
def filmed(command: list[str], hub: LiveHub, folder: Path, environment: dict[str, str]) -> Iterator[Film]:
    """Run a program in the shop, on film."""
    film = Film(folder / "tmux", cells=CELLS, rows=ROWS)
    film.start(command, cwd=hub.repository, environment=environment)
    try:
        yield film
    finally:
        film.stop()


@contextlib.contextmanager
def claude(hub: LiveHub, folder: Path) -> Iterator[Film]:
    """Run Claude Code."""
    with stub_model() as model:
        model.tools = [("Bash", {"command": ASKED, "description": WHY})]
        environment = claude_environment(Path(hub.environment["HOME"]), model.url)
        trust(hub.repository, environment)
        with filmed([str(claude_program())], hub, folder, environment) as film:
            yield film


@contextlib.contextmanager
def codex(hub: LiveHub, folder: Path) -> Iterator[Film]:
    """Run Codex, whose terminal and Pulse are both clients of its server."""
    program, home = real_codex.codex_program(), Path(hub.environment["HOME"])
    with real_codex.stub_responses() as model:
        model.commands, model.why = [ASKED], WHY
        real_codex.write_settings(home, hub.repository, model.url)
        server = real_codex.start_server(program, home)
        try:
            environment = {"PATH": os.environ["PATH"], "HOME": str(home), "STUB_KEY": "x"}
            with filmed([str(program)], hub, folder, environment) as film:
                yield film
        finally:
            server.kill()  # asked politely, it waits for open requests
            server.wait()


@contextlib.contextmanager
def opencode(hub: LiveHub, folder: Path) -> Iterator[Film]:
    """Run OpenCode with its plugin."""
    home = Path(hub.environment["HOME"])
    with real_opencode.stub_completions() as model:
        model.commands, model.why = [ASKED], WHY
        real_opencode.write_settings(home, model.url)
        environment = {"PATH": os.environ["PATH"], "HOME": str(home), "OPENCODE_DISABLE_AUTOUPDATE": "1"}
        with filmed([str(real_opencode.opencode_program())], hub, folder, environment) as film:
            yield film


async def change(page: Page, front: Locator) -> None:
    """Change the command, and say yes to what it is then."""
    await front.get_by_role("button", name="Change it").tap()
    await page.locator("dialog textarea").fill(INSTEAD)
    await page.screenshot(path=IMAGES / "door-changed.png")
    await page.locator("dialog button.main").tap()


async def say_yes(_: Page, front: Locator) -> None:
    """Say yes to what it asks, and again, for a forced push is risky."""
    await front.get_by_role("button", name="Yes", exact=True).tap()
    await front.get_by_role("button", name="Yes, run it").tap()


SCENES = {
    "claude-code": Scene(claude, "shift+tab", "Do you want to proceed", change),
    "codex": Scene(codex, "for shortcuts", "Would you like to run", say_yes),
    "opencode": Scene(opencode, "Ask anything", "Permission required", say_yes),
}


@contextlib.asynccontextmanager
async def phone(hub: LiveHub) -> AsyncIterator[Page]:
    """Open the page on a phone."""
    async with (
        running_chromium() as browser,
        new_page(browser, "phone", worker=True, color_scheme="dark", timezone_id=zone_where_it_is(HOUR)) as (page, _),
    ):
        await page.goto(await hub.pairing_link(title="Phone"))
        await page.wait_for_selector(READY, state="attached")
        yield page


async def play(agent: str, scene: Scene, hub: LiveHub, film: Film) -> None:
    """Say the wish, let the agent ask, and answer on the phone."""
    async with phone(hub) as page:
        await asyncio.to_thread(film.wait_for, scene.listens)
        film.keys("-l", WISH)
        await asyncio.to_thread(film.keep_when, WISH)
        film.keys("Enter")
        await asyncio.to_thread(film.keep_when, scene.asks)
        await page.get_by_role("button", name="Show").tap(timeout=SHOWN_MS_MAX)
        front = page.locator('.card[data-depth="0"]:not(.ghost)')
        await expect(front).to_contain_text(ASKED, timeout=SHOWN_MS_MAX)
        await page.screenshot(path=IMAGES / f"door-{agent}.png")
        await scene.answer(page, front)
        await asyncio.to_thread(film.keep_when, "done.")


async def draw(agent: str) -> None:
    """Let it happen with one agent, and keep what was seen."""
    with tempfile.TemporaryDirectory(prefix="pulse-") as name:
        folder = Path(name)
        with started(folder) as hub:
            build = hub.repository / "build"
            build.mkdir()
            hub.pulse("connect", agent, "--yes")
            with SCENES[agent].runs(hub, folder) as film:
                await play(agent, SCENES[agent], hub, film)
            assert not build.exists(), "the command ran"
            title = f"{agent} asks in its terminal, is answered on a phone, and goes on"
            (IMAGES / f"door-{agent}.svg").write_text(film.svg(title))


if __name__ == "__main__":
    if shutil.which("tmux") is None:
        raise SystemExit("It needs tmux.")
    for one in sys.argv[1:] or SCENES:
        asyncio.run(draw(one))
