"""Fetch and expand one calendar, in a process of its own that ends with its answer.

What is read is read series by series: an event that nobody can make sense of is left out, and named by its number.

A process, because the libraries cost 5 MB (httpx another 8) that the hub need not keep, and because a calendar comes
from outside: an endless recurrence or a bomb of a file hits the limits here and nothing else. It runs isolated
(`python -I calendar_worker.py`), so nothing in the current folder can be imported by mistake. A request comes in on
stdin, not as an argument: calendar addresses are secrets.

Whoever serves a calendar, or its name, must not have Pulse ask another program of this machine or network. The person
named one host; that may be in their network, or on this machine where the address says so. Whatever it redirects to
must be of the open internet. What counts is the address that a connection really has, looked at before anything is
sent: a name may stand for another one by then.
"""

import resource
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, date, datetime, time, timedelta
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urljoin, urlsplit
from zoneinfo import ZoneInfo

import msgspec

from hub.kit.private_address import USUAL_PORTS, is_loopback, is_of_this_machine, is_public
from hub.sense.ical_text import CalendarParts, EventText, as_calendar, calendars, may_touch, series

if TYPE_CHECKING:
    from icalendar import Component, Event

CPU_S_MAX = 20
SERIES_CPU_S_MAX = 1.0
"""For one event with all that is of its series: a rule may be endless without ever being on."""
MEMORY_BYTES_MAX = 512 * 1024 * 1024
TITLE_CHARS_MAX = 200
MEETINGS_MAX = 1_000
DAY = timedelta(days=1)
REDIRECTS_MAX = 5
HTTP_OK, HTTP_NOT_MODIFIED = 200, 304
REDIRECTING = frozenset({301, 302, 303, 307, 308})
NOT_ENCRYPTED = "The calendar's server sent Pulse on from https to http, which is not asked."
NOT_THERE = "The calendar's server sent Pulse to an address of this machine or network, which is not asked."
NAMED_HERE = (
    "The calendar's name stands for this machine, which is asked only where the address says so: write 127.0.0.1."
)
R = TypeVar("R")


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What to do. `source` is a path or an http(s) address; the times have a zone."""

    source: str
    zone: str
    starts_at: datetime
    ends_at: datetime
    size_bytes_max: int
    fetch_s_max: float
    owner: str = ""
    """The person's address where it is known: what it declined is no meeting."""
    etag: str = ""
    last_modified: str = ""


class Occurrence(msgspec.Struct, frozen=True, kw_only=True):
    """One occurrence."""

    uid: str
    title: str
    starts_at: datetime
    ends_at: datetime
    all_day: bool


class Expanded(msgspec.Struct, frozen=True, kw_only=True):
    """What is on, and how many events of a calendar, each with what is of its series, could not be read."""

    entries: tuple[Occurrence, ...]
    left_out: int = 0


class CalendarAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What came of it: `wrong` is empty on success; `is_away`: the source, not its content, was the trouble."""

    entries: tuple[Occurrence, ...] = ()
    left_out: int = 0
    unchanged: bool = False
    etag: str = ""
    last_modified: str = ""
    wrong: str = ""
    is_away: bool = False


class AwayError(Exception):
    """The calendar could not be fetched."""


class TooSlowError(Exception):
    """A part of a calendar takes too long to be read."""


BROKEN = (
    *(ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError, RecursionError, TypeError, ValueError),
    TooSlowError,
)
"""What the libraries raise for broken content is no family of its own."""


def answer(request: Request) -> CalendarAnswer:
    """Fetch, parse and expand; never raises for what may be wrong with a calendar."""
    try:
        fetched = fetch(request)
        if fetched is None:
            return CalendarAnswer(unchanged=True, etag=request.etag, last_modified=request.last_modified)
        raw, headers = fetched
        expanded = expand(raw, request)
        return CalendarAnswer(
            entries=expanded.entries,
            left_out=expanded.left_out,
            etag=headers.get("etag", ""),
            last_modified=headers.get("last-modified", ""),
        )
    except (AwayError, OSError) as wrong:
        return CalendarAnswer(wrong=str(wrong), is_away=True)
    except ValueError as wrong:
        return CalendarAnswer(wrong=f"The calendar is not valid iCalendar: {wrong}."[:TITLE_CHARS_MAX])
    except (MemoryError, RecursionError):
        return CalendarAnswer(wrong="The calendar is too large to be read.")


def fetch(request: Request) -> tuple[bytes, Mapping[str, str]] | None:
    """Return the calendar's bytes and headers; None when the server says that it has not changed."""
    if not request.source.startswith(("http://", "https://")):
        with Path(request.source).open("rb") as file:
            return _within(file.read(request.size_bytes_max + 1), request.size_bytes_max), {}
    import httpx  # noqa: PLC0415  only needed for addresses

    conditions = {"If-None-Match": request.etag, "If-Modified-Since": request.last_modified}
    headers = {"Accept": "text/calendar", **{name: value for name, value in conditions.items() if value}}
    try:
        with httpx.Client(timeout=request.fetch_s_max, follow_redirects=False) as client:
            url = request.source
            for _ in range(REDIRECTS_MAX + 1):
                asked = {"trace": _Watched(request.source, url)}
                with client.stream("GET", url, headers=headers, extensions=asked) as response:
                    if response.status_code == HTTP_NOT_MODIFIED and (request.etag or request.last_modified):
                        return None
                    location = response.headers.get("location", "")
                    if response.status_code not in REDIRECTING or not location:
                        if response.status_code != HTTP_OK:
                            raise AwayError(f"The calendar's server answered {response.status_code}.")
                        return _body(response.iter_bytes(), request.size_bytes_max), response.headers
                url = next_address(url, location)
    except (httpx.HTTPError, httpx.InvalidURL) as wrong:
        # The text of the error may hold the address, and the address is a secret.
        raise AwayError(f"The calendar's server could not be reached ({type(wrong).__name__}).") from None
    raise AwayError(f"The calendar's server sent Pulse on more than {REDIRECTS_MAX} times.")


def next_address(url: str, location: str) -> str:
    """Return where a redirect leads.

    Raises:
        AwayError: to no address, or out of what is encrypted.
    """
    try:
        following = urljoin(url, location)
        scheme = urlsplit(following).scheme
    except ValueError:
        raise AwayError("The calendar's server sent Pulse to an address that is none.") from None
    if scheme not in USUAL_PORTS or (urlsplit(url).scheme == "https" and scheme != "https"):
        raise AwayError(NOT_ENCRYPTED)
    return following


class _Watched:
    """Looks at each connection of one request before anything is sent by it, and raises `AwayError` to prevent that.

    A proxy of the person's looks names up by itself; what it connects to is its own to decide.
    """

    def __init__(self, source: str, url: str) -> None:
        named, asked = _place(source), _place(url)
        self._host = asked[0]
        self._is_named = asked == named or asked == (named[0], USUAL_PORTS["https"])
        self._is_direct = True
        if not self._is_named and (is_loopback(self._host) or (_is_number(self._host) and not is_public(self._host))):
            raise AwayError(NOT_THERE)

    def __call__(self, event: str, info: dict[str, Any]) -> None:
        """Take what httpcore tells of a connection."""
        if event == "connection.connect_tcp.started":
            self._is_direct = info["host"].strip("[]").lower() == self._host
        elif event == "connection.connect_tcp.complete" and self._is_direct:
            stream = info["return_value"]
            address = str(stream.get_extra_info("server_addr")[0])
            wrong = self._wrong(address)
            if wrong:
                stream.close()
                raise AwayError(wrong)

    def _wrong(self, address: str) -> str:
        if not self._is_named:
            return "" if is_public(address) else NOT_THERE
        return NAMED_HERE if is_of_this_machine(address) and not _is_number(self._host, or_local=True) else ""


def _place(url: str) -> tuple[str, int]:
    """Return the host and port of an address.

    Raises:
        AwayError: it has none.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise AwayError("The calendar's address is none.") from None
    return (parts.hostname or "").lower(), port or USUAL_PORTS.get(parts.scheme, 0)


def _is_number(host: str, *, or_local: bool = False) -> bool:
    return (or_local and host == "localhost") or ":" in host or host.replace(".", "").isdigit()


def _body(chunks: Iterator[bytes], size_bytes_max: int) -> bytes:
    raw = bytearray()
    for chunk in chunks:
        raw += chunk
        _within(raw, size_bytes_max)
    return bytes(raw)


def _within(raw: bytes | bytearray, size_bytes_max: int) -> bytes:
    if len(raw) > size_bytes_max:
        raise ValueError(f"it is larger than {size_bytes_max} bytes")
    return bytes(raw)


def expand(raw: bytes, request: Request) -> Expanded:
    """Return the occurrences that touch the request's window, at most `MEETINGS_MAX`; what cannot be read is left out.

    Raises:
        ValueError: this is no calendar, or there are events in it and none can be read.
    """
    found: dict[Occurrence, None] = {}
    readable, left_out, why = 0, 0, ""
    ZoneInfo(request.zone)  # without one nothing of it has a time
    first, last = request.starts_at.date() - 2 * DAY, request.ends_at.date() + 2 * DAY
    for parts in calendars(raw):
        _learn_zones(parts)
        left_out += parts.broken
        for those in series(parts.events):
            if len(found) >= MEETINGS_MAX:
                break
            try:
                with _within_cpu_time(SERIES_CPU_S_MAX):
                    is_near = any(may_touch(each, first, last) for each in those)
                    found.update(dict.fromkeys(_occurrences(parts, those, request) if is_near else ()))
                readable += 1
            except BROKEN as wrong:
                left_out, why = left_out + 1, type(wrong).__name__
    if left_out and not readable:
        raise ValueError(f"no event in it can be read ({why or 'none has an end'})")
    return Expanded(entries=tuple(found)[:MEETINGS_MAX], left_out=left_out)


def _learn_zones(parts: CalendarParts) -> None:
    """Have the library know a calendar's own zones and no others; one that is broken is as unknown as one left out."""
    from icalendar import Calendar  # noqa: PLC0415  slow to load, and only needed here
    from icalendar.timezone import tzp  # noqa: PLC0415  slow to load, and only needed here

    tzp.use_zoneinfo()  # the calendar before may call another one by the same name
    for zone in parts.zones:
        with suppress(*BROKEN), _within_cpu_time(SERIES_CPU_S_MAX):
            Calendar.from_ical(as_calendar(parts, zone))


def _occurrences(parts: CalendarParts, those: tuple[EventText, ...], request: Request) -> tuple[Occurrence, ...]:
    """Return when a series is on, as far as it touches the window; raises one of `BROKEN` where it cannot be read."""
    import recurring_ical_events  # type: ignore[import-untyped]  # noqa: PLC0415  it ships no types, and is slow to load
    from icalendar import Calendar  # noqa: PLC0415  slow to load, and only needed here

    calendar = Calendar.from_ical(as_calendar(parts, tuple(chain.from_iterable(each.lines for each in those))))
    for event in calendar.walk("VEVENT"):
        _check_rule(event)
    zone = ZoneInfo(request.zone)
    # A day more on both sides: events without a zone are compared as if they were in UTC.
    events = recurring_ical_events.of(calendar).between(request.starts_at - DAY, request.ends_at + DAY)
    entries = (_entry(event, zone, (request.owner, parts.name)) for event in events)
    return tuple(
        entry for entry in entries if entry and entry.starts_at < request.ends_at and entry.ends_at > request.starts_at
    )


def _check_rule(event: "Component") -> None:
    """Raise ValueError for a rule that never goes on: it would be followed until memory or time ends."""
    rules = event.get("RRULE", [])
    for rule in rules if isinstance(rules, list) else [rules]:
        if any(each < 1 for each in rule.get("INTERVAL", ())):
            raise ValueError("a rule's interval is not positive")


@contextmanager
def _within_cpu_time(limit_s: float) -> Iterator[None]:
    """Raise TooSlowError within the block when it takes more of the processor; for a process's main thread."""

    def end(_signal: int, _frame: object) -> None:
        raise TooSlowError

    signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, limit_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _entry(event: "Event", zone: ZoneInfo, owners: tuple[str, ...]) -> Occurrence | None:
    """Return an occurrence; None for one that is off, or in which the person is free."""
    if str(event.get("STATUS", "")).upper() == "CANCELLED" or _is_free(event) or _is_declined(event, owners):
        return None
    start, end = event.start, event.end
    title = "".join(each if each.isprintable() else " " for each in str(event.get("SUMMARY", "")))
    return Occurrence(
        uid=str(event.get("UID", "") or title)[:TITLE_CHARS_MAX],
        title=title[:TITLE_CHARS_MAX],
        starts_at=moment(start, zone),
        ends_at=max(moment(start, zone), moment(end, zone)),
        all_day=not isinstance(start, datetime),
    )


def _is_free(event: "Event") -> bool:
    """Return True if an event takes none of the person's time (RFC 5545, 3.8.2.7; Outlook has its own word for it)."""
    taken = str(event.get("TRANSP", "")).upper(), str(event.get("X-MICROSOFT-CDO-BUSYSTATUS", "")).upper()
    return taken[0] == "TRANSPARENT" or taken[1] == "FREE"


def _is_declined(event: "Event", owners: tuple[str, ...]) -> bool:
    """Return True if one of the addresses that a calendar goes by has said no to an event."""
    attendees = event.get("ATTENDEE", [])
    for each in attendees if isinstance(attendees, list) else [attendees]:
        address = str(each).lower().removeprefix("mailto:")
        if "@" in address and address in map(str.lower, owners):
            return str(each.params.get("PARTSTAT", "")).upper() == "DECLINED"
    return False


def moment(when: date, zone: ZoneInfo) -> datetime:
    """Return the instant in UTC; a date is its first moment, and what has no zone is meant where the person is."""
    whole = when if isinstance(when, datetime) else datetime.combine(when, time())
    return (whole if whole.tzinfo else whole.replace(tzinfo=zone)).astimezone(UTC)


def answer_one(kind: type[R], answered: Callable[[R], object]) -> None:
    """Answer one request of standard input on standard output, within limits of time and memory."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S_MAX, CPU_S_MAX))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES_MAX, MEMORY_BYTES_MAX))
    request = msgspec.json.decode(sys.stdin.buffer.read(), type=kind)
    sys.stdout.buffer.write(msgspec.json.encode(answered(request)))


if __name__ == "__main__":
    answer_one(Request, answer)
