"""Several requests of an agent that are alike, in a real browser on a fake hub: an answer for each or for all."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from playwright.async_api import Browser, Page, expect

from tests.web.fake_cards import Json, ago
from tests.web.fake_hub import FakeHub
from tests.web.pages import front, open_page, until
from tests.web.test_mission_permissions import permission

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow, pytest.mark.needs_chromium]


@pytest.fixture
def fake() -> Iterator[FakeHub]:
    """A hub with three requests that are alike."""
    with FakeHub() as made:
        for number in range(3):
            one(made, number)
        yield made


def one(fake: FakeHub, number: int) -> Json:
    text = f"pytest tests/part_{number}"
    asked = permission(text=text, marks=[], unusual=[], effects=["runs_project_code"], options=[])
    return fake.add(
        source="ask",
        runs=None,
        risk="medium",
        prompt=text,
        permission=asked,
        alike="a1",
        createdAt=ago(minutes=9 - number),
    )


def answered(fake: FakeHub, verb: str) -> set[str]:
    return {path.split("/")[-2] for _, path, _ in fake.requests if path.endswith(f"/{verb}")}


async def settled(page: Page, count: int = 3) -> None:
    """Wait until the list may be answered."""
    await expect(front(page).locator("li")).to_have_count(count)
    await expect(front(page)).not_to_have_class("card settling")


async def test_they_are_one_card_that_shows_each_whole(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake, "phone") as page:
        card = front(page)
        await expect(card.locator(".prompt")).to_have_text("Claude has 3 similar requests")
        await expect(card.locator("pre.asked")).to_have_text([f"pytest tests/part_{number}" for number in range(3)])
        assert await page.evaluate("document.documentElement.scrollWidth - screen.width") <= 0


async def test_one_is_refused_and_the_others_are_approved_at_once(chromium: Browser, fake: FakeHub) -> None:
    ids = list(fake.cards)
    async with open_page(chromium, fake) as page:
        await settled(page)
        await front(page).locator("li").nth(1).get_by_role("button", name="No").click()
        await settled(page, 2)
        await front(page).get_by_role("button", name="Yes to these 2").click()
        await until(fake, lambda: len(answered(fake, "confirm")) == 2)
    assert (answered(fake, "confirm"), answered(fake, "reject")) == ({ids[0], ids[2]}, {ids[1]})
    hashes = {body["cardHash"] for body in fake.asked("POST", "/confirm")}
    assert hashes == {fake.cards[ids[0]]["cardHash"], fake.cards[ids[2]]["cardHash"]}


async def test_what_came_just_now_is_not_answered_by_a_press_that_was_on_its_way(
    chromium: Browser, fake: FakeHub
) -> None:
    async with open_page(chromium, fake) as page:
        await settled(page)
        now = datetime.now(UTC)
        await page.clock.set_fixed_time(now)  # however long the press is on its way here, it comes at once
        fake.push("prediction.new", prediction=one(fake, 3), alike=3)
        yes = front(page).get_by_role("button", name="Yes to these 4")
        await yes.click()
        await expect(page.get_by_text("The list just changed.")).to_have_count(1)
        assert answered(fake, "confirm") == set()
        await page.clock.set_fixed_time(now + timedelta(seconds=1))
        await yes.click()
        await until(fake, lambda: len(answered(fake, "confirm")) == 4)


TICKED = """async () => {
  const parts = () => [...document.querySelectorAll(".card .answers > button *")];
  const [say, before] = [document.getElementById("say"), parts()];
  say.textContent = "as it was";
  dispatchEvent(new Event("pulse:tick"));
  const frame = () => new Promise(requestAnimationFrame);
  await frame().then(frame);
  return say.textContent === "as it was" && before.length > 0 && parts().every((part, place) => part === before[place]);
}"""


async def test_a_tick_says_nothing_twice_and_takes_no_button_from_under_a_finger(
    chromium: Browser, fake: FakeHub
) -> None:
    async with open_page(chromium, fake) as page:
        await settled(page)
        fake.push("prediction.new", prediction=one(fake, 3), alike=3)
        await expect(page.get_by_text("New: pytest tests/part_3")).to_have_count(1)
        assert await page.evaluate(TICKED)


async def test_one_is_shown_by_itself_with_all_ways_to_answer(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake) as page:
        await settled(page)
        await front(page).locator("li").nth(1).get_by_role("button", name="Other answers").click()
        await expect(front(page).locator("pre.asked")).to_have_text(["pytest tests/part_1"])
        await front(page).get_by_label("What to do instead").fill("Only part 0")
        await front(page).get_by_role("button", name="Say no with this note").click()
        await settled(page, 2)
    assert fake.asked("POST", "/reject")[0]["reason"] == "Only part 0"
