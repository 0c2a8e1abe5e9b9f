from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.contract.words import Autonomy
from hub.domain.mind import AutonomyState, Mind
from hub.domain.policy import Policy, Timing
from hub.when import next_cycle, next_wake

BERLIN = Policy(zone="Europe/Berlin")
NEW_YORK = Policy(zone="America/New_York")
HALF_HOUR = timedelta(minutes=30)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def cycles(policy: Policy, start: datetime, count: int) -> list[str]:
    zone, moment, found = ZoneInfo(policy.zone), start, []
    for _ in range(count):
        moment = next_cycle(policy, moment)
        found.append(f"{moment.astimezone(zone):%d %H:%M %z}")
    return found


def test_the_next_half_hour_and_never_now_itself() -> None:
    assert next_cycle(BERLIN, utc("2026-03-02T13:00:00")) == utc("2026-03-02T13:30:00")
    assert next_cycle(BERLIN, utc("2026-03-02T13:29:59.999999")) == utc("2026-03-02T13:30:00")
    assert next_cycle(BERLIN, utc("2026-03-02T13:30:00")) == utc("2026-03-02T14:00:00")


def test_the_answer_is_in_utc_whatever_the_zone_of_now() -> None:
    local = utc("2026-03-02T13:10:00").astimezone(ZoneInfo("Asia/Tokyo"))
    assert next_cycle(BERLIN, local).tzinfo is UTC
    assert next_cycle(BERLIN, local) == utc("2026-03-02T13:30:00")


def test_half_hour_zones_keep_their_own_clock() -> None:
    kathmandu = Policy(zone="Asia/Kathmandu")
    assert cycles(kathmandu, utc("2026-03-02T12:00:00"), 2) == ["02 18:00 +0545", "02 18:30 +0545"]


def test_midnight_starts_the_count_anew() -> None:
    policy = Policy(zone="UTC", timing=Timing(cycle_s=7 * 3600))
    assert cycles(policy, utc("2026-03-02T13:00:00"), 4) == [
        "02 14:00 +0000",
        "02 21:00 +0000",
        "03 00:00 +0000",
        "03 07:00 +0000",
    ]


def test_month_and_year_end() -> None:
    assert next_cycle(Policy(), utc("2026-02-28T23:45:00")) == utc("2026-03-01T00:00:00")
    assert next_cycle(Policy(), utc("2028-02-28T23:45:00")) == utc("2028-02-29T00:00:00")
    assert next_cycle(Policy(), utc("2026-12-31T23:45:00")) == utc("2027-01-01T00:00:00")


@pytest.mark.parametrize(
    ("policy", "start", "expected"),
    [
        (BERLIN, "2026-03-29T00:20:00", ["29 01:30 +0100", "29 03:00 +0200", "29 03:30 +0200"]),
        (NEW_YORK, "2026-03-08T06:20:00", ["08 01:30 -0500", "08 03:00 -0400", "08 03:30 -0400"]),
    ],
)
def test_clocks_go_forward(policy: Policy, start: str, expected: list[str]) -> None:
    assert cycles(policy, utc(start), 3) == expected


@pytest.mark.parametrize(
    ("policy", "start", "expected"),
    [
        (
            BERLIN,
            "2026-10-24T23:50:00",
            ["25 02:00 +0200", "25 02:30 +0200", "25 02:00 +0100", "25 02:30 +0100", "25 03:00 +0100"],
        ),
        (
            NEW_YORK,
            "2026-11-01T04:50:00",
            ["01 01:00 -0400", "01 01:30 -0400", "01 01:00 -0500", "01 01:30 -0500", "01 02:00 -0500"],
        ),
    ],
)
def test_clocks_go_back(policy: Policy, start: str, expected: list[str]) -> None:
    assert cycles(policy, utc(start), 5) == expected


def test_a_long_cycle_across_a_clock_change_keeps_the_wall_clock() -> None:
    six_hours = Timing(cycle_s=6 * 3600)
    forward = Policy(zone="Europe/Berlin", timing=six_hours)
    assert cycles(forward, utc("2026-03-28T22:00:00"), 3) == ["29 00:00 +0100", "29 06:00 +0200", "29 12:00 +0200"]
    assert cycles(forward, utc("2026-10-24T21:00:00"), 3) == ["25 00:00 +0200", "25 06:00 +0100", "25 12:00 +0100"]


def test_a_cycle_that_is_no_cycle_is_a_second() -> None:
    assert next_cycle(Policy(timing=Timing(cycle_s=0)), utc("2026-03-02T13:00:00.5")) == utc("2026-03-02T13:00:01")


@pytest.mark.slow
@given(
    st.integers(0, 5 * 365 * 24 * 3600).map(lambda seconds: utc("2024-01-01") + timedelta(seconds=seconds)),
    st.sampled_from(["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo", "UTC"]),
    st.sampled_from([60, 420, 1_800, 3_600, 5_400, 86_400]),
)
def test_a_slot_is_on_the_wall_clock_and_none_is_left_out(now: datetime, zone: str, cycle_s: int) -> None:
    policy = Policy(zone=zone, timing=Timing(cycle_s=cycle_s))
    found = next_cycle(policy, now)
    assert now < found <= now + timedelta(seconds=cycle_s) + timedelta(days=1)
    assert is_slot(found, zone, cycle_s)
    between = found - timedelta(minutes=1)
    while between > max(now, found - timedelta(hours=3)):
        assert not is_slot(between, zone, cycle_s)
        between -= timedelta(minutes=1)


def is_slot(moment: datetime, zone: str, cycle_s: int) -> bool:
    wall = moment.astimezone(ZoneInfo(zone))
    return (wall.hour * 3600 + wall.minute * 60 + wall.second) % cycle_s == 0 and wall.microsecond == 0


def test_waking_at_the_earliest_of_cycle_pause_and_dnd() -> None:
    now = utc("2026-03-02T13:05:00")
    paused = AutonomyState(state=Autonomy.PAUSED, since=now - timedelta(hours=1, minutes=50))
    assert next_wake(Mind(), Policy(), now) == utc("2026-03-02T13:30:00")
    assert next_wake(Mind(autonomy=paused), Policy(), now) == utc("2026-03-02T13:15:00")
    assert next_wake(Mind(autonomy=paused, dnd_until=now + timedelta(minutes=2)), Policy(), now) == utc(
        "2026-03-02T13:07:00"
    )


def test_waking_forgets_what_has_passed() -> None:
    now = utc("2026-03-02T13:05:00")
    overdue = AutonomyState(state=Autonomy.PAUSED, since=now - timedelta(hours=2))
    assert next_wake(Mind(autonomy=overdue, dnd_until=now), Policy(), now) == utc("2026-03-02T13:30:00")
    watching = AutonomyState(state=Autonomy.WATCHING, since=now - timedelta(hours=1, minutes=50))
    assert next_wake(Mind(autonomy=watching), Policy(), now) == utc("2026-03-02T13:30:00")
