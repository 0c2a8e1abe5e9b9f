"""Policies as tables, and what must hold for all votes: order never matters, strangers never count."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.contract.surface import VOTERS_MAX
from hub.contract.words import Verb
from surfaces.discord.settings import Policy
from surfaces.discord.votes import CAREFUL_FIRST, Mark, Poll, Voice, recorded, tally

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
VOICES = {
    "o": Voice(id="o", name="owner", weight=1.0, owner=True),
    "a": Voice(id="a", name="ann", weight=1.0),
    "b": Voice(id="b", name="bob", weight=1.0),
    "c": Voice(id="c", name="cid", weight=1.0),
    "d": Voice(id="d", name="dee", weight=1.0),
    "h": Voice(id="h", name="heavy", weight=3.0),
    "s": Voice(id="s", name="stranger"),
}
LETTERS = {"+": Verb.APPROVE, "-": Verb.REJECT, "~": Verb.SNOOZE}


def marks(text: str) -> list[Mark]:
    """Read `a+ b-` as marks."""
    return [Mark(voter=one[0], verb=LETTERS[sign]) for one in text.split() for sign in one[1:]]


def poll(kind: str = "quorum", total: float | None = None, **more: object) -> Poll:
    policy = Policy(kind=kind, grace_s=0.0, **more)  # type: ignore[arg-type]  # a table of settings
    return Poll(policy=policy, opened_at=NOW, total=total)


def outcome(rules: Poll, text: str, after_s: float = 0.0) -> Verb | None:
    found = tally(rules, marks(text), VOICES, NOW + timedelta(seconds=after_s)).outcome
    return found.verb if found else None


@pytest.mark.parametrize(
    ("votes", "answer"),
    [
        ("", None),
        ("a+", None),
        ("a+ b+", Verb.APPROVE),
        ("a+ s+", None),
        ("a+ b+ c-", Verb.APPROVE),
        ("a+ b+ c- d-", None),  # two against two: neither more than half nor a mean above 0.6
        ("a- b-", Verb.REJECT),
        ("a- b- c+ d+", None),
        ("a~ b~", Verb.SNOOZE),
        ("a+ b+ c~", Verb.APPROVE),
        ("a+ b+ o-", Verb.REJECT),
        ("o+ a+", Verb.APPROVE),
        ("h+", Verb.APPROVE),
        ("h+ a- b-", None),  # heavy enough, and not more than half of the votes
        ("h- a+ b+", Verb.REJECT),
        ("a+- b+", None),  # two marks of one person: the more careful one
        ("a+~ b~", Verb.SNOOZE),
    ],
)
def test_a_quorum_of_two(votes: str, answer: Verb | None) -> None:
    assert outcome(poll(needed=2.0), votes) is answer


def test_the_aggregation_is_that_of_the_source_document() -> None:
    """Its example: a mean of 0.60 is not above 0.6; its threshold: more than half of the votes."""
    three_to_two = "a+ b+ c+ d- s-"
    voices = {**VOICES, "s": Voice(id="s", name="fifth", weight=1.0)}
    assert tally(poll(needed=3.0), marks(three_to_two), voices, NOW).outcome is None
    four_to_two = marks(three_to_two + " h+")
    voices["h"] = Voice(id="h", name="sixth", weight=1.0)
    found = tally(poll(needed=3.0), four_to_two, voices, NOW).outcome
    assert found is not None
    assert found.verb is Verb.APPROVE


@pytest.mark.parametrize(
    ("tie", "votes", "answer"),
    [
        ("reject", "a+ b-", Verb.REJECT),
        ("snooze", "a+ b-", Verb.SNOOZE),
        ("wait", "a+ b-", None),
        ("owner", "a+ b- o~", Verb.SNOOZE),
        ("owner", "a+ b-", None),
        ("reject", "a+", None),  # too few voted; nobody answers for them
        ("reject", "", None),
        ("wait", "a+ b+ c- d~", None),
        ("wait", "a- b- c+", Verb.REJECT),
    ],
)
def test_at_the_deadline_those_who_voted_decide(tie: str, votes: str, answer: Verb | None) -> None:
    rules = poll(needed=2.0, tie=tie, deadline_s=60.0)
    assert outcome(rules, votes, after_s=60.0) is answer


def test_when_everybody_has_voted_nobody_waits_for_the_deadline() -> None:
    assert outcome(poll(needed=2.0, total=2.0), "a+ b-") is Verb.REJECT
    assert outcome(poll(needed=2.0, total=3.0), "a+ b-") is None


@pytest.mark.parametrize(("kind", "votes", "answer"), [("first", "a~", Verb.SNOOZE), ("first", "b+ a-", Verb.REJECT)])
def test_one_vote_decides_and_the_more_careful_of_one_moment(kind: str, votes: str, answer: Verb) -> None:
    assert outcome(poll(kind), votes) is answer


def test_an_answer_that_is_not_offered_is_no_vote() -> None:
    rules = Poll(policy=Policy(kind="first"), opened_at=NOW, offered=(Verb.REJECT,))
    assert outcome(rules, "a+") is None


def test_the_reason_names_everybody_who_counted() -> None:
    found = tally(poll(needed=2.0), marks("a+ b+ c- s+"), VOICES, NOW)
    assert found.outcome is not None
    assert found.outcome.reason == "2 of 2 needed approved (approved: ann and bob; dismissed: cid)"
    assert [(one.name, one.counted) for one in found.voters][-1] == ("stranger", False)


any_marks = st.lists(
    st.builds(Mark, voter=st.sampled_from(sorted(VOICES)), verb=st.sampled_from(CAREFUL_FIRST)), max_size=20
)
any_poll = st.builds(
    lambda kind, needed, tie, total: poll(kind, total, needed=needed, tie=tie),
    st.sampled_from(["owner", "first", "quorum"]),
    st.floats(0.5, 6.0),
    st.sampled_from(["reject", "snooze", "owner", "wait"]),
    st.sampled_from([None, 3.0, 8.0]),
)


@pytest.mark.slow
@given(any_poll, any_marks, st.randoms(), st.booleans())
def test_order_and_repeats_never_matter(rules: Poll, votes: list[Mark], chance: object, late: bool) -> None:  # noqa: FBT001  hypothesis gives it so
    now = NOW + timedelta(days=late)
    mixed = [*votes, *votes[:3]]
    chance.shuffle(mixed)  # type: ignore[attr-defined]  # hypothesis's own source of chance
    assert tally(rules, mixed, VOICES, now) == tally(rules, votes, VOICES, now)


@pytest.mark.slow
@given(any_poll, any_marks)
def test_strangers_change_nothing(rules: Poll, votes: list[Mark]) -> None:
    ours = [one for one in votes if one.voter != "s"]
    with_strangers = tally(rules, votes, VOICES, NOW)
    assert with_strangers.outcome == tally(rules, ours, VOICES, NOW).outcome


@pytest.mark.slow
@given(any_marks)
def test_nobody_approves_against_a_majority_or_a_veto(votes: list[Mark]) -> None:
    found = tally(poll(needed=2.0), votes, VOICES, NOW + timedelta(days=1))
    if found.outcome is not None and found.outcome.verb is Verb.APPROVE:
        counted = [one for one in found.voters if one.counted]
        assert len(found.by_verb[Verb.APPROVE]) > len(counted) / 2
        assert all(one.choice is not Verb.REJECT for one in counted if one.id == "o")
        assert found.weight(Verb.APPROVE) >= 2.0 or sum(one.weight for one in counted) >= 2.0


def test_a_decision_carries_no_more_voters_than_there_is_room_for() -> None:
    many = [Mark(voter=str(number), verb=Verb.APPROVE) for number in range(300)]
    voices = {"299": Voice(id="299", name="zoe", weight=1.0)}
    found = recorded(tally(poll("first"), many, voices, NOW).voters)
    assert len(found) == VOTERS_MAX
    assert found[0].name == "zoe"
