"""Every sheet fits a phone: nothing in it is wider than the sheet, however long the commands and paths are."""

from collections.abc import Awaitable, Callable, Iterator

import pytest
from playwright.async_api import Browser, Page, expect

from tests.web.fake_cards import coding_agent, problem, result
from tests.web.fake_hub import FakeHub
from tests.web.pages import front, open_page
from tests.web.test_mission_permissions import asking
from tests.web.views_pages import ViewsHub

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow, pytest.mark.needs_chromium]

LONG = "/home/ada/" + "a-folder-whose-name-is-long/" * 4
OVERHANG_PX = "(sheet) => sheet.scrollWidth - sheet.clientWidth"

Opens = Callable[[Page, ViewsHub], Awaitable[None]]


@pytest.fixture
def fake() -> Iterator[ViewsHub]:
    """A hub whose command, folders and agents' settings have long names."""
    with ViewsHub() as made:
        made.command = f"{LONG}pulse"
        made.repositories = []
        made.coding_agents = [
            coding_agent(
                "gemini",
                "Gemini CLI",
                "not-connected",
                command=f"{LONG}pulse connect gemini",
                file=f"{LONG}settings.json",
                adds=[f'  "command": "{LONG}pulse hook gemini"'],
                says=["What is harmless goes on as before. What is risky becomes a card."],
                notes=[f"Its settings in {LONG}settings.json cannot be read."],
            )
        ]
        yield made


async def connect(page: Page, _fake: ViewsHub) -> None:
    await page.get_by_role("button", name="Gemini CLI").first.click()


async def keys(page: Page, _fake: ViewsHub) -> None:
    await page.keyboard.press("?")


async def stop(page: Page, _fake: ViewsHub) -> None:
    await page.locator(".kill").click()


async def stopped(page: Page, fake: ViewsHub) -> None:
    fake.views.apply("emergencyStop", value=True)
    fake.tell_status()
    await expect(page.locator(".kill")).to_have_text("Start again")
    await page.locator(".kill").click()


async def details(page: Page, _fake: ViewsHub) -> None:
    await front(page).locator('[data-verb="details"]').click()


async def snooze(page: Page, _fake: ViewsHub) -> None:
    await front(page).locator('[data-verb="snooze"]').click()


async def menu(page: Page, _fake: ViewsHub) -> None:
    await front(page).locator(".menu").click()


async def change(page: Page, _fake: ViewsHub) -> None:
    await front(page).get_by_role("button", name="Change it").click()


async def pair(page: Page, fake: ViewsHub) -> None:
    fake.views.pairing = {"qr": [], "url": f"http://127.0.0.1:8420/{'a' * 60}#pair=KORB-7342"}
    await page.evaluate("location.hash = '#/settings/devices'")
    await page.get_by_role("button", name="Pair a device").click()


async def revoke(page: Page, fake: ViewsHub) -> None:
    fake.views.devices[-1]["title"] = LONG
    await page.evaluate("location.hash = '#/settings/devices'")
    await page.locator("details.device summary").last.click()
    await page.locator("details.device").last.locator(".device-revoke").click()


async def again(page: Page, fake: ViewsHub) -> None:
    fake.views.refusal = problem(403, "confirm-again", "Pulse needs to know that it is you.")
    await page.evaluate("location.hash = '#/settings/general'")
    await page.get_by_role("switch", name="Autopilot").click()
    await expect(page.locator("dialog form")).to_be_visible()


SHEETS: dict[str, Opens] = {
    "connect": connect, "keys": keys, "stop": stop, "stopped": stopped, "details": details, "snooze": snooze,
    "menu": menu, "change": change, "pair": pair, "revoke": revoke, "again": again,
}  # fmt: skip


@pytest.mark.parametrize("opens", SHEETS.values(), ids=SHEETS)
async def test_nothing_in_a_sheet_is_wider_than_the_sheet(chromium: Browser, fake: ViewsHub, opens: Opens) -> None:
    fake.add(prompt=f"Read {LONG}notes.md", reasoning=f"{LONG}notes.md changed.")
    if opens is change:
        fake.cards.clear()
        asking(fake)
    async with open_page(chromium, fake, "phone") as page:
        await opens(page, fake)
        await assert_fits(page)


async def test_nothing_in_a_result_is_wider_than_its_sheet(chromium: Browser) -> None:
    with FakeHub() as fake:
        told = result(trouble=[f"FAILED {LONG}test_cart.py"], said=f"`{LONG}cart.py` fails.")
        fake.add(status="failed", prompt="Run the checker", result=told, offers=["retry"], executionId="exec_1")
        async with open_page(chromium, fake, "phone") as page:
            await page.locator(".run").get_by_role("button", name="changed").click()
            await assert_fits(page)


async def assert_fits(page: Page) -> None:
    """Fail if anything in the open sheet, with all that it folds, is wider than the sheet."""
    sheet = page.locator("dialog[open]")
    await expect(sheet).to_have_count(1)
    for fold in await sheet.locator("details:not([open]) > summary").all():
        await fold.click()
    assert await sheet.evaluate(OVERHANG_PX) <= 0


async def test_the_own_time_of_quiet_fits_a_narrow_phone(chromium: Browser, fake: ViewsHub) -> None:
    async with open_page(chromium, fake, size="phone") as page:
        await page.set_viewport_size({"width": 390, "height": 844})
        await page.evaluate("location.hash = '#/settings/interruptions'")
        await page.get_by_text("Another time", exact=True).click()
        wide = "(field) => (field.style.minWidth = '19rem')"  # as some languages of browsers have it
        await page.locator("#dnd-time").evaluate(wide)
        await expect(page.locator(".dnd-form button")).to_be_visible()
        assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        ends = (
            "(button) => button.closest('.panel').getBoundingClientRect().right - button.getBoundingClientRect().right"
        )
        assert await page.locator(".dnd-form button").evaluate(ends) > 0
