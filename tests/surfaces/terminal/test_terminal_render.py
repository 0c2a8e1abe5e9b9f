"""The picture, held by golden text files at three widths, and what must never be drawn."""

import os
from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.contract.alone import AwaySummary
from hub.contract.api import Likelihood, ReachStatus
from hub.contract.attention import AttentionStatus, Held
from hub.contract.runs import PlannedRun
from hub.contract.words import Badge, Origin, Risk, Source, Status, TextSource, Verb
from hub.contract.world_api import WorldStatus
from surfaces.terminal import words
from surfaces.terminal.cells import width
from surfaces.terminal.keys import press
from surfaces.terminal.picture import line_width
from surfaces.terminal.render import render
from surfaces.terminal.view import Notice, View
from surfaces.terminal.words import QUOTED
from tests.kit.test_changed import CHANGED
from tests.surfaces.terminal.plain import plain_text
from tests.surfaces.terminal.scenes import NOW, later, prediction, settled_by_phone, shown, status, view

GOLDEN = Path(__file__).parent / "golden"
LONG = " ".join(f"Step {number}: look at module {number} and say what it is for." for number in range(40))
SCENES: dict[str, View] = {
    "nothing": view(),
    "connecting": view(link="connecting", status=None),
    "one": view(shown()),
    "risky": view(
        shown(risk=Risk.HIGH, badges=(Badge.NEW, Badge.RISKY), prompt="Push 3 commits to main"), mode="confirm"
    ),
    "stack": view(
        shown("a"),
        shown("b", phase="running", lines=("collected 40 items", "40 passed"), verbs=(Verb.STOP,), since=later(-12)),
        shown(
            "c",
            phase="settled",
            prompt="Write the release notes",
            status=Status.REJECTED,
            settled=settled_by_phone(Verb.REJECT),
        ),
        shown("d", prompt="テストを実行する: 日本語の幅は二つ"),
        notices=(Notice(text="Running. You will be notified when it is done.", tone="good", until=later(8)),),
    ),
    "running": view(
        shown(phase="running", lines=("one", "two", "three", "four"), verbs=(Verb.STOP,), since=later(-75))
    ),
    "failed": view(
        shown(
            phase="settled",
            status=Status.FAILED,
            settled=settled_by_phone(Verb.RETRY),
            result="Exit code 1, and 0 was needed",
            verbs=(Verb.RETRY,),
        )
    ),
    "details": view(shown(lines=("a line of the agent",)), details=True),
    "long": view(shown(prompt=LONG)),
    "edit": view(shown(), mode="edit", draft="Run only the tests of hub/store", cursor=4),
    "snooze": view(shown(), mode="snooze"),
    "question": view(
        shown("ask_1", source=Source.ASK, target_agent="deployer", target_channel="ask", prompt="Deploy?", badges=())
    ),
    "lost": view(
        shown(), link="lost", link_note="refused; trying again", status=status(reason="3 rejections in a row")
    ),
    "gone": view(shown(), link="gone", link_note="Pulse does not answer at http://127.0.0.1:8420."),
    "help": view(shown(), mode="help"),
}


def test_who_comes_back_reads_what_happened() -> None:
    away = AwaySummary(says="While you were away (2 h): 2 done on autopilot.", since=NOW, until=NOW)
    assert away.says in plain_text(render(view(shown(), status=status(away=away)), 80, 24, NOW))


def test_who_is_not_reached_is_said_on_top() -> None:
    reach = ReachStatus(line="Discord\x1b[2J is not reaching you right now. New suggestions go to: Terminal.")
    shown_text = plain_text(render(view(shown(), status=status(reach=reach)), 100, 24, NOW))
    assert "is not reaching you right now. New suggestions go to: Terminal." in shown_text
    assert "\x1b" not in shown_text


@pytest.mark.parametrize("cells", [40, 80, 120])
@pytest.mark.parametrize("scene", SCENES)
def test_the_picture_is_as_kept(scene: str, cells: int) -> None:
    """Set PULSE_GOLDEN=write to keep new pictures; read the difference before committing it."""
    drawn = plain_text(render(SCENES[scene], cells, 24, NOW)) + "\n"
    kept = GOLDEN / f"{scene}-{cells}.txt"
    if os.environ.get("PULSE_GOLDEN") == "write":
        kept.write_text(drawn, encoding="utf-8")
    assert drawn == kept.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("cells", "rows"),
    [*product((1, 2, 7, 20, 40, 61, 120, 300), (2, 24)), *product((7, 120), (1, 5, 9, 60))],
)
def test_no_line_is_wider_and_no_picture_higher_than_the_terminal(cells: int, rows: int) -> None:
    for scene in SCENES.values():
        picture = render(scene, cells, rows, NOW)
        assert len(picture.lines) <= rows
        if cells >= 7:
            assert max(map(line_width, picture.lines)) <= cells


def test_text_cannot_steer_the_terminal() -> None:
    nasty = shown(
        prompt="a\x1b[2Jb\x07\u202ec\u200b[red]", reasoning="\x9b31m\r\n\x1b]0;title\x07", target_channel="k\x1b[0m"
    )
    for details in (False, True):
        drawn = plain_text(render(view(nasty, details=details), 100, 30, NOW))
        assert not {char for char in drawn if ord(char) < 32 and char != "\n"}
        assert not set("\x9b\u202e\u200b") & set(drawn)
        assert "⟨U+001B⟩[2J" in drawn
        assert "[red]" in drawn


def test_a_card_says_what_it_quotes_and_why_it_always_asks() -> None:
    sources = (TextSource.CALENDAR, TextSource.TASK)
    quoting = shown(origin=Origin.WORLD, quotes=sources)
    assert "quotes the calendar and a task" in plain_text(render(view(quoting), 120, 30, NOW))
    told = plain_text(render(view(quoting, details=True), 120, 30, NOW))
    assert "Quotes text from the calendar and a task, so Pulse always asks." in told
    worded = shown(origin=Origin.MODEL, quotes=(TextSource.MODEL,))
    assert "Worded by the model, so Pulse always asks." in plain_text(render(view(worded, details=True), 120, 30, NOW))
    own = plain_text(render(view(shown(origin=Origin.CHOSEN), details=True), 120, 30, NOW))
    assert "always asks" not in own
    assert set(QUOTED) == set(TextSource)


def test_wide_letters_are_counted_as_two() -> None:
    assert width("テスト") == 6
    assert width("e\u0301") == 1


def test_only_what_is_drawn_counts_as_shown() -> None:
    cards = tuple(shown(str(number)) for number in range(30))
    picture = render(view(*cards), 80, 24, NOW)
    assert "dlv_0" in picture.drawn
    assert 1 < len(picture.drawn) < 30
    assert not render(view(*cards, mode="help"), 80, 24, NOW).drawn


def test_a_prompt_that_does_not_fit_is_called_clipped_until_its_end_is_drawn() -> None:
    scene = view(shown(prompt=LONG))
    assert render(scene, 80, 24, NOW).clipped
    assert not render(view(shown()), 80, 24, NOW).clipped
    scrolled = view(shown(prompt=LONG), details=True, scroll=10_000)
    assert not render(scrolled, 80, 24, NOW).clipped
    assert "Step 39" in plain_text(render(scrolled, 80, 24, NOW))


def test_a_plan_that_does_not_fit_is_called_clipped_until_its_end_is_drawn() -> None:
    files = " ".join(f"docs/part{number}/notes.md" for number in range(60))
    plan = PlannedRun(summary=f"git commit --message 'Add notes' -- {files} secrets/prod.key")
    failed = shown(runs=plan, phase="settled", status=Status.FAILED, verbs=(Verb.RETRY,))
    for card in (shown(runs=plan), failed):
        assert "secrets/prod.key" in plain_text(render(view(card), 90, 60, NOW))
        assert not render(view(card), 90, 60, NOW).clipped
        assert render(view(card), 90, 24, NOW).clipped
        read_on = render(view(card, details=True, scroll=10_000), 90, 24, NOW)
        assert not read_on.clipped


@pytest.mark.parametrize("rows", range(13, 30))
def test_reading_on_skips_no_line_however_low_the_terminal_is(rows: int) -> None:
    before, drawn = view(shown(prompt=LONG)), ""
    for _ in range(60):
        picture = render(before, 80, rows, NOW)
        drawn += plain_text(picture)
        before = replace(before, clipped=picture.clipped, page_rows=picture.page_rows)
        if not before.clipped:
            break
        before, _intents = press(before, " " if before.details else "i", NOW)
    assert not before.clipped
    assert {f"{number}:" for number in range(40)} - {*drawn.split()} == set()


def test_the_cursor_stands_where_the_next_letter_goes() -> None:
    picture = render(view(shown(), mode="edit", draft="abc", cursor=3), 80, 24, NOW)
    assert picture.cursor is not None
    row, column = picture.cursor
    assert "".join(span.text for span in picture.lines[row])[:column] == "│ abc"


def test_a_settled_card_says_who_where_and_when() -> None:
    card = shown(phase="settled", status=Status.CONFIRMED, source=Source.ASK, settled=settled_by_phone(Verb.APPROVE))
    assert "approved by you on your phone at 14:30" in plain_text(render(view(card), 80, 24, NOW))


@pytest.mark.parametrize(
    ("status", "said"), [(Status.EXECUTED, "done: all green"), (Status.FAILED, "failed: all green")]
)
def test_work_that_has_ended_says_how_and_who_wanted_it(status: Status, said: str) -> None:
    card = shown(phase="settled", status=status, outcome="all green", settled=settled_by_phone(Verb.APPROVE))
    text = plain_text(render(view(card), 80, 24, NOW))
    assert said in text
    assert "approved by you on your phone at 14:30" in text


def test_a_card_that_came_back_says_why() -> None:
    assert "interrupted: the hub stopped" in plain_text(
        render(view(shown(outcome="interrupted: the hub stopped")), 80, 24, NOW)
    )


def test_a_risky_card_says_so_without_a_badge() -> None:
    assert "risky" in plain_text(render(view(shown(risk=Risk.HIGH, badges=())), 80, 24, NOW))


def test_what_is_written_on_several_lines_keeps_them() -> None:
    asked = shown(source=Source.ASK, reasoning="a1b2 Add a cart\nc3d4 Mend the till\n" + "\n".join("efghij"))
    picture = plain_text(render(view(asked), 80, 24, NOW))
    first, second = (next(row for row in picture.splitlines() if text in row) for text in ("a1b2", "c3d4"))
    assert first != second
    assert "i shows all of it" in picture


def test_answers_to_the_like_are_told_in_place_of_a_per_cent() -> None:
    liked = shown(likelihood=Likelihood(p=0.61, low=0.4, high=0.8, yes=7, answers=10))
    picture = plain_text(render(view(liked), 80, 24, NOW))
    assert "██████████████░░░░░░ 7 of 10 approved" in picture
    assert "72%" not in picture


def test_a_question_shows_no_confidence() -> None:
    assert "72%" not in plain_text(render(SCENES["question"], 80, 24, NOW))
    assert prediction().confidence == 0.72


def test_what_waits_for_a_good_moment_and_what_the_day_cost_are_said() -> None:
    held = prediction(held=Held(until="breakpoint", since=NOW))
    assert "waiting for a good moment" in words.facts(held, NOW)
    assert "waiting" not in words.facts(prediction(), NOW)
    day = status(attention=AttentionStatus(spent=3, per_day=16))
    assert words.costs(day).endswith(" today · 3 of 16 interruptions today")


@pytest.mark.parametrize(
    ("world", "said"),
    [
        (WorldStatus(active=2, pending=0, failed=0), "◦ 2 sessions are working"),
        (WorldStatus(active=0, pending=0, failed=0, verified_at=NOW), "✓ A session is done and checked"),
        (WorldStatus(active=2, pending=0, failed=1), "! A session needs you"),
    ],
)
def test_how_the_sessions_are_is_one_calm_line(world: WorldStatus, said: str) -> None:
    rows = plain_text(render(view(shown(), status=status(world=world)), 80, 24, NOW)).splitlines()
    assert rows[2] == f" {said}"


def test_sessions_that_rest_take_no_line() -> None:
    resting = status(world=WorldStatus(active=0, pending=0, failed=0))
    assert plain_text(render(view(shown(), status=resting), 80, 24, NOW)) == plain_text(
        render(view(shown(), status=status()), 80, 24, NOW)
    )


def test_what_a_person_changed_is_shown_as_it_ran_beside_what_was_asked() -> None:
    card = replace(shown(phase="settled"), prediction=CHANGED)
    picture = plain_text(render(view(card), 80, 24, NOW))
    assert "Ran: git status" in picture
    assert "Asked: git push --force" in picture
    assert "wants to" not in picture
