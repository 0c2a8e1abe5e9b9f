"""What an agent asks leave for, in a real browser on a fake hub: seen whole, and answered as it was asked."""

from collections.abc import Iterator

import pytest
from playwright.async_api import Browser, expect

from tests.web.fake_cards import Json, problem
from tests.web.fake_hub import FakeHub
from tests.web.pages import front, open_page, until, until_so

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow, pytest.mark.needs_chromium]

TEXT = "cd shop && rm -rf build && echo \U0001f680 && git push --force"


@pytest.fixture
def fake() -> Iterator[FakeHub]:
    with FakeHub() as made:
        yield made


def mark(text: str) -> Json:
    return {"start": TEXT.index(text), "end": TEXT.index(text) + len(text), "effect": "deletes"}


def permission(**changes: object) -> Json:
    plain: Json = {
        "agent": "claude-code",
        "tool": "Bash",
        "act": "command",
        "text": TEXT,
        "target": "",
        "folder": "/home/anna/shop",
        "reason": "Start from nothing",
        "session": "s1",
        "call": "c1",
        "leftOut": 0,
        "otherFiles": [],
        "options": [
            {"id": "always", "label": "No", "lasts": "always", "refuses": False},
            {"id": "stop", "label": "Stop asking", "lasts": "session", "refuses": True},
        ],
        "questions": [],
        "editable": True,
        "effects": ["reads", "deletes", "leaves_the_machine"],
        "marks": [mark("rm -rf build"), mark("git push --force")],
        "unusual": ["Claude has not run git before."],
        "unusualWorded": [],
    }
    return {**plain, **changes}


def asking(fake: FakeHub, risk: str = "medium", **changes: object) -> Json:
    asked = permission(**changes)
    editable = asked["editable"]
    return fake.add(source="ask", runs=None, risk=risk, prompt=TEXT, permission=asked, editable=editable)


async def test_all_of_a_command_is_seen_with_its_dangerous_parts(chromium: Browser, fake: FakeHub) -> None:
    asking(fake, unusual=["Claude has not run git before.", "It would run with run_in_background: true"])
    async with open_page(chromium, fake, "phone") as page:
        card = front(page)
        await expect(card.locator(".prompt")).to_have_text("Claude wants to run a command in shop")
        await expect(card.locator("pre.asked")).to_have_text(TEXT)
        await expect(card.locator("pre.asked mark")).to_have_text(["rm -rf build", "git push --force"])
        await expect(card.locator(".effects")).to_have_text("deletes somethingsends data to another machine")
        await expect(card.locator(".note.warn")).to_have_count(1)  # one box, so that the answers are not pushed down
        notices = ["Claude has not run git before.", "It would run with run_in_background: true"]
        await expect(card.locator(".note.warn li")).to_have_text(notices)
        await expect(card.locator(".why")).to_have_text("Claude says: “Start from nothing”")
        wide = await page.evaluate("document.documentElement.scrollWidth - screen.width")
        assert wide <= 0


async def test_an_agent_that_waits_behind_the_front_card_is_named_and_shown(chromium: Browser, fake: FakeHub) -> None:
    idea = fake.add(prompt="Run the tests")
    async with open_page(chromium, fake, "phone") as page:
        await expect(front(page).locator(".prompt")).to_have_text("Run the tests")
        fake.push("prediction.new", prediction=asking(fake))
        note = page.locator(".note", has_text="Claude is waiting for your answer.")
        await expect(note).to_be_visible()
        await expect(front(page)).to_have_attribute("data-id", str(idea["id"]))
        await note.get_by_role("button", name="Show").click()
        await expect(front(page).locator("pre.asked")).to_have_text(TEXT)
        await expect(note).to_be_hidden()


async def test_an_option_says_whether_it_is_a_yes_whatever_its_label(chromium: Browser, fake: FakeHub) -> None:
    asking(fake)
    async with open_page(chromium, fake) as page:
        await front(page).get_by_text("Always allow …").click()
        await front(page).get_by_text("broader options").click()
        await expect(front(page).locator('[data-option="always"]')).to_have_text("Yes, as Claude puts it: “No”")
        await front(page).get_by_role("button", name="“No”").click()
        await until(fake, lambda: bool(fake.asked("POST", "/confirm")))
    assert fake.asked("POST", "/confirm")[0]["permission"] == {"option": "always"}


async def test_what_is_too_sensitive_for_a_permission_is_not_offered_as_one(chromium: Browser, fake: FakeHub) -> None:
    wide = {"id": "rm", "label": "Always allow rm *, in this session", "lasts": "session", "refuses": False}
    asking(fake, options=[wide])["alwaysAsked"] = "It is too sensitive to allow in advance."
    async with open_page(chromium, fake) as page:
        await expect(front(page).get_by_role("button", name="Say no with this note")).to_be_visible()
        await expect(front(page).locator(".lasting")).to_have_count(0)


async def test_the_agents_wide_offers_come_last_folded_and_say_what_they_cover(
    chromium: Browser, fake: FakeHub
) -> None:
    wide = {"id": "rm", "label": "Always allow rm *, in this session", "lasts": "session", "refuses": False}
    narrow = {"id": "pulse-1", "label": "Always allow exactly this", "lasts": "always", "refuses": False}
    asking(fake, options=[wide, narrow])
    async with open_page(chromium, fake) as page:
        card = front(page)
        await expect(card.locator("[data-option=rm]")).to_be_hidden()
        await card.get_by_text("Always allow …").click()
        await expect(card.locator("[data-option=pulse-1]")).to_be_visible()
        await expect(card.locator("[data-option=rm]")).to_be_hidden()
        await card.get_by_text("broader options").click()
        says = card.locator(".wide li", has=page.locator("[data-option=rm]"))
        await expect(says).to_contain_text("every command that starts with “rm”")
        await expect(says).to_contain_text("this session")
        order = await card.locator("[data-option]").evaluate_all("(all) => all.map((one) => one.dataset.option)")
        assert order == ["pulse-1", "rm"]


async def test_after_a_permission_its_list_is_one_click_away(chromium: Browser, fake: FakeHub) -> None:
    asking(fake, options=[{"id": "pulse-1", "label": "Always allow it", "lasts": "always", "refuses": False}])
    async with open_page(chromium, fake, "phone") as page:
        await front(page).get_by_text("Always allow …").click()
        await front(page).locator("[data-option=pulse-1]").click()
        await page.locator(".toast").get_by_role("link", name="See permissions").click()
        await expect(page.get_by_role("heading", name="Permissions")).to_be_visible()


async def test_a_plain_yes_names_no_permissions(chromium: Browser, fake: FakeHub) -> None:
    asking(fake, risk="low")
    async with open_page(chromium, fake) as page:
        await front(page).locator('[data-verb="approve"]').click()
        await expect(page.locator(".toast")).to_be_visible()
        await expect(page.get_by_role("link", name="See permissions")).to_have_count(0)


async def test_a_plain_yes_is_confirmed_in_the_readers_language(chromium: Browser, fake: FakeHub) -> None:
    asking(fake, risk="low")
    async with open_page(chromium, fake, locale="de-DE") as page:
        await front(page).locator('[data-verb="approve"]').click()
        await expect(page.locator(".toast")).to_contain_text("Genehmigt: cd shop")


@pytest.mark.parametrize("view", ["", "List"])
async def test_a_yes_to_a_question_stands_beside_all_of_it(chromium: Browser, fake: FakeHub, view: str) -> None:
    lines = [f"- step {number} of what happens after a yes" for number in range(12)]
    fake.add(source="ask", runs=None, prompt="\n".join(["Clean up after the release?", *lines]))
    fake.add(prompt="Run the tests")
    async with open_page(chromium, fake, "phone") as page:
        if view:
            await page.get_by_role("button", name=view).click()
        prompt = page.locator(".prompt", has_text="Clean up").first
        await expect(prompt).to_contain_text("step 11")
        assert await prompt.evaluate("(node) => node.scrollHeight <= node.clientHeight + 1")
        assert await page.evaluate("document.documentElement.scrollWidth - screen.width") <= 0


async def test_a_risky_option_wants_a_second_yes(chromium: Browser, fake: FakeHub) -> None:
    asking(fake, risk="high")
    async with open_page(chromium, fake) as page:
        await expect(front(page).locator('[data-option="always"]')).to_be_hidden()  # no plain yes
        await front(page).get_by_text("Always allow …").click()
        await front(page).get_by_text("broader options").click()
        await front(page).locator('[data-option="always"]').click()
        await expect(front(page).locator(".confirm")).to_be_visible()
        assert fake.asked("POST", "/confirm") == []
        await front(page).get_by_role("button", name="Yes, run it").click()
        await until(fake, lambda: bool(fake.asked("POST", "/confirm")))
    assert fake.asked("POST", "/confirm")[0]["permission"] == {"option": "always"}


def grant_shown(body: Json) -> Json:
    paths = body.get("paths", [])
    said = f"Always allow {' '.join(paths) or 'all of it'}, {'for a while' if 'until' in body else 'for a week'}"
    why = "That is more than was proposed." if ".." in paths else ""
    texts = {"label": said, "labelWorded": None, "note": "New.", "noteWorded": None}
    return {**texts, "whyNot": why, "whyNotWorded": None, "proposed": ["build"]}


async def test_another_end_and_fewer_files_are_said_before_they_are_kept(chromium: Browser, fake: FakeHub) -> None:
    fake.grant_shown = grant_shown
    asking(fake, options=[{"id": "pulse-1", "label": "Always allow it", "lasts": "always", "refuses": False}])
    async with open_page(chromium, fake, "phone") as page:
        card = front(page)
        await card.get_by_text("Always allow …").click()
        await card.get_by_text("Change how long, or what exactly").click()
        says, yes = card.locator(".otherwise [role=status]"), card.get_by_role("button", name="Allow this")
        await expect(says).to_have_text("Always allow all of it, for a week. New.")
        await card.get_by_label("Until when").select_option("hour")
        await expect(says).to_have_text("Always allow all of it, for a while. New.")
        await card.get_by_label("Only these files").fill("..")
        await expect(yes).to_be_disabled()  # what is being written was not shown yet
        await card.get_by_label("Only these files").blur()
        await expect(says).to_have_text("That is more than was proposed.")
        await expect(yes).to_be_disabled()
        await card.get_by_label("Only these files").fill("build/a\n")
        await card.get_by_label("Only these files").blur()
        await expect(says).to_have_text("Always allow build/a, for a while. New.")
        wide = await page.evaluate("document.documentElement.scrollWidth - screen.width")
        assert wide <= 0
        await yes.click()
        await until(fake, lambda: bool(fake.asked("POST", "/confirm")))
    given = fake.asked("POST", "/confirm")[0]["permission"]
    assert given == fake.asked("POST", "/grant")[-1]
    assert (given["option"], given["paths"]) == ("pulse-1", ["build/a"])


async def test_a_no_takes_a_word_along(chromium: Browser, fake: FakeHub) -> None:
    asking(fake)
    async with open_page(chromium, fake) as page:
        await front(page).get_by_label("What to do instead").fill("Only build/tmp")
        await front(page).get_by_role("button", name="Say no with this note").click()
        await until(fake, lambda: bool(fake.asked("POST", "/reject")))
    assert fake.asked("POST", "/reject")[0]["reason"] == "Only build/tmp"


CLEAR_OF_THE_BAR = """() => {
  const bar = document.querySelector(".nav-bottom").getBoundingClientRect();
  const card = document.querySelector('.card[data-depth="0"]');
  const [command, confirm] = [".asked.mono", ".confirm"].map((one) => card.querySelector(one).getBoundingClientRect());
  return command.top >= 0 && command.bottom <= confirm.top && confirm.bottom <= bar.top;
}"""


async def test_a_risky_command_stays_in_view_while_it_is_confirmed(chromium: Browser, fake: FakeHub) -> None:
    refuses = {"id": "stop", "label": "Stop asking", "lasts": "session", "refuses": True}
    asking(fake, risk="high", options=[{**refuses, "id": f"stop{n}", "label": f"Stop {n} " * 9} for n in range(6)])
    async with open_page(chromium, fake, "phone") as page:
        card = front(page)
        await card.get_by_role("button", name="Yes", exact=True).click()
        await expect(card.get_by_role("button", name="Yes, run it")).to_be_focused()
        await until_so(page, CLEAR_OF_THE_BAR)
        await card.get_by_role("button", name="Cancel").click()
        await expect(card.get_by_role("button", name="Yes", exact=True)).to_be_visible()
    assert fake.asked("POST", "/confirm") == []


async def test_the_command_is_changed_and_approved(chromium: Browser, fake: FakeHub) -> None:
    asking(fake)
    async with open_page(chromium, fake, "phone") as page:
        await front(page).get_by_role("button", name="Change it").click()
        await page.locator("dialog textarea").fill("rm -r build/tmp")
        await page.locator("dialog button.main").click()
        await until(fake, lambda: bool(fake.asked("POST", "/edit")))
    assert fake.asked("POST", "/edit")[0]["prompt"] == "rm -r build/tmp"


async def test_a_no_that_an_agent_has_heard_is_not_taken_back(chromium: Browser, fake: FakeHub) -> None:
    asking(fake, risk="low")
    async with open_page(chromium, fake) as page:
        await front(page).locator('[data-verb="reject"]').click()
        await until(fake, lambda: bool(fake.asked("POST", "/reject")))
        await expect(page.locator(".toast")).to_contain_text("You said no:")
        await expect(page.locator("#toasts").get_by_role("button", name="Undo")).to_have_count(0)


async def test_other_words_that_are_risky_are_shown_and_asked_about(chromium: Browser, fake: FakeHub) -> None:
    made, words = asking(fake), "rm -rf /home/anna/photos"
    shown = {**made, "prompt": words, "risk": "high"}
    refusal = problem(409, "not-looked-at", "With these words it is risky.", prediction=shown, look="seen-1")
    async with open_page(chromium, fake) as page:
        for yes in ("Cancel", "Run it"):
            fake.refuse_next = None
            await front(page).get_by_role("button", name="Change it").click()
            await page.locator("dialog textarea").fill(words)
            fake.refuse_next = (409, refusal)
            await page.locator("dialog form button.main").click()
            asked = page.locator("dialog.ask[open]")
            await expect(asked).to_contain_text("This is risky. Run it anyway?")
            await expect(asked.locator("pre")).to_have_text(words)
            await asked.get_by_role("button", name=yes).click()
            await expect(asked).to_have_count(0)
            if yes == "Cancel":
                await expect(front(page).locator("pre.asked")).to_have_text(TEXT)
                assert len(fake.asked("POST", "/edit")) == 1
        await until(fake, lambda: len(fake.asked("POST", "/edit")) == 3)
    assert [one.get("look") for one in fake.asked("POST", "/edit")] == [None, None, "seen-1"]


async def test_questions_are_answered_by_choices_and_in_own_words(chromium: Browser, fake: FakeHub) -> None:
    colour = {"id": "q1", "text": "Which colour?", "heading": "Colour", "several": False, "ownWords": False}
    tools = {"id": "q2", "text": "Which tools?", "heading": "", "several": True, "ownWords": True}
    choices = [{"label": "Red", "description": "warm"}, {"label": "Blue", "description": ""}]
    questions = [colour | {"choices": choices}, tools | {"choices": choices}]
    asking(fake, act="question", text="", questions=questions, options=[], editable=False, marks=[], effects=[])
    async with open_page(chromium, fake, "phone") as page:
        card = front(page)
        send = card.get_by_role("button", name="Answer")
        await expect(card.locator('[data-verb="approve"]')).to_be_hidden()
        await expect(send).to_be_disabled()
        await card.locator("fieldset").nth(0).get_by_label("Blue").check()
        await expect(send).to_be_disabled()
        await card.locator("fieldset").nth(1).get_by_label("Red").check()
        await card.locator("fieldset").nth(1).get_by_label("Blue").check()
        await send.click()
        await until(fake, lambda: bool(fake.asked("POST", "/confirm")))
    given = fake.asked("POST", "/confirm")[0]["permission"]
    assert given == {"answers": {"q1": ["Blue"], "q2": ["Red", "Blue"]}}


async def test_an_edit_is_a_diff_and_nothing_in_it_is_markup(chromium: Browser, fake: FakeHub) -> None:
    diff = "@@ -1 +1 @@\n-<b>old</b>\n+<img src=x onerror=alert(1)>"
    asking(fake, act="edit", text=diff, target="src/a.py", marks=[], effects=["writes_in_workspace"], editable=False)
    async with open_page(chromium, fake) as page:
        await expect(front(page).locator(".line.added")).to_have_text("+<img src=x onerror=alert(1)>\n")
        await expect(front(page).locator(".prompt")).to_have_text("Claude wants to change src/a.py in shop")
        assert await front(page).locator("img, b").count() == 0


async def test_in_the_list_a_request_is_opened_and_not_approved_unread(chromium: Browser, fake: FakeHub) -> None:
    asking(fake)
    async with open_page(chromium, fake) as page:
        await page.locator(".shape").click()
        await page.locator(".card-row .acts").get_by_role("button", name="Yes").click()
        await expect(front(page).locator("pre.asked")).to_be_visible()
    assert fake.asked("POST", "/confirm") == []


async def test_what_pulse_asks_about_a_session_is_told_in_german_and_answered_as_it_was_asked(
    chromium: Browser, fake: FakeHub
) -> None:
    name = "abc123 (Flug nach Tokio)"
    asked: Json = {
        "id": "session",
        "text": f"{name} says it is done: booked. Is it done?",
        "heading": "",
        "choices": [
            {"label": "Yes, it's done", "description": "", "labelWorded": code("session.is_done")},
            {"label": "Not yet", "description": "", "labelWorded": code("session.not_yet")},
        ],
        "several": False,
        "ownWords": True,
        "textWorded": code("session.claims", name=name, said="booked"),
    }
    wanted = {"agent": "pulse", "act": "question", "text": "", "folder": "", "options": [], "questions": [asked]}
    asking(fake, risk="low", **wanted, editable=False, effects=[], marks=[], unusual=[], reason="")
    async with open_page(chromium, fake, "phone", locale="de-DE") as page:
        card = front(page)
        await expect(card.locator(".prompt")).to_have_text(f"{name} meldet sich fertig: booked. Ist es erledigt?")
        await expect(card.locator("legend")).to_have_text(" Deine Antwort")
        await expect(card.locator(".choice")).to_have_text(["Ja, es ist erledigt", "Noch nicht"])
        await card.get_by_label("Ja, es ist erledigt").check()
        await card.get_by_role("button", name="Antworten").click()
        await until(fake, lambda: bool(fake.asked("POST", "/confirm")))
    assert fake.asked("POST", "/confirm")[0]["permission"] == {"answers": {"session": ["Yes, it's done"]}}


def code(called: str, **values: str) -> Json:
    return {"code": called, "values": values, "listed": [], "day": None, "about": None}
