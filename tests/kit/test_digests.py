"""A digest taken apart: each card comes as if it had come alone, with its own leave to be answered."""

from datetime import date

from msgspec.structs import replace

from hub.contract.alone import DayEntry, DaySummary
from hub.contract.events import DigestReady, PredictionNew
from hub.contract.permission import Act, Permission
from hub.contract.runs import PlannedRun
from hub.contract.surface import DigestItem
from hub.contract.words import Verb
from hub.kit.digests import cards_of, day_lines, heading, line_of, opening
from hub.kit.phrase_files import phrases
from tests.surfaces.shown import OPEN_VERBS, delivery, prediction

FIRST, SECOND = prediction(), prediction("Push it", card_id="card_2")


def item(number: int, *verbs: Verb) -> DigestItem:
    return DigestItem(delivery_id=f"dlv_{number}", card_id=f"card_{number}", verbs=verbs, token=f"t{number}")


def test_each_card_of_a_digest_comes_silently_with_its_own_token() -> None:
    event = DigestReady(digest_id="dg", cards=(FIRST, SECOND))
    whole = delivery(event, token="", verbs=(), items=(item(2, Verb.REJECT), item(1, *OPEN_VERBS)))
    first, second = cards_of(whole)
    assert (first.event, first.token, first.delivery_id) == (PredictionNew(prediction=FIRST), "t1", "dlv_1")
    assert (second.verbs, second.loudness, second.items) == ((Verb.REJECT,), "silent", ())


def test_a_card_without_leave_to_be_answered_is_left_out_and_what_is_no_digest_has_none() -> None:
    assert cards_of(delivery(DigestReady(digest_id="dg", cards=(FIRST,)))) == ()
    assert cards_of(delivery()) == ()


def test_a_line_is_whole_only_with_all_that_a_yes_is_for() -> None:
    runs = PlannedRun(summary="make test in shop")
    asked = Permission(agent="claude", tool="Bash", act=Act.COMMAND, text="rm -rf build")
    assert line_of(replace(FIRST, runs=runs)).text == "Run the tests · ▶ make test in shop"
    assert [line_of(card).is_whole for card in (replace(FIRST, runs=runs), replace(FIRST, permission=asked))] == [
        True,
        False,
    ]
    assert not line_of(replace(FIRST, prompt="word " * 60)).is_whole


def test_the_day_is_said_in_lines_before_the_cards() -> None:
    entries = (
        DayEntry(kind="overdue", title="Pay the rent"),
        DayEntry(kind="meeting", title="Fair"),
        DayEntry(kind="task", title="Call the bank", time="10:00"),
    )
    day = DaySummary(day=date(2026, 3, 3), entries=entries, more=2, tasks=1, done=3)
    said = opening(DigestReady(digest_id="d", day=day), phrases())
    assert said == (
        "Was due: Pay the rent",
        "all day: Fair",
        "10:00  Call the bank",
        "and 2 more",
        "Yesterday: 1 task completed, 3 runs done.",
    )
    assert phrases().put(heading(DigestReady(digest_id="d", day=day))) == "Your day"
    assert day_lines(day, phrases("de"))[-1] == "Gestern: 1 Aufgabe erledigt, 3 Läufe fertig."
