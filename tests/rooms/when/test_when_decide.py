from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.contract.words import Autonomy
from hub.domain.judgement import Ledger
from hub.domain.mind import AutonomyState, Mind
from hub.domain.moment import Moment, NotNow, Occasion
from hub.domain.policy import Policy, Timing
from hub.when import Happening, advance, after_thinking, decide, next_cycle, settle, why_so

NOW = datetime(2026, 3, 2, 14, 30, tzinfo=UTC)
TICK = timedelta(microseconds=1)
HALF_HOUR = timedelta(minutes=30)
TWO_HOURS = timedelta(hours=2)
AUTONOMOUS = Policy(autonomous=True)
EXPERIENCED = Mind(ledger=Ledger(decisions=7), started_at=NOW - timedelta(days=3))
ASKED = [Occasion.START, Occasion.FOLLOW_UP, Occasion.MANUAL]


def in_state(state: Autonomy, since: datetime = NOW, mind: Mind = EXPERIENCED) -> Mind:
    return msgspec.structs.replace(mind, autonomy=AutonomyState(state=state, since=since, reason="why"))


def ask(mind: Mind, policy: Policy, occasion: Occasion = Occasion.CRON, **more: object) -> Moment | NotNow:
    now = more.get("now", NOW)
    silence = more.get("silence", HALF_HOUR)
    assert isinstance(now, datetime)
    assert silence is None or isinstance(silence, timedelta)
    return decide(mind, policy, occasion, now=now, silence=silence)


@pytest.mark.parametrize("occasion", Occasion)
@pytest.mark.parametrize("state", Autonomy)
def test_killed_is_never_a_moment(occasion: Occasion, state: Autonomy) -> None:
    emergency = msgspec.structs.replace(in_state(state), ledger=Ledger(decisions=7, emergency=True))
    for answer in (
        ask(in_state(state), Policy(enabled=False, autonomous=True), occasion),
        ask(emergency, AUTONOMOUS, occasion),
    ):
        assert isinstance(answer, NotNow)
        assert answer.autonomy.state is Autonomy.DISABLED
        assert answer.until > NOW


def test_enabling_again_leads_back_to_watching() -> None:
    answer = ask(in_state(Autonomy.DISABLED), AUTONOMOUS, silence=timedelta(0))
    assert answer.autonomy.state is Autonomy.WATCHING


@pytest.mark.parametrize("occasion", ASKED)
@pytest.mark.parametrize("state", [Autonomy.WATCHING, Autonomy.PRIMING, Autonomy.AUTONOMOUS, Autonomy.PAUSED])
def test_whoever_is_asked_thinks_and_never_acts(occasion: Occasion, state: Autonomy) -> None:
    at_night = NOW.replace(hour=3)
    answer = ask(in_state(state, at_night), AUTONOMOUS, occasion, now=at_night, silence=timedelta(0))
    assert isinstance(answer, Moment)
    assert not answer.may_act
    assert answer.autonomy.state is state


def test_silence_on_the_border() -> None:
    early = ask(EXPERIENCED, AUTONOMOUS, silence=HALF_HOUR - TICK)
    assert isinstance(early, Moment)
    assert not early.may_act
    assert early.autonomy.state is Autonomy.WATCHING
    reached = ask(EXPERIENCED, AUTONOMOUS, silence=HALF_HOUR)
    assert isinstance(reached, Moment)
    assert reached.may_act
    primed = reached.autonomy
    assert (primed.state, primed.since, primed.reason) == (
        Autonomy.PRIMING,
        NOW,
        "You have been away long enough.",
    )


@pytest.mark.parametrize("state", [Autonomy.PRIMING, Autonomy.AUTONOMOUS])
def test_a_person_who_spoke_is_watched_and_shown_what_is_worth_it(state: Autonomy) -> None:
    answer = ask(in_state(state), AUTONOMOUS, silence=timedelta(minutes=1))
    assert isinstance(answer, Moment)
    assert not answer.may_act
    assert answer.autonomy.state is Autonomy.WATCHING
    assert "1 min ago" in answer.why
    typing = decide(EXPERIENCED, AUTONOMOUS, Occasion.CRON, now=NOW, silence=timedelta(0), urgency_min=0.8)
    assert isinstance(typing, Moment)
    assert typing.urgency_min == 0.8


def test_autonomous_stays_autonomous_through_the_next_cycle() -> None:
    mind = in_state(Autonomy.AUTONOMOUS, NOW - HALF_HOUR)
    answer = ask(mind, AUTONOMOUS, silence=timedelta(hours=1))
    assert isinstance(answer, Moment)
    assert answer.autonomy is mind.autonomy


def may_act(answer: Moment | NotNow) -> bool:
    return isinstance(answer, Moment) and answer.may_act


def test_unknown_silence_counts_from_the_start() -> None:
    started = Mind(ledger=Ledger(decisions=1), started_at=NOW - HALF_HOUR)
    assert may_act(ask(started, AUTONOMOUS, silence=None))
    assert not may_act(ask(started, AUTONOMOUS, silence=None, now=NOW - TICK))
    assert not may_act(ask(Mind(), AUTONOMOUS, silence=None))


def test_a_message_from_the_future_is_no_silence() -> None:
    assert not may_act(ask(EXPERIENCED, AUTONOMOUS, silence=timedelta(hours=-5)))


@pytest.mark.parametrize(
    ("mind", "policy", "now", "word"),
    [
        (EXPERIENCED, Policy(), NOW, "off"),
        (Mind(), AUTONOMOUS, NOW, "Onboarding"),
        (Mind(ledger=Ledger(decisions=3, month_stopped="2026-03")), AUTONOMOUS, NOW, "month"),
        (EXPERIENCED, AUTONOMOUS, NOW.replace(hour=23), "Quiet"),
        (msgspec.structs.replace(EXPERIENCED, dnd_until=NOW + TICK), AUTONOMOUS, NOW, "do not disturb"),
    ],
)
def test_what_keeps_it_from_acting_still_lets_it_think(mind: Mind, policy: Policy, now: datetime, word: str) -> None:
    answer = ask(mind, policy, now=now, silence=timedelta(hours=1))
    assert isinstance(answer, Moment)
    assert not answer.may_act
    assert word in answer.why


def test_the_month_needs_a_person_even_when_it_is_over() -> None:
    mind = Mind(ledger=Ledger(decisions=3, month_stopped="2026-02"))
    answer = ask(mind, AUTONOMOUS, now=datetime(2026, 3, 1, 12, 0, tzinfo=UTC))
    assert isinstance(answer, Moment)
    assert not answer.may_act


def test_a_pause_ends_exactly_after_two_hours() -> None:
    mind = in_state(Autonomy.PAUSED, NOW - TWO_HOURS + TICK)
    before = ask(mind, AUTONOMOUS)
    assert before == NotNow(until=NOW + TICK, why="why", autonomy=mind.autonomy)
    after = ask(mind, AUTONOMOUS, now=NOW + TICK)
    assert isinstance(after, Moment)
    assert after.may_act
    assert after.autonomy.state is Autonomy.PRIMING
    assert settle(mind, AUTONOMOUS, NOW).state is Autonomy.PAUSED
    assert settle(mind, AUTONOMOUS, NOW + TICK).state is Autonomy.WATCHING


def test_two_hours_are_elapsed_time_across_a_clock_change() -> None:
    berlin = Policy(zone="Europe/Berlin", autonomous=True)
    since = datetime(2026, 3, 29, 0, 30, tzinfo=UTC)
    mind = in_state(Autonomy.PAUSED, since)
    assert settle(mind, berlin, since + TWO_HOURS - TICK).state is Autonomy.PAUSED
    assert settle(mind, berlin, since + TWO_HOURS).state is Autonomy.WATCHING


def test_a_pause_of_another_length_is_a_setting() -> None:
    policy = Policy(autonomous=True, timing=Timing(resume_after_s=60.0))
    mind = in_state(Autonomy.PAUSED)
    assert settle(mind, policy, NOW + timedelta(seconds=59)).state is Autonomy.PAUSED
    assert settle(mind, policy, NOW + timedelta(seconds=60)).state is Autonomy.WATCHING


def test_a_pause_survives_speaking_but_not_resuming() -> None:
    paused = in_state(Autonomy.PAUSED).autonomy
    assert advance(paused, Happening.PERSON_SPOKE, NOW) is paused
    assert advance(paused, Happening.RESUMED, NOW).state is Autonomy.WATCHING


def test_switching_autonomous_mode_off_ends_the_autonomous_state() -> None:
    assert settle(in_state(Autonomy.AUTONOMOUS), Policy(), NOW).state is Autonomy.WATCHING


def test_after_thinking() -> None:
    primed = AutonomyState(state=Autonomy.PRIMING, since=NOW)
    assert after_thinking(primed, AUTONOMOUS, found=True, now=NOW).state is Autonomy.AUTONOMOUS
    assert after_thinking(primed, AUTONOMOUS, found=False, now=NOW).state is Autonomy.WATCHING
    assert after_thinking(primed, Policy(), found=True, now=NOW).state is Autonomy.WATCHING
    watching = AutonomyState()
    assert after_thinking(watching, AUTONOMOUS, found=True, now=NOW) is watching


def test_appendix_a_by_the_clock() -> None:
    spoke = NOW - HALF_HOUR
    assert next_cycle(AUTONOMOUS, spoke) == NOW
    first = ask(EXPERIENCED, AUTONOMOUS, silence=NOW - spoke)
    assert isinstance(first, Moment)
    assert first.autonomy.state is Autonomy.PRIMING
    mind = msgspec.structs.replace(
        EXPERIENCED, autonomy=after_thinking(first.autonomy, AUTONOMOUS, found=True, now=NOW)
    )
    second = ask(mind, AUTONOMOUS, now=NOW + HALF_HOUR, silence=2 * HALF_HOUR)
    assert isinstance(second, Moment)
    assert second.autonomy.state is Autonomy.AUTONOMOUS
    home = ask(mind, AUTONOMOUS, now=NOW + 3 * HALF_HOUR, silence=timedelta(0))
    assert home.autonomy.state is Autonomy.WATCHING


@pytest.mark.slow
@given(
    state=st.sampled_from(Autonomy),
    occasion=st.sampled_from(Occasion),
    enabled=st.booleans(),
    autonomous=st.booleans(),
    decisions=st.integers(0, 2),
    silence=st.none() | st.timedeltas(timedelta(days=-1), timedelta(days=3)),
    hours=st.integers(0, 48),
)
def test_acting_needs_everything_at_once(
    *,
    state: Autonomy,
    occasion: Occasion,
    enabled: bool,
    autonomous: bool,
    decisions: int,
    silence: timedelta | None,
    hours: int,
) -> None:
    now = NOW + timedelta(hours=hours)
    mind = Mind(
        autonomy=AutonomyState(state=state, since=NOW), ledger=Ledger(decisions=decisions), started_at=NOW - TWO_HOURS
    )
    answer = decide(mind, Policy(enabled=enabled, autonomous=autonomous), occasion, now=now, silence=silence)
    if isinstance(answer, NotNow):
        assert answer.until > now
    elif answer.may_act:
        assert enabled
        assert autonomous
        assert decisions
        assert occasion in {Occasion.CRON, Occasion.DRIVE}
        assert silence is None or silence >= HALF_HOUR
        assert 8 <= now.hour < 23
        assert answer.autonomy.state in {Autonomy.PRIMING, Autonomy.AUTONOMOUS}


def test_who_lets_it_act_alone_is_not_told_that_this_is_off() -> None:
    off = advance(AutonomyState(state=Autonomy.AUTONOMOUS, since=NOW), Happening.AUTONOMY_OFF, NOW)
    assert why_so(off, Policy()) == ("Autopilot is off.", off.wording)
    assert why_so(off, AUTONOMOUS) == ("", None)
    paused = advance(off, Happening.PAUSED_BY_PERSON, NOW)
    assert why_so(paused, AUTONOMOUS) == ("Paused by you.", paused.wording)
