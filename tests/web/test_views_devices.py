"""Devices: pair, rename, hide, test and revoke them; this one's language and its end.

What asks for notifications, or ends a subscription to them, takes the whole browser: its shell has neither.
"""

import re
from datetime import timedelta

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.web import fake_views_data as data
from tests.web.fake_views import ASKING, LET_IN, refusal
from tests.web.fake_views_data import Json, barred, trial
from tests.web.pages import open_page, until_so
from tests.web.views_pages import ViewsHub, opened, settled

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow, pytest.mark.needs_chromium]
LEFT = "async () => JSON.stringify([localStorage.getItem('pulse.last'), (await PulseStore.all('answers')).length])"
"""What is left in a browser of the cards and of the answers that waited."""
NOTHING = "[null,0]"
QR_PX_MIN = 200
"""What a phone still reads at the length of an arm."""


async def unfolded(page: Page, name: str) -> Locator:
    """Unfold a device; return it."""
    device = page.locator("details.device").filter(has=page.locator("summary", has_text=name))
    await device.locator("summary").click()
    return device


async def test_this_device_is_marked_and_an_unnamed_one_has_its_id(chromium: Browser) -> None:
    async with opened(chromium, "#/settings/devices") as (page, _):
        await expect(page.locator("details.device")).to_have_count(3)
        await expect(page.locator("details.device").filter(has_text="This device")).to_contain_text("Laptop")
        await expect(page.locator("details.device").last).to_contain_text("desk")


async def test_the_device_in_use_is_there_and_another_is_said_to_be_away_once(chromium: Browser) -> None:
    async with opened(chromium, "#/settings/devices") as (page, hub):
        for one in hub.views.devices:
            one.update(online=False, unreached=barred())
        await page.reload()
        devices = page.locator("details.device")
        this, others = devices.filter(has_text="This device"), devices.filter(has_not_text="This device")
        await expect(this.locator("summary")).to_contain_text("online")
        await expect(this.locator("summary")).not_to_contain_text("not")
        await expect(others.first.locator("summary")).to_contain_text("not reachable right now")
        await expect(others.first.locator("summary")).not_to_contain_text("not connected")


async def test_two_browsers_of_one_name_are_told_apart(chromium: Browser) -> None:
    now = data.utc_now()
    async with opened(chromium, "#/settings") as (page, hub):
        hub.views.devices = hub.views.devices[:2]
        for one, days in zip(hub.views.devices, (1, 40), strict=True):
            seen, paired = now - timedelta(hours=days), now - timedelta(days=days)
            one.update(title="Chrome (Linux)", personActiveAt=seen.isoformat(), pairedAt=paired.isoformat())
        await page.evaluate("location.hash = '#/settings/devices'")
        await page.reload()
        this, other = (page.locator("details.device").nth(place).locator("summary") for place in (0, 1))
        await expect(this).to_contain_text("This device")
        await expect(this).to_contain_text(re.compile(r"last used 1 h ago · paired [A-Z][a-z]+ \d\d:\d\d"))
        await expect(other).not_to_contain_text("This device")
        await expect(other).to_contain_text(re.compile(r"last used 40 h ago · paired \d+ [A-Z][a-z]+ \d\d:\d\d"))


async def test_a_device_is_renamed_and_a_refusal_keeps_its_name(chromium: Browser) -> None:
    async with opened(chromium, "#/settings/devices") as (page, hub):
        device = await unfolded(page, "Phone")
        await device.get_by_label("Name").fill("Pocket")
        await device.get_by_label("Name").press("Enter")
        pocket = page.locator("details.device").filter(has=page.locator("summary", has_text="Pocket"))
        await expect(pocket).to_have_attribute("open", "")
        hub.views.refusal = refusal("That name is taken.", "Choose another.")
        await pocket.get_by_label("Name").fill("Laptop")
        await pocket.get_by_label("Name").press("Enter")
        await expect(pocket).to_contain_text("That name is taken. Choose another.")
        await expect(pocket.get_by_label("Name")).to_have_value("Pocket")
        assert [body for _, _, body in hub.views.asked] == [{"title": "Pocket"}, {"title": "Laptop"}]


async def test_what_a_lock_screen_may_show(chromium: Browser) -> None:
    async with opened(chromium, "#/settings/devices") as (page, hub):
        device = await unfolded(page, "Phone")
        async with page.expect_response(lambda answer: answer.request.method == "PATCH"):
            await device.get_by_label("The lock screen may show").select_option("nothing")
        await expect(device.get_by_label("The lock screen may show")).to_have_value("nothing")
        assert hub.views.asked == [("PATCH", "/devices/browser/phone", {"privacy": "nothing"})]


@pytest.mark.parametrize(
    ("becomes", "says"),
    [
        (trial("shown"), "It arrived."),
        (
            trial("unknown", "its keys are broken", "Sign in there again."),
            "did not arrive: its keys are broken. Sign in",
        ),
        (trial("queued", "its push service is away"), "It did not arrive: its push service is away."),
        (trial("dead"), "push service no longer accepts its address"),
    ],
)
async def test_a_test_is_seen_or_named_as_not_arrived(chromium: Browser, becomes: Json, says: str) -> None:
    async with opened(chromium, "#/settings/devices") as (page, hub):
        hub.views.test_becomes = becomes
        device = await unfolded(page, "Phone")
        await device.get_by_role("button", name="Send a test").click()
        await expect(device).to_contain_text(says)
        assert hub.views.asked == [("POST", "/devices/browser/phone/test", {})]


async def test_a_device_that_is_not_reached_says_so_and_what_to_do(chromium: Browser) -> None:
    async with opened(chromium, "#/settings/devices", size="phone", language="de-DE") as (page, hub):
        next(one for one in hub.views.devices if one["device"] == "phone")["unreached"] = barred()
        await page.reload()
        device = await unfolded(page, "Phone")
        await expect(device.locator("summary")).to_contain_text("gerade nicht erreichbar")
        await expect(device).to_contain_text("sein Push-Dienst nimmt die Adresse nicht mehr an.")
        await expect(device).to_contain_text("Auf diesem Gerät: Einstellungen, Geräte,")
        assert await page.evaluate("document.documentElement.scrollWidth <= screen.width")


async def test_revoking_asks_first(chromium: Browser) -> None:
    async with opened(chromium, "#/settings/devices") as (page, hub):
        device = await unfolded(page, "Phone")
        await device.get_by_role("button", name="Revoke").click()
        await page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
        assert hub.views.asked == []
        await device.get_by_role("button", name="Revoke").click()
        await page.get_by_role("dialog", name="Revoke Phone?").get_by_role("button", name="Revoke").click()
        await expect(page.locator("details.device")).to_have_count(2)
        assert hub.views.asked == [("DELETE", "/devices/browser/phone", {})]


async def test_pairing_shows_code_picture_and_the_time_that_is_left(chromium: Browser) -> None:
    async with opened(chromium, "#/settings/devices", size="phone") as (page, _):
        await page.clock.install()
        await page.get_by_role("button", name="Pair a device").click()
        dialog = page.get_by_role("dialog", name="Pair a device")
        await expect(dialog).to_contain_text("KORB-7342")
        await expect(dialog.get_by_role("img", name="QR code")).to_be_visible()
        assert await dialog.locator("svg.qr path").get_attribute("d")
        await expect(dialog.get_by_role("timer")).to_contain_text("Expires in 9:5")
        await page.clock.fast_forward("11:00")
        await expect(dialog).to_contain_text("This code has expired.")
        await expect(dialog).not_to_contain_text("KORB-7342")


@pytest.mark.parametrize("width_and_height", [(1280, 720), (390, 844)])
async def test_the_code_to_scan_fits_with_all_that_belongs_to_it_from_the_first_steps_too(
    chromium: Browser, width_and_height: tuple[int, int]
) -> None:
    width, height = width_and_height
    with ViewsHub() as hub:
        hub.repositories, hub.views.devices = [], []
        viewport = {"width": width, "height": height}
        async with open_page(chromium, hub, viewport=viewport, locale="de-DE") as page:
            await page.locator(".begin").get_by_role("button", name="Koppeln", exact=True).click()
            dialog = page.get_by_role("dialog", name="Gerät koppeln")
            await expect(dialog.get_by_role("timer")).to_be_in_viewport(ratio=1)
            await expect(dialog.get_by_role("button", name="Schließen")).to_be_in_viewport(ratio=1)
            assert await dialog.evaluate("it => it.scrollHeight <= it.clientHeight && it.scrollWidth <= it.clientWidth")
            code = await dialog.get_by_role("img").bounding_box()
            assert code
            assert QR_PX_MIN <= code["width"] == code["height"]


async def test_pairing_ends_by_itself_once_a_device_has_come(chromium: Browser) -> None:
    async with opened(chromium, "#/settings/devices", size="phone") as (page, hub):
        await page.get_by_role("button", name="Pair a device").click()
        dialog = page.get_by_role("dialog", name="Pair a device")
        await expect(dialog).to_contain_text("Waiting for the device.")
        fresh = data.device("browser", "new", "Safari on iPhone", this=False, online=True, reachable=False)
        hub.views.devices.append(fresh)
        await expect(dialog).to_have_count(0)
        await expect(page.locator(".toast")).to_contain_text("Safari on iPhone is paired.")
        await expect(page.locator("details.device").filter(has_text="Safari on iPhone")).to_be_visible()


async def test_where_no_phone_reaches_the_address_nothing_is_to_be_scanned_and_the_command_is_there(
    chromium: Browser,
) -> None:
    async with opened(chromium, "#/settings/devices", size="phone") as (page, hub):
        hub.views.pairing, hub.views.public_url = {"qr": []}, ""
        await page.get_by_role("button", name="Pair a device").click()
        dialog = page.get_by_role("dialog", name="Pair a device")
        await expect(dialog).to_contain_text("A phone cannot reach this address yet.")
        assert not [one for one in hub.views.asked if one[1].endswith("/pairing")], "that needs no code"
        await expect(dialog.locator(".command-line code")).to_have_text("pulse phone")
        await expect(dialog.get_by_role("button", name="Copy: pulse phone")).to_be_visible()
        await expect(dialog).to_contain_text("It sets up Telegram, or")
        await dialog.get_by_role("button", name="Show a code for another browser").click()
        await expect(dialog).to_contain_text("KORB-7342")
        await expect(dialog).not_to_contain_text("Scan")


async def test_the_open_dialog_turns_into_the_code_once_a_phone_can_reach_the_address(chromium: Browser) -> None:
    async with opened(chromium, "#/settings/devices", size="phone") as (page, hub):
        hub.views.public_url = ""
        await page.get_by_role("button", name="Pair a device").click()
        dialog = page.get_by_role("dialog", name="Pair a device")
        await expect(dialog).to_contain_text("A phone cannot reach this address yet.")
        hub.views.public_url = "https://pulse.example"
        await expect(dialog).to_contain_text("KORB-7342")
        await expect(dialog.get_by_role("img")).to_be_visible()
        await expect(dialog).not_to_contain_text("cannot reach")
        assert len([one for one in hub.views.asked if one[1].endswith("/pairing")]) == 1


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
@pytest.mark.parametrize("place", ["#/settings/devices", "#/activity/sessions", "#/settings/autonomy"])
async def test_what_is_typed_is_set_as_code_as_it_is_called_here(chromium: Browser, place: str, language: str) -> None:
    async with opened(chromium, place, language=language) as (page, hub):
        await expect(page.locator("#view code").first).to_be_attached()
        await expect(page.locator("body")).not_to_contain_text("`")
        hub.command = "./pulse"
        await page.reload()
        await expect(page.locator("#view code").filter(has_text="./pulse ").first).to_be_attached()
        await expect(page.locator("#view")).not_to_contain_text(re.compile(r"(?<!\./)\bpulse (config|world|devices)"))


NO_BUTTONS = "This browser shows no buttons on notifications"


async def test_where_notifications_have_buttons_nothing_is_said_of_them(whole_chromium: Browser) -> None:
    async with opened(whole_chromium, "#/settings/devices", worker=True) as (page, _):
        assert await page.evaluate("Notification.maxActions") > 0
        await expect(page.get_by_role("switch", name="Notifications")).to_have_attribute("aria-disabled", "false")
        await expect(page.get_by_text(NO_BUTTONS)).to_be_hidden()


@pytest.mark.parametrize(
    "stub", ["delete Notification.maxActions", "Object.defineProperty(Notification, 'maxActions', { value: 0 })"]
)
async def test_a_browser_without_buttons_on_notifications_is_told_of(whole_chromium: Browser, stub: str) -> None:
    async with opened(whole_chromium, "#/settings/devices", worker=True) as (page, _):
        await page.add_init_script(stub)
        await page.reload()
        await expect(page.get_by_text(NO_BUTTONS)).to_be_visible()
        await expect(page.get_by_role("switch", name="Notifications")).to_have_attribute("aria-disabled", "false")


async def test_the_language_is_chosen_here(chromium: Browser) -> None:
    async with opened(chromium, "#/settings/devices") as (page, _):
        await page.get_by_label("Language").select_option("de")
        await expect(page.get_by_role("heading", name="Einstellungen", level=1)).to_be_visible()
        await settled(page, "#/settings/devices")
        await expect(page.locator("html")).to_have_attribute("lang", "de")


async def test_letters_can_be_kept_to_the_focused_card(chromium: Browser) -> None:
    async with opened(chromium, "#/settings/devices") as (page, hub):
        hub.add()
        letters = page.get_by_role("switch", name="Answer cards with keys")
        await expect(letters).to_have_attribute("aria-checked", "true")
        await letters.click()
        await expect(letters).to_have_attribute("aria-checked", "false")
        await page.reload()
        await page.evaluate("location.hash = '#/'")
        await expect(page.locator(".card")).to_have_count(1)
        for key in ("?", "i"):
            await page.keyboard.press(key)
            await expect(page.get_by_role("dialog")).to_have_count(0)
        await page.locator(".card").focus()
        await page.keyboard.press("i")
        await expect(page.get_by_role("dialog")).to_have_count(1)


async def test_signing_out_leads_to_the_pairing_screen(whole_chromium: Browser) -> None:
    async with opened(whole_chromium, "#/settings/devices", worker=True) as (page, hub):
        await page.get_by_role("button", name="Sign out here").click()
        await page.get_by_role("dialog").get_by_role("button", name="Sign out here").click()
        await expect(page.locator("#app .pairing input")).to_be_visible()  # other inputs are there from the beginning
        assert hub.views.asked == [("DELETE", "/session", {})]
        assert await page.evaluate(LEFT) == NOTHING


async def test_a_browser_that_was_revoked_meanwhile_keeps_no_card_and_no_answer(chromium: Browser) -> None:
    """Whoever signs in there next must not see the one, nor send the other."""
    async with opened(chromium, "#/settings/devices") as (page, hub):
        await until_so(page, "() => localStorage.getItem('pulse.last')")
        await page.evaluate(
            "PulseStore.put('answers', {key: 'k', at: 1, path: '/x', body: {}, cardId: 'x', text: 'X'})"
        )
        hub.paired = False
        await page.reload()
        await expect(page.locator("#app .pairing input")).to_be_visible()
        await until_so(page, f"async () => (await ({LEFT})()) === '{NOTHING}'")


async def test_a_terminal_that_asks_is_named_everywhere_and_its_code_goes_once_it_is_used(chromium: Browser) -> None:
    async with opened(chromium, "#/settings/devices") as (page, hub):
        await expect(page.get_by_text("None any more. A terminal is let in until you close it")).to_be_visible()
        hub.views.asking = [ASKING]
        hub.look_again("terminals")
        row = page.locator("#view li").filter(has_text="bash on pts/5")
        await expect(row.get_by_role("button", name="Show the code")).to_be_visible()
        await page.evaluate("location.hash = '#/activity'")
        await page.locator(".banner.terminal").get_by_role("button", name="Show the code").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog).to_contain_text("Let bash on pts/5 in")
        await expect(dialog.locator(".pair-code")).to_contain_text("KORB-7342")
        hub.views.asking, hub.views.let_in = [], [LET_IN]
        await expect(dialog).to_have_count(0)
        await expect(page.locator(".toast")).to_contain_text("bash on pts/5 is let in.")
        await expect(page.locator(".banner.terminal")).to_have_count(0)


async def test_a_terminal_that_asks_while_a_dialog_is_open_is_let_in_from_there(chromium: Browser) -> None:
    async with opened(chromium, "#/settings/devices") as (page, hub):
        await page.get_by_role("button", name="Pair a device").click()
        below = page.get_by_role("dialog", name="Pair a device")
        await expect(below).to_contain_text("KORB-7342")
        hub.views.asking = [ASKING]
        hub.look_again("terminals")
        await below.get_by_role("button", name="Show the code").click()
        word = page.get_by_role("dialog", name="Let bash on pts/5 in")
        await expect(word.locator(".pair-code")).to_contain_text("KORB-7342")
        await expect(word.get_by_role("button", name="Show the code")).to_have_count(0)
        await word.get_by_role("button", name="Close").click()
        await expect(below.get_by_role("button", name="Show the code")).to_be_visible()
        await below.get_by_role("button", name="Close").click()
        await expect(
            page.locator("body > * .banner.terminal, body > .asking-terminals .banner.terminal")
        ).to_be_visible()


async def test_a_code_that_nothing_waits_for_any_more_goes(chromium: Browser) -> None:
    async with opened(chromium, "#/settings/devices", size="phone", language="de-DE") as (page, hub):
        hub.views.asking = [ASKING]
        hub.look_again("terminals")
        await page.locator(".banner.terminal").get_by_role("button", name="Code zeigen").click()
        await expect(page.get_by_role("dialog").locator(".pair-code")).to_contain_text("KORB-7342")
        hub.views.asking = []
        await expect(page.get_by_role("dialog")).to_have_count(0)
        await expect(page.locator(".toast")).to_contain_text("bash on pts/5 fragt nicht mehr.")
