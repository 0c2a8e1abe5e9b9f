"""What an open page hears: cards that come and are settled elsewhere, work and its end, lost connections."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Route, expect

from tests.web.chromium import until_steady
from tests.web.fake_cards import PROMPTS, result, run, settlement, status, task
from tests.web.fake_hub import FakeHub, Json
from tests.web.fake_views_data import barred
from tests.web.pages import front, open_page, prompt_in_front, until, until_so

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow, pytest.mark.needs_chromium]


@pytest.fixture
def fake() -> Iterator[FakeHub]:
    """A hub with two open cards."""
    with FakeHub() as made:
        made.add()
        made.add()
        yield made


@pytest_asyncio.fixture(loop_scope="session")
async def mission(chromium: Browser, fake: FakeHub) -> AsyncIterator[Page]:
    """The inbox, live."""
    async with open_page(chromium, fake, may_lose=True) as page:
        await until(fake, lambda: any(said["type"] == "subscribe" for said in fake.said))
        yield page


def started(fake: FakeHub, card: Json) -> Json:
    """Let an approved card run."""
    card.update(
        status="confirmed", executionId="exec_1", settled=settlement("approve", device="laptop", surface="browser")
    )
    fake.agents[0].update(state="running", doing=card["prompt"])
    fake.push("execution.started", prediction=card, executionId="exec_1", autonomous=False)
    return card


def failed(fake: FakeHub, card: Json, error: str) -> Json:
    """Let it fail."""
    card.update(status="failed", attempts=1)
    card["offers"] = card["offers"] or ["retry", "ignore"]
    fake.agents[0].update(state="failed")
    fake.push(
        "execution.failed", prediction=card, predictionId=card["id"], executionId="exec_1", kind="failed", error=error
    )
    return card


async def test_a_new_card_appears_and_is_announced(mission: Page, fake: FakeHub) -> None:
    fake.push("prediction.new", prediction=fake.add(prompt="Look at the broken link", createdAt="2099-01-01T00:00:00Z"))
    await expect(mission.locator(".count")).to_contain_text("of 3 cards")
    await expect(mission.locator("#say")).to_contain_text("New: Look at the broken link")
    await expect(prompt_in_front(mission)).to_have_text(PROMPTS[0])  # what a person reads does not move away


async def test_who_is_not_reached_is_said_on_top_and_goes_when_it_is_over(mission: Page, fake: FakeHub) -> None:
    line = "Phone is not reaching you right now. New suggestions go to: Laptop."
    reach = {"line": line, "nobody": False, "unreached": [barred()], "worded": None}
    fake.push("crosspoll.status", status=status(reach=reach))
    note = mission.locator(".reach")
    await expect(note.locator("summary")).to_have_text(line)
    await note.locator("summary").click()
    await expect(note.locator("li")).to_contain_text("Settings, Devices, switch Notifications on.")
    fake.push("crosspoll.status", status=status())
    await expect(note).to_be_hidden()


async def test_a_card_settled_elsewhere_says_so_in_place_and_leaves(mission: Page, fake: FakeHub) -> None:
    fake.settle(fake.cards["pred_0001"], "reject")
    await expect(front(mission).locator(".settled")).to_contain_text("You dismissed it on your phone · ")
    await expect(front(mission).get_by_role("button", name="Approve")).to_have_count(0)
    await expect(prompt_in_front(mission)).to_have_text(PROMPTS[1])
    await expect(mission.locator(".recent")).to_contain_text(PROMPTS[0])


async def test_a_card_that_expires_says_so_and_leaves(mission: Page, fake: FakeHub) -> None:
    fake.cards["pred_0001"]["status"] = "expired"
    fake.push("prediction.expired", predictionId="pred_0001")
    await expect(front(mission).locator(".settled")).to_contain_text("expired")
    await expect(prompt_in_front(mission)).to_have_text(PROMPTS[1])


async def test_work_shows_its_lines_can_be_stopped_and_tells_its_outcome(mission: Page, fake: FakeHub) -> None:
    card = started(fake, fake.cards["pred_0001"])
    run = mission.locator(".run")
    await expect(run.locator(".run-state")).to_have_text("Running")
    for number, line in enumerate(("collecting", "." * 300, "12 tests found")):
        fake.agents[0]["lastLine"] = line
        fake.push("execution.progress", predictionId=card["id"], executionId="exec_1", number=number, line=line)
    await expect(run.locator(".lines")).to_contain_text("12 tests found")
    assert await mission.evaluate("document.documentElement.scrollWidth <= screen.width")
    await expect(mission.locator('.agent[data-channel="koji-core"]')).to_contain_text("12 tests found")
    await expect(mission.locator(".spirit")).to_have_attribute("data-mood", "working")
    await run.get_by_role("button", name="Stop").click()
    await until(fake, lambda: bool(fake.asked("POST", "pred_0001/stop")))
    card.update(status="executed", outcome="12 passed")
    fake.agents[0].update(state="idle")
    fake.push("prediction.executed", prediction=card, predictionId=card["id"], taskId="t", result="12 passed")
    await expect(run.locator(".run-state")).to_have_text("Done")
    await expect(run.locator(".outcome")).to_have_text("12 passed")
    await expect(mission.locator(".spirit")).to_have_attribute("data-mood", "verified")


async def test_failed_work_says_so_on_its_card_and_covers_nothing(mission: Page, fake: FakeHub) -> None:
    failed(fake, started(fake, fake.cards["pred_0001"]), "No network")
    run = mission.locator('.run[data-phase="failed"]')
    await expect(run).to_contain_text("No network")
    await expect(front(mission).get_by_role("button", name="Approve")).to_be_in_viewport()
    await expect(mission.locator(".kill")).to_be_visible()
    await mission.locator('.spirit[data-mood="failed"]').click()
    await expect(run).to_be_focused()
    await run.get_by_role("button", name="Try again").click()
    await until(fake, lambda: bool(fake.asked("POST", "pred_0001/retry")))
    assert fake.asked("POST", "/retry")[0]["attempt"] == 1
    failed(fake, fake.cards["pred_0001"], "No network")
    await run.get_by_role("button", name="Ignore").click()
    await until(fake, lambda: bool(fake.asked("POST", "/ignore")))
    await expect(run).to_have_count(0)


async def test_what_failed_says_what_failed_and_takes_what_may_be_said_to_it(mission: Page, fake: FakeHub) -> None:
    fake.runs = [run()]
    card = fake.cards["pred_0001"]
    card.update(result=result(), offers=["retry", "fix", "ignore"], fixer="claude-code")
    failed(fake, started(fake, card), "2 failed")
    row = mission.locator('.run[data-phase="failed"]')
    await expect(row.locator(".outcome")).to_contain_text("2 failed, 187 passed in 14 s")
    await expect(row.locator(".last-lines summary")).to_contain_text("KeyError: 'rate'")
    await expect(row.locator(".last-lines pre")).to_be_hidden()
    await row.get_by_role("button", name="1 file changed").click()
    dialog = mission.get_by_role("dialog")
    await expect(dialog.locator("strong")).to_have_text("the rate")
    await expect(dialog).to_contain_text("<b>Which one</b>")
    await dialog.get_by_text("src/cart.py").click()
    await expect(dialog.locator(".diff .added")).to_contain_text("return sum(items)")
    await mission.keyboard.press("Escape")
    await row.get_by_role("button", name="Let Claude fix it").click()
    await until(fake, lambda: bool(fake.asked("POST", "/fix")))
    assert fake.asked("POST", "/fix")[0]["attempt"] == 1


async def test_the_state_and_its_reason_follow_the_hub(mission: Page, fake: FakeHub) -> None:
    fake.push("crosspoll.status", status=status(state="paused", reason="Paused: you dismissed too many in a row."))
    await expect(mission.locator(".state-line")).to_contain_text("you dismissed too many")
    await mission.locator(".state-line").get_by_role("button", name="Resume").click()
    await until(fake, lambda: bool(fake.asked("POST", "/crosspoll/resume")))


async def test_a_lost_connection_is_told_and_what_was_missed_is_replayed(mission: Page, fake: FakeHub) -> None:
    await asyncio.to_thread(fake.stop)
    await expect(mission.locator(".banner.lost")).to_contain_text("Last updated")
    await expect(mission.locator(".banner.lost")).to_contain_text("Reconnecting…")
    fake.push("prediction.new", prediction=fake.add(prompt="Made meanwhile"))
    await asyncio.to_thread(fake.start)
    await expect(mission.locator(".count")).to_contain_text("of 3 cards")
    await expect(mission.locator(".banner.lost")).to_have_count(0)


async def test_a_hub_that_started_anew_is_read_anew(mission: Page, fake: FakeHub) -> None:
    await asyncio.to_thread(fake.stop)
    fake.feed, fake.seq, fake.events = "feed2", 3, []
    fake.cards["pred_0001"].update(status="rejected", settled=settlement("reject"))
    fake.add(prompt="After the restart")
    await asyncio.to_thread(fake.start)
    await expect(front(mission).locator(".settled")).to_contain_text("You dismissed it on your phone")
    fake.push("prediction.new", prediction=fake.add(prompt="Heard live"))
    await expect(mission.locator(".count")).to_contain_text("of 4 cards")


async def test_a_page_opened_without_a_hub_shows_what_was_known(mission: Page) -> None:
    await until_so(mission, "() => localStorage.getItem('pulse.last')")
    await mission.route("**/api/v1/**", lambda route: route.abort())
    await mission.route_web_socket("**/pulse", lambda live: live.close())
    await mission.reload()
    await expect(prompt_in_front(mission)).to_have_text(PROMPTS[0])
    await expect(mission.locator(".banner.lost")).to_contain_text("No connection to Pulse")


async def test_a_page_opened_without_a_hub_and_without_a_memory_says_so_in_words(mission: Page) -> None:
    refused = asyncio.Event()

    async def refuse(route: Route) -> None:
        await route.abort()
        refused.set()

    async def words(route: Route) -> None:
        await refused.wait()
        await route.continue_()

    await mission.route("**/api/v1/**", refuse)
    await mission.route("**/words/**", words)
    await mission.add_init_script("localStorage.removeItem('pulse.last')")
    await mission.reload()
    await expect(mission.locator(".trouble")).to_contain_text("Pulse cannot be reached.")


@pytest.mark.usefixtures("mission")
async def test_presence_is_told_as_times_only(fake: FakeHub) -> None:
    await until(fake, lambda: any(said["type"] == "presence" for said in fake.said))
    said = [one for one in fake.said if one["type"] == "presence"]
    assert set(said[0]) == {"type", "visible", "activeAt"}
    assert said[0]["visible"] is True


async def test_hostile_text_is_text(mission: Page, fake: FakeHub) -> None:
    hostile = "<img src=x onerror=alert(1)><script>alert(2)</script> {name} " + "x" * 3_000
    fake.cards.clear()
    fake.push("prediction.settled", prediction={**fake.add(), "status": "rejected", "settled": settlement("reject")})
    fake.push(
        "prediction.new",
        prediction=fake.add(id="pred_hostile", prompt=hostile, reasoning=hostile, targetChannel="<b>x</b>"),
    )
    card = mission.locator('.card[data-id="pred_hostile"]')
    await mission.keyboard.press("j")
    await expect(card.locator(".prompt")).to_have_text(hostile)
    assert await mission.locator(".card img, .card script, .card b").count() == 0
    assert await mission.evaluate("document.documentElement.scrollWidth <= screen.width")


async def test_reduced_motion_moves_nothing_far(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake, reduced_motion="reduce") as page:
        await until_steady(page)
        await page.keyboard.press("a")
        assert await page.locator(".ghost").count() == 0
        await expect(prompt_in_front(page)).to_have_text(PROMPTS[1])


@pytest.mark.parametrize("size", ["narrow", "phone", "desktop", "wide"])
@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
async def test_nothing_is_cut_off_sideways(chromium: Browser, fake: FakeHub, size: str, language: str) -> None:
    async with open_page(chromium, fake, size, locale=language) as page:
        assert await page.evaluate("document.documentElement.scrollWidth <= screen.width")
        cut = await page.evaluate(
            "[...document.querySelectorAll('button, a')]"
            ".filter((n) => n.offsetParent && n.scrollWidth > n.clientWidth + 1).map((n) => n.textContent)"
        )
        assert cut == []


async def test_who_comes_back_reads_what_happened_for_an_hour(mission: Page, fake: FakeHub) -> None:
    note = mission.locator(".center > p.note")
    await expect(note).to_be_hidden()
    now = datetime.now(UTC)
    away = {"since": (now - timedelta(hours=2)).isoformat(), "until": now.isoformat(), "alone": 2, "waiting": 1}
    fake.push("crosspoll.status", status={**fake.status, "away": away})
    await expect(note).to_contain_text("): 2 done on autopilot, 1 waiting.")
    fake.push("crosspoll.status", status={**fake.status, "away": {**away, "until": "2026-01-01T00:00:00Z"}})
    await expect(note).to_be_hidden()


async def test_a_task_added_elsewhere_appears_and_is_ticked_off_here(mission: Page, fake: FakeHub) -> None:
    fake.tasks = [task(7, "Call the bank", "queued", 0), *fake.tasks]
    fake.look_again("tasks")
    row = mission.locator(".recent").get_by_role("button", name="Call the bank")
    await expect(row).to_contain_text("to do")
    await row.click()
    await mission.get_by_role("dialog").get_by_role("button", name="Done").click()
    await expect(row).to_contain_text("done")
    await until(fake, lambda: fake.asked("PATCH", "/tasks/task_7") == [{"status": "completed"}])
    await mission.locator("#toasts").get_by_role("button", name="Undo").click()
    await expect(row).to_contain_text("to do")


async def test_a_task_is_deleted_and_comes_back_with_undo(mission: Page, fake: FakeHub) -> None:
    row = mission.locator(".recent").get_by_role("button", name="Twin fidelity")
    await row.click()
    await mission.get_by_role("dialog").get_by_role("button", name="Delete").click()
    await expect(row).to_have_count(0)
    await mission.locator("#toasts").get_by_role("button", name="Undo").click()
    await expect(row).to_be_visible()
    assert fake.asked("POST", "/tasks") == [{"title": "Twin fidelity", "notes": "", "status": "queued"}]


async def test_a_reminder_that_is_answered_changes_its_task_on_every_page(mission: Page, fake: FakeHub) -> None:
    card = fake.cards["pred_0001"]
    card.update(targetChannel="tasks", status="confirmed", settled=settlement("approve"))
    fake.tasks[2]["status"] = "completed"
    fake.push("prediction.settled", prediction=card)
    await expect(mission.locator(".recent").get_by_role("button", name="Twin fidelity")).to_contain_text("done")
