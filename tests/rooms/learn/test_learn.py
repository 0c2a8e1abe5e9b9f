"""The signals of CROSSPOLL 7.2 and the numbers of 7.6."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.contract.words import Source, Status, Verb
from hub.domain.suggestion import Card
from hub.learn import TABLE, learned, metrics, word_of
from hub.learn.metrics import BUCKETS, TREND_MIN
from hub.learn.signals import Odds
from tests.fakes.world import utc
from tests.rooms.may.questions import PROPOSAL

NOW = utc(2026, 3, 10, 12, 0)


def card(
    confidence: float,
    status: Status,
    *,
    autonomous: bool = False,
    undone: bool = False,
    source: Source = Source.TEMPLATE,
) -> Card:
    return Card(
        id="pred_1",
        user="me",
        version=2,
        status=status,
        proposal=replace(PROPOSAL, confidence=confidence, source=source),
        prompt="x",
        card_hash="h",
        created_at=NOW,
        expires_at=NOW,
        trigger="cron",
        autonomous=autonomous,
        undone=undone,
    )


@pytest.mark.parametrize(
    ("verb", "autonomous", "value", "weight", "odds"),
    [
        (Verb.APPROVE, False, "chosen", 1.0, 1.0),
        (Verb.EDIT, False, "corrected", 1.0, 0.5),
        (Verb.REJECT, False, "rejected", 1.0, -1.0),
        (Verb.LESS, False, "rejected", 1.0, -1.0),
        (Verb.NEVER, False, "rejected", 1.0, -1.0),
        (Verb.RETRY, False, "excluded", 0.0, 1.0),
        (Verb.FIX, False, "excluded", 0.0, 0.0),
        (Verb.IGNORE, False, "excluded", 0.0, 0.0),
        (Verb.SNOOZE, False, "excluded", 0.0, 0.0),
        (Verb.UNDO, True, "rejected", 0.8, -0.8),
        (Verb.UNDO, False, "rejected", 0.8, -0.8),
    ],
)
def test_what_each_answer_teaches(
    verb: Verb,
    autonomous: bool,  # noqa: FBT001  a column
    value: str,
    weight: float,
    odds: float,
) -> None:
    word = word_of(verb, autonomous=autonomous)
    signal, teaching = learned(word), TABLE[word]
    assert (signal.signal, signal.value, signal.weight) == (word, value, weight)
    said = 0.0 if teaching.odds is None else teaching.odds.weight * (1 if teaching.odds.yes else -1)
    assert said == odds


def test_a_later_yes_is_a_yes_in_a_pair_and_less_of_one_to_how_it_came() -> None:
    later = TABLE[word_of(Verb.APPROVE, snoozes=1)]
    assert (later.value, later.weight, later.odds) == ("chosen", 1.0, Odds(yes=True, weight=0.7))


def test_only_explicit_answers_are_strong_labels() -> None:
    assert (TABLE["auto-executed"].value, TABLE["auto-executed"].weight) == ("chosen", 0.5)
    assert (TABLE["expired"].value, TABLE["expired"].weight) == ("rejected", 0.3)
    assert word_of(Verb.UNDO, autonomous=True) == "auto-executed-undone"
    strong = {word for word, taught in TABLE.items() if taught.odds is not None and taught.odds.weight > 0.9}
    assert strong == {"approved", "rejected", "less-wanted", "never-wanted", "retried"}


def test_without_data_nothing_is_claimed() -> None:
    empty = metrics((), "7d")
    assert (empty.period, empty.total_predictions) == ("7d", 0)
    rates = (empty.approval_rate, empty.auto_success_rate, empty.avg_confidence, empty.avg_approved_confidence)
    assert rates == (None,) * 4
    assert [bucket.approval_rate for bucket in empty.calibration] == [None] * len(BUCKETS)
    assert empty.trend_direction == "unknown"


def test_the_counts_and_rates() -> None:
    cards = (
        card(0.9, Status.EXECUTED),
        card(0.7, Status.FAILED),
        card(0.5, Status.REJECTED),
        card(0.4, Status.EXPIRED),
        card(0.95, Status.EXECUTED, autonomous=True),
        card(0.85, Status.EXECUTED, autonomous=True, undone=True),
        card(1.0, Status.CONFIRMED, source=Source.ASK),
    )
    found = metrics(cards, "30d")
    assert (found.total_predictions, found.approved, found.rejected, found.expired) == (6, 2, 1, 1)
    assert (found.auto_executed, found.auto_executed_undone, found.auto_success_rate) == (2, 1, 0.5)
    assert found.approval_rate == pytest.approx(2 / 3)
    assert found.avg_approved_confidence == pytest.approx(0.8)
    assert found.avg_rejected_confidence == pytest.approx(0.5)


def test_each_confidence_is_in_one_bucket_the_border_in_the_upper_one() -> None:
    found = metrics([card(one, Status.REJECTED) for one in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)], "7d")
    assert [bucket.predictions for bucket in found.calibration] == [1, 1, 1, 1, 1, 3]
    assert [bucket.bucket for bucket in found.calibration][-1] == "0.8-1.0"


@pytest.mark.parametrize(
    ("earlier", "later", "trend"),
    [(2, 8, "improving"), (8, 2, "declining"), (5, 5, "steady")],
)
def test_the_trend_compares_the_halves(earlier: int, later: int, trend: str) -> None:
    def half(approved: int) -> list[Card]:
        return [card(0.5, Status.EXECUTED if number < approved else Status.REJECTED) for number in range(TREND_MIN)]

    assert metrics([*half(earlier), *half(later)], "7d").trend_direction == trend
    assert metrics(half(earlier), "7d").trend_direction == "unknown"


CARDS = st.lists(
    st.builds(card, st.floats(0, 1), st.sampled_from(Status), autonomous=st.booleans(), undone=st.booleans()),
    max_size=40,
)


@pytest.mark.slow
@given(CARDS)
def test_rates_are_shares_and_counts_add_up(cards: list[Card]) -> None:
    found = metrics(cards, "7d")
    for rate in (found.approval_rate, found.auto_success_rate, *(b.approval_rate for b in found.calibration)):
        assert rate is None or 0 <= rate <= 1
    assert found.approved + found.auto_executed <= found.total_predictions
    inside = sum(one.proposal.confidence >= BUCKETS[0][0] for one in cards)
    assert sum(bucket.predictions for bucket in found.calibration) == inside
