"""The inbox leads: what waits, then what failed, else how to begin; and what the agents do now."""

from collections.abc import Iterator

import pytest
from msgspec import to_builtins
from playwright.async_api import Browser, expect

from hub.io.agents.hooks.connections import CONNECTIONS
from tests.web.fake_cards import REPOSITORY, Json, ago, coding_agent, result, settlement
from tests.web.fake_hub import FakeHub
from tests.web.pages import front, open_page, until
from tests.web.test_mission_permissions import asking

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow, pytest.mark.needs_chromium]


@pytest.fixture
def fake() -> Iterator[FakeHub]:
    """A hub on its first day: nothing waits, nothing is watched."""
    with FakeHub() as made:
        made.agents, made.tasks, made.repositories = [], [], []
        yield made


def failed(fake: FakeHub) -> Json:
    return fake.add(status="failed", prompt="Run the checker", result=result(), offers=["retry"], executionId="exec_1")


async def test_the_first_day_is_a_list_of_what_to_do(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake) as page:
        rows = page.locator(".step-rows > .step-row")
        await expect(rows).to_have_count(4)  # as many as are counted; the sample is no step
        await expect(rows.first).to_contain_text("Claude Code")
        await expect(rows.first).to_have_attribute("data-done", "true")
        await expect(rows.nth(1)).to_have_attribute("data-done", "false")
        await expect(page.locator(".begin .badge").first).to_contain_text("of 4")


async def test_connecting_shows_the_exact_change_and_the_command_and_sees_it_done(
    chromium: Browser, fake: FakeHub
) -> None:
    async with open_page(chromium, fake) as page:
        await page.locator(".begin").get_by_role("button", name="Connect: Gemini CLI").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog.locator(".command-line code")).to_have_text("pulse connect gemini")
        await expect(dialog.locator(".added").first).to_have_text('+   "hooks": {')
        await expect(dialog).to_contain_text("/home/me/.gemini/settings.json")
        fake.coding_agents[1].update(state="connected", adds=[])
        await expect(dialog.get_by_role("status")).to_contain_text("Gemini CLI is connected.")
        assert [one for one in fake.requests if one[0] != "GET" and "coding" in one[1]] == []
        await page.keyboard.press("Escape")
        await expect(page.locator(".begin .badge.good")).to_have_count(2)


async def test_connecting_says_where_it_is_done_and_promises_no_change_where_nothing_changes(
    chromium: Browser, fake: FakeHub
) -> None:
    says = "Nothing changes in Codex's own settings: Pulse attaches as `codex` does."
    codex = coding_agent("codex", "Codex", "not-connected", says=[says])
    fake.coding_agents.append({**codex, "command": "/opt/pulse connect codex"})
    async with open_page(chromium, fake, "phone") as page:
        await page.locator(".begin").get_by_role("button", name="Connect: Codex").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog).to_contain_text("in a terminal on the computer that runs Pulse")
        await expect(dialog.locator(".command-line code")).to_have_text("/opt/pulse connect codex")
        await expect(dialog).not_to_contain_text("the change")
        await expect(dialog).not_to_contain_text("`")


async def test_what_connecting_means_is_said_in_the_readers_language(chromium: Browser, fake: FakeHub) -> None:
    told = CONNECTIONS["claude-code"].says
    said = {"says": [one.text for one in told], "saysWorded": [to_builtins(one.wording) for one in told]}
    fake.coding_agents.append(coding_agent("claude-code", "Claude Code", "not-connected", **said))
    async with open_page(chromium, fake, "phone", locale="de-DE") as page:
        await page.locator(".begin").get_by_role("button", name="Verbinden: Claude Code").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog).to_contain_text(
            "Harmlose Anfragen gehen weiter wie bisher. Riskante werden zu einer Karte"
        )
        await expect(dialog).not_to_contain_text("Harmless")


async def test_a_long_command_is_seen_whole_on_a_phone(chromium: Browser, fake: FakeHub) -> None:
    command = "/home/somebody/work/a-folder-with-a-name/of-some-length/pulse/pulse connect gemini"
    fake.coding_agents[1]["command"] = command
    async with open_page(chromium, fake, "phone") as page:
        await page.locator(".begin").get_by_role("button", name="Connect: Gemini CLI").click()
        code = page.get_by_role("dialog").locator(".command-line code")
        await expect(code).to_have_text(command)
        assert await code.evaluate("(node) => node.scrollWidth <= node.clientWidth")
        await expect(page.get_by_role("button", name=f"Copy: {command}")).to_be_in_viewport()


@pytest.mark.parametrize("size", ["desktop", "phone"])
async def test_a_folder_without_git_is_watched_and_it_is_said_what_is_not(
    chromium: Browser, fake: FakeHub, size: str
) -> None:
    fake.folders = [{"path": "/home/me/plan", "name": "plan", "waiting": 1}]
    fake.add()
    async with open_page(chromium, fake, size) as page:
        watched = page.locator(".step-row").nth(1)
        await expect(watched).to_have_attribute("data-done", "true")
        await expect(watched).to_contain_text("Watching plan. Without git, commits and branches are not watched.")
        row = page.locator(".repository")
        await expect(row).to_have_text("plan1 suggestionnot in git yet: commits and branches are not watched")
        await page.reload()
        await expect(row).to_have_count(1)
        assert await page.evaluate("document.documentElement.scrollWidth <= screen.width")


async def test_a_second_browser_at_a_desk_is_no_phone(chromium: Browser, fake: FakeHub) -> None:
    def browser(device: str, title: str, *, this: bool = False) -> Json:
        return {"surface": "browser", "device": device, "title": title, "this": this}

    fake.devices = [browser("a", "Chrome on Linux", this=True), browser("b", "Firefox on Windows")]
    async with open_page(chromium, fake) as page:
        phone = page.locator(".step-row").nth(2)
        await expect(phone).to_contain_text("Add your phone")
        await expect(phone).to_have_attribute("data-done", "false")
        fake.devices.append(browser("c", "Safari on iPhone"))
        await page.reload()
        await expect(phone).to_have_attribute("data-done", "true")
        await expect(phone).to_contain_text("Paired: Safari on iPhone.")


async def test_an_agent_that_is_connected_in_a_terminal_is_seen_at_once(chromium: Browser, fake: FakeHub) -> None:
    fake.coding_agents[0]["state"] = "not-connected"
    async with open_page(chromium, fake) as page:
        first = page.locator(".step-row").first
        await expect(first).to_have_attribute("data-done", "false")
        fake.coding_agents[0]["state"] = "connected"
        await expect(first).to_have_attribute("data-done", "true")  # within seconds: once a minute is too slow here


async def test_an_agent_that_was_installed_appears_also_where_the_steps_are_folded(
    chromium: Browser, fake: FakeHub
) -> None:
    fake.add()
    fake.coding_agents, found = [], fake.coding_agents
    found[0]["state"] = "not-connected"
    async with open_page(chromium, fake) as page:
        await expect(page.locator(".begin")).to_be_visible()
        fake.coding_agents = found
        await expect(page.locator(".agents-found")).to_contain_text("Claude Code")  # by itself, within seconds


async def test_beside_the_cards_an_agent_that_was_connected_is_seen_soon(chromium: Browser, fake: FakeHub) -> None:
    fake.add()
    async with open_page(chromium, fake) as page:
        await expect(page.locator(".agents-found")).to_contain_text("Gemini CLI")
        fake.coding_agents[1]["state"] = "connected"
        fake.look_again("coding-agents")
        row = page.locator('.agent-group[data-agent="gemini"]')
        await expect(row.locator(".name")).to_have_text("Gemini CLI")  # within seconds, and called as before


async def test_what_became_of_recent_work_stays_in_its_box(chromium: Browser, fake: FakeHub) -> None:
    gone = {"code": "over.gone", "values": {}, "listed": []}
    fake.add(
        prompt="echo This is a test of Pulse", status="cancelled", settled=settlement("approve"), outcomeWorded=gone
    )
    async with open_page(chromium, fake) as page:
        row = page.locator(".recent li").filter(has_text="approved, then the agent ended")
        await expect(row).to_be_visible()
        beyond = (
            "(one) => one.querySelector('.facts').getBoundingClientRect().right - one.getBoundingClientRect().right"
        )
        assert await row.evaluate(beyond) <= 0
        assert await row.locator(".title").evaluate("(one) => one.clientWidth") > 100


@pytest.mark.parametrize("size", ["phone", "desktop"])
async def test_while_cards_wait_the_set_up_is_one_row_that_unfolds(chromium: Browser, fake: FakeHub, size: str) -> None:
    fake.add()
    async with open_page(chromium, fake, size) as page:
        begin = page.locator(".begin")
        await expect(begin.locator(".badge").first).to_contain_text("of 4")
        await expect(begin.locator(".step-row").first).to_be_hidden()
        await begin.get_by_role("button", name="Show", exact=True).click()
        await expect(begin.locator(".step-rows > .step-row")).to_have_count(4)
        await expect(begin.get_by_role("button", name="Connect: Gemini CLI")).to_be_visible()
        await begin.get_by_role("button", name="Collapse").click()
        await expect(begin.locator(".step-row").first).to_be_hidden()
        hide = begin.get_by_role("button", name="Hide", exact=True)
        await expect(hide).to_be_hidden()  # one row, also on a phone
        await begin.get_by_role("button", name="Show", exact=True).click()
        await hide.click()
        await expect(begin).to_be_hidden()


async def test_the_list_is_put_away_for_good(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake) as page:
        await page.locator(".begin").get_by_role("button", name="Hide", exact=True).click()
        await expect(page.locator(".begin")).to_be_hidden()
        await page.reload()
        await expect(page.locator(".empty")).to_contain_text("Nothing is waiting for you")
        await expect(page.locator(".begin")).to_be_hidden()


@pytest.mark.parametrize(
    ("key", "says"), [("a", "would run now"), ("ArrowLeft", "dismissed"), ("s", "come back later")]
)
async def test_a_sample_card_teaches_the_keys_and_sends_nothing(
    chromium: Browser, fake: FakeHub, key: str, says: str
) -> None:
    async with open_page(chromium, fake) as page:
        await page.get_by_role("button", name="Show a sample").click()
        card = page.locator(".card.sample")
        await expect(card.locator(".badge")).to_have_text("Sample")
        await expect(card).to_be_focused()
        before = len(fake.requests)
        await page.keyboard.press(key)
        await expect(page.locator(".sample-row .note")).to_contain_text(says)
        assert [one for one in fake.requests[before:] if one[0] != "GET"] == []


async def test_on_a_phone_a_sample_card_speaks_of_no_keys(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake, "phone") as page:
        row = page.locator(".sample-row")
        await expect(row).to_contain_text("Swipe or tap. Nothing is sent.")
        await page.get_by_role("button", name="Show a sample").click()
        await row.get_by_role("button", name="Approve").click()
        await expect(row.locator(".note")).to_have_text("A real card would run now. Swipe right to approve.")


async def test_no_calm_stands_above_what_failed(chromium: Browser, fake: FakeHub) -> None:
    failed(fake)
    async with open_page(chromium, fake) as page:
        await expect(page.locator(".run[data-phase=failed]")).to_be_visible()
        await expect(page.get_by_text("Nothing is waiting for you")).to_be_hidden()
        await expect(page.locator(".begin .step-row").first).to_be_hidden()


async def test_what_waits_stands_above_what_failed(chromium: Browser, fake: FakeHub) -> None:
    failed(fake)
    fake.add()
    async with open_page(chromium, fake) as page:
        deck = await page.locator(".pile").bounding_box()
        work = await page.locator(".run").bounding_box()
        assert deck
        assert work
        assert deck["y"] < work["y"]


async def test_a_blocked_agent_comes_first_whatever_its_age(chromium: Browser, fake: FakeHub) -> None:
    fake.add(source="ask", prompt="Deploy the shop?", expiresAt=ago(minutes=-1))
    blocked = asking(fake)
    blocked["expiresAt"] = ago(minutes=-50)
    async with open_page(chromium, fake) as page:
        await expect(front(page)).to_have_attribute("data-id", blocked["id"])


async def test_an_agent_says_that_it_waits_and_leads_to_its_card(chromium: Browser, fake: FakeHub) -> None:
    fake.add(source="ask", prompt="Deploy the shop?", expiresAt=ago(minutes=-1), targetAgent="pulse")
    blocked = asking(fake)
    blocked["targetAgent"] = "claude-code"
    async with open_page(chromium, fake) as page:
        row = page.locator('.agent-group[data-agent="claude-code"]')
        await expect(row).to_contain_text("waiting for you")
        await page.keyboard.press("j")
        await row.get_by_role("button").click()
        await expect(front(page)).to_have_attribute("data-id", blocked["id"])


async def test_the_tab_and_the_inbox_count_what_waits(chromium: Browser, fake: FakeHub) -> None:
    fake.add()
    async with open_page(chromium, fake) as page:
        await expect(page).to_have_title("(1) Inbox · Pulse")
        await until(fake, lambda: any(message["type"] == "presence" for message in fake.said))
        fake.push("prediction.new", prediction=fake.add())
        await expect(page).to_have_title("(2) Inbox · Pulse")
        await expect(page.locator(".nav-top .nav-count")).to_have_text("2")
        await page.get_by_role("link", name="Settings").first.click()
        await expect(page).to_have_title("(2) Settings · Pulse")


async def test_no_repository_counts_more_suggestions_than_there_are_cards(chromium: Browser, fake: FakeHub) -> None:
    fake.repositories = [{**REPOSITORY, "waiting": 2}]
    card = fake.add()
    async with open_page(chromium, fake) as page:
        row = page.locator(".repository").first
        await expect(row).to_contain_text("1 suggestion")
        fake.settle(card, "reject")
        await expect(page.locator(".empty")).to_contain_text("Nothing is waiting for you")
        await expect(row).not_to_contain_text("suggestion")
