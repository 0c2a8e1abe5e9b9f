"""Draws the README's first screen from what really happens: `python -m tests.web.first_hour`.

A hub as a person starts it, on a small repository with an edit; `pulse watch` in a terminal of its own, recorded; a
browser of a phone's size that comes in through the door with Pulse's own certificate, and answers. Nothing is made up:
a step that does not happen ends the program.
"""

import asyncio
import base64
import contextlib
import shutil
import subprocess
import tempfile
import venv
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from playwright.async_api import Page, expect

from hub.cli.api import open_api
from hub.contract.access import OutsideRequest
from hub.domain.drives import DriveRules
from hub.io.home.certificate import FILE
from tests.bench.hub_process import free_port
from tests.cli.real_hub import PULSE, environment_of
from tests.house.source import ROOT
from tests.web.chromium import new_page, running_chromium
from tests.web.live_hub import HOUR, NEVER_QUIET, LiveHub, zone_where_it_is
from tests.web.signing_in import READY
from tests.web.terminal_film import Film

IMAGES = ROOT / "docs" / "images"
CELLS, ROWS = 100, 18
CART = """def total(items):
    return sum(price for _, price in items)
"""
TESTS = """from shop.cart import total


def test_the_total_is_the_sum():
    assert total([("pear", 3), ("fig", 4)]) == 7


def test_an_empty_cart_costs_nothing():
    assert total([]) == 0
"""
EDIT = """

def discounted(amount, rate):
    return round(amount * (1 - rate))
"""
PROJECT = '[project]\nname = "shop"\nversion = "1"\n[tool.pytest.ini_options]\npythonpath = ["src"]\n'
PYTEST = ("pytest", "_pytest", "py.py", "pluggy", "iniconfig", "packaging", "pygments")
SHOWN_MS_MAX = 30_000
CARD_S_MAX = DriveRules().conversation_s + 120
"""Who has just typed is left alone for that long, and the drawing waits with them."""


def shop(folder: Path) -> Path:
    """Make a small shop with two tests, all committed; return it."""
    files = {"pyproject.toml": PROJECT, "src/shop/cart.py": CART, "tests/test_cart.py": TESTS}
    for name, content in {**files, "src/shop/__init__.py": "", ".gitignore": "__pycache__\n.venv\n"}.items():
        path = folder / "shop" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    venv.create(folder / "shop" / ".venv", system_site_packages=False)
    (here,) = (folder / "shop" / ".venv").glob("lib/python3*/site-packages")
    for name in PYTEST:  # without installing it again
        (here / name).symlink_to(Path(pytest.__file__).parents[1] / name)
    identity = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"]
    for arguments in (["init", "-q", "-b", "main"], ["add", "-A"], [*identity, "commit", "-qm", "Begin a shop"]):
        subprocess.run(["git", *arguments], cwd=folder / "shop", check=True)
    return folder / "shop"


@contextlib.contextmanager
def started(folder: Path) -> Iterator[LiveHub]:
    """Run a hub on the shop."""
    home = folder / "home"
    home.mkdir(mode=0o700)
    (home / "config.toml").write_text(f'person.zone = "{zone_where_it_is(HOUR)}"\n{NEVER_QUIET}')
    environment = environment_of(folder)
    hub = LiveHub(home, shop(Path(environment["HOME"])), environment, port=free_port())
    hub.start()
    try:
        yield hub
    finally:
        hub.stop()


@contextlib.contextmanager
def watching(hub: LiveHub, folder: Path) -> Iterator[Film]:
    """Run `pulse watch` in a terminal of its own, on film."""
    film = Film(folder / "tmux", cells=CELLS, rows=ROWS)
    environment = {key: value for key, value in hub.environment.items() if key != "NO_COLOR"}
    film.start([*PULSE, "watch"], cwd=ROOT, environment=environment)
    try:
        yield film
    finally:
        film.stop()


@contextlib.asynccontextmanager
async def phone(hub: LiveHub) -> AsyncIterator[Page]:
    """Open the page on a phone, over https with Pulse's own certificate."""
    url = f"https://127.0.0.1:{free_port()}"
    wanted = OutsideRequest(public_url=url, own_certificate=True)
    await asyncio.to_thread(open_api(hub.home).call, "POST", "/outside", wanted)  # as `pulse phone` does
    held = x509.load_pem_x509_certificate((hub.home / "secrets" / FILE).read_bytes())
    digest = hashes.Hash(hashes.SHA256())
    digest.update(held.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo))
    trusted = base64.b64encode(digest.finalize()).decode()
    async with (
        running_chromium(f"--ignore-certificate-errors-spki-list={trusted}") as browser,
        new_page(browser, "phone", worker=True, color_scheme="dark", timezone_id=zone_where_it_is(HOUR)) as (page, _),
    ):
        await page.goto(await hub.pairing_link(title="Phone"))
        await page.wait_for_selector(READY, state="attached")
        yield page


async def main() -> None:
    """Let it happen, and keep what was seen."""
    with tempfile.TemporaryDirectory(prefix="pulse-") as name:
        folder = Path(name)
        with started(folder) as hub, watching(hub, folder) as film:
            film.keep_when("watching")
            async with phone(hub) as page:
                cart = hub.repository / "src" / "shop" / "cart.py"
                cart.write_text(cart.read_text() + EDIT)
                await asyncio.to_thread(film.keep_when, "Run the tests of shop", CARD_S_MAX)
                front = page.locator('.card[data-depth="0"]:not(.ghost)')
                await expect(front).to_contain_text("Run the tests of shop", timeout=SHOWN_MS_MAX)
                await page.screenshot(path=IMAGES / "phone-card.png")
                await front.get_by_role("button", name="Approve").tap()
                await expect(page.locator(".run .outcome").first).to_contain_text("2 passed", timeout=SHOWN_MS_MAX)
                await asyncio.to_thread(film.keep_when, "2 passed")
                await expect(page.locator(".toast")).to_have_count(0, timeout=SHOWN_MS_MAX)
                await page.locator(".run").first.evaluate("(run) => scrollTo(0, run.offsetTop - 120)")
                await page.screenshot(path=IMAGES / "phone-done.png")
            (IMAGES / "watch.svg").write_text(
                film.svg("pulse watch: a card comes, is answered on a phone, and is done")
            )


if __name__ == "__main__":
    if shutil.which("tmux") is None:
        raise SystemExit("It needs tmux.")
    asyncio.run(main())
