from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.domain.policy import Policy, Timing
from hub.when import is_quiet, open_until, quiet_ended, quiet_ends


def policy(start: int = 23, end: int = 8, zone: str = "Europe/Berlin") -> Policy:
    return Policy(zone=zone, timing=Timing(quiet_start_hour=start, quiet_end_hour=end))


def local(text: str, zone: str = "Europe/Berlin", fold: int = 0) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold).astimezone(UTC)


@pytest.mark.parametrize(
    ("moment", "quiet"),
    [
        ("2026-03-02T22:59:59.999999", False),
        ("2026-03-02T23:00:00", True),
        ("2026-03-02T23:59:59", True),
        ("2026-03-03T00:00:00", True),
        ("2026-03-03T07:59:59.999999", True),
        ("2026-03-03T08:00:00", False),
        ("2026-02-28T23:30:00", True),
        ("2026-12-31T23:30:00", True),
    ],
)
def test_default_hours_wrap_over_midnight(moment: str, quiet: bool) -> None:  # noqa: FBT001  a parametrised expectation
    assert is_quiet(policy(), None, local(moment)) is quiet


def test_hours_within_one_day() -> None:
    siesta = policy(13, 15)
    assert not is_quiet(siesta, None, local("2026-03-02T12:59:59"))
    assert is_quiet(siesta, None, local("2026-03-02T13:00:00"))
    assert is_quiet(siesta, None, local("2026-03-02T14:59:59"))
    assert not is_quiet(siesta, None, local("2026-03-02T15:00:00"))


def test_until_midnight() -> None:
    assert is_quiet(policy(22, 0), None, local("2026-03-02T23:59:59"))
    assert not is_quiet(policy(22, 0), None, local("2026-03-03T00:00:00"))


@pytest.mark.slow
@given(st.integers(0, 23), st.integers(0, 23))
def test_equal_hours_are_never_quiet(border: int, hour: int) -> None:
    assert not is_quiet(policy(border, border), None, local(f"2026-03-02T{hour:02}:00:00"))


def test_do_not_disturb_ends_exactly() -> None:
    now = local("2026-03-02T14:00:00")
    assert is_quiet(policy(), now + timedelta(microseconds=1), now)
    assert not is_quiet(policy(), now, now)


def test_the_zone_decides() -> None:
    now = datetime(2026, 3, 2, 22, 30, tzinfo=UTC)
    assert is_quiet(policy(zone="Europe/Berlin"), None, now)
    assert not is_quiet(policy(zone="America/New_York"), None, now)


@pytest.mark.parametrize(
    ("zone", "day", "change"),
    [("Europe/Berlin", "2026-03-29", "01:00"), ("America/New_York", "2026-03-08", "07:00")],
)
def test_the_skipped_hour_ends_a_quiet_time_that_would_end_in_it(zone: str, day: str, change: str) -> None:
    rules = policy(0, 2, zone)
    at_change = datetime.fromisoformat(f"{day}T{change}:00").replace(tzinfo=UTC)
    assert is_quiet(rules, None, at_change - timedelta(microseconds=1))
    assert not is_quiet(rules, None, at_change)


@pytest.mark.parametrize(
    ("zone", "day", "hour"), [("Europe/Berlin", "2026-10-25", 2), ("America/New_York", "2026-11-01", 1)]
)
def test_the_repeated_hour_is_quiet_both_times(zone: str, day: str, hour: int) -> None:
    rules = policy(hour, hour + 1, zone)
    first = local(f"{day}T{hour:02}:30:00", zone, fold=0)
    second = local(f"{day}T{hour:02}:30:00", zone, fold=1)
    assert second - first == timedelta(hours=1)
    assert is_quiet(rules, None, first)
    assert is_quiet(rules, None, second)
    assert not is_quiet(rules, None, second + timedelta(minutes=30))


@pytest.mark.parametrize(
    ("made", "until"),
    [
        ("2026-03-02T09:00:00", "2026-03-02T17:00:00"),
        ("2026-03-02T22:00:00", "2026-03-03T15:00:00"),
        ("2026-03-02T23:30:00", "2026-03-03T16:00:00"),
        ("2026-03-03T07:59:00", "2026-03-03T16:00:00"),
        ("2026-03-28T23:30:00", "2026-03-29T16:00:00"),
    ],
)
def test_quiet_hours_do_not_count_towards_a_card_s_life(made: str, until: str) -> None:
    assert open_until(policy(), None, local(made)) == local(until)


def test_a_card_made_in_do_not_disturb_lives_after_its_end() -> None:
    now, end = local("2026-03-02T10:00:00"), local("2026-03-02T12:00:00")
    assert quiet_ends(policy(), end, now) == end
    assert open_until(policy(), end, now) == local("2026-03-02T20:00:00")
    assert quiet_ends(policy(), local("2026-03-03T01:00:00"), now) == local("2026-03-03T08:00:00")


def test_the_end_of_quiet_is_remembered_for_a_day() -> None:
    assert quiet_ended(policy(), None, local("2026-03-03T07:00:00")) is None
    assert quiet_ended(policy(), None, local("2026-03-03T08:00:00")) == local("2026-03-03T08:00:00")
    assert quiet_ended(policy(), None, local("2026-03-03T22:00:00")) == local("2026-03-03T08:00:00")
    assert quiet_ended(policy(8, 8), None, local("2026-03-03T22:00:00")) is None
    noon = local("2026-03-03T12:00:00")
    assert quiet_ended(policy(8, 8), noon, noon + timedelta(hours=1)) == noon


@given(st.datetimes(datetime(2026, 1, 1), datetime(2027, 1, 1)), st.integers(0, 23), st.integers(0, 23))  # noqa: DTZ001  made aware below
def test_whatever_the_hours_a_card_has_its_whole_life_outside_them(at: datetime, start: int, end: int) -> None:
    rules, now = policy(start, end), at.replace(tzinfo=UTC)
    until = open_until(rules, None, now)
    assert until - now >= timedelta(seconds=rules.timing.card_ttl_s)
    assert not is_quiet(rules, None, until - timedelta(microseconds=1))
