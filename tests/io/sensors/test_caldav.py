"""Calendars on a real CalDAV server: found, read, watched for changes, and what goes wrong said plainly."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hub.domain.readings import BrokenReading, CalendarReading, Reading
from hub.domain.situation import Meeting
from hub.io.sensors.caldav import ASK_EVERY, FIRST, REFUSED_FOR, CaldavSensor, JoinedCalendars
from hub.io.sensors.caldav_account import CaldavAccount
from hub.io.sensors.calendar import KEEP_WHILE_AWAY, CalendarSensor
from tests.fakes.plain_words import plain
from tests.io.sensors.radicale_server import PASSWORD, USER, Radicale, radicale

pytestmark = pytest.mark.slow
# Berlin's clocks go from 2 to 3 in the night to 29 March 2026.
NOW = datetime(2026, 3, 28, 7, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
SECRET = {"DAV_PASSWORD": PASSWORD}
DAILY = "SUMMARY:Stand-up\nDTSTART;TZID=Europe/Berlin:20260101T090000\nDURATION:PT15M\nRRULE:FREQ=DAILY"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Radicale]:
    """To start it costs more than all that a test asks of it."""
    with radicale(tmp_path_factory.mktemp("radicale")) as made:
        yield made


@pytest.fixture
def server(running: Radicale) -> Radicale:
    running.begin_anew()
    return running


def account(url: str, *calendars: str, variable: str = "DAV_PASSWORD") -> CaldavAccount:
    return CaldavAccount(url=url, user=USER, password_env=variable, calendars=calendars)


def sensor(url: str, *calendars: str) -> CaldavSensor:
    return CaldavSensor(account(url, *calendars), zone="Europe/Berlin", environment=SECRET)


async def told(made: CaldavSensor, now: datetime = NOW) -> Reading:
    """Have it ask, and return what it then tells."""
    await made.read(now)
    await made.settled()
    return await made.read(now)


async def look(made: CaldavSensor, now: datetime = NOW) -> tuple[Meeting, ...]:
    body = (await told(made, now)).body
    assert isinstance(body, CalendarReading), body
    return body.meetings


async def uids(made: CaldavSensor, now: datetime = NOW) -> set[str]:
    return {str(plain(each.uid)) for each in await look(made, now)}


async def broken(made: CaldavSensor, now: datetime = NOW) -> str:
    body = (await told(made, now)).body
    assert isinstance(body, BrokenReading), body
    return body.detail


async def test_all_calendars_of_an_account_are_found_from_the_server_s_address(server: Radicale) -> None:
    server.put(server.make("work"), "daily", DAILY)
    home = server.make("home")
    server.put(home, "floating", "SUMMARY:Lunch\nDTSTART:20260328T120000\nDTEND:20260328T130000")
    server.put(home, "day", "SUMMARY:Holiday\nDTSTART;VALUE=DATE:20260329\nDTEND;VALUE=DATE:20260330")
    server.put(home, "over", "DTSTART:20260328T050000Z\nDTEND:20260328T070000Z")
    server.make("tasks", part="VTODO")
    made = sensor(server.url)
    first = (await made.read(NOW)).body
    assert isinstance(first, BrokenReading)
    assert first.detail == FIRST
    found = {plain(each.uid): each for each in await look(made)}
    assert list(found) == ["daily", "floating", "day"]
    assert (plain(found["daily"].title), found["daily"].starts_at) == ("Stand-up", NOW + HOUR)
    assert found["floating"].starts_at == datetime(2026, 3, 28, 11, 0, tzinfo=UTC)
    # The day on which the clocks change has 23 hours.
    assert (found["day"].all_day, found["day"].ends_at - found["day"].starts_at) == (True, timedelta(hours=23))
    (after,) = (each for each in await look(made, NOW + 2 * HOUR) if plain(each.uid) == "daily")
    assert after.starts_at == datetime(2026, 3, 29, 7, 0, tzinfo=UTC)


@pytest.mark.parametrize("at", ["", "{user}/", "{user}/work/", "{user}/work"])
async def test_the_address_may_be_of_the_server_the_account_or_one_calendar(server: Radicale, at: str) -> None:
    server.put(server.make("work"), "daily", DAILY)
    assert len(await look(sensor(server.url + at.format(user=USER)))) == 1


async def test_calendars_may_be_named_by_title_or_address(server: Radicale) -> None:
    for name, title in (("one", "Work"), ("two", "Family"), ("three", "Other")):
        server.put(server.make(name, title), name, DAILY)
    assert await uids(sensor(server.url, "Work", "two")) == {"one", "two"}
    assert "There is no calendar 'Wrok' in this account. There are: Family, Other, Work." in await broken(
        sensor(server.url, "Wrok")
    )


@pytest.mark.parametrize("at", ["", "{user}/work/"])
async def test_an_unchanged_calendar_costs_one_request_and_a_changed_one_is_read_again(
    server: Radicale, at: str
) -> None:
    work = server.make("work")
    server.put(work, "daily", DAILY)
    made = sensor(server.url + at.format(user=USER))
    await look(made)
    before = len(server.asked())
    just_before = NOW + ASK_EVERY - timedelta(seconds=1)
    assert (await told(made, just_before)).at == NOW
    assert len(server.asked()) == before
    assert (await told(made, NOW + ASK_EVERY)).at == NOW + ASK_EVERY
    assert server.asked()[before:] == ["PROPFIND"]
    server.put(work, "more", DAILY)
    assert await uids(made, NOW + 2 * ASK_EVERY) == {"daily", "more"}
    assert server.asked()[before:] == ["PROPFIND", "PROPFIND", "REPORT"]


async def test_what_is_unchanged_is_expanded_again_before_its_window_ends(server: Radicale) -> None:
    server.put(server.make("work"), "daily", DAILY)
    made = sensor(server.url)
    await look(made)
    assert len(await look(made, NOW + 13 * HOUR)) == 1


async def test_a_calendar_that_has_gone_is_no_meeting_and_one_that_moved_is_found(server: Radicale) -> None:
    work = server.make("work")
    server.put(work, "daily", DAILY)
    made = sensor(f"{server.url}{USER}/")
    await look(made)
    server.remove(work)
    server.put(server.make("new"), "other", DAILY)
    assert await uids(made, NOW + ASK_EVERY) == {"other"}


async def test_a_wrong_password_is_said_and_not_tried_again_soon(server: Radicale) -> None:
    made = CaldavSensor(account(server.url), zone="UTC", environment={"DAV_PASSWORD": "guess"})
    detail = await broken(made)
    assert "does not take this user name and password (401)" in detail
    assert "guess" not in detail
    tries = len(server.asked())
    assert "401" in await broken(made, NOW + ASK_EVERY)
    assert len(server.asked()) == tries
    await broken(made, NOW + REFUSED_FOR)
    assert len(server.asked()) == tries + 1


async def test_a_server_that_is_away_leaves_the_last_answer_for_a_while(tmp_path: Path) -> None:
    with radicale(tmp_path / "radicale") as server:
        server.put(server.make("work"), "daily", DAILY)
        made = sensor(server.url)
        await look(made)
    reading = await told(made, NOW + HOUR)
    assert (reading.at, isinstance(reading.body, CalendarReading)) == (NOW, True)
    assert "could not be reached (ConnectError)" in await broken(made, NOW + KEEP_WHILE_AWAY + HOUR)


async def test_the_password_may_be_in_a_file_that_only_the_person_reads(server: Radicale, tmp_path: Path) -> None:
    server.put(server.make("work"), "daily", DAILY)
    kept = tmp_path / "password"
    with_file = CaldavAccount(url=server.url, user=USER, password_file=str(kept))
    made = CaldavSensor(with_file, zone="UTC", environment={})
    assert "does not exist" in await broken(made)
    kept.touch(0o600)
    assert "is empty" in await broken(made, NOW + ASK_EVERY)
    kept.write_text(f"{PASSWORD}\n")
    kept.chmod(0o640)
    assert "chmod 600" in await broken(made, NOW + 2 * ASK_EVERY)
    kept.chmod(0o600)
    assert await uids(made, NOW + 3 * ASK_EVERY) == {"daily"}


async def test_without_a_password_nobody_is_asked(server: Radicale) -> None:
    made = CaldavSensor(account(server.url, variable="NOTHING"), zone="UTC", environment=SECRET)
    assert "The environment variable NOTHING is not set" in await broken(made)
    assert server.asked() == []


async def test_an_account_without_a_calendar_says_so(server: Radicale) -> None:
    server.make("tasks", part="VTODO")
    assert "There is no calendar with events at this address" in await broken(sensor(f"{server.url}{USER}/"))


async def test_a_file_and_an_account_are_one_calendar_and_neither_is_left_out(server: Radicale, tmp_path: Path) -> None:
    server.put(server.make("work"), "daily", DAILY)
    file = tmp_path / "my.ics"
    file.write_text(f"BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:mine\n{DAILY}\nEND:VEVENT\nEND:VCALENDAR\n")
    made = sensor(server.url)
    both = JoinedCalendars((CalendarSensor(str(file), zone="Europe/Berlin"), made))
    assert isinstance((await both.read(NOW)).body, BrokenReading)
    await made.settled()
    body = (await both.read(NOW)).body
    assert isinstance(body, CalendarReading)
    assert {plain(each.uid) for each in body.meetings} == {"daily", "mine"}
    file.unlink()
    assert isinstance((await both.read(NOW)).body, BrokenReading)
    await both.close()
