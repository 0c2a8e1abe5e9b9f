"""The level 1 supervisor: sessions, processes and the time in, findings out."""

from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from hub.contract.world import AgentStatus
from hub.domain.world import SessionProcess, WorldSession
from hub.domain.world_findings import (
    Abandoned,
    LivingProcess,
    OddTime,
    Overdue,
    ProcessLook,
    RefusedStatus,
    StrayProcess,
)
from hub.domain.world_rules import WorldRules
from hub.domain.world_states import may_follow, next_of
from hub.verify.world_supervisor import failure_of, supervise
from hub.verify.world_timeouts import IGNORED_ALIVE_MAX, IGNORED_MAX, TIMEOUTS, overdue_at, stay_of

NOON = datetime(2026, 1, 9, 12, tzinfo=UTC)
WORKER = SessionProcess(pid=4242, started=99)
NOBODY, GONE = ProcessLook(), ProcessLook(gone=(WORKER,))


def session(status: AgentStatus = AgentStatus.ACTIVE, *, process: SessionProcess | None = None) -> WorldSession:
    return WorldSession(id="abc123", status=status, started_at=NOON, moved_at=NOON, heard_at=NOON, process=process)


def living(process: SessionProcess = WORKER, *, run: str = "") -> LivingProcess:
    return LivingProcess(process=process, begun_at=NOON, run=run)


def test_a_session_whose_process_was_found_or_not_looked_for_is_well() -> None:
    assert supervise([session(process=WORKER)], ProcessLook(), NOON) == ()
    assert supervise([session(process=WORKER)], ProcessLook(gone=(SessionProcess(pid=4242, started=100),)), NOON) == ()


def test_one_whose_process_is_gone_is_abandoned() -> None:
    assert supervise([session(process=WORKER)], GONE, NOON) == (Abandoned(session="abc123", process=WORKER),)


@pytest.mark.parametrize("status", [one for one in AgentStatus if one not in {AgentStatus.START, AgentStatus.ACTIVE}])
def test_what_does_not_work_needs_no_process(status: AgentStatus) -> None:
    assert supervise([session(status, process=WORKER)], GONE, NOON) == ()


def test_who_joined_without_a_process_is_judged_by_time_alone() -> None:
    assert supervise([session()], GONE, NOON) == ()


def test_an_abandoned_session_can_fail_and_asks() -> None:
    line = failure_of(Abandoned(session="abc123", process=WORKER), NOON)
    assert line.status is AgentStatus.FAILED
    assert line.need
    assert all(may_follow(status, line.status) for status in (AgentStatus.START, AgentStatus.ACTIVE))


@pytest.mark.parametrize(
    ("status", "answered", "after", "action"),
    [
        (AgentStatus.START, False, timedelta(hours=1), "alert"),
        (AgentStatus.ACTIVE, False, timedelta(hours=2), "alert"),
        (AgentStatus.FAILED, False, timedelta(hours=24), "escalate"),
        (AgentStatus.RETRY, False, timedelta(hours=1), "alert"),
        (AgentStatus.FINISH, False, timedelta(hours=1), "alert"),
        (AgentStatus.FAILED, True, timedelta(hours=1), "alert"),
    ],
)
def test_a_status_has_its_time(status: AgentStatus, after: timedelta, action: str, *, answered: bool) -> None:
    one = session(status)
    since = NOON
    if answered:
        since = NOON + timedelta(minutes=7)
        one = replace(one, answered_at=since)
    assert supervise([one], NOBODY, since + after - timedelta(seconds=1)) == ()
    (found,) = supervise([one], NOBODY, since + after)
    assert isinstance(found, Overdue)
    assert (found.session, found.status, found.since, found.action) == ("abc123", status, since, action)
    assert supervise([one], NOBODY, since + 3 * after) == (found,)


def test_no_open_status_is_without_a_limit() -> None:
    assert {limit.status for limit in TIMEOUTS} == {status for status in AgentStatus if next_of(status)}
    assert {limit.answered for limit in TIMEOUTS if limit.status is AgentStatus.FAILED} == {False, True}


@pytest.mark.parametrize("run", ["", "exec_1_1"])
def test_a_process_that_no_session_names_is_told_and_with_it_whose_run_it_was(run: str) -> None:
    look = ProcessLook(agents=(living(run=run),))
    assert supervise([], look, NOON + timedelta(minutes=4)) == ()
    assert supervise([], look, NOON + timedelta(minutes=5)) == (StrayProcess(process=WORKER, run=run),)
    assert supervise([session(process=WORKER)], look, NOON + timedelta(minutes=5)) == ()


def test_times_that_cannot_be_and_statuses_that_cannot_follow_are_told() -> None:
    odd = NOON + timedelta(days=365)
    one = replace(session(), odd_at=odd, refused=3, refused_status=AgentStatus.VERIFIED)
    assert supervise([one], NOBODY, NOON) == (
        OddTime(session="abc123", at=odd),
        RefusedStatus(session="abc123", status=AgentStatus.VERIFIED, times=3),
    )


Told = tuple[WorldSession, list[timedelta], list[str]]


def told_again(one: WorldSession, times: int, *, heard: bool = False) -> Told:
    """Tell of a session whenever it falls due; return it, how long each wait was, and what was to be done."""
    waits: list[timedelta] = []
    actions: list[str] = []
    now = NOON
    for _ in range(times):
        at = overdue_at(one)
        assert at is not None
        assert supervise([one], NOBODY, at - timedelta(seconds=1)) == ()
        (found,) = supervise([one], NOBODY, at)
        assert isinstance(found, Overdue)
        waits.append(at - now)
        actions.append(found.action)
        now = at
        stay = stay_of(one)
        assert found.times == stay.times
        heard_at = at + timedelta(seconds=1) if heard else one.heard_at
        one = replace(one, heard_at=heard_at, watch=replace(stay, times=stay.times + 1, at=at))
    return one, waits, actions


def hours(*spans: int) -> list[timedelta]:
    return [timedelta(hours=one) for one in spans]


def test_who_is_told_in_vain_is_told_again_louder_and_later_until_a_silent_session_is_given_up() -> None:
    _, waits, actions = told_again(session(), IGNORED_MAX + 1)
    assert waits == hours(2, 2, 4)
    assert actions == ["alert", "escalate", "give-up"]


def test_one_whose_process_is_there_is_waited_for_longer() -> None:
    _, waits, actions = told_again(session(process=WORKER), IGNORED_ALIVE_MAX + 1)
    assert waits == hours(2, 2, 4, 8, 16, 24)
    assert actions == ["alert", *["escalate"] * (IGNORED_ALIVE_MAX - 1), "give-up"]


def test_one_that_goes_on_speaking_is_never_given_up_and_told_of_once_a_day_in_the_end() -> None:
    _, waits, actions = told_again(session(), 12, heard=True)
    assert waits[-1] == timedelta(days=1)
    assert set(actions[1:]) == {"escalate"}


@pytest.mark.parametrize("status", [AgentStatus.FINISH, AgentStatus.FAILED])
def test_what_waits_for_a_person_is_not_ended_by_the_clock(status: AgentStatus) -> None:
    _, waits, actions = told_again(session(status), 12)
    assert "give-up" not in actions
    assert waits[-1] == (timedelta(days=7) if status is AgentStatus.FAILED else timedelta(days=1))


def test_a_new_stay_begins_anew_and_what_was_left_is_not_told_of() -> None:
    one, _, _ = told_again(session(), 2)
    moved = replace(one, status=AgentStatus.FINISH, moved_at=NOON + timedelta(hours=5))
    assert overdue_at(moved) == NOON + timedelta(hours=6)
    assert overdue_at(replace(one, left_at=NOON)) is None


def test_the_line_of_one_that_was_given_up_can_follow_wherever_it_is() -> None:
    for status in (AgentStatus.START, AgentStatus.ACTIVE, AgentStatus.RETRY):
        one, _, _ = told_again(session(status), IGNORED_MAX)
        at = overdue_at(one)
        assert at is not None
        (found,) = supervise([one], NOBODY, at)
        assert isinstance(found, Overdue)
        assert may_follow(status, failure_of(found, at).status)


def test_how_long_it_may_be_there_is_the_person_s_to_say_and_while_it_works_its_own() -> None:
    rules = WorldRules(active_wait_s=600.0, failed_wait_s=60.0)
    assert overdue_at(session(), rules) == NOON + timedelta(minutes=10)
    assert supervise([session()], NOBODY, NOON + timedelta(minutes=9), rules) == ()
    (found,) = supervise([session()], NOBODY, NOON + timedelta(minutes=10), rules)
    assert isinstance(found, Overdue)
    own = replace(session(), wait_s=60.0)
    assert overdue_at(own, rules) == NOON + timedelta(minutes=1)
    assert overdue_at(replace(own, status=AgentStatus.FINISH), rules) == NOON + timedelta(hours=1)
