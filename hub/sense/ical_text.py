"""A calendar's text (RFC 5545) taken apart, so that what is odd in one part cannot take the others along. Pure.

Only the frame is read here: lines that were folded, what begins and ends, which events belong to one series. What a
part says is for a library to read, one series at a time. Whatever is no event, no time zone, or nothing that bears on
when an event is (alarms, to-dos, how often to ask again) is left out.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import chain

from hub.contract.base import Value

HEAD = frozenset({"VERSION", "PRODID", "CALSCALE", "X-WR-TIMEZONE"})
"""Of a calendar's own properties only these bear on when its events are."""
NAME = "X-WR-CALNAME"
CALENDAR, ZONE, EVENT = "VCALENDAR", "VTIMEZONE", "VEVENT"
REPEATING = frozenset({"RRULE", "RDATE"})
_FOLD = re.compile(rb"(?<!\n)\n++[ \t]")
_ZONED = re.compile(
    r'^(?P<name>(?:DTSTART|DTEND|RECURRENCE-ID|EXDATE|RDATE)(?:;[^:]*)?;TZID=)"?(?P<zone>[^";]*?)"?'
    r"(?P<rest>(?:;[A-Z-]+=[A-Z-]+)?:[0-9TZ,/PWDHMS+-]*)$",
    re.IGNORECASE,
)
"""A time with a zone. A zone's name may hold colons, quoted or not: the value is what is behind the last one."""
_OFFSET = re.compile(r"^(?:UTC|GMT)?(?P<sign>[+-])(?P<hours>\d{1,2}):?(?P<minutes>\d{2})?$", re.IGNORECASE)
_DAY = re.compile(r":(?P<day>\d{8})(?:T\d{6}Z?)?$")
_IN_UTC = frozenset({"tzone://microsoft/utc", "utc", "z", "gmt"})
_HOURS_MAX, _MINUTES_MAX = 14, 59


class EventText(Value):
    """One event: its lines, and what of it tells where it belongs; `first` and `last` are days where they are told."""

    lines: tuple[str, ...]
    uid: str
    start: str
    first: date | None
    last: date | None
    is_change: bool
    """Whether it stands in place of one occurrence of a series (RECURRENCE-ID)."""
    repeats: bool


class CalendarParts(Value):
    """One calendar: its head, its time zones and its events, each as lines; `broken` counts events without an end.

    `name` is what it is called: its owner's address, where that is its name.
    """

    name: str
    head: tuple[str, ...]
    zones: tuple[tuple[str, ...], ...]
    events: tuple[EventText, ...]
    broken: int = 0


def calendars(raw: bytes) -> tuple[CalendarParts, ...]:
    """Return the calendars in a text.

    Raises:
        ValueError: there is none, or the last one breaks off within an event.
    """
    reader = _PartReader()
    for line in _lines(raw):
        reader.read(line)
    if not reader.found:
        raise ValueError("there is no VCALENDAR in it")
    if reader.is_within_event:
        raise ValueError("it breaks off within an event")
    return tuple(each.parts() for each in reader.found)


def series(events: Sequence[EventText]) -> Iterator[tuple[EventText, ...]]:
    """Yield what belongs together: an event with the same of another version, and with what was changed of its series.

    Events of one UID that begin at different times are different ones, and so are those without a UID, whatever
    RFC 5545 says of it: feeds write a series out as single events, or number none of them.
    """
    by_uid: dict[str, list[EventText]] = defaultdict(list)
    for each in events:
        if each.uid:
            by_uid[each.uid].append(each)
        else:
            yield (each,)
    for those in by_uid.values():
        changes = tuple(each for each in those if each.is_change)
        by_start: dict[str, list[EventText]] = defaultdict(list)
        for each in those:
            if not each.is_change:
                by_start[each.start].append(each)
        versions = tuple(map(tuple, by_start.values()))
        to = next((each for each in versions if any(one.repeats for one in each)), versions[0] if versions else ())
        yield (*to, *changes)
        yield from (each for each in versions if each is not to)


def may_touch(event: EventText, first: date, last: date) -> bool:
    """Return False if an event, as far as its own days tell, lies wholly before or after these days."""
    if event.is_change or event.repeats:
        return True
    return not ((event.first and event.first > last) or (event.last and event.last < first))


def as_calendar(parts: CalendarParts, lines: Sequence[str]) -> str:
    """Return a calendar with the same head, and of its parts only these lines."""
    return "".join(f"{line}\r\n" for line in (f"BEGIN:{CALENDAR}", *parts.head, *lines, f"END:{CALENDAR}"))


def _lines(raw: bytes) -> Iterator[str]:
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raw = raw.decode("utf-16", "replace").encode()
    unfolded = _FOLD.sub(b"", raw.removeprefix(b"\xef\xbb\xbf").replace(b"\r", b"\n"))
    for line in unfolded.split(b"\n"):
        if line:
            yield _decoded(line)


def _decoded(line: bytes) -> str:
    """Read a line that is UTF-8 as it should be, or else what older programs write."""
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("cp1252", "replace")


class _OpenCalendar:
    """One calendar while it is read."""

    def __init__(self) -> None:
        self.name = ""
        self.head: list[str] = []
        self.zones: list[tuple[str, ...]] = []
        self.events: list[tuple[str, ...]] = []
        self.broken = 0

    def parts(self) -> CalendarParts:
        """Return what was read; zones that only a name with an offset tells of are written out beside its own."""
        named = {_value(line) for zone in self.zones for line in zone if _name(line) == "TZID"}
        offsets: dict[str, tuple[str, ...]] = {}
        events = tuple(_event(tuple(_with_zone(line, named, offsets) for line in each)) for each in self.events)
        return CalendarParts(
            name=self.name,
            head=tuple(self.head),
            zones=(*self.zones, *offsets.values()),
            events=events,
            broken=self.broken,
        )


class _PartReader:
    """Follows what begins and ends; an end without its beginning is passed over."""

    def __init__(self) -> None:
        self.found: list[_OpenCalendar] = []
        self._within: list[str] = []
        self._lines: list[str] = []

    @property
    def is_within_event(self) -> bool:
        """Whether an event was begun and not ended."""
        return EVENT in self._within

    def read(self, line: str) -> None:
        """Take the next line."""
        name = _name(line)
        if name == "BEGIN":
            self._begin(_value(line).strip().upper())
        elif name == "END":
            self._end(_value(line).strip().upper())
        elif self._within == [CALENDAR] and name in HEAD:
            self.found[-1].head.append(line)
        elif self._within == [CALENDAR] and name == NAME:
            self.found[-1].name = _value(line).strip()
        elif self._within[-1:] == [EVENT] or ZONE in self._within:
            self._lines.append(line)

    def _begin(self, kind: str) -> None:
        if kind in {CALENDAR, EVENT} and self.is_within_event:
            self.found[-1].broken += 1
        if kind == CALENDAR:
            self.found.append(_OpenCalendar())
            self._within = []
        elif not self.found:
            return
        elif kind in {EVENT, ZONE}:
            self._within = [CALENDAR]
            self._lines = []
        self._within.append(kind)
        if ZONE in self._within:
            self._lines.append(f"BEGIN:{kind}")

    def _end(self, kind: str) -> None:
        if kind not in self._within:
            return
        if ZONE in self._within:
            self._lines.append(f"END:{kind}")
        if kind == EVENT:
            self.found[-1].events.append(tuple(self._lines))
        elif kind == ZONE:
            self.found[-1].zones.append(tuple(self._lines))
        elif kind == CALENDAR and self.is_within_event:
            self.found[-1].broken += 1
        while self._within.pop() != kind:
            pass


def _event(lines: tuple[str, ...]) -> EventText:
    said = {_name(line): line for line in reversed(lines)}
    start, end = said.get("DTSTART", ""), said.get("DTEND", "")
    return EventText(
        lines=(f"BEGIN:{EVENT}", *lines, f"END:{EVENT}"),
        uid=_value(said.get("UID", "")).strip(),
        start=start,
        first=_day(start),
        last=_day(end),
        is_change="RECURRENCE-ID" in said,
        repeats=not REPEATING.isdisjoint(said),
    )


def _name(line: str) -> str:
    return re.split("[;:]", line, maxsplit=1)[0].upper()


def _value(line: str) -> str:
    return line.partition(":")[2]


def _day(line: str) -> date | None:
    found = _DAY.search(line)
    try:
        return date.fromisoformat(found["day"]) if found else None
    except ValueError:
        return None


def _with_zone(line: str, named: set[str], offsets: dict[str, tuple[str, ...]]) -> str:
    """Return a line whose zone the library knows: by its own name, quoted, or as an offset that is added here."""
    found = _ZONED.match(line)
    if found is None:
        return line
    zone = found["zone"]
    if zone not in named:
        offset = "+0000" if zone.lower() in _IN_UTC else _offset(zone)
        if offset:
            zone = f"offset {offset}"
            offsets[zone] = _zone_of(zone, offset)
    return f'{found["name"]}"{zone}"{found["rest"]}' if zone else line


def _offset(zone: str) -> str:
    """Return an offset that a name stands for, as `+0530`; empty if it stands for none."""
    found = _OFFSET.match(zone)
    if found is None:
        return ""
    hours, minutes = int(found["hours"]), int(found["minutes"] or 0)
    return f"{found['sign']}{hours:02}{minutes:02}" if hours <= _HOURS_MAX and minutes <= _MINUTES_MAX else ""


def _zone_of(name: str, offset: str) -> tuple[str, ...]:
    """Write a zone that is always so far from UTC."""
    standard = ("DTSTART:19700101T000000", f"TZOFFSETFROM:{offset}", f"TZOFFSETTO:{offset}")
    within = ("BEGIN:STANDARD", *standard, "END:STANDARD")
    return tuple(chain((f"BEGIN:{ZONE}", f"TZID:{name}"), within, (f"END:{ZONE}",)))
