"""Settings: each change is one request, the hub's answer is what is shown, and a refusal is said where it belongs."""

import asyncio
import re
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, Page, Route, expect

from tests.web.fake_views import refusal
from tests.web.views_pages import ViewsHub, live, opened

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow, pytest.mark.needs_chromium]
CONFIG = "/crosspoll/config"
PANEL_GAP_PX_MIN = 8
MUST_RISE = "show, suggest and auto-execute thresholds must not fall."


def patches(hub: ViewsHub) -> list[Any]:
    """Return the bodies of all changes of the configuration so far."""
    return [body for method, path, body in hub.views.asked if (method, path) == ("PATCH", CONFIG)]


def panel(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name, exact=True)


async def test_the_emergency_stop_asks_first_and_can_be_lifted(chromium: Browser) -> None:
    async with opened(chromium, "#/settings") as (page, hub):
        power = panel(page, "On and off")
        await power.get_by_role("button", name="Stop everything").click()
        await expect(page.get_by_role("dialog").get_by_role("button", name="Cancel")).to_be_focused()
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("dialog")).to_have_count(0)
        assert patches(hub) == []
        await power.get_by_role("button", name="Stop everything").click()
        await page.get_by_role("dialog").get_by_role("button", name="Stop everything").click()
        await expect(power).to_contain_text("Everything is stopped")
        await expect(power.get_by_role("switch", name="Pulse is on")).to_have_attribute("aria-disabled", "true")
        await power.get_by_role("button", name="Lift the emergency stop").click()
        await expect(power.get_by_role("button", name="Stop everything")).to_be_visible()
        assert patches(hub) == [{"emergencyStop": True}, {"emergencyStop": False}]


async def test_a_switch_moves_when_the_hub_has_taken_the_change(chromium: Browser) -> None:
    async with opened(chromium, "#/settings") as (page, hub):
        alone = page.get_by_role("switch", name="Autopilot")
        await alone.focus()
        await page.keyboard.press("Space")
        await expect(alone).to_have_attribute("aria-checked", "false")
        await expect(panel(page, "On and off")).to_contain_text("On; it always asks you")
        hub.views.refusal = refusal("The file forbids it.", "Change config.toml.")
        await alone.click()
        await expect(panel(page, "On and off")).to_contain_text("The file forbids it. Change config.toml.")
        await expect(alone).to_have_attribute("aria-checked", "false")
        assert patches(hub) == [{"autonomous": False}, {"autonomous": True}]


async def test_with_permissions_pulse_is_not_said_to_ask_about_everything(chromium: Browser) -> None:
    async with opened(chromium, "#/settings") as (page, hub):
        await live(hub)
        await page.get_by_role("switch", name="Autopilot").click()
        power = panel(page, "On and off")
        await expect(power).to_contain_text("On; it always asks you")
        hub.status |= {"grants": 2}
        hub.tell_status()
        await expect(power).to_contain_text("On; it asks you about what you have not allowed")
        await power.get_by_role("link", name="Show the permissions").click()
        await expect(page.get_by_role("heading", name="Permissions").first).to_be_visible()


async def test_pause_and_go_on(chromium: Browser) -> None:
    async with opened(chromium, "#/settings") as (page, hub):
        power = panel(page, "On and off")
        await power.get_by_role("button", name="Pause").click()
        await expect(power).to_contain_text("Paused")
        await power.get_by_role("button", name="Resume").click()
        await expect(power.get_by_role("button", name="Pause")).to_be_visible()
        assert [path for _, path, _ in hub.views.asked] == ["/crosspoll/pause", "/crosspoll/resume"]


async def test_a_refused_value_is_explained_at_its_field_and_the_old_one_is_back(chromium: Browser) -> None:
    async with opened(chromium, "#/settings/limits") as (page, hub):
        field = page.get_by_label("Suggest from (%)")
        hub.views.refusal = refusal(MUST_RISE, "Choose a value between the two others.")
        await field.fill("90")
        await field.press("Enter")
        await expect(field).to_have_value("60")
        await expect(field).to_have_attribute("aria-invalid", "true")
        await expect(field).to_have_accessible_description(f"{MUST_RISE} Choose a value between the two others.")
        await field.fill("70")
        await field.press("Enter")
        await expect(field).to_have_attribute("aria-invalid", "false")
        await expect(field).to_have_accessible_description("")
        await expect(page.get_by_text("suggested, from 70%")).to_be_visible()
        assert patches(hub) == [{"suggestThreshold": 0.9}, {"suggestThreshold": 0.7}]


async def test_an_answer_that_a_change_has_overtaken_is_read_again(chromium: Browser) -> None:
    async with opened(chromium, "#/settings/limits") as (page, hub):
        await live(hub)
        read, go_on = asyncio.Semaphore(0), asyncio.Event()

        async def held(route: Route) -> None:
            if route.request.method != "GET":
                return await route.continue_()
            answer = await route.fetch()
            read.release()
            await go_on.wait()
            return await route.fulfill(response=answer)

        await page.route(f"**{CONFIG}", held)
        hub.tell_status()
        await asyncio.wait_for(read.acquire(), 10)
        field = page.get_by_label("Suggest from (%)")
        await field.fill("70")
        await field.press("Enter")
        await expect(page.get_by_text("suggested, from 70%")).to_be_visible()
        go_on.set()
        await asyncio.wait_for(read.acquire(), 10)
        await expect(page.get_by_text("suggested, from 70%")).to_be_visible()


async def test_what_happens_while_the_configuration_is_first_read_is_read_again(chromium: Browser) -> None:
    async with opened(chromium, "#/") as (page, hub):
        await live(hub)
        read, go_on = asyncio.Event(), asyncio.Event()

        async def held(route: Route) -> None:
            answer = await route.fetch()
            if not read.is_set():
                read.set()
                await go_on.wait()
            await route.fulfill(response=answer)

        await page.route(f"**{CONFIG}", held)
        await page.evaluate("location.hash = '#/settings'")
        await asyncio.wait_for(read.wait(), 30)
        hub.views.config["status"] |= {"state": "paused", "reason": "in a demo"}
        hub.tell_status()
        await expect(page.locator(".spirit .word")).to_have_text("paused")
        go_on.set()
        await expect(panel(page, "On and off")).to_contain_text("in a demo")
        await expect(panel(page, "On and off")).to_contain_text("Paused")


async def test_nonsense_never_reaches_the_hub(chromium: Browser) -> None:
    async with opened(chromium, "#/settings/limits") as (page, hub):
        field = page.get_by_label("Per day (USD)")
        await field.fill("a lot")
        await field.blur()
        await expect(field).to_have_value("20.00")
        await expect(field).to_have_accessible_description(
            "Enter an amount from 0 to 1,000,000, such as 2.50. The old value stays."
        )
        await field.fill("7,5")
        await field.blur()
        await expect(field).to_have_value("7.50")
        assert patches(hub) == [{"costCapPerDay": 7.5}]


async def test_one_channel_is_switched_and_the_others_stay(chromium: Browser) -> None:
    async with opened(chromium, "#/settings/work") as (page, hub):
        await page.get_by_role("switch", name="infra").click()
        await expect(page.get_by_role("switch", name="infra")).to_have_attribute("aria-checked", "false")
        await expect(page.get_by_role("switch", name="infra")).to_be_focused()
        assert patches(hub) == [{"disabledChannels": ["infra", "research"]}]


async def test_the_switch_says_beforehand_what_it_takes_to_turn_pulse_on_again(chromium: Browser) -> None:
    async with opened(chromium, "#/settings/general") as (page, _):
        says = re.compile("you may need your passkey, or a code from the computer that runs Pulse")
        await expect(page.get_by_role("switch", name="Pulse is on")).to_have_accessible_description(says)


async def test_quiet_hours_and_do_not_disturb(chromium: Browser) -> None:
    async with opened(chromium, "#/settings/interruptions") as (page, hub):
        quiet = panel(page, "Quiet")
        await quiet.get_by_label("Quiet hours from").select_option("21")
        await expect(quiet.get_by_label("Quiet hours from")).to_have_value("21")
        await quiet.get_by_role("button", name="1 hour").click()
        await expect(quiet).to_contain_text("On until")
        await quiet.get_by_role("button", name="Turn it off").click()
        await expect(quiet.get_by_role("button", name="Turn it off")).to_have_count(0)
        await quiet.get_by_text("Another time").click()
        await quiet.get_by_label("Until", exact=True).fill("2020-01-01T10:00")
        await quiet.get_by_role("button", name="Set").click()
        await expect(quiet).to_contain_text("Choose a time in the future.")
        sent = patches(hub)
        assert [list(patch) for patch in sent] == [["quietHoursStart"], ["dndUntil"], ["dndOff"]]
        assert sent[0] == {"quietHoursStart": 21}


async def test_what_interruptions_are_to_a_person(chromium: Browser) -> None:
    async with opened(chromium, "#/settings/interruptions") as (page, hub):
        found = panel(page, "Interruptions")
        await expect(found).to_contain_text(
            "3 of 16 interruptions used today. 2 suggestions are waiting for a good moment."
        )
        await found.get_by_label("A needless interruption is").select_option("awful")
        await found.get_by_label("Interruptions per day").fill("0")
        await found.get_by_label("Interruptions per day").press("Enter")
        await found.get_by_label("Digests at").fill("12:30 9.00")
        await found.get_by_label("Digests at").press("Enter")
        await expect(found.get_by_label("Digests at")).to_have_value("09:00, 12:30")
        await found.get_by_label("Digests at").fill("noon")
        await found.get_by_label("Digests at").press("Enter")
        await expect(found).to_contain_text("Enter times of day, such as 9:00, 13:00. The old ones stay.")
        await found.get_by_role("switch", name="A digest when you come back").click()
        await expect(found.get_by_role("switch")).to_have_attribute("aria-checked", "false")
        assert patches(hub) == [
            {"needlessInterruption": "awful"},
            {"interruptionsPerDay": 0},
            {"digestTimes": ["09:00", "12:30"]},
            {"digestOnReturn": False},
        ]


async def test_a_change_made_elsewhere_is_shown(chromium: Browser) -> None:
    async with opened(chromium, "#/settings/limits") as (page, hub):
        await live(hub)
        hub.views.apply("showThreshold", 0.5)
        hub.tell_status()
        await expect(page.get_by_label("Show from (%)")).to_have_value("50")


async def test_the_month_is_allowed_again(chromium: Browser) -> None:
    async with opened(chromium, "#/settings/limits") as (page, hub):
        await live(hub)
        await expect(panel(page, "Spending limits")).to_be_visible()  # it is there once all that it shows has come
        await expect(page.get_by_role("button", name="Allow spending again")).to_be_hidden()
        hub.views.config["status"]["monthStopped"] = True
        hub.tell_status()
        await page.get_by_role("button", name="Allow spending again").click()
        await expect(panel(page, "Spending limits")).to_contain_text("Spending is allowed again, up to the limit.")
        assert patches(hub) == [{"reenableMonth": True}]


PHONE_HEIGHT_PX = 1_000
"""Where it was one page it was 4,693 high."""
SAID: dict[str, dict[str, Any]] = {
    "mutes": {"id": "one_1", "summary": "Test runs", "effect": "…", "degree": "never"},
    "grants": {"id": "one_1", "summary": "Test runs", "effect": "…", "until": "2026-06-08T12:00:00Z", "runs": 2},
}


async def test_panels_have_room_between_them(chromium: Browser) -> None:
    async with opened(chromium, "#/settings/interruptions") as (page, _):
        above = await panel(page, "Quiet").bounding_box()
        below = await panel(page, "Less often, never, always ask").bounding_box()
        assert above is not None
        assert below is not None
        assert below["y"] - above["y"] - above["height"] >= PANEL_GAP_PX_MIN


SECTION = {"mutes": "interruptions", "grants": "alone"}
TOLD = {"mutes": "No longer suggested.", "grants": "Without asking until 8 June 2026. Ran 2 times."}


@pytest.mark.parametrize(
    ("name", "title", "back", "none"),
    [
        ("mutes", "Less often, never, always ask", "Undo", "Nothing yet"),
        ("grants", "Allowed without asking", "Remove", "Nothing yet"),
    ],
)
async def test_what_was_said_is_listed_and_taken_back(
    chromium: Browser, name: str, title: str, back: str, none: str
) -> None:
    async with opened(chromium, "#/") as (page, hub):
        getattr(hub, name).append(SAID[name])
        await page.evaluate("(hash) => { location.hash = hash; }", f"#/settings/{SECTION[name]}")
        said = panel(page, title)
        await expect(said).to_contain_text(TOLD[name])
        await said.get_by_role("button", name=back).click()
        await expect(said).to_contain_text(none)
        assert getattr(hub, name) == []


async def test_a_removed_permission_is_given_back_as_it_was(chromium: Browser) -> None:
    async with opened(chromium, "#/") as (page, hub):
        hub.grants.append(SAID["grants"])
        await page.evaluate("location.hash = '#/settings/alone'")
        said = panel(page, "Allowed without asking")
        await said.get_by_role("button", name="Remove").click()
        await expect(said).to_contain_text("Nothing yet")
        assert hub.grants == []
        toast = page.locator(".toast")
        await expect(toast).to_contain_text("Permission removed.")
        await toast.get_by_role("button", name="Undo").click()
        await expect(toast).to_contain_text("Permission restored.")
        await expect(said).to_contain_text(TOLD["grants"])
        assert hub.grants == [SAID["grants"]]


async def test_a_permission_that_cannot_be_given_back_says_so(chromium: Browser) -> None:
    async with opened(chromium, "#/") as (page, hub):
        hub.grants.append(SAID["grants"])
        await page.evaluate("location.hash = '#/settings/alone'")
        said = panel(page, "Allowed without asking")
        await said.get_by_role("button", name="Remove").click()
        await expect(said).to_contain_text("Nothing yet")
        hub.removed = []
        await page.locator(".toast").get_by_role("button", name="Undo").click()
        await expect(said.get_by_role("alert")).to_contain_text("There is nothing here.")
        await expect(page.locator(".toast")).not_to_contain_text("restored")


async def test_one_list_says_what_goes_on_without_the_person(chromium: Browser) -> None:
    async with opened(chromium, "#/") as (page, hub):
        summary = "Claude in shop: harmless actions that its “plan” mode allows"
        values = {"agent": "Claude", "place": "shop", "mode": "plan"}
        hub.grants_beside = {
            "changed": [{"id": "let_1", "was": "Always allow `git push …`", "left": "", "leftWorded": None}],
            "alone": [
                {
                    "kind": "mode",
                    "summary": summary,
                    "change": "Claude's own settings",
                    "summaryWorded": {"code": "alone.mode", "values": values, "listed": []},
                    "changeWorded": {"code": "alone.agent_at", "values": {"agent": "Claude"}, "listed": []},
                }
            ],
        }
        await page.evaluate("location.hash = '#/settings/alone'")
        said = panel(page, "Allowed without asking")
        await expect(said).to_contain_text("Always allow `git push …`")
        await expect(said).to_contain_text("→ ended")
        await expect(said).to_contain_text(summary)
        await page.evaluate("localStorage.setItem('pulse.lang', 'de'); location.reload()")
        said = panel(page, "Ohne Nachfrage erlaubt")
        await expect(said).to_contain_text("Claude in shop: Harmloses, das sein Modus „plan“ erlaubt")
        await expect(said).to_contain_text("→ beendet")


@pytest.mark.parametrize("width", [390, 1280, 1920])
async def test_a_kind_of_work_is_let_run_alone_and_taken_back(chromium: Browser, width: int) -> None:
    async with opened(chromium, "#/") as (page, hub):
        await page.set_viewport_size({"width": width, "height": 900})
        hub.grants_beside = {"kinds": [{"kind": "commit-work", "name": "Commit finished work"}]}
        await page.evaluate("location.hash = '#/settings/alone'")
        said = panel(page, "Allowed without asking")
        await said.get_by_label("Allow a kind of work on autopilot").select_option("Commit finished work")
        await said.get_by_label("For").select_option("90 days")
        await said.get_by_role("button", name="Allow").click()
        await expect(said).to_contain_text("Every time: Commit finished work")
        assert hub.let == [{"kind": "commit-work", "forS": 90 * 86_400}]
        assert await page.evaluate("document.documentElement.scrollWidth <= screen.width")
        await said.get_by_role("button", name="Remove").click()
        await expect(said).to_contain_text("Nothing yet")


@pytest.mark.parametrize("width", [390, 1280])
async def test_what_is_seen_less_often_is_reached_from_suggestions(chromium: Browser, width: int) -> None:
    async with opened(chromium, "#/settings/work") as (page, _):
        await page.set_viewport_size({"width": width, "height": 800})
        await page.get_by_role("link", name="What you see less often").click()
        await expect(page.locator(".control-list.mutes")).to_be_in_viewport()


@pytest.mark.parametrize(("language", "words"), [("en", "Autopilot is off"), ("de", "Der Autopilot ist aus")])
async def test_to_allow_a_kind_of_work_switches_nothing_on_and_the_switch_stands_beside(
    chromium: Browser, language: str, words: str
) -> None:
    async with opened(chromium, "#/") as (page, hub):
        hub.grants_beside = {"kinds": [{"kind": "commit-work", "name": "Commit finished work"}]}
        hub.status["autonomous"] = False
        await page.evaluate(f"localStorage.setItem('pulse.lang', '{language}'); location.hash = '#/settings/alone'")
        await page.reload()
        form = page.locator(".control-let")
        await expect(page.get_by_role("switch", name=words)).to_be_hidden()
        await form.get_by_role("button").click()
        alone = page.get_by_role("switch", name=words)
        await expect(alone).to_have_attribute("aria-checked", "false")
        await alone.click()
        await expect(alone).to_be_hidden()
        assert hub.status["autonomous"] is True


async def test_where_no_work_was_approved_yet_no_kind_is_offered(chromium: Browser) -> None:
    async with opened(chromium, "#/") as (page, hub):
        hub.grants_beside = {"kinds": []}
        await page.evaluate("location.hash = '#/settings/alone'")
        said = panel(page, "Allowed without asking")
        await expect(said).to_contain_text("Once you have approved harmless work of Pulse")
        await expect(said.get_by_role("combobox")).to_have_count(0)


async def test_what_was_said_and_who_stopped_it_stand_in_the_pages_language(chromium: Browser) -> None:
    async with opened(chromium, "#/") as (page, hub):
        hub.grants.append(SAID["grants"])
        hub.views.config["status"] |= {
            "state": "disabled",
            "enabled": False,
            "killedBy": "file",
            "reason": "switched off in the settings file",
            "reasonWorded": {"code": "because.off_in_file", "values": {}, "listed": []},
        }
        await page.evaluate("localStorage.setItem('pulse.lang', 'de'); location.reload()")
        await expect(page.locator(".state-line")).to_contain_text("Mit Pulse angehalten.")
        await expect(page.get_by_text("Pulse ist in seiner Einstellungsdatei ausgeschaltet.")).to_be_visible()
        await page.evaluate("location.hash = '#/settings/alone'")
        await expect(panel(page, "Ohne Nachfrage erlaubt")).to_contain_text(
            "Ohne Nachfrage bis 8. Juni 2026. 2-mal ausgeführt."
        )
        await page.evaluate("location.hash = '#/settings/general'")
        await expect(page.locator(".power-reason")).to_have_text("in der Einstellungsdatei ausgeschaltet")


async def test_on_a_phone_the_sections_are_a_list_and_each_leads_back(chromium: Browser) -> None:
    async with opened(chromium, "#/settings", size="phone") as (page, _):
        assert await page.evaluate("document.documentElement.scrollHeight") <= PHONE_HEIGHT_PX
        await page.get_by_role("link", name="Limits").click()
        await expect(page.get_by_role("heading", name="Limits", level=2, exact=True)).to_be_focused()
        await expect(panel(page, "Spending limits")).to_be_visible()
        await expect(panel(page, "On and off")).to_be_hidden()
        await page.locator(".settings-back").click()
        await expect(panel(page, "Spending limits")).to_be_hidden()
        await expect(page.get_by_role("link", name="Limits")).to_be_visible()


@pytest.mark.parametrize("size", ["desktop", "phone"])
async def test_a_search_finds_settings_in_every_section(chromium: Browser, size: str) -> None:
    async with opened(chromium, "#/settings", size=size) as (page, _):
        field = page.get_by_role("searchbox", name="Search settings")
        await field.fill("quiet HOURS")
        await expect(panel(page, "Quiet")).to_be_visible()
        await expect(panel(page, "Spending limits")).to_be_hidden()
        await field.fill("passkey")
        await expect(panel(page, "Passkeys")).to_be_visible()
        await field.fill("smartphone")
        await expect(panel(page, "Passkeys")).to_be_visible()
        await field.fill("nothing of the kind")
        await expect(page.get_by_text("No setting matches “nothing of the kind”.")).to_be_visible()
        await field.fill("")
        await expect(panel(page, "Passkeys")).to_be_hidden()


async def test_the_agents_on_this_machine_are_connected_from_the_settings_too(chromium: Browser) -> None:
    async with opened(chromium, "#/settings/agents") as (page, _):
        await panel(page, "On the computer that runs Pulse").get_by_role("button", name="Connect: Gemini CLI").click()
        await expect(page.get_by_role("dialog").locator("code").first).to_have_text("pulse connect gemini")
