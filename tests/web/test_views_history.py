"""History: all of it can be reached and searched, it follows what happens, and an episode tells everything."""

import json
import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from playwright.async_api import Browser, Page, expect

from hub.io.agents.hooks.connections import CONNECTIONS
from tests.web import fake_views_data as data
from tests.web.fake_views import CARDS
from tests.web.test_mission_permissions import asking, permission
from tests.web.views_pages import ViewsHub, live, opened, settled

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow, pytest.mark.needs_chromium]
ROWS = "a.past"
SCROLL_TO_END = "() => scrollTo(0, document.documentElement.scrollHeight)"
MORE_OR_END = """(before) => document.querySelectorAll('a.past').length > before
  || document.querySelector('.history-list > button.small').hidden"""
MORE_IS_WANTED = """() => {
  document.querySelector('.history-list > button.small').click();  // as the watcher does, late
  return new Promise((done) => setTimeout(done, 300));
}"""
WHOLE_IN_ROW = """(chip) => {
  const [row, it] = [chip.parentElement.getBoundingClientRect(), chip.getBoundingClientRect()];
  return row.left <= it.left && it.right <= row.right && row.right <= innerWidth;
}"""
TOPS = "(all) => [...new Set(all.map((one) => one.getBoundingClientRect().top))]"
LINES_ON_A_PHONE_MAX = 6
SKIPPED = """() => [...document.querySelectorAll('a.past')]
  .filter((row) => !row.firstElementChild.checkVisibility({ contentVisibilityAuto: true })).length"""


async def all_rows(page: Page) -> int:
    """Scroll until everything is there; return how many rows there are."""
    while await page.get_by_role("button", name="Show more").is_visible():
        before = await page.locator(ROWS).count()
        await page.evaluate(SCROLL_TO_END)
        await page.wait_for_function(MORE_OR_END, arg=before)
    return await page.locator(ROWS).count()


async def test_scrolling_brings_everything_once_and_lays_out_only_what_is_seen(chromium: Browser) -> None:
    async with opened(chromium, "#/activity") as (page, _):
        assert await all_rows(page) == CARDS
        ids = await page.eval_on_selector_all(ROWS, "(rows) => new Set(rows.map((row) => row.dataset.id)).size")
        assert ids == CARDS
        await expect(page.get_by_text("End of the list.")).to_be_visible()
        assert await page.evaluate(SKIPPED) > CARDS * 0.9


async def test_what_agents_wrote_is_shown_as_text(chromium: Browser) -> None:
    async with opened(chromium, "#/activity") as (page, _):
        await expect(page.locator(ROWS).filter(has_text='<img src=x onerror="alert(1)">').first).to_be_visible()
        assert await page.locator(f"{ROWS} img").count() == 0


async def test_search_waits_until_the_person_has_stopped_typing(chromium: Browser) -> None:
    async with opened(chromium, "#/activity") as (page, _):
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url) if "search=" in request.url else None)
        await page.get_by_role("searchbox").press_sequentially("cache")
        await expect(page.locator(ROWS).first).to_contain_text("Restart the cache")
        assert [url.split("search=")[1] for url in asked] == ["cache"]
        await expect(page.locator(ROWS).filter(has_text="Run the tests")).to_have_count(0)


async def test_a_filter_shows_one_fate_and_says_what_was_blocked(chromium: Browser) -> None:
    async with opened(chromium, "#/activity") as (page, _):
        await page.get_by_role("button", name="Called off").click()
        await expect(page.locator(f"{ROWS}:not([data-fate=blocked], [data-fate=cancelled])")).to_have_count(0)
        await expect(page.locator(f"{ROWS}[data-fate=blocked]").first).to_contain_text(data.BLOCKED)
        await expect(page.get_by_role("button", name="Called off")).to_have_attribute("aria-pressed", "true")


async def test_one_day_alone_can_be_shown_with_what_ran_then(chromium: Browser) -> None:
    async with opened(chromium, "#/activity") as (page, hub):
        zone = await page.evaluate("() => Intl.DateTimeFormat().resolvedOptions().timeZone")
        yesterday = (data.utc_now().astimezone(ZoneInfo(zone)) - timedelta(days=1)).date()
        created = [datetime.fromisoformat(card["createdAt"]).astimezone(ZoneInfo(zone)) for card in hub.views.cards]
        await page.get_by_role("combobox", name="Days").select_option("Yesterday")
        await expect(page.locator(".history-day")).to_have_text(["Yesterday"])
        assert await all_rows(page) == sum(at.date() == yesterday for at in created)
        await expect(page.locator(".history-day")).to_have_text(["Yesterday"])
        await page.get_by_role("combobox", name="Days").select_option("Last 7 days")
        await expect(page.locator(".history-day").first).to_have_text("Today")
        assert await all_rows(page) == sum(at.date() >= yesterday - timedelta(days=5) for at in created)


async def test_what_a_permission_let_through_is_shown_and_leads_to_the_permissions(chromium: Browser) -> None:
    async with opened(chromium, "#/settings") as (page, hub):
        line = {"grantId": "grant_1", "at": data.utc_now().isoformat(), "by": "claude-code", "text": "npm test -- cart"}
        hub.views.grant_lines = [{**line, "what": "used"}, {**line, "what": "made", "text": "npm test"}]
        await page.get_by_role("link", name="Activity").first.click()
        row = page.locator(".past-other[data-kind=permission]").filter(has_text="npm test -- cart")
        await expect(row).to_contain_text("Allowed by your permission · Claude")
        await page.get_by_role("button", name="Permissions").click()
        await row.click()
        await expect(page).to_have_url(re.compile("#/settings/alone$"))


async def test_a_request_that_a_permission_let_through_is_one_row_that_says_so(chromium: Browser) -> None:
    async with opened(chromium, "#/settings") as (page, hub):
        card = hub.views.cards[0]
        let = {"status": "confirmed", "statusReason": "auto-approved", "permission": asking(hub)["permission"]}
        card |= {**let, "settled": None, "outcome": "Allowed: `npm test`."}
        line = {"grantId": "grant_1", "at": card["createdAt"], "by": "claude-code", "text": "npm test", "what": "used"}
        hub.views.grant_lines = [line]
        await page.evaluate("location.hash = '#/activity'")
        row = page.locator(f"{ROWS}[data-id={card['id']}]")
        await expect(row).to_contain_text("Allowed by your permission")
        await expect(row).not_to_contain_text("Approved")
        await expect(row.locator(".past-outcome code")).to_have_text("npm test")
        await expect(page.locator(".past-other[data-kind=permission]")).to_have_count(0)


@pytest.mark.parametrize(
    ("language", "row"),
    [("en-GB", "Approved, then the agent ended"), ("de-DE", "Genehmigt, dann endete der Agent")],
)
async def test_a_yes_after_which_the_agent_ended_is_not_called_withdrawn(
    chromium: Browser, language: str, row: str
) -> None:
    async with opened(chromium, "#/settings", language=language) as (page, hub):
        yes = data.settlement("approve", hub.views.now)
        outcome: data.Json = {"code": "over.gone", "values": {}, "listed": [], "day": None, "about": None}
        gone = {"status": "cancelled", "statusReason": "overruled", "settled": yes, "executionId": None}
        hub.views.cards[0] |= {**gone, "outcome": "You said yes.", "outcomeWorded": outcome}
        await page.evaluate("location.hash = '#/activity'")
        shown = page.locator(ROWS).first
        await expect(shown).to_contain_text(row)
        await expect(shown).not_to_contain_text(re.compile("withdrawn|zurückgezogen", re.IGNORECASE))


@pytest.mark.parametrize(
    ("language", "says"),
    [("en-GB", "You chose “show less often” here"), ("de-DE", "Du hast hier „seltener zeigen“ gewählt")],
)
async def test_less_of_this_is_told_as_it_was_chosen(chromium: Browser, language: str, says: str) -> None:
    async with opened(chromium, "#/settings", language=language) as (page, hub):
        less = {**data.settlement("less", hub.views.now), "verb": "less"}
        hub.views.cards[0] |= {"status": "rejected", "settled": less, "permission": None}
        await page.evaluate("location.hash = '#/activity'")
        await expect(page.locator(ROWS).first).to_contain_text(says)


async def test_a_day_without_anything_says_so(chromium: Browser) -> None:
    async with opened(chromium, "#/activity", empty=True) as (page, _):
        await page.get_by_role("combobox", name="Days").select_option("Yesterday")
        await expect(page.get_by_text("Nothing happened yesterday.")).to_be_visible()


async def test_nothing_found_says_what_to_try(chromium: Browser) -> None:
    async with opened(chromium, "#/activity") as (page, _):
        await page.get_by_role("searchbox").fill("no such thing")
        await expect(page.get_by_text("Nothing matches.")).to_be_visible()


async def test_an_empty_history_says_when_there_will_be_something(chromium: Browser) -> None:
    async with opened(chromium, "#/activity", empty=True) as (page, _):
        await expect(page.get_by_text("Every suggestion, request and run appears here")).to_be_visible()


async def test_going_back_from_an_episode_finds_the_list_as_it_was(chromium: Browser) -> None:
    async with opened(chromium, "#/activity") as (page, _):
        row = page.locator(f"{ROWS}[data-id=pred-0060]")
        await row.focus()
        await page.keyboard.press("Enter")
        await settled(page, "#/activity/story/pred-0060")
        await expect(page.get_by_role("heading", level=1)).to_have_text(data.PROMPTS[60 % len(data.PROMPTS)])
        await page.get_by_role("article").get_by_role("link", name="Activity").click()
        await expect(row).to_be_focused()
        await expect(row).to_be_in_viewport()


async def test_a_row_follows_what_happens_and_new_ones_wait_for_the_person(chromium: Browser) -> None:
    async with opened(chromium, "#/activity") as (page, hub):
        await live(hub)
        changed = {**hub.views.cards[8], "status": "rejected"}
        hub.push("prediction.settled", prediction=changed)
        await expect(page.locator(f"{ROWS}[data-id=pred-0008]")).to_have_attribute("data-fate", "rejected")
        appear(hub)
        await page.get_by_role("button", name="Show 1 new entry").click()
        await expect(page.locator(ROWS).first).to_contain_text("Something new")


async def test_who_comes_back_to_the_list_sees_what_came_meanwhile(chromium: Browser) -> None:
    async with opened(chromium, "#/activity") as (page, hub):
        await live(hub)
        await page.get_by_role("link", name="Settings").click()
        await settled(page, "#/settings")
        appear(hub)
        await page.get_by_role("link", name="Activity").click()
        await expect(page.locator(ROWS).first).to_contain_text("Something new")
        await expect(page.locator(".history-fresh")).to_be_hidden()


async def test_an_entry_that_was_opened_hides_nothing_new_from_those_who_were_elsewhere_since(
    chromium: Browser,
) -> None:
    async with opened(chromium, "#/activity") as (page, hub):
        await live(hub)
        await page.locator(f"{ROWS}[data-id=pred-0060]").click()
        await settled(page, "#/activity/story/pred-0060")
        await page.get_by_role("link", name="Settings").click()
        await settled(page, "#/settings")
        appear(hub)
        await page.get_by_role("link", name="Activity").click()
        await expect(page.locator(ROWS).first).to_contain_text("Something new")
        await expect(page.locator(ROWS).first).to_be_in_viewport()
        await expect(page.locator(".history-fresh")).to_be_hidden()


async def test_going_back_from_an_episode_shows_what_came_meanwhile_too(chromium: Browser) -> None:
    async with opened(chromium, "#/activity") as (page, hub):
        await live(hub)
        row = page.locator(f"{ROWS}[data-id=pred-0060]")
        await row.click()
        await settled(page, "#/activity/story/pred-0060")
        appear(hub)
        await page.get_by_role("article").get_by_role("link", name="Activity").click()
        await expect(page.locator(ROWS).first).to_contain_text("Something new")
        await expect(row).to_be_focused()
        await expect(row).to_be_in_viewport()
        await expect(page.locator(".history-fresh")).to_be_hidden()


def appear(hub: ViewsHub) -> None:
    """Let a card appear."""
    fresh = {**data.prediction(8, data.utc_now()), "id": "pred-new", "prompt": "Something new"}
    fresh["createdAt"] = data.utc_now().isoformat()
    hub.views.cards.insert(0, fresh)
    hub.push("prediction.new", prediction=fresh)


async def test_a_lost_hub_is_said_and_asked_again(chromium: Browser) -> None:
    async with opened(chromium, "#/activity") as (page, _):
        await page.route("**/api/v1/predictions?*", lambda route: route.abort())
        await page.get_by_role("button", name="Failed").click()
        await expect(page.locator("#view").get_by_role("alert")).to_contain_text("cannot be reached")
        await page.unroute("**/api/v1/predictions?*")
        await page.get_by_role("button", name="Try again").press("Enter")  # rows above may still move
        await expect(page.locator(f"{ROWS}:not([data-fate=failed])")).to_have_count(0)


async def test_after_a_lost_first_page_no_page_of_another_filter_follows(chromium: Browser) -> None:
    async with opened(chromium, "#/activity") as (page, _):
        await page.route("**/api/v1/predictions?*", lambda route: route.abort())
        await page.get_by_role("button", name="Failed").click()
        again = page.get_by_role("button", name="Try again")
        await again.wait_for()
        await page.evaluate(MORE_IS_WANTED)
        await page.unroute("**/api/v1/predictions?*")
        await again.press("Enter")
        await expect(page.locator(f"{ROWS}:not([data-fate=failed])")).to_have_count(0)


async def test_what_stands_beside_the_cards_may_fail_alone(chromium: Browser) -> None:
    async with opened(chromium, "#/activity") as (page, _):
        await page.route("**/api/v1/drives/history?*", lambda route: route.abort())
        await page.get_by_role("button", name="Failed").click()
        await expect(page.locator(f"{ROWS}:not([data-fate=failed])")).to_have_count(0)
        await expect(page.locator("#view").get_by_role("alert")).to_contain_text("cannot be reached")
        await page.unroute("**/api/v1/drives/history?*")
        await page.get_by_role("button", name="Try again").press("Enter")  # rows above may still move
        await expect(page.locator("#view").get_by_role("alert")).to_have_count(0)
        await expect(page.locator(f"{ROWS}[data-fate=failed]").first).to_be_visible()


async def test_the_button_that_tries_again_keeps_the_focus_while_more_rows_come(chromium: Browser) -> None:
    async with opened(chromium, "#/activity") as (page, _):
        await page.route("**/api/v1/drives/history?*", lambda route: route.abort())
        await page.get_by_role("button", name="All", exact=True).click()
        again = page.get_by_role("button", name="Try again")
        await again.focus()
        before = await page.locator(ROWS).count()
        await page.evaluate(MORE_IS_WANTED)
        await page.wait_for_function(MORE_OR_END, arg=before)
        await expect(again).to_be_focused()


async def test_everything_can_be_downloaded(chromium: Browser) -> None:
    async with opened(chromium, "#/activity") as (page, _):
        await page.get_by_text("Export all").click()
        for name, form in (("JSONL", "jsonl"), ("CSV", "csv")):
            async with page.expect_download() as saving, page.expect_request(f"**/api/v1/export?format={form}"):
                await page.get_by_role("button", name=name).click()
            assert (await saving.value).suggested_filename == f"pulse.{form}"


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
async def test_the_filters_take_one_line_of_a_wide_window_and_wrap_on_a_phone(chromium: Browser, language: str) -> None:
    async with opened(chromium, "#/activity", language=language) as (page, _):
        await page.set_viewport_size({"width": 1280, "height": 900})
        assert len(await page.locator(".history-filters button").evaluate_all(TOPS)) == 1
    async with opened(chromium, "#/activity", size="phone", language=language) as (page, _):
        chips = page.locator(".history-filters button")
        assert 1 < len(await chips.evaluate_all(TOPS)) < LINES_ON_A_PHONE_MAX
        for place in range(await chips.count()):
            assert await chips.nth(place).evaluate(WHOLE_IN_ROW)
        assert await page.evaluate("() => document.documentElement.scrollWidth <= innerWidth && scrollX === 0")
        await expect(page.locator(".exports button").first).to_be_hidden()  # once a year


async def test_a_row_says_when_its_run_ended(chromium: Browser) -> None:
    async with opened(chromium, "#/activity") as (page, hub):
        row = page.locator('.past[data-fate="executed"]').first
        id_ = await row.get_attribute("data-id")
        card = next(one for one in hub.views.cards if one["id"] == id_)
        card["endedAt"] = (datetime.fromisoformat(card["createdAt"]) + timedelta(minutes=7)).isoformat()
        await page.get_by_label("Days").select_option("week")
        await expect(page.locator(f'.past[data-id="{card["id"]}"] .facts').first).to_contain_text(
            re.compile(r"Done \d\d:\d\d · ")
        )


async def test_the_story_of_an_agents_request_names_its_project(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/story/pred-0060") as (page, hub):
        card = next(one for one in hub.views.cards if one["id"] == "pred-0060")
        card |= {"source": "ask", "runs": None, "permission": permission(folder="/home/me/shop")}
        await page.reload()
        await settled(page, "#/activity/story/pred-0060")
        place = page.locator(".episode-head .episode-facts div").filter(has_text="Where")
        await expect(place).to_have_text(re.compile(r"^Where *shop"))
        await expect(page.locator(".episode-facts").filter(has_text="Suggested")).to_have_count(0)
        await expect(page.locator(".episode-facts").first).to_contain_text("Asked")


async def test_an_episode_is_as_wide_as_a_phone_whatever_its_lines_hold(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/story/pred-0060", size="phone") as (page, _):
        await expect(page.locator(".step-lines").first).to_contain_text("sha256 5f5f")  # nothing ran: no more is told
        assert await page.evaluate("document.documentElement.scrollWidth - screen.width") <= 0
        await expect(page.locator(".nav-bottom").get_by_role("link", name="Inbox")).to_be_in_viewport()
        summary = page.locator("details:has(> .verdicts) > summary")
        await expect(summary.first).to_be_visible()
        await expect(page.locator(".verdict").first).to_be_hidden()


@pytest.mark.parametrize(("size", "language"), [("phone", "de-DE"), ("desktop", "en-GB")])
async def test_an_episode_begins_with_its_reason_then_what_ran_and_what_it_cost(
    chromium: Browser, size: str, language: str
) -> None:
    async with opened(chromium, "#/activity/story/pred-0000", size=size, language=language) as (page, _):
        why = page.locator(".episode-why")
        reason = "Two files changed and nobody has run the tests since."
        await expect(why).to_have_text(f"{'Warum' if language == 'de-DE' else 'Why'}: {reason}")
        await expect(why).to_be_in_viewport()
        await expect(page.locator(".episode-facts").first).to_contain_text("0,08" if language == "de-DE" else "0.08")
        runs, details = page.locator(".attempts"), page.locator(".episode-details")
        run_box, details_box = await runs.bounding_box(), await details.bounding_box()
        assert run_box is not None
        assert details_box is not None
        assert run_box["y"] < details_box["y"]
        await expect(page.locator(".step").first).to_be_hidden()
        await expect(page.get_by_text("sha256").first).to_be_hidden()


async def test_an_episode_says_which_command_ran(chromium: Browser) -> None:
    async with opened(chromium, "#/activity") as (page, hub):
        hub.views.cards[0] |= {"runs": {"summary": "make test in shop"}}
        await page.evaluate("location.hash = '#/activity/story/pred-0000'")
        await expect(page.locator(".episode-ran")).to_have_text("Ran: make test in shop")


async def test_details_that_were_unfolded_stay_so_when_something_happens(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/story/pred-0007") as (page, hub):
        await live(hub)
        await page.get_by_text("Details", exact=True).click()
        hub.views.cards[7] |= {"status": "executed", "runState": "verified", "outcome": "All green."}
        hub.push("prediction.executed", predictionId="pred-0007", taskId="", result="", prediction=hub.views.cards[7])
        await expect(page.locator(".episode-head .badge").first).to_have_text("Done")
        await expect(page.locator(".step").first).to_be_visible()


async def test_an_episode_tells_verdicts_with_numbers_and_each_run_with_its_output(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/story/pred-0000") as (page, _):
        await page.get_by_text("Details", exact=True).click()
        await expect(page.locator(".step")).to_have_count(10)
        await page.locator("details:has(> .verdicts) > summary").first.click()
        verdict = page.locator(".verdict").filter(has_text="cost.fits")
        await expect(verdict).to_contain_text("limit per day US$20.00")
        run = page.locator(".attempt").filter(has_text="Run 2")
        await run.get_by_text("Output", exact=True).click()
        output = run.get_by_role("group", name="Output")
        await expect(output).to_contain_text("test_99")
        assert await output.evaluate("(node) => node.scrollHeight > node.clientHeight && node.tabIndex === 0")


async def test_a_running_episode_is_told_anew_when_something_happens(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/story/pred-0007") as (page, hub):
        await expect(page.locator(".episode-head .badge").first).to_have_text("Running")
        await live(hub)
        hub.views.cards[7] |= {"status": "executed", "runState": "verified", "outcome": "All green."}
        hub.push("prediction.executed", predictionId="pred-0007", taskId="", result="", prediction=hub.views.cards[7])
        await expect(page.locator(".episode-head .badge").first).to_have_text("Done")


async def test_an_unknown_episode_says_so(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/story/pred-none") as (page, _):
        await expect(page.get_by_role("article").get_by_role("alert")).to_contain_text(
            "There is no suggestion of that id."
        )
        await expect(page.get_by_role("button", name="Try again")).to_be_visible()


async def test_sessions_and_wake_ups_stand_among_the_cards_and_lead_to_their_stories(chromium: Browser) -> None:
    async with opened(chromium, "#/activity") as (page, hub):
        sessions = page.locator('.past-other[data-kind="session"]')
        await expect(sessions).to_have_count(len(hub.views.world.sessions))
        await page.get_by_role("button", name="Sessions", exact=True).click()
        await expect(page.locator(ROWS)).to_have_count(0)
        await expect(sessions).to_have_count(len(hub.views.world.sessions))
        await page.get_by_role("button", name="Wake-ups").click()
        await expect(sessions).to_have_count(0)
        await expect(page.locator('.past-other[data-kind="wake"]').first).to_contain_text("Pulse woke up")
        await page.get_by_role("button", name="Sessions", exact=True).click()
        await sessions.first.click()
        await settled(page, "#/activity/sessions")
        await page.get_by_role("link", name="Activity").last.click()
        await expect(page.get_by_role("heading", name="Activity", level=1)).to_be_visible()


async def test_a_session_and_the_figures_follow_what_happens_while_they_are_seen(chromium: Browser) -> None:
    async with opened(chromium, "#/activity") as (page, hub):
        row = page.locator(".past-other", has_text="Count")
        await expect(row).to_contain_text("working")
        await live(hub)
        world = hub.views.world
        next(one for one in world.sessions if one["id"] == "nightly").update(status="verified")
        hub.status["world"] = world.status()
        hub.tell_status()
        await expect(row).to_contain_text("verified")
        await expect(page.locator('.overview-tile[href$="sessions"]')).to_contain_text("0 working")


async def test_trends_say_nothing_of_what_there_is_none_of(chromium: Browser) -> None:
    async with opened(chromium, "#/settings") as (page, hub):
        hub.views.figures = {"days": [data.day("2026-03-01", 1)]}
        await page.evaluate("(hash) => { location.hash = hash; }", "#/activity")
        trends = page.locator('.overview-tile[href$="trends"]')
        await expect(trends).to_contain_text("1 suggestion")
        await expect(trends).not_to_contain_text("done")


async def test_what_there_is_to_see_leads_on_and_the_first_day_has_no_charts(chromium: Browser) -> None:
    async with opened(chromium, "#/activity") as (page, _):
        await expect(page.locator(".overview-tile")).to_have_count(3)
        await page.get_by_role("link", name="Trends").click()
        await expect(page.locator(".chart-svg").first).to_be_visible()
    async with opened(chromium, "#/activity", empty=True) as (page, _):
        await expect(page.locator(".history-empty")).to_be_visible()
        await expect(page.locator(".overview-tile")).to_have_count(0)


@pytest.mark.parametrize(
    ("old", "heading"),
    [
        ("#/history", "Activity"),
        ("#history", "Activity"),
        ("#/sessions", "Sessions"),
        ("#/insight", "Trends"),
        ("#/drives", "Open work"),
        ("#/controls", "Settings"),
    ],
)
async def test_an_old_address_leads_on(chromium: Browser, old: str, heading: str) -> None:
    async with opened(chromium, "#/") as (page, _):
        await page.evaluate("(hash) => { location.hash = hash; }", old)
        await expect(page.get_by_role("heading", name=heading, level=1)).to_be_visible()
        assert old not in page.url


async def test_tasks_stand_among_what_happened_and_open_from_there(chromium: Browser) -> None:
    async with opened(chromium, "#/activity") as (page, hub):
        await live(hub)
        await page.get_by_role("button", name="Tasks", exact=True).click()
        row = page.locator(".past-other[data-kind=task]").filter(has_text="Twin fidelity")
        await expect(row).to_contain_text("Task · to do")
        await row.click()
        await page.get_by_role("dialog").get_by_role("button", name="Done").click()
        await expect(row).to_contain_text("Task · done")


@pytest.mark.parametrize(
    ("language", "rows"),
    [
        (
            "en-GB",
            ["You stopped Pulse on the command line", "You removed this permission here", "You allowed this here"],
        ),
        (
            "de-DE",
            [
                "Du hast Pulse auf der Kommandozeile angehalten",
                "Du hast diese Erlaubnis hier entfernt",
                "Du hast das hier",
            ],
        ),
    ],
)
async def test_stops_and_permissions_say_when_and_where(chromium: Browser, language: str, rows: list[str]) -> None:
    async with opened(chromium, "#/settings", language=language) as (page, hub):
        here = await page.evaluate("async () => (await import('/app/js/state.js')).state.get().session.device")
        line = {"grantId": "g", "by": f"browser/{here}", "text": "claude-code: `npm test` in shop", "textWorded": None}
        at = [(data.utc_now() - timedelta(minutes=ago)).isoformat() for ago in range(3)]
        hub.views.grant_lines = [
            {**line, "what": "stopped", "by": "cli/local", "text": "", "at": at[0]},
            {**line, "what": "ended", "at": at[1]},
            {**line, "what": "made", "at": at[2]},
        ]
        await page.evaluate("location.hash = '#/activity'")
        shown = page.locator(".past-other:is([data-kind=permission], [data-kind=stop])")
        for place, row in enumerate(rows):
            await expect(shown.nth(place)).to_contain_text(row)


async def test_a_filter_that_finds_nothing_says_so_and_ends_when_one_leaves(chromium: Browser) -> None:
    async with opened(chromium, "#/activity", empty=True) as (page, hub):
        hub.tasks = []
        await page.get_by_role("button", name="Tasks", exact=True).click()
        await expect(page.get_by_text("Nothing here yet.")).to_be_visible()
        await page.evaluate("location.hash = '#/settings'")
        await settled(page, "#/settings")
        await page.evaluate("location.hash = '#/activity'")
        await expect(page.get_by_role("button", name="All", exact=True)).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize(("language", "title"), [("en-GB", "Test of the connection"), ("de-DE", "Verbindungstest")])
async def test_a_test_of_the_connection_is_called_so(chromium: Browser, language: str, title: str) -> None:
    command = json.loads(CONNECTIONS["claude-code"].sample_ask)["tool_input"]["command"]
    async with opened(chromium, "#/activity", language=language) as (page, hub):
        asked = permission(text=command, act="command", reason="A test of Pulse")
        hub.views.cards[0] |= {"source": "ask", "runs": None, "permission": asked, "prompt": command}
        await page.reload()
        await settled(page, "#/activity")
        row = page.locator(f'.past[data-id="{hub.views.cards[0]["id"]}"]')
        await expect(row.locator(".past-prompt")).to_have_text(title)
        await row.click()
        await expect(page.locator(".episode h1")).to_have_text(title)
