import socket
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from hub.domain.provenance import CalendarText
from hub.domain.readings import BrokenReading, CalendarReading
from hub.domain.situation import Meeting
from hub.io.sensors import calendar, calendar_worker
from hub.io.sensors.calendar import ASK_SERVER_EVERY, KEEP_WHILE_AWAY, RETRY_AFTER, CalendarSensor
from tests.fakes.plain_words import plain

# Berlin's clocks go from 2 to 3 in the night to 29 March 2026.
NOW = datetime(2026, 3, 28, 7, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)


def ics(*events: str, head: str = "") -> str:
    body = "".join(f"BEGIN:VEVENT\nDTSTAMP:20260101T000000Z\n{event}\nEND:VEVENT\n" for event in events)
    return f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\n{head}{body}END:VCALENDAR\n".replace("\n", "\r\n")


DAILY = "UID:daily\nSUMMARY:Stand-up\nDTSTART;TZID=Europe/Berlin:20260101T090000\nDURATION:PT15M\nRRULE:FREQ=DAILY"


async def look(sensor: CalendarSensor, now: datetime = NOW) -> tuple[Meeting, ...]:
    body = (await sensor.read(now)).body
    assert isinstance(body, CalendarReading), body
    return body.meetings


async def broken(sensor: CalendarSensor, now: datetime = NOW) -> str:
    body = (await sensor.read(now)).body
    assert isinstance(body, BrokenReading), body
    return body.detail


def of_file(tmp_path: Path, text: str | bytes) -> CalendarSensor:
    path = tmp_path / "my.ics"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return CalendarSensor(str(path), zone="Europe/Berlin")


@pytest.mark.slow
async def test_a_recurring_event_keeps_its_local_time_over_a_clock_change(tmp_path: Path) -> None:
    sensor = of_file(tmp_path, ics(DAILY))
    assert [each.starts_at for each in await look(sensor)] == [datetime(2026, 3, 28, 8, 0, tzinfo=UTC)]
    (after,) = await look(sensor, NOW + 2 * HOUR)
    assert plain((after.starts_at, after.title, after.all_day)) == (
        datetime(2026, 3, 29, 7, 0, tzinfo=UTC),
        "Stand-up",
        False,
    )
    assert after.ends_at - after.starts_at == timedelta(minutes=15)


@pytest.mark.slow
async def test_kinds_of_events(tmp_path: Path) -> None:
    sensor = of_file(
        tmp_path,
        ics(
            "UID:on\nSUMMARY:On now\nDTSTART:20260328T060000Z\nDTEND:20260328T080000Z",
            "UID:over\nDTSTART:20260328T050000Z\nDTEND:20260328T070000Z",
            "UID:far\nDTSTART:20260329T070001Z\nDTEND:20260329T080000Z",
            "UID:off\nSTATUS:CANCELLED\nDTSTART:20260328T100000Z\nDTEND:20260328T110000Z",
            "UID:floating\nDTSTART:20260328T120000\nDTEND:20260328T130000",
            "UID:day\nSUMMARY:Holiday\nDTSTART;VALUE=DATE:20260329\nDTEND;VALUE=DATE:20260330",
            "UID:moved\nDTSTART:20260328T150000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE:20260328T150000Z",
        ),
    )
    found = {each.uid: each for each in await look(sensor)}
    assert plain(list(found)) == ["on", "floating", "day"]
    assert found[CalendarText("floating")].starts_at == datetime(2026, 3, 28, 11, 0, tzinfo=UTC)
    day = found[CalendarText("day")]
    # The day on which the clocks change has 23 hours.
    assert (day.all_day, day.ends_at - day.starts_at) == (True, timedelta(hours=23))
    assert day.starts_at == datetime(2026, 3, 28, 23, 0, tzinfo=UTC)


@pytest.mark.slow
async def test_an_empty_calendar_is_no_error(tmp_path: Path) -> None:
    assert await look(of_file(tmp_path, ics())) == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"garbage",
        b"\x00\xff\xfe" * 100,
        b"<html>Please log in</html>",
        b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n",
        b"BEGIN:VEVENT\r\nUID:x\r\nEND:VEVENT\r\n",
    ],
)
async def test_a_broken_file_is_broken(tmp_path: Path, content: bytes) -> None:
    assert "not valid iCalendar" in await broken(of_file(tmp_path, content))


@pytest.mark.slow
async def test_broken_events_do_not_hide_the_others(tmp_path: Path) -> None:
    bad = "UID:bad\nSUMMARY:Bad\nDTSTART:not-a-date\nRRULE:FREQ=NEVER"
    sensor = of_file(tmp_path, ics(bad, DAILY))
    assert [plain(each.uid) for each in await look(sensor)] == ["daily"]
    body = (await sensor.read(NOW)).body
    assert isinstance(body, CalendarReading)
    assert body.left_out == 1


@pytest.mark.slow
async def test_a_file_that_is_missing_too_large_or_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "No such file" in await broken(CalendarSensor(str(tmp_path / "none.ics"), zone="UTC"))
    assert "not a regular file" in await broken(CalendarSensor(str(tmp_path), zone="UTC"))
    monkeypatch.setattr(calendar, "SIZE_BYTES_MAX", 50)
    assert "larger than 50 bytes" in await broken(of_file(tmp_path, ics(DAILY)))


@pytest.mark.slow
async def test_an_endless_calendar_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calendar, "WORKER_S_MAX", 1.0)
    bomb = "UID:bomb\nDTSTART:20000101T000000Z\nDURATION:P9999D\nRRULE:FREQ=SECONDLY"
    assert "took longer than 1 s" in await broken(of_file(tmp_path, ics(bomb)))


@pytest.mark.slow
async def test_a_changed_file_is_read_again_and_a_failure_is_not_repeated(tmp_path: Path) -> None:
    sensor = of_file(tmp_path, ics(DAILY))
    assert len(await look(sensor)) == 1
    of_file(tmp_path, "broken")
    assert "not valid" in await broken(sensor)
    of_file(tmp_path, ics(DAILY, DAILY.replace("daily", "other")))
    assert len(await look(sensor)) == 2


# -- by address --------------------------------------------------------------------------------------------------------


class Server:
    """A calendar server: what it says next, and what it was asked."""

    def __init__(self) -> None:
        self.status, self.body, self.headers = 200, ics(DAILY), {"ETag": '"1"'}
        self.asked: list[str | None] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.asked.append(self.headers.get("If-None-Match"))
                same = outer.status == 200 and outer.asked[-1] in outer.headers.values()
                self.send_response(304 if same else outer.status)
                for name, value in outer.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                if not same:
                    self.wfile.write(outer.body.encode())

            def log_message(self, *_: object) -> None:
                """Keep quiet."""

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/secret-token/my.ics"


@pytest.fixture
def server() -> Iterator[Server]:
    yield from _serving()


@pytest.fixture
def other() -> Iterator[Server]:
    yield from _serving()


def _serving() -> Iterator[Server]:
    made = Server()
    thread = threading.Thread(target=made.http.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield made
    made.http.shutdown()
    thread.join()
    made.http.server_close()


@pytest.mark.slow
async def test_an_address_is_asked_again_only_after_a_while_and_with_conditions(server: Server) -> None:
    sensor = CalendarSensor(server.url, zone="Europe/Berlin")
    assert len(await look(sensor)) == 1
    later = NOW + ASK_SERVER_EVERY
    just_before = later - timedelta(seconds=1)
    assert (await sensor.read(just_before)).at == NOW
    assert server.asked == [None]
    assert (await sensor.read(later)).at == later
    assert server.asked == [None, '"1"']


@pytest.mark.slow
async def test_an_unchanged_calendar_is_expanded_again_before_its_window_ends(server: Server) -> None:
    sensor = CalendarSensor(server.url, zone="Europe/Berlin")
    await look(sensor)
    assert len(await look(sensor, NOW + 30 * HOUR)) == 1
    assert server.asked == [None, None]


@pytest.mark.slow
async def test_a_server_that_is_away_leaves_the_last_answer_for_a_while(server: Server) -> None:
    sensor = CalendarSensor(server.url, zone="Europe/Berlin")
    await look(sensor)
    server.status = 503
    reading = await sensor.read(NOW + 2 * HOUR)
    assert (reading.at, isinstance(reading.body, CalendarReading)) == (NOW, True)
    await sensor.read(NOW + 2 * HOUR + timedelta(minutes=1))
    assert len(server.asked) == 2
    detail = await broken(sensor, NOW + KEEP_WHILE_AWAY + timedelta(minutes=1))
    assert "answered 503" in detail
    server.status = 200
    assert len(await look(sensor, NOW + KEEP_WHILE_AWAY + RETRY_AFTER + timedelta(minutes=1))) == 1


@pytest.mark.slow
async def test_an_answer_of_unchanged_to_no_condition_is_no_calendar(server: Server) -> None:
    server.status = 304
    assert "answered 304" in await broken(CalendarSensor(server.url, zone="UTC"))


@pytest.mark.slow
async def test_a_server_that_serves_rubbish_is_broken_at_once(server: Server) -> None:
    server.body = "<html>Log in</html>"
    assert "not valid iCalendar" in await broken(CalendarSensor(server.url, zone="UTC"))


@pytest.mark.slow
async def test_an_address_is_a_secret(server: Server) -> None:
    server.http.shutdown()
    server.http.server_close()
    detail = await broken(CalendarSensor(server.url, zone="UTC"))
    assert "could not be reached" in detail
    assert "secret-token" not in detail


@pytest.mark.slow
async def test_redirects_and_sizes_are_bounded(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.status, server.headers = 302, {"Location": server.url}
    assert "more than 5 times" in await broken(CalendarSensor(server.url, zone="UTC"))
    server.status, server.headers = 200, {}
    monkeypatch.setattr(calendar, "SIZE_BYTES_MAX", 50)
    assert "larger than 50 bytes" in await broken(CalendarSensor(server.url, zone="UTC"))
    assert "could not be reached" in await broken(CalendarSensor("webcal://127.0.0.1:1/x", zone="UTC"))


# -- nowhere else ------------------------------------------------------------------------------------------------------


def asked(url: str) -> calendar_worker.CalendarAnswer:
    return calendar_worker.answer(
        calendar_worker.Request(
            source=url, zone="UTC", starts_at=NOW, ends_at=NOW + 24 * HOUR, size_bytes_max=100_000, fetch_s_max=5.0
        )
    )


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let any name of `.example` stand for this machine, as its owner could."""
    real = socket.getaddrinfo

    def look_up(host: str, *rest: Any, **more: Any) -> Any:  # noqa: ANN401  whatever the real one takes
        return real("127.0.0.1" if str(host).endswith(".example") else host, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "127.1", "[::ffff:127.0.0.1]", "0.0.0.0", "evil.example"],  # noqa: S104  none is bound
)
@pytest.mark.usefixtures("names")
def test_no_redirect_leads_to_another_program_of_this_machine(server: Server, other: Server, host: str) -> None:
    server.status, server.headers = 302, {"Location": f"http://{host}:{other.http.server_port}/admin?restart=1"}
    answer = asked(server.url)
    assert (answer.is_away, answer.wrong, other.asked) == (True, calendar_worker.NOT_THERE, [])


@pytest.mark.usefixtures("names")
def test_a_name_that_stands_for_this_machine_is_not_asked(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    url = server.url.replace("127.0.0.1", "calendar.example")
    assert (asked(url).wrong, server.asked) == (calendar_worker.NAMED_HERE, [])
    monkeypatch.setattr(calendar_worker, "is_of_this_machine", lambda _address: False)  # one of the person's network
    assert (asked(url).wrong, len(server.asked)) == ("", 1)


@pytest.mark.usefixtures("names")
def test_a_redirect_to_the_open_internet_or_the_same_server_is_followed(
    server: Server, other: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.status, server.headers = 302, {"Location": f"http://cdn.example:{other.http.server_port}/my.ics"}
    monkeypatch.setattr(calendar_worker, "is_public", lambda _address: True)
    assert (len(asked(server.url).entries), len(other.asked)) == (1, 1)
    monkeypatch.undo()
    server.headers = {"Location": "/elsewhere"}
    assert "more than 5 times" in asked(server.url).wrong
    assert len(server.asked) == 7


@pytest.mark.parametrize(
    ("url", "location"), [("https://a.example/x", "http://a.example/x"), ("http://a.example/x", "file:///etc/passwd")]
)
def test_no_redirect_leads_out_of_what_is_encrypted_or_to_a_file(url: str, location: str) -> None:
    with pytest.raises(calendar_worker.AwayError, match="not asked"):
        calendar_worker.next_address(url, location)
