"""The level 1 supervisor: sessions, processes and the time in, findings out."""

from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from hub.contract.world import AgentStatus
from hub.domain.world import SessionProcess, WorldSession
from hub.domain.world_findings import Abandoned, LivingProcess, OddTime, Overdue, RefusedStatus, StrayProcess
from hub.domain.world_states import may_follow, next_of
from hub.verify.world_supervisor import failure_of, supervise
from hub.verify.world_timeouts import TIMEOUTS

NOON = datetime(2026, 1, 9, 12, tzinfo=UTC)
WORKER = SessionProcess(pid=4242, started=99)


def session(status: AgentStatus = AgentStatus.ACTIVE, *, process: SessionProcess | None = None) -> WorldSession:
    return WorldSession(id="abc123", status=status, started_at=NOON, moved_at=NOON, heard_at=NOON, process=process)


def living(process: SessionProcess = WORKER, *, is_ours: bool = False) -> LivingProcess:
    return LivingProcess(process=process, begun_at=NOON, is_ours=is_ours)


def test_a_session_whose_process_lives_is_well() -> None:
    assert supervise([session(process=WORKER)], [living()], NOON) == ()


@pytest.mark.parametrize("others", [[], [living(SessionProcess(pid=4242, started=100))]])
def test_one_whose_process_is_gone_is_abandoned_also_where_its_number_lives_again(others: list[LivingProcess]) -> None:
    assert supervise([session(process=WORKER)], others, NOON) == (Abandoned(session="abc123", process=WORKER),)


@pytest.mark.parametrize("status", [one for one in AgentStatus if one not in {AgentStatus.START, AgentStatus.ACTIVE}])
def test_what_does_not_work_needs_no_process(status: AgentStatus) -> None:
    assert supervise([session(status, process=WORKER)], [], NOON) == ()


def test_who_joined_without_a_process_is_judged_by_time_alone() -> None:
    assert supervise([session()], [], NOON) == ()


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
    assert supervise([one], [], since + after - timedelta(seconds=1)) == ()
    (found,) = supervise([one], [], since + after)
    assert isinstance(found, Overdue)
    assert (found.session, found.status, found.since, found.action) == ("abc123", status, since, action)
    assert supervise([one], [], since + 3 * after) == (found,)


def test_no_open_status_is_without_a_limit() -> None:
    assert {limit.status for limit in TIMEOUTS} == {status for status in AgentStatus if next_of(status)}
    assert {limit.answered for limit in TIMEOUTS if limit.status is AgentStatus.FAILED} == {False, True}


@pytest.mark.parametrize("is_ours", [False, True])
def test_a_process_that_no_session_names_is_told_and_ended_only_where_it_is_ours(*, is_ours: bool) -> None:
    one = living(is_ours=is_ours)
    assert supervise([], [one], NOON + timedelta(minutes=4)) == ()
    assert supervise([], [one], NOON + timedelta(minutes=5)) == (StrayProcess(process=WORKER, is_to_end=is_ours),)
    assert supervise([session(process=WORKER)], [one], NOON + timedelta(minutes=5)) == ()


def test_times_that_cannot_be_and_statuses_that_cannot_follow_are_told() -> None:
    odd = NOON + timedelta(days=365)
    one = replace(session(), odd_at=odd, refused=3, refused_status=AgentStatus.VERIFIED)
    assert supervise([one], [], NOON) == (
        OddTime(session="abc123", at=odd),
        RefusedStatus(session="abc123", status=AgentStatus.VERIFIED, times=3),
    )
