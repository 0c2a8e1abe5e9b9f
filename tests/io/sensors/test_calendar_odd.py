"""Calendars as servers really write them: what is odd in one part takes nothing else along."""

import resource
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from hub.io.sensors import caldav_worker, calendar_worker
from hub.io.sensors.caldav_client import DavError
from hub.io.sensors.caldav_wire import DavLogin, DavRequest
from hub.io.sensors.caldav_xml import DavPlace
from hub.io.sensors.calendar_worker import Expanded, Occurrence, Request, expand

DAY = datetime(2026, 12, 1, tzinfo=UTC) - timedelta(hours=1)
"""The first moment of a winter's day in Berlin."""
GOOD = "UID:good\nSUMMARY:Good\nDTSTART;TZID=Europe/Berlin:20261201T110000\nDTEND;TZID=Europe/Berlin:20261201T120000"
REST = "DTSTART;TZID=Europe/Berlin:20261201T090000\nDTEND;TZID=Europe/Berlin:20261201T100000"
ODD = f"UID:odd\nSUMMARY:Odd\n{REST}"
HALF_PAST_FIVE = (
    "BEGIN:VTIMEZONE\nTZID:{0}\nBEGIN:STANDARD\nTZOFFSETFROM:+0530\nTZOFFSETTO:+0530\nDTSTART:19700101T000000\n"
    "END:STANDARD\nEND:VTIMEZONE\n"
)
pytestmark = pytest.mark.slow


def request(*, owner: str = "") -> Request:
    return Request(
        source="",
        zone="Europe/Berlin",
        starts_at=DAY,
        ends_at=DAY + timedelta(days=1),
        size_bytes_max=1 << 20,
        fetch_s_max=1.0,
        owner=owner,
    )


def text(*events: str, head: str = "") -> str:
    body = "".join(f"BEGIN:VEVENT\nDTSTAMP:20261101T000000Z\n{event}\nEND:VEVENT\n" for event in events)
    return f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\n{head}{body}END:VCALENDAR\n".replace("\n", "\r\n")


def read(calendar: str | bytes, *, owner: str = "") -> Expanded:
    return expand(calendar.encode() if isinstance(calendar, str) else calendar, request(owner=owner))


def on(calendar: str | bytes, *, owner: str = "") -> list[tuple[str, str]]:
    """Return titles and starts (in UTC), in order of their starts."""
    found = sorted(read(calendar, owner=owner).entries, key=lambda each: (each.starts_at, each.title))
    return [(each.title, f"{each.starts_at:%H:%M}") for each in found]


@pytest.mark.parametrize(
    ("head", "odd", "left_out"),
    [
        ("X-WR-CALDESC:first line\nnot folded\n", "", 0),
        ("REFRESH-INTERVAL:VALUE=DURATION:PT1H\n", "", 0),
        ("BEGIN:VTIMEZONE\nTZID:Foo\nEND:VTIMEZONE\n", "", 0),
        (HALF_PAST_FIVE.format("Foo").replace("DTSTART:19700101T000000\n", ""), "", 0),
        ("BEGIN:VTODO\nDUE:rubbish\nEND:VTODO\nBEGIN:X-OWN\nEND:X-OTHER\nEND:X-OWN\n", "", 0),
        ("", "UID:odd\nSUMMARY:None", 1),
        ("", f"{ODD}\nDTSTART:20261201T100000Z", 1),
        ("", f"{ODD}\nUID:second", 1),
        ("", "UID:odd\nDTSTART:20261201T000000Z\nDTEND:99991231T235959Z", 1),
        ("", f"{ODD}\nRRULE:FREQ=DAILY;INTERVAL=0", 1),
        ("", f"{ODD}\nRRULE:FREQ=WEEKLY;UNTIL=20270325T093000Z;INTERVAL=0;BYDAY=MO,TU", 1),
        ("", f"{ODD}\nRRULE:FREQ=NEVER", 1),
        ("", "UID:odd\nDTSTART:2026-12-01T09:00:00", 1),
        ("BEGIN:VEVENT\nUID:open\nDTSTART:20261201T080000Z\n", "", 1),
    ],
)
def test_what_is_odd_takes_nothing_else_along(head: str, odd: str, left_out: int) -> None:
    found = read(text(*filter(None, (odd, GOOD)), head=head))
    assert ([each.title for each in found.entries], found.left_out) == (["Good"], left_out)


def test_an_alarm_and_a_line_that_nobody_understands_harm_not_even_their_event() -> None:
    alarm = f"{ODD}\nBEGIN:VALARM\nACTION:DISPLAY\ngarbage\nEND:VALARM"
    assert on(text(alarm, GOOD)) == [("Odd", "08:00"), ("Good", "10:00")]
    assert on(text(f"{ODD}\ngarbage", GOOD)) == [("Odd", "08:00"), ("Good", "10:00")]


def test_where_nothing_can_be_read_it_is_said() -> None:
    with pytest.raises(ValueError, match="no event in it can be read"):
        read(text("UID:odd\nSUMMARY:None"))
    with pytest.raises(ValueError, match="breaks off"):
        read(text(GOOD).partition("DTEND")[0])


@pytest.fixture
def little_memory() -> Iterator[None]:
    limits = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, limits[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, limits)


@pytest.mark.usefixtures("little_memory")
def test_a_rule_without_an_end_costs_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calendar_worker, "SERIES_CPU_S_MAX", 0.1)
    never = "UID:never\nDTSTART:20000101T000000Z\nRRULE:FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30"
    often = "UID:often\nDTSTART:19000101T000000Z\nDURATION:P1D\nRRULE:FREQ=SECONDLY"
    found = read(text(never, GOOD, often))
    assert ([each.title for each in found.entries], found.left_out) == (["Good"], 2)


def titles(entries: Iterator[Occurrence]) -> list[str]:
    return [each.title for each in entries]


@pytest.mark.usefixtures("little_memory")
def test_one_event_of_an_account_takes_no_other_along() -> None:
    asked = DavRequest(
        url="https://dav.example.org",
        login=DavLogin(user="ada@example.org", password="", hosts=()),
        names=(),
        zone="Europe/Berlin",
        starts_at=DAY,
        ends_at=DAY + timedelta(days=1),
        whole_s_max=1.0,
        bytes_max=1 << 20,
    )
    good = DavPlace(url="/good", data=text(GOOD))
    bad = DavPlace(url="/bad", data=text(f"{ODD}\nRRULE:FREQ=DAILY;INTERVAL=0"))
    no = DavPlace(url="/no", data=text(f"{ODD}\nATTENDEE;PARTSTAT=DECLINED:mailto:Ada@example.org"))
    assert titles(caldav_worker._expanded((good, bad, good), asked)) == ["Good", "Good"]  # noqa: SLF001  the worker has no other door
    assert titles(caldav_worker._expanded((good, no), asked, "ada@example.org")) == ["Good"]  # noqa: SLF001  the worker has no other door
    with pytest.raises(DavError, match="No event of a calendar could be read"):
        titles(caldav_worker._expanded((bad,), asked))  # noqa: SLF001  the worker has no other door


def event(uid: str, title: str, hour: int, day: int = 1, more: str = "") -> str:
    return (
        f"UID:{uid}\nSUMMARY:{title}\nDTSTART:202612{day:02}T{hour:02}0000Z\nDTEND:202612{day:02}T{hour:02}3000Z{more}"
    )


@pytest.mark.parametrize("uid", ["", "0", "abc@g"])
def test_events_of_one_uid_that_begin_at_different_times_are_different(uid: str) -> None:
    far = event(uid, "Far", 9, day=15)
    daily = event(uid, "Daily", 12, more="\nRRULE:FREQ=DAILY").replace("20261201", "20261123")
    assert on(text(far, event(uid, "A", 8), event(uid, "B", 10), daily)) == [
        ("A", "08:00"),
        ("B", "10:00"),
        ("Daily", "12:00"),
    ]


def test_of_versions_of_one_event_the_latest_counts() -> None:
    old, new = event("a", "Old", 8, more="\nSEQUENCE:1"), event("a", "New", 8, more="\nSEQUENCE:2")
    assert on(text(new, old)) == [("New", "08:00")]


def test_a_changed_occurrence_stands_for_its_own() -> None:
    series = event("a", "Daily", 8, more="\nRRULE:FREQ=DAILY;COUNT=9").replace("20261201", "20261128")
    other = event("a", "Once", 15)
    moved = event("a", "Moved", 9, more="\nRECURRENCE-ID:20261201T080000Z")
    assert on(text(moved, other, series)) == [("Moved", "09:00"), ("Once", "15:00")]
    gone = f"{moved}\nSTATUS:CANCELLED"
    assert on(text(other, series, gone)) == [("Once", "15:00")]
    assert on(text(moved)) == [("Moved", "09:00")]


def test_events_without_a_uid_are_told_apart_by_their_titles() -> None:
    found = read(text(event("", "A", 8), event("", "B", 8))).entries
    assert sorted(each.uid for each in found) == ["A", "B"]


@pytest.mark.parametrize(
    ("zone", "starts"),
    [
        ("GMT+05:30", "03:30"),
        ('"GMT+05:30"', "03:30"),
        ("UTC+01:00", "08:00"),
        ("UTC-3", "12:00"),
        ("+0530", "03:30"),
        ("tzone://Microsoft/Utc", "09:00"),
        ("utc", "09:00"),
        ("W. Europe Standard Time", "08:00"),
        ("America/New_York", "14:00"),
        ("", "08:00"),
    ],
)
def test_names_of_zones(zone: str, starts: str) -> None:
    timed = f"UID:a\nSUMMARY:A\nDTSTART;TZID={zone}:20261201T090000\nDTEND;TZID={zone}:20261201T100000"
    assert on(text(timed, GOOD)) == sorted([("A", starts), ("Good", "10:00")], key=lambda each: each[1])


@pytest.mark.parametrize("zone", ["GMT+02:00", "(UTC+05:30) Chennai, Kolkata", "Customized Time Zone", "tzone://x/y:z"])
def test_a_zone_that_the_calendar_describes_itself_is_what_it_says(zone: str) -> None:
    timed = f"UID:a\nSUMMARY:A\nDTSTART;TZID={zone}:20261201T090000\nDTEND;TZID={zone}:20261201T100000"
    repeated = f"UID:b\nSUMMARY:B\nDTSTART;TZID={zone}:20261101T100000\nDURATION:PT1H\nRRULE:FREQ=DAILY"
    repeated += f"\nEXDATE;TZID={zone}:20261202T100000"
    assert on(text(timed, repeated, head=HALF_PAST_FIVE.format(zone))) == [("A", "03:30"), ("B", "04:30")]


def test_each_calendar_of_a_file_has_its_own_zones() -> None:
    timed = "UID:{0}\nSUMMARY:{0}\nDTSTART;TZID=Own:20261201T090000\nDURATION:PT1H"
    first = text(timed.format("a"), head=HALF_PAST_FIVE.format("Own"))
    second = text(timed.format("b"), head=HALF_PAST_FIVE.format("Own").replace("+0530", "+0200"))
    assert on(first + second) == [("a", "03:30"), ("b", "07:00")]


@pytest.mark.parametrize(
    "line", ["TRANSP:TRANSPARENT", "X-MICROSOFT-CDO-BUSYSTATUS:FREE", "STATUS:CANCELLED", "transp:transparent"]
)
def test_what_takes_none_of_the_persons_time_is_no_meeting(line: str) -> None:
    assert on(text(f"{ODD}\n{line}", GOOD)) == [("Good", "10:00")]


@pytest.mark.parametrize("line", ["TRANSP:OPAQUE", "X-MICROSOFT-CDO-BUSYSTATUS:TENTATIVE", "STATUS:TENTATIVE"])
def test_what_may_take_time_is_one(line: str) -> None:
    assert on(text(f"{ODD}\n{line}")) == [("Odd", "08:00")]


def test_what_the_person_declined_is_no_meeting() -> None:
    attendees = "\nATTENDEE;PARTSTAT=ACCEPTED:mailto:bob@example.org\nATTENDEE;PARTSTAT=DECLINED:mailto:ada@example.org"
    calendar = text(f"{ODD}{attendees}", GOOD)
    assert on(calendar) == [("Odd", "08:00"), ("Good", "10:00")]
    assert on(calendar, owner="Ada@example.org") == [("Good", "10:00")]
    assert on(calendar, owner="bob@example.org") == [("Odd", "08:00"), ("Good", "10:00")]
    assert on(text(f"{ODD}{attendees}", GOOD, head="X-WR-CALNAME:ada@example.org\n")) == [("Good", "10:00")]


@pytest.mark.parametrize(
    "raw",
    [
        text(GOOD).encode(),
        b"\xef\xbb\xbf" + text(GOOD).encode(),
        text(GOOD).encode("utf-16"),
        text(GOOD).replace("\r\n", "\n").encode(),
        text(GOOD).replace("\r\n", "\r").encode(),
        text(GOOD).replace("\r\n", "\r\n\r\n").encode(),
        text(GOOD.replace("SUMMARY:Good", "SUMMARY:Go\n od")).encode(),
        text(GOOD.replace("DTSTART;TZID", "dtstart;tzid").replace("SUMMARY", "Summary"))
        .replace("VEVENT", "vevent")
        .encode(),
        text(GOOD).replace("END:VCALENDAR\r\n", "").encode(),
    ],
    ids=["plain", "mark", "utf-16", "lf", "cr", "blank lines", "folded", "small letters", "no end"],
)
def test_ways_to_write_lines(raw: bytes) -> None:
    assert on(raw) == [("Good", "10:00")]


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_letters_beyond_ascii_folded_between_their_bytes(encoding: str) -> None:
    raw = text(GOOD.replace("Good", "Büro, ü")).encode(encoding)
    assert on(raw) == [("Büro, ü", "10:00")]
    cut = raw.index("ü".encode(encoding)) + 1
    assert on(raw[:cut] + b"\r\n " + raw[cut:]) == [("Büro, ü", "10:00")]


def test_dates_more_dates_and_no_end() -> None:
    found = read(
        text(
            "UID:1\nSUMMARY:Day\nDTSTART;VALUE=DATE:20261201",
            "UID:2\nSUMMARY:Instant\nDTSTART:20261201T080000Z",
            "UID:3\nSUMMARY:Extra\nDTSTART:20261110T090000Z\nDURATION:PT1H\nRDATE:20261201T090000Z",
            "UID:4\nSUMMARY:Ended\nDTSTART:20261101T090000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY;UNTIL=20261130T090000Z",
            "UID:5\nSUMMARY:Counted\nDTSTART:20261130T090000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=1",
            "UID:6\nSUMMARY:Long\nDTSTART:20261001T090000Z\nDTEND:20270101T090000Z",
            "UID:7\nSUMMARY:Floating\nDTSTART:20261201T130000\nDURATION:PT1H",
        )
    )
    assert {each.title: (f"{each.starts_at:%d %H:%M}", each.all_day) for each in found.entries} == {
        "Day": ("30 23:00", True),
        "Instant": ("01 08:00", False),
        "Extra": ("01 09:00", False),
        "Long": ("01 09:00", False),
        "Floating": ("01 12:00", False),
    }
    assert found.left_out == 0
