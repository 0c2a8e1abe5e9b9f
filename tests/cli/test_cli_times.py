"""Times as people write them."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from hub.cli.times import BadTimeTextError, length, moment, until

NOW = datetime(2025, 7, 29, 14, 30, tzinfo=ZoneInfo("Europe/Berlin"))


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90s", 90), ("10m", 600), ("10", 600), ("1h30m", 5_400), ("2d", 172_800), ("1 h 5 min", 3_900)],
)
def test_lengths(text: str, seconds: int) -> None:
    assert length(text) == timedelta(seconds=seconds)


@pytest.mark.parametrize("text", ["", "soon", "10x", "-5m", "0m", "m", "9" * 400 + "d"])
def test_no_lengths(text: str) -> None:
    with pytest.raises(BadTimeTextError):
        length(text)


def test_moments() -> None:
    assert moment("18:00", NOW) == NOW.replace(hour=18, minute=0)
    assert moment("08:00", NOW) == NOW.replace(day=30, hour=8, minute=0)
    assert moment("tomorrow", NOW) == NOW.replace(day=30, hour=8, minute=0)
    assert moment("Today", NOW) == NOW.replace(hour=23, minute=59)
    assert moment("2030-01-31T08:00", NOW).tzinfo is NOW.tzinfo
    assert moment("2030-01-31T08:00+00:00", NOW).utcoffset() == timedelta()


@pytest.mark.parametrize("text", ["", "25:00", "later", "2030-13-01", "18:"])
def test_no_moments(text: str) -> None:
    with pytest.raises(BadTimeTextError):
        moment(text, NOW)


def test_ends_of_what_begins_now() -> None:
    assert until("2h", NOW) == NOW + timedelta(hours=2)
    assert until("18:00", NOW) == NOW.replace(hour=18, minute=0)
    assert until("Tonight", NOW) == NOW.replace(day=30, hour=8, minute=0)
    assert until("tonight", NOW.replace(hour=2)) == NOW.replace(hour=8, minute=0)


@pytest.mark.parametrize("text", ["", "later", "0m", "9" * 9 + "d"])
def test_no_ends(text: str) -> None:
    with pytest.raises(BadTimeTextError):
        until(text, NOW)
