"""Which answers were to suggestions like this one."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.contract.words import Status
from hub.domain.suggestion import Card
from hub.learn import similar, was_approved, was_rejected
from hub.learn.similarity import LIKENESS_MIN, likeness, words_of
from tests.fakes.world import utc
from tests.rooms.may.questions import PROPOSAL

NOW = utc(2026, 3, 10, 12, 0)
TEXTS = st.text(alphabet="abcdeAB 12.,ß\u00e9", max_size=30)


def card(
    id_: str,
    *,
    prompt: str = "Run the tests",
    key: str = "k",
    channel: str = "koji-core",
    status: Status = Status.EXECUTED,
    age_s: int = 0,
    autonomous: bool = False,
) -> Card:
    return Card(
        id=id_,
        user="me",
        version=2,
        status=status,
        proposal=replace(PROPOSAL, reason_key=key, channel=channel),
        prompt=prompt,
        card_hash="h",
        created_at=NOW - timedelta(seconds=age_s),
        expires_at=NOW,
        trigger="cron",
        autonomous=autonomous,
    )


@pytest.mark.parametrize(
    ("one", "other", "share"),
    [
        ("Run the tests", "run  the TESTS!", 1.0),
        ("Run the tests: 3 modules changed", "Run the tests: 15 modules changed", 1.0),
        ("Run the tests", "Run the linter", 0.5),
        ("Stra\u00dfe", "STRASSE", 1.0),
        ("a b c", "d e f", 0.0),
        ("", "", 0.0),
        ("123", "123", 0.0),
    ],
)
def test_how_many_words_are_common(one: str, other: str, share: float) -> None:
    assert likeness(one, other) == share


@pytest.mark.slow
@given(TEXTS, TEXTS)
def test_likeness_is_a_share_and_has_no_direction(one: str, other: str) -> None:
    found = likeness(one, other)
    assert 0 <= found <= 1
    assert found == likeness(other, one)
    assert (found == 1) == (words_of(one) == words_of(other) != frozenset())


@pytest.mark.slow
@given(TEXTS)
def test_order_case_and_repetition_do_not_matter(text: str) -> None:
    shuffled = " ".join(reversed(text.upper().split())) + " " + text
    assert words_of(shuffled) == words_of(text)


def test_the_same_reason_comes_first_then_similar_words_each_newest_first() -> None:
    answered = [
        card("words-old", key="x", age_s=9),
        card("words-new", key="y", prompt="run the tests again", age_s=1),
        card("reason-old", prompt="Wholly different", channel="garden", age_s=99),
        card("reason-new", age_s=50),
        card("far", key="x", prompt="Water the plants", age_s=2),
        card("elsewhere", key="x", channel="garden", age_s=3),
    ]
    found = similar(card("me", status=Status.PENDING), answered)
    assert [one.id for one in found] == ["reason-new", "reason-old", "words-new", "words-old"]


def test_only_what_a_person_answered_counts() -> None:
    answered = [card("auto", autonomous=True)]
    answered += [card(status.value, status=status) for status in Status]
    found = {one.id for one in similar(card("me"), answered)}
    assert found == {"confirmed", "executed", "failed", "rejected"}


CARDS = st.lists(
    st.builds(
        card,
        st.sampled_from([f"c{n}" for n in range(12)]),
        prompt=st.sampled_from(["Run the tests", "Run the linter", "Water the plants", "Run tests", ""]),
        key=st.sampled_from(["k", "l"]),
        channel=st.sampled_from(["koji-core", "garden"]),
        status=st.sampled_from(Status),
        age_s=st.integers(0, 99),
        autonomous=st.booleans(),
    ),
    max_size=30,
    unique_by=lambda one: one.id,
)


@pytest.mark.slow
@given(CARDS, st.integers(0, 29))
def test_what_is_found_resembles_and_is_found_whatever_the_order(answered: list[Card], turn: int) -> None:
    me = card("c0", status=Status.PENDING)
    found = similar(me, answered)
    assert found == similar(me, [*answered[turn:], *answered[:turn], *answered])
    assert len({one.id for one in found}) == len(found)
    assert all(was_approved(one) != was_rejected(one) for one in found)
    assert me.id not in {one.id for one in found}
    for one in found:
        assert one.proposal.reason_key == "k" or likeness(me.prompt, one.prompt) >= LIKENESS_MIN
    ranks = [(one.proposal.reason_key != "k", -one.created_at.timestamp()) for one in found]
    assert ranks == sorted(ranks)
