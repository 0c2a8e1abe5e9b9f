"""How a suggestion is told: by what each way would cost the person, and never against their word."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.contract.attention import Badness
from hub.domain.attention import Attention, Circumstances, Doing, Matter
from hub.where import how_to_tell
from hub.where.attention import lost

MINUTE_S, HOUR_S = 60.0, 3_600.0
RULES = Attention()
LIKELY = Matter(p=0.9, urgency=0.5, left_s=8 * HOUR_S)
HERE = Circumstances(doing="here", breakpoint_in_s=15 * MINUTE_S, digest_in_s=2 * HOUR_S)
LOUDNESS = ("never", "digest", "breakpoint", "quiet", "loud")
MATTERS = st.builds(Matter, p=st.none() | st.floats(0, 1), urgency=st.floats(0, 1), left_s=st.floats(1, 100_000))
WAITS = st.none() | st.floats(1, 100_000)
MOMENTS = st.builds(
    Circumstances,
    doing=st.sampled_from(get_args(Doing)),
    quiet=st.booleans(),
    just_told=st.booleans(),
    spent=st.integers(0, 40),
    breakpoint_in_s=WAITS,
    digest_in_s=WAITS,
)
WORDS = st.sampled_from(get_args(Badness))
ATTENTIONS = st.builds(
    Attention,
    needless_interruption=WORDS,
    missed_help=WORDS,
    wrong_act=WORDS,
    interruptions_per_day=st.integers(0, 40),
)


def told(matter: Matter = LIKELY, now: Circumstances = HERE, rules: Attention = RULES) -> str:
    return how_to_tell(matter, now, rules).telling


@pytest.mark.parametrize(
    ("doing", "p", "urgency", "telling"),
    [
        ("between", 0.9, 0.5, "loud"),  # just after a commit: now is the moment
        ("here", 0.9, 0.8, "loud"),  # failed tests, and a yes is likely
        ("here", 0.9, 0.5, "breakpoint"),
        ("typing", 0.9, 0.8, "breakpoint"),  # the next commit is near
        ("typing", 0.9, 0.95, "loud"),  # waiting costs more than the interruption
        ("working", 0.9, 0.5, "breakpoint"),
        ("meeting", 0.9, 0.8, "breakpoint"),
        ("here", 0.5, 0.5, "quiet"),
        ("here", 0.3, 0.2, "digest"),
        ("here", 0.02, 0.2, "never"),
    ],
)
def test_the_way_that_costs_the_person_least(doing: Doing, p: float, urgency: float, telling: str) -> None:
    weighed = how_to_tell(replace(LIKELY, p=p, urgency=urgency), replace(HERE, doing=doing), RULES)
    assert weighed.telling == telling
    assert weighed.costs[telling] == min(weighed.costs.values())


def test_the_three_words_move_it() -> None:
    unsure = replace(LIKELY, p=0.6)
    assert told(unsure, rules=Attention(needless_interruption="mild", missed_help="awful")) == "loud"
    assert told(unsure, rules=Attention(needless_interruption="awful", missed_help="mild")) in {"digest", "never"}
    assert RULES.alone_from == 0.5
    assert Attention(wrong_act="awful").alone_from == 0.8
    assert Attention(wrong_act="awful", missed_help="awful").alone_from == 0.8
    assert Attention(wrong_act="mild").alone_from == 0.2


def test_what_nobody_answered_yet_is_told_as_soon_as_it_does_not_break_into_something() -> None:
    unknown = replace(LIKELY, p=None)
    assert told(unknown) == "loud"
    assert told(unknown, replace(HERE, doing="away")) == "loud"
    assert told(unknown, replace(HERE, doing="typing")) == "breakpoint"
    assert told(replace(unknown, urgency=0.9), replace(HERE, doing="typing")) == "loud"


def test_attention_grows_dearer_as_the_day_goes_and_then_nothing_is_heard() -> None:
    urgent = replace(LIKELY, p=0.75, urgency=0.8)
    assert told(urgent) == "loud"
    assert told(urgent, replace(HERE, spent=15)) == "quiet"
    weighed = how_to_tell(replace(urgent, urgency=1.0, p=1.0), replace(HERE, spent=16, doing="between"), RULES)
    assert (weighed.telling, "16" in weighed.why) == ("quiet", True)


def test_what_comes_right_after_another_needs_no_second_sound() -> None:
    urgent = replace(LIKELY, urgency=0.9)
    assert told(urgent, replace(HERE, doing="between")) == "loud"
    weighed = how_to_tell(urgent, replace(HERE, doing="between", just_told=True), RULES)
    assert (weighed.telling, "a moment ago" in weighed.why) == ("quiet", True)


def test_waiting_beyond_its_end_loses_all_of_a_help() -> None:
    short = replace(LIKELY, left_s=10 * MINUTE_S)
    assert lost(15 * MINUTE_S, short) == 1.0
    assert told(short) == "loud"
    assert lost(10 * MINUTE_S, replace(LIKELY, urgency=1.0)) == pytest.approx(0.5)
    assert lost(16 * HOUR_S, Matter(p=1.0, urgency=0.0, left_s=1e6)) == pytest.approx(0.5)


def test_without_a_digest_to_come_nothing_waits_for_one() -> None:
    weak = replace(LIKELY, p=0.3, urgency=0.2)
    assert told(weak, replace(HERE, digest_in_s=None)) == "quiet"


@pytest.mark.slow
@given(matter=MATTERS, now=MOMENTS, rules=ATTENTIONS)
def test_quiet_and_the_budget_stand_above_every_figure(matter: Matter, now: Circumstances, rules: Attention) -> None:
    weighed = how_to_tell(matter, now, rules)
    assert weighed.why
    if now.quiet:
        assert weighed.telling in {"quiet", "breakpoint"}
    elif now.spent >= rules.interruptions_per_day:
        assert weighed.telling not in {"loud", "breakpoint"}
    if weighed.telling in {"breakpoint", "digest"}:
        assert weighed.telling in weighed.costs
    assert how_to_tell(weighed.matter, weighed.circumstances, weighed.attention) == weighed


@pytest.mark.slow
@given(matter=MATTERS, now=MOMENTS)
def test_who_minds_needless_interruptions_more_is_never_disturbed_more(matter: Matter, now: Circumstances) -> None:
    ways = [told(matter, now, Attention(needless_interruption=word)) for word in ("mild", "bad", "awful")]
    heard = [way == "loud" for way in ways]
    assert heard == sorted(heard, reverse=True)


@pytest.mark.slow
@given(now=MOMENTS, urgency=st.floats(0, 1), lower=st.floats(0, 1), higher=st.floats(0, 1))
def test_a_likelier_yes_is_never_given_up_where_a_less_likely_one_is_told(
    now: Circumstances, urgency: float, lower: float, higher: float
) -> None:
    low, high = sorted((lower, higher))
    first, second = (told(Matter(p=p, urgency=urgency, left_s=HOUR_S), now) for p in (low, high))
    assert not (second == "never" and first != "never")
