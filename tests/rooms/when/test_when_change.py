"""When a change is thought about, and what it may say to somebody who is typing."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.contract.words import Autonomy
from hub.domain.judgement import Ledger
from hub.domain.mind import AutonomyState, Mind
from hub.domain.moment import Change, Changes, Moment, NotNow, Occasion
from hub.domain.policy import Policy, Timing
from hub.when import decide, due, notice, put_off, shown, taken_up, worth_saying
from hub.when.change import URGENT, WEIGHTY, WORTHWHILE

NOW = datetime(2026, 3, 2, 14, 30, tzinfo=UTC)
SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
POLICY = Policy(
    timing=Timing(change_quiet_s=2.0, edit_quiet_s=20.0, change_wait_s_max=60.0, work_pause_s=180.0, silence_s=1_800.0)
)


def after(*happened: tuple[Change, timedelta], before: Changes | None = None) -> Changes:
    changes = before or Changes()
    for change, when in happened:
        changes = notice(changes, change, POLICY, NOW + when)
    return changes


def test_a_spell_at_work_lasts_until_a_pause_that_needs_would_wait_for() -> None:
    long = after(
        (Change.EDIT, 0 * SECOND), (Change.GIT, MINUTE), (Change.MESSAGE, 2 * MINUTE), (Change.EDIT, 4 * MINUTE)
    )
    assert (long.busy_since, long.busy_at) == (NOW, NOW + 4 * MINUTE)
    anew = after((Change.EDIT, 7 * MINUTE), before=long)
    assert (anew.busy_since, anew.busy_at) == (NOW + 7 * MINUTE, NOW + 7 * MINUTE)
    back = after((Change.EDIT, 5 * MINUTE), before=anew)
    assert (back.busy_since, back.busy_at) == (NOW + 7 * MINUTE, NOW + 7 * MINUTE), "a clock that goes back ends none"
    assert after((Change.GIT, 0 * SECOND)).busy_since is None


def test_nothing_changed_nothing_is_due() -> None:
    assert due(Changes(), POLICY) is None


@pytest.mark.parametrize("change", [Change.GIT, Change.TESTS, Change.RUN, Change.AGENT, Change.TASK, Change.READING])
def test_what_happened_is_thought_about_after_two_seconds_of_quiet(change: Change) -> None:
    assert due(after((change, 0 * SECOND)), POLICY) == NOW + 2 * SECOND
    assert due(after((change, 0 * SECOND), (change, SECOND)), POLICY) == NOW + 3 * SECOND


@pytest.mark.parametrize("change", [Change.EDIT, Change.FILES])
def test_a_saved_file_waits_for_the_next_one(change: Change) -> None:
    assert due(after((change, 0 * SECOND), (change, 15 * SECOND)), POLICY) == NOW + 35 * SECOND


def test_constant_changes_are_thought_about_all_the_same() -> None:
    for change in (Change.EDIT, Change.GIT):
        assert due(after(*((change, number * SECOND) for number in range(300))), POLICY) == NOW + MINUTE


def test_an_event_amid_edits_does_not_wait_for_them() -> None:
    changes = after((Change.EDIT, 0 * SECOND), (Change.TESTS, 5 * SECOND), (Change.EDIT, 6 * SECOND))
    assert due(changes, POLICY) == NOW + 7 * SECOND
    assert worth_saying(changes, POLICY, NOW + 7 * SECOND) == URGENT


def test_a_look_takes_up_what_was_there_and_what_comes_later_is_due_again() -> None:
    changes = taken_up(after((Change.EDIT, 0 * SECOND), (Change.GIT, SECOND)))
    assert due(changes, POLICY) is None
    assert due(after((Change.GIT, 9 * SECOND), before=changes), POLICY) == NOW + 11 * SECOND


@pytest.mark.parametrize("sign", [Change.EDIT, Change.MESSAGE])
def test_who_saved_a_file_or_wrote_to_an_agent_is_typing_then_at_work_then_free(sign: Change) -> None:
    changes = after((sign, 0 * SECOND))
    assert worth_saying(changes, POLICY, NOW + 19 * SECOND) == URGENT
    assert worth_saying(changes, POLICY, NOW + 20 * SECOND) == WEIGHTY
    assert worth_saying(changes, POLICY, NOW + 179 * SECOND) == WEIGHTY
    assert worth_saying(changes, POLICY, NOW + 180 * SECOND) == WORTHWHILE


@pytest.mark.parametrize("sign", [Change.FILES, Change.GIT, Change.PRESENCE])
def test_other_changes_are_no_sign_of_work(sign: Change) -> None:
    assert worth_saying(after((sign, 0 * SECOND)), POLICY, NOW) == WORTHWHILE


def test_to_write_or_to_be_there_is_no_reason_to_think() -> None:
    assert due(after((Change.MESSAGE, 0 * SECOND), (Change.PRESENCE, MINUTE)), POLICY) is None


@pytest.mark.parametrize("sign", [Change.MESSAGE, Change.PRESENCE, Change.EDIT])
def test_the_return_after_half_an_hour_is(sign: Change) -> None:
    early = after((Change.PRESENCE, 0 * SECOND), (sign, 30 * MINUTE - SECOND))
    assert not early.returned
    back = after((Change.PRESENCE, 0 * SECOND), (sign, 30 * MINUTE))
    assert back.returned
    assert due(back, POLICY) is not None
    assert not taken_up(back).returned


@pytest.mark.parametrize(("urgency", "seconds"), [(0.9, 7), (0.7, 20), (0.5, 180)])
def test_what_is_still_to_be_said_is_said_as_soon_as_it_may_be(urgency: float, seconds: int) -> None:
    changes = put_off(taken_up(after((Change.EDIT, 0 * SECOND))), POLICY, NOW + 5 * SECOND, urgency)
    when = NOW + seconds * SECOND
    assert due(changes, POLICY) == when
    assert urgency >= worth_saying(changes, POLICY, when)


def test_what_is_weighty_waits_for_a_pause_and_no_longer_than_constant_edits_may_take() -> None:
    changes, looks = Changes(), []
    for second in range(130):
        now = NOW + second * SECOND
        changes = notice(changes, Change.EDIT, POLICY, now)
        at = due(changes, POLICY)
        if at is not None and at <= now:
            changes = taken_up(changes)
            looks.append((second, worth_saying(changes, POLICY, now)))
            changes = shown(changes, POLICY, now)
    assert looks == [(60, WEIGHTY), (121, WEIGHTY)]


def test_to_somebody_who_is_free_it_is_said_at_once() -> None:
    assert due(put_off(Changes(), POLICY, NOW, 0.5), POLICY) == NOW + 2 * SECOND


def test_after_many_cards_within_the_hour_only_what_is_urgent_is_said() -> None:
    policy = Policy(timing=Timing(change_cards_per_hour_max=3))
    changes = Changes()
    for number in range(3):
        assert worth_saying(changes, policy, NOW + number * MINUTE) == WORTHWHILE
        changes = shown(changes, policy, NOW + number * MINUTE)
    assert worth_saying(changes, policy, NOW + 59 * MINUTE) == URGENT
    assert due(put_off(changes, policy, NOW + 3 * MINUTE, 0.5), policy) == NOW + HOUR
    assert worth_saying(changes, policy, NOW + HOUR) == WORTHWHILE


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.sampled_from(Change), st.integers(0, 7_200)), max_size=40),
    st.integers(1, 90),
)
def test_what_is_due_is_never_later_than_the_bound_and_never_before_the_change(
    happened: list[tuple[Change, int]], wait_s: int
) -> None:
    policy = Policy(timing=Timing(change_wait_s_max=float(wait_s)))
    changes, first = Changes(), None
    for change, at in sorted(happened, key=lambda one: one[1]):
        changes = notice(changes, change, policy, NOW + at * SECOND)
        first = first or (NOW + at * SECOND if due(changes, policy) else None)
    at_last = due(changes, policy)
    assert (at_last is None) == (first is None)
    if at_last is not None and first is not None:
        assert first < at_last <= first + max(timedelta(seconds=wait_s), 20 * SECOND)
        assert at_last > NOW


def ask(mind: Mind, policy: Policy, *, urgency_min: float = WORTHWHILE, now: datetime = NOW) -> Moment | NotNow:
    return decide(mind, policy, Occasion.CHANGE, now=now, silence=timedelta(0), urgency_min=urgency_min)


@pytest.mark.parametrize("state", [Autonomy.WATCHING, Autonomy.PRIMING, Autonomy.AUTONOMOUS])
@pytest.mark.parametrize("hour", [3, 14])
def test_a_change_is_thought_about_without_silence_and_never_acted_upon(state: Autonomy, hour: int) -> None:
    mind = Mind(autonomy=AutonomyState(state=state, since=NOW), ledger=Ledger(decisions=9), last_message_at=NOW)
    calm = ask(mind, Policy(autonomous=True), now=NOW.replace(hour=hour))
    busy = ask(mind, Policy(autonomous=True), urgency_min=URGENT, now=NOW.replace(hour=hour))
    assert isinstance(calm, Moment)
    assert isinstance(busy, Moment)
    assert not calm.may_act
    assert not busy.may_act
    assert (calm.urgency_min, busy.urgency_min) == (WORTHWHILE, URGENT)
    assert calm.autonomy is mind.autonomy


def test_a_pause_and_the_kill_switch_hold_for_changes_too() -> None:
    paused = Mind(autonomy=AutonomyState(state=Autonomy.PAUSED, since=NOW, reason="why"))
    stopped = msgspec.structs.replace(Mind(), ledger=Ledger(emergency=True))
    for mind, policy in ((paused, POLICY), (stopped, POLICY), (Mind(), Policy(enabled=False))):
        assert isinstance(ask(mind, policy), NotNow)
