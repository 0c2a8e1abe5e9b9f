"""Draws how a coding agent asks, from what really happens: `python -m tests.web.front_door`.

The real Claude Code in a terminal of its own, recorded, with a stub in the place of its model; a hub as a person starts
it, and `pulse connect claude-code`; a browser of a phone's size, where the command is changed and let go. Nothing is
made up: a step that does not happen ends the program.
"""

import asyncio
import contextlib
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from playwright.async_api import Page, expect

from tests.io.agents.front.claude_terminal import trust
from tests.io.agents.front.real_claude import claude_environment, claude_program
from tests.io.agents.front.stub_model import ModelTool, StubModel, stub_model
from tests.web.chromium import new_page, running_chromium
from tests.web.first_hour import IMAGES, SHOWN_MS_MAX, started
from tests.web.live_hub import HOUR, LiveHub, zone_where_it_is
from tests.web.signing_in import READY
from tests.web.terminal_film import Film

CELLS, ROWS = 100, 30
ASKED, INSTEAD = "rm -rf build && git push --force", "rm -rf build"
WISH = "Clear out the old build and publish"
CALLS: ModelTool = ("Bash", {"command": ASKED, "description": "Delete the build, then push"})


@contextlib.contextmanager
def claude(hub: LiveHub, model: StubModel, folder: Path) -> Iterator[Film]:
    """Run Claude Code in the shop, connected to Pulse, on film."""
    environment = claude_environment(Path(hub.environment["HOME"]), model.url)
    trust(hub.repository, environment)
    film = Film(folder / "tmux", cells=CELLS, rows=ROWS)
    film.start([str(claude_program())], cwd=hub.repository, environment=environment)
    try:
        yield film
    finally:
        film.stop()


@contextlib.asynccontextmanager
async def phone(hub: LiveHub) -> AsyncIterator[Page]:
    """Open the page on a phone."""
    async with (
        running_chromium() as browser,
        new_page(browser, "phone", color_scheme="dark", timezone_id=zone_where_it_is(HOUR)) as (page, _),
    ):
        await page.goto(await hub.pairing_link(title="Phone"))
        await page.wait_for_selector(READY, state="attached")
        yield page


async def change_it(page: Page) -> None:
    """See the card, change its command, and say yes to what it is then."""
    await page.get_by_role("button", name="Show").tap(timeout=SHOWN_MS_MAX)
    front = page.locator('.card[data-depth="0"]:not(.ghost)')
    await expect(front).to_contain_text(ASKED, timeout=SHOWN_MS_MAX)
    await page.screenshot(path=IMAGES / "door-card.png")
    await front.get_by_role("button", name="Change it").tap()
    await page.locator("dialog textarea").fill(INSTEAD)
    await page.screenshot(path=IMAGES / "door-changed.png")
    await page.locator("dialog button.main").tap()


async def main() -> None:
    """Let it happen, and keep what was seen."""
    with tempfile.TemporaryDirectory(prefix="pulse-") as name, stub_model() as model:
        folder = Path(name)
        with started(folder) as hub:
            build = hub.repository / "build"
            build.mkdir()
            hub.pulse("connect", "claude-code", "--yes")
            model.tools = [CALLS]
            with claude(hub, model, folder) as film:
                async with phone(hub) as page:
                    await asyncio.to_thread(film.wait_for, "shift+tab")
                    film.keys("-l", WISH)
                    await asyncio.to_thread(film.keep_when, WISH)
                    film.keys("Enter")
                    await asyncio.to_thread(film.keep_when, "Do you want to proceed")
                    await change_it(page)
                    await asyncio.to_thread(film.keep_when, "done.")
            assert not build.exists(), "the command ran as it was changed"
            (IMAGES / "door.svg").write_text(
                film.svg("Claude Code asks in its terminal, is answered on a phone, and runs the changed command")
            )


if __name__ == "__main__":
    if shutil.which("tmux") is None:
        raise SystemExit("It needs tmux.")
    asyncio.run(main())
