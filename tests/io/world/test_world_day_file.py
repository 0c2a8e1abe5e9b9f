"""One day out of a long log: found without reading the rest, through archives, odd times and lines that have none."""

import os
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hub.domain.provenance import untrusted
from hub.domain.world import WorldEvent
from hub.io.api.world_day import bounds_of_day
from hub.io.world.day import DAY_BYTES_MAX, DayText, read_day

FIRST = datetime(2026, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)
SINCE = FIRST + 4 * DAY


def stamped(at: datetime, text: str) -> str:
    return f"[{at:%Y-%m-%dT%H:%M:%SZ}][event:bash][make] {text}\n"


def filled(path: Path, first: datetime, last: datetime, step: timedelta) -> None:
    """Write a line for every step; each has the number of its minute."""
    count = (last - first) // step
    with path.open("a") as file:
        file.writelines(stamped(first + number * step, f"m{number}") for number in range(count))


def said(found: DayText) -> list[str]:
    return [untrusted(line.text) for line in found.lines() if isinstance(line, WorldEvent)]


def of_the_day(found: DayText) -> list[datetime]:
    times = [line.at for line in found.lines() if isinstance(line, WorldEvent) and line.at]
    return [at for at in times if SINCE <= at < SINCE + DAY]


@pytest.mark.slow
def test_a_day_in_the_middle_is_whole_and_little_else_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "world.log"
    filled(log, FIRST, FIRST + 60 * DAY, timedelta(seconds=20))
    read = 0
    plain = os.pread

    def counted(descriptor: int, length: int, offset: int) -> bytes:
        nonlocal read
        found = plain(descriptor, length, offset)
        read += len(found)
        return found

    monkeypatch.setattr(os, "pread", counted)
    found = read_day(log, SINCE, SINCE + DAY)
    assert of_the_day(found) == [SINCE + number * timedelta(seconds=20) for number in range(4_320)]
    assert read < log.stat().st_size / 5
    assert found.cut_at is None


def test_a_day_that_was_put_aside_in_the_middle_is_read_from_both(tmp_path: Path) -> None:
    log = tmp_path / "world.log"
    filled(tmp_path / "world.log.20260103T000000.000000Z", FIRST, FIRST + 2 * DAY, timedelta(minutes=1))
    filled(tmp_path / "world.log.20260105T120000.000000Z", FIRST + 2 * DAY, SINCE + DAY / 2, timedelta(minutes=1))
    filled(log, SINCE + DAY / 2, SINCE + 3 * DAY, timedelta(minutes=1))
    assert of_the_day(read_day(log, SINCE, SINCE + DAY)) == [SINCE + timedelta(minutes=one) for one in range(1_440)]
    assert of_the_day(read_day(log, SINCE - 30 * DAY, SINCE - 29 * DAY)) == []


def test_what_stands_before_the_day_is_read_too_from_the_file_before(tmp_path: Path) -> None:
    (tmp_path / "world.log.20260104T000000.000000Z").write_text(stamped(SINCE - DAY, "evening"))
    log = tmp_path / "world.log"
    log.write_text(stamped(SINCE + DAY / 2, "noon"))
    assert said(read_day(log, SINCE, SINCE + DAY)) == ["evening", "noon"]


def test_lines_without_a_time_stay_where_they_stand(tmp_path: Path) -> None:
    log = tmp_path / "world.log"
    filled(log, FIRST, SINCE, timedelta(minutes=1))
    with log.open("a") as file:
        file.write(stamped(SINCE + DAY / 2, "noon") + "[event:bash][make] no time\n" * 2_000)
        file.write(stamped(SINCE + DAY / 2 + timedelta(minutes=5), "later"))
    filled(log, SINCE + 2 * DAY, SINCE + 4 * DAY, timedelta(minutes=1))
    words = said(read_day(log, SINCE, SINCE + DAY))
    assert words[words.index("noon") :][:2_002] == ["noon", *["no time"] * 2_000, "later"]


def test_a_log_without_any_time_is_read_whole(tmp_path: Path) -> None:
    log = tmp_path / "world.log"
    log.write_text("[agent:start][abc] x\n[event:bash][make] one\n[event:bash][make] two\n")
    assert said(read_day(log, SINCE, SINCE + DAY)) == ["one", "two"]


def test_single_lines_that_are_years_off_mislead_nobody(tmp_path: Path) -> None:
    log = tmp_path / "world.log"
    step = timedelta(minutes=1)
    with log.open("w") as file:
        for number in range(20 * 1_440):
            file.write(stamped(FIRST + number * step, "x"))
            if number % 9 == 0:
                file.write(stamped(FIRST + timedelta(days=(-1) ** number * 2_000), "odd"))
    assert of_the_day(read_day(log, SINCE, SINCE + DAY)) == [SINCE + number * step for number in range(1_440)]


def test_writers_whose_clocks_differ_are_both_heard(tmp_path: Path) -> None:
    log = tmp_path / "world.log"
    with log.open("w") as file:
        for minute in range(10 * 1_440):
            at = FIRST + timedelta(minutes=minute)
            file.write(stamped(at, "x") + stamped(at - timedelta(minutes=40), "late"))
    found = of_the_day(read_day(log, SINCE, SINCE + DAY))
    assert len(found) == 2 * 1_440
    assert len(set(found)) == 1_440


def test_of_a_day_that_is_too_long_the_end_is_read_and_that_is_said(tmp_path: Path) -> None:
    log = tmp_path / "world.log"
    filled(log, SINCE, SINCE + DAY, timedelta(minutes=1))
    found = read_day(log, SINCE, SINCE + DAY, bytes_max=10_000)
    times = of_the_day(found)
    assert times[-1] == SINCE + DAY - timedelta(minutes=1)
    assert found.cut_at == times[0] > SINCE
    assert sum(map(len, found.parts)) <= 10_000
    assert DAY_BYTES_MAX > 10_000


def test_the_half_of_a_line_is_none(tmp_path: Path) -> None:
    log = tmp_path / "world.log"
    log.write_text(stamped(SINCE, "whole") + stamped(SINCE, "half").rstrip("\n"))
    assert said(read_day(log, SINCE, SINCE + DAY)) == ["whole"]


def test_without_a_log_a_day_is_empty(tmp_path: Path) -> None:
    assert read_day(tmp_path / "world.log", SINCE, SINCE + DAY) == DayText()


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 9 * 86_400), st.integers(1, 3_000)), min_size=1, max_size=60).map(sorted),
    st.integers(0, 8),
)
def test_no_line_of_a_day_is_lost_or_read_twice(
    tmp_path_factory: pytest.TempPathFactory, some: list[tuple[int, int]], number: int
) -> None:
    log = tmp_path_factory.mktemp("day") / "world.log"
    times = [FIRST + timedelta(seconds=second) for second, _ in some]
    log.write_text("".join(stamped(at, f"{place} {'x' * some[place][1]}") for place, at in enumerate(times)))
    since = FIRST + number * DAY
    found = [int(text.split()[0]) for text in said(read_day(log, since, since + DAY))]
    assert found == sorted(set(found))
    assert {place for place, at in enumerate(times) if since <= at < since + DAY} <= set(found)


@pytest.mark.parametrize(("day", "hours"), [("2026-03-29", 23), ("2026-06-01", 24), ("2026-10-25", 25)])
def test_a_day_has_as_many_hours_as_where_the_person_is(day: str, hours: int) -> None:
    bounds = bounds_of_day(date.fromisoformat(day), "Europe/Berlin", FIRST)
    assert bounds.until - bounds.since == timedelta(hours=hours)


@pytest.mark.parametrize("day", [date.min, date.max])
def test_the_ends_of_the_calendar_are_days_too(day: date) -> None:
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):
        bounds = bounds_of_day(day, zone, FIRST)
        assert bounds.since <= bounds.until
