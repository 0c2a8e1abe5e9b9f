"""What is known of a card after each event in each state, after repeats, and after events in any order."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.contract.events import (
    AnyEvent,
    CostApproaching,
    DigestReady,
    ExecutionFailed,
    ExecutionProgress,
    ExecutionStarted,
    Paused,
    PredictionExecuted,
    PredictionExpired,
    PredictionNew,
    PredictionReturned,
    PredictionSettled,
    PredictionSnoozed,
    Resumed,
    StatusChanged,
)
from hub.contract.words import Source, Status, Verb
from hub.kit.cards import (
    LINES_KEPT_MAX,
    OVERTAKEN,
    CardPhase,
    CardProjection,
    card_id_of,
    correct,
    expire,
    hear,
    take,
)
from tests.surfaces.shown import NOW, OPEN_VERBS, TOKEN, delivery, prediction, status

CARD = prediction()
SNOOZED = replace(CARD, snoozed_until=NOW + timedelta(hours=1))
CONFIRMED = replace(CARD, status=Status.CONFIRMED)
REJECTED = replace(CARD, status=Status.REJECTED)
EXECUTED = replace(CARD, status=Status.EXECUTED)
FAILED = replace(CARD, status=Status.FAILED)
NEW, RETURNED = PredictionNew(prediction=CARD), PredictionReturned(prediction=CARD, reason="undone")
SNOOZE, EXPIRY = PredictionSnoozed(prediction=SNOOZED), PredictionExpired(card_id=CARD.id)
APPROVAL, REJECTION = PredictionSettled(prediction=CONFIRMED), PredictionSettled(prediction=REJECTED)
START = ExecutionStarted(prediction=CONFIRMED, execution_id="e1", autonomous=False)
DONE = PredictionExecuted(card_id=CARD.id, task_id="t", result="all green", prediction=EXECUTED)
FAILURE = ExecutionFailed(card_id=CARD.id, execution_id="e1", kind="failed", error="2 red", prediction=FAILED)
BESIDE: tuple[AnyEvent, ...] = (
    CostApproaching(window="day", spent_usd=1, cap_usd=2),
    StatusChanged(status=status()),
    Paused(reason="lunch"),
    Resumed(),
    DigestReady(digest_id="dg_1", cards=(CARD,)),
)
AFTER: dict[AnyEvent, CardPhase] = {
    NEW: "open",
    RETURNED: "open",
    SNOOZE: "snoozed",
    APPROVAL: "waiting",
    REJECTION: "settled",
    START: "running",
    DONE: "settled",
    FAILURE: "settled",
    EXPIRY: "settled",
}
"""Where a card is after each event, wherever it was before."""


def at(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def line(number: int, execution_id: str = "e1") -> ExecutionProgress:
    text = f"line {number}"
    return ExecutionProgress(card_id=CARD.id, execution_id=execution_id, number=number, line=text)


def told(*events: AnyEvent) -> CardProjection | None:
    """What is known after these, a second apart."""
    card = None
    for second, event in enumerate(events):
        card = hear(card, event, at(second), CardProjection)
    return card


def known(*events: AnyEvent) -> CardProjection:
    card = told(*events)
    assert card is not None
    return card


def states() -> dict[str, CardProjection]:
    return {
        "open": known(NEW),
        "snoozed": known(NEW, SNOOZE),
        "waiting": known(NEW, APPROVAL),
        "running": known(NEW, APPROVAL, START, line(1)),
        "done": known(NEW, APPROVAL, START, line(1), DONE),
        "failed": known(NEW, APPROVAL, START, line(1), FAILURE),
        "rejected": known(NEW, REJECTION),
        "expired": known(NEW, EXPIRY),
    }


@pytest.mark.parametrize("state", states())
def test_each_event_says_where_a_card_is_whatever_was_before(state: str) -> None:
    for event, phase in AFTER.items():
        after = hear(states()[state], event, at(60), CardProjection)
        assert after is not None, event
        assert (after.phase, after.heard_at) == (phase, at(60)), event
        assert after.id == card_id_of(event) == CARD.id, event


@pytest.mark.parametrize("state", states())
def test_a_repeat_changes_nothing_more(state: str) -> None:
    for event in (*AFTER, line(9)):
        once = hear(states()[state], event, at(60), CardProjection)
        assert hear(once, event, at(60), CardProjection) == once, event


@pytest.mark.parametrize("state", states())
def test_what_was_overtaken_changes_nothing(state: str) -> None:
    card = states()[state]
    for event in (*AFTER, line(9)):
        assert hear(card, event, at(-1), CardProjection) is card, event


@pytest.mark.parametrize(("event", "phase"), AFTER.items(), ids=lambda value: type(value).__name__)
def test_after_the_hubs_clock_was_set_back_it_is_believed_again(event: AnyEvent, phase: CardPhase) -> None:
    after = hear(states()["running"], event, NOW - OVERTAKEN, CardProjection)
    assert after is not None
    assert after.phase == phase


@pytest.mark.parametrize("state", states())
def test_what_is_about_no_card_changes_none(state: str) -> None:
    card = states()[state]
    for event in BESIDE:
        assert card_id_of(event) == "", event
        assert hear(card, event, at(60), CardProjection) is card, event
        assert told(event) is None, event


@pytest.mark.parametrize(
    ("event", "was_open"),
    [
        (NEW, True),
        (RETURNED, True),
        (ExecutionStarted(prediction=CONFIRMED, execution_id="e1", autonomous=True), True),
        (START, False),
        (SNOOZE, False),
        (APPROVAL, False),
        (DONE, False),
        (FAILURE, False),
    ],
)
def test_who_hears_of_a_card_for_the_first_time_knows_whether_it_began_here(event: AnyEvent, was_open: bool) -> None:  # noqa: FBT001  a column of the table
    assert known(event).was_open is was_open
    assert known(event, RETURNED).was_open


def test_of_an_unknown_card_an_end_or_a_line_says_nothing() -> None:
    assert told(EXPIRY) is None
    assert told(line(1)) is None


def test_a_snooze_hides_a_card_that_is_handed_over_until_then() -> None:
    handed_over = PredictionNew(prediction=SNOOZED)
    before, after = (hear(None, handed_over, at(seconds), CardProjection) for seconds in (3_599, 3_600))
    assert before is not None
    assert after is not None
    assert (before.phase, after.phase) == ("snoozed", "open")


def test_a_question_is_over_when_it_is_answered() -> None:
    assert known(PredictionSettled(prediction=replace(CONFIRMED, source=Source.ASK))).phase == "settled"


def test_each_opening_is_a_round_of_its_own_without_the_last_run() -> None:
    again = known(NEW, APPROVAL, START, line(1), FAILURE, RETURNED)
    assert (again.round, again.opened_at) == (1, at(5))
    assert (again.run_id, again.run_end, again.result, again.lines) == ("", "", "", ())
    assert not again.has_failed


@pytest.mark.parametrize(
    ("events", "rounds"),
    [
        ((NEW, NEW), 0),
        ((NEW, RETURNED), 1),
        ((NEW, SNOOZE, NEW), 1),
        ((NEW, REJECTION, NEW), 1),
        ((NEW, PredictionNew(prediction=replace(CARD, card_hash="other"))), 1),
        ((NEW, PredictionNew(prediction=SNOOZED)), 0),
    ],
)
def test_a_card_that_is_handed_over_again_is_opened_anew_only_where_it_was_not_open(
    events: Sequence[AnyEvent], rounds: int
) -> None:
    assert known(*events).round == rounds


def test_a_run_is_told_from_its_first_line_to_its_result() -> None:
    running = known(NEW, APPROVAL, line(1), START, line(2))
    assert (running.phase, running.run_id, running.lines) == ("running", "e1", ("line 1", "line 2"))
    done = known(NEW, APPROVAL, START, DONE)
    assert (done.run_end, done.result, done.run_id, done.has_failed) == ("done", "all green", "e1", False)
    failed = known(NEW, APPROVAL, START, FAILURE)
    assert (failed.run_end, failed.result, failed.has_failed) == ("failed", "2 red", True)
    retried = known(NEW, APPROVAL, START, FAILURE, APPROVAL)
    assert (retried.phase, retried.has_failed, retried.result) == ("waiting", False, "")


def test_a_line_of_another_run_is_no_news() -> None:
    running = known(NEW, APPROVAL, START)
    assert hear(running, line(1, "e0"), at(60), CardProjection) is running
    over = known(NEW, APPROVAL, START, DONE)
    assert hear(over, line(1), at(60), CardProjection) is over


def test_lines_are_bounded_and_a_resumed_run_counts_anew() -> None:
    card = known(NEW, APPROVAL, START, *map(line, range(1, LINES_KEPT_MAX + 10)))
    assert len(card.lines) == LINES_KEPT_MAX
    resumed = hear(card, line(1), at(900), CardProjection)
    assert resumed is not None
    assert resumed.lines[-1] == "line 1"


def test_of_one_moment_a_beginning_comes_after_its_answer() -> None:
    started = hear(known(NEW), START, at(60), CardProjection)
    answered = hear(started, APPROVAL, at(60), CardProjection)
    assert answered is not None
    assert answered.phase == "running"


def test_a_delivery_brings_the_leave_to_answer_and_an_overtaken_one_does_not() -> None:
    card = take(None, delivery(), NOW, CardProjection)
    assert card is not None
    assert (card.token, card.verbs, card.loudness, card.privacy) == (TOKEN, OPEN_VERBS, "notify", "full")
    late = delivery(PredictionSettled(prediction=REJECTED), delivery_id="late", token="", verbs=())
    assert take(card, late, at(-5), CardProjection) is card
    assert take(None, delivery(Paused(reason="x")), NOW, CardProjection) is None


@pytest.mark.parametrize(
    ("state", "has", "phase", "verbs"),
    [
        ("open", CARD, "open", OPEN_VERBS),
        ("open", SNOOZED, "snoozed", OPEN_VERBS),
        ("open", CONFIRMED, "waiting", OPEN_VERBS),
        ("running", CONFIRMED, "running", OPEN_VERBS),
        ("open", REJECTED, "settled", ()),
        ("failed", CARD, "open", OPEN_VERBS),
    ],
)
def test_a_card_is_corrected_to_what_the_hub_has(
    state: str, has: object, phase: CardPhase, verbs: tuple[Verb, ...]
) -> None:
    before = replace(states()[state], verbs=OPEN_VERBS)
    after = correct(before, has, at(60))  # type: ignore[arg-type]  # a prediction of the table
    assert (after.phase, after.verbs, after.prediction) == (phase, verbs, has)
    assert not after.has_failed
    can_undo = replace(before, verbs=(Verb.UNDO, Verb.EDIT))
    assert correct(can_undo, REJECTED, at(60)).verbs == (Verb.UNDO,)


def test_an_expired_card_cannot_be_answered() -> None:
    gone = expire(replace(known(NEW), verbs=OPEN_VERBS))
    assert (gone.phase, gone.verbs, gone.prediction.status) == ("settled", (), Status.EXPIRED)


class Named(CardProjection):
    name: str = ""


def test_what_a_surface_adds_stays() -> None:
    card: Named | None = None
    make: Callable[..., Named] = lambda **values: Named(name="mine", **values)  # noqa: E731  a factory of one line
    events: tuple[AnyEvent, ...] = (NEW, APPROVAL, START, line(1), DONE, RETURNED)
    for second, event in enumerate(events):
        card = hear(card, event, at(second), make)
    assert card is not None
    assert card.name == "mine"


FOLLOWS: dict[AnyEvent | None, tuple[AnyEvent, ...]] = {
    None: (NEW,),
    NEW: (SNOOZE, APPROVAL, REJECTION, EXPIRY),
    RETURNED: (SNOOZE, APPROVAL, REJECTION, EXPIRY),
    SNOOZE: (RETURNED,),
    APPROVAL: (START, RETURNED),
    REJECTION: (RETURNED,),
    START: (DONE, FAILURE, RETURNED),
    FAILURE: (APPROVAL, RETURNED),
    DONE: (),
    EXPIRY: (),
}
"""What the hub may tell of a card after what."""


@st.composite
def histories(draw: st.DrawFn) -> list[tuple[datetime, AnyEvent]]:
    """A card's life as the hub tells it, a second apart."""
    events: list[AnyEvent] = [NEW]
    for _ in range(draw(st.integers(0, 12))):
        following = FOLLOWS[events[-1]]
        if not following:
            break
        events.append(draw(st.sampled_from(following)))
    return [(at(second), event) for second, event in enumerate(events)]


@pytest.mark.slow
@given(histories(), st.data())
def test_in_whatever_order_and_however_often_it_comes_the_newest_holds(
    history: list[tuple[datetime, AnyEvent]], data: st.DataObject
) -> None:
    first, *rest = history
    repeated = [*rest, *data.draw(st.lists(st.sampled_from(history), max_size=10))]
    disordered = [first, *data.draw(st.permutations(repeated))]
    straight, shuffled = _after(history), _after(disordered)
    for field in ("phase", "heard_at", "run_end", "result", "has_failed"):
        assert getattr(shuffled, field) == getattr(straight, field), field
    assert shuffled.prediction.status is straight.prediction.status


def _after(history: Sequence[tuple[datetime, AnyEvent]]) -> CardProjection:
    card = None
    for moment, event in history:
        card = hear(card, event, moment, CardProjection)
    assert card is not None
    return card
