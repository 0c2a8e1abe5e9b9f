"""A calendar's text taken apart: what begins where, and what belongs together."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.sense.ical_text import CalendarParts, as_calendar, calendars, may_touch, series

PIECES = st.lists(
    st.sampled_from(
        [
            *(b"BEGIN:VCALENDAR\r\n", b"END:VCALENDAR\r\n", b"BEGIN:VEVENT\n", b"END:VEVENT\n", b"BEGIN:VTIMEZONE\n"),
            *(
                b"END:VTIMEZONE\n",
                b"BEGIN:STANDARD\n",
                b"END:STANDARD\n",
                b"BEGIN:VALARM\n",
                b"END:VALARM\n",
                b"END:X\n",
            ),
            *(b"UID:a\n", b"DTSTART;TZID=a:b:20261201T090000\n", b"DTEND:2026\n", b" folded\n", b"\xff\xfe", b"::\n"),
        ]
    )
)


def parts(*lines: str) -> CalendarParts:
    text = "\n".join(("BEGIN:VCALENDAR", *lines, "END:VCALENDAR"))
    (found,) = calendars(text.encode())
    return found


@given(st.one_of(st.binary(max_size=200), PIECES.map(b"".join)))
def test_whatever_is_written_is_taken_apart_or_refused(raw: bytes) -> None:
    try:
        found = calendars(raw)
    except ValueError:
        return
    for each in found:
        assert sum(map(len, series(each.events))) == len(each.events), "each event is in one series"
        for event in each.events:
            (again,) = calendars(as_calendar(each, event.lines).encode("utf-8", "surrogatepass"))
            assert again.events == (event,)


def test_events_without_their_alarms_and_zones_with_all_of_theirs() -> None:
    found = parts(
        *("VERSION:2.0", "METHOD:PUBLISH", "X-WR-CALNAME: ada@example.org"),
        *("BEGIN:VTIMEZONE", "TZID:Own", "BEGIN:STANDARD", "TZNAME:x", "END:STANDARD", "END:VTIMEZONE"),
        *("BEGIN:VEVENT", "UID:a", "BEGIN:VALARM", "ACTION:NONE", "END:VALARM", "SUMMARY:A", "END:VEVENT"),
        *("BEGIN:VTODO", "UID:b", "END:VTODO"),
    )
    assert (found.name, found.head, found.broken) == ("ada@example.org", ("VERSION:2.0",), 0)
    zone = ("BEGIN:VTIMEZONE", "TZID:Own", "BEGIN:STANDARD", "TZNAME:x", "END:STANDARD", "END:VTIMEZONE")
    assert found.zones == (zone,)
    assert [each.lines for each in found.events] == [("BEGIN:VEVENT", "UID:a", "SUMMARY:A", "END:VEVENT")]


@pytest.mark.parametrize(
    ("lines", "touches"),
    [
        (("DTSTART:20261130T090000Z", "DTEND:20261130T100000Z"), True),
        (("DTSTART:20261120T090000Z", "DTEND:20261120T100000Z"), False),
        (("DTSTART;VALUE=DATE:20261120", "DURATION:P30D"), True),
        (("DTSTART:20261120T090000Z", "DTEND:20261220T100000Z"), True),
        (("DTSTART:20261220T090000Z",), False),
        (("DTSTART:20261120T090000Z", "DTEND:20261120T100000Z", "RRULE:FREQ=DAILY"), True),
        (("DTSTART:20261220T090000Z", "RDATE:20261201T090000Z"), True),
        (("DTSTART:20261220T090000Z", "RECURRENCE-ID:20261201T090000Z"), True),
        (("DTSTART:20269999",), True),
        ((), True),
    ],
)
def test_what_lies_wholly_outside_need_not_be_read(lines: tuple[str, ...], touches: bool) -> None:  # noqa: FBT001  a parametrised expectation
    (event,) = parts("BEGIN:VEVENT", *lines, "END:VEVENT").events
    assert may_touch(event, date(2026, 11, 29), date(2026, 12, 3)) is touches
