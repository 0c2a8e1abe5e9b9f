"""The person's calendar, from an `.ics` file or an address.

The expanded calendar is kept for a window longer than the horizon, so that an unchanged one costs a look at the
file's time and nothing else. A server is asked again after a while, with the conditions that spare it the answer.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from os import environ
from pathlib import Path
from stat import S_ISREG
from typing import TypeVar

import msgspec

from hub.contract.base import Value
from hub.domain.provenance import CalendarText
from hub.domain.readings import AnyReading, BrokenReading, CalendarReading, Reading
from hub.domain.situation import Meeting
from hub.io.sensors import calendar_worker
from hub.io.sensors.calendar_worker import CalendarAnswer, Occurrence, Request
from hub.io.sensors.command import run
from hub.io.sensors.guard import Disk, UnreadableError, guarded

HORIZON = timedelta(hours=24)
WINDOW = timedelta(hours=36)
"""What is expanded at a time: the horizon, and twelve hours until it must be done again."""
ASK_SERVER_EVERY = timedelta(minutes=30)
RETRY_AFTER = timedelta(minutes=5)
KEEP_WHILE_AWAY = timedelta(hours=6)
"""For so long the last good answer stands when the server cannot be reached; its own time is reported with it."""
READ_S_MAX = 45.0
WORKER_S_MAX = 40.0
FETCH_S_MAX = 15.0
SIZE_BYTES_MAX = 8 * 1024 * 1024
ANSWER_BYTES_MAX = 2 * 1024 * 1024
PASSED_ON = ("PATH", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE")
"""What the worker may see of the environment: how to reach the network, and no secrets."""

TOO_MUCH = "Reading the calendar took too much time or memory. Is a recurrence endless?"

Stamp = tuple[int, int, int]
T = TypeVar("T")


class _Kept(Value):
    """An expanded calendar: the stamp of its file, when it was last known to be so, and the window it covers."""

    stamp: Stamp | None
    at: datetime
    starts_at: datetime
    ends_at: datetime
    meetings: tuple[Meeting, ...]
    left_out: int
    etag: str
    last_modified: str


class _Failure(Value):
    """Why the last try failed, so that it is not repeated at each tick."""

    stamp: Stamp | None
    at: datetime
    detail: str


class CalendarSensor:
    """Tells what is on from now to 24 hours ahead."""

    name = "calendar"

    def __init__(self, source: str, *, zone: str, environment: Mapping[str, str] = environ) -> None:
        """Prepare to read.

        Args:
            source: a path, or an address that starts with http, https or webcal (which is https).
            zone: the person's IANA time zone, in which all-day events and events without a zone are meant.
            environment: of which the worker is given the entries `PASSED_ON`.
        """
        scheme, separator, rest = source.partition("://")
        is_web = scheme.lower() in {"webcal", "webcals"}
        self._source = f"https{separator}{rest}" if is_web else source
        self._path = None if self._source.lower().startswith(("http://", "https://")) else Path(source).expanduser()
        self._zone = zone
        self._environment = environment
        self._disk = Disk()
        self._kept: _Kept | None = None
        self._failure: _Failure | None = None

    async def read(self, now: datetime) -> Reading:
        """Tell the meetings; those of an address come with the time at which its server was last asked."""
        reading = await guarded(self.name, now, READ_S_MAX, self._look(now))
        if self._path or self._kept is None or isinstance(reading.body, BrokenReading):
            return reading
        return Reading(sensor=self.name, at=self._kept.at, body=reading.body)

    async def close(self) -> None:
        """Nothing is held open."""

    async def _look(self, now: datetime) -> AnyReading:
        stamp = await self._disk.look(self._stamp)
        if not (self._is_current(stamp, now) or self._failed_lately(stamp, now)):
            await self._renew(stamp, now)
        failure = self._failure.detail if self._failure else "The calendar has not been read yet."
        kept = self._kept
        if kept is None or (self._path is None and abs(now - kept.at) > KEEP_WHILE_AWAY):
            raise UnreadableError(failure)
        return near(kept.meetings, now, kept.left_out)

    def _is_current(self, stamp: Stamp | None, now: datetime) -> bool:
        kept = self._kept
        if kept is None or kept.stamp != stamp or not kept.starts_at <= now <= kept.ends_at - HORIZON:
            return False
        return self._path is not None or now - kept.at < ASK_SERVER_EVERY

    def _failed_lately(self, stamp: Stamp | None, now: datetime) -> bool:
        failure = self._failure
        return failure is not None and failure.stamp == stamp and abs(now - failure.at) < RETRY_AFTER

    async def _renew(self, stamp: Stamp | None, now: datetime) -> None:
        try:
            answer = await self._ask(self._request(now))
        except UnreadableError as wrong:
            answer = CalendarAnswer(wrong=str(wrong), is_away=True)
        if answer.wrong:
            self._failure = _Failure(stamp=stamp, at=now, detail=answer.wrong)
            # Only an address may be away for a while; whatever else went wrong, the old content is no longer true.
            self._kept = self._kept if answer.is_away and self._path is None else None
            return
        self._failure = None
        if answer.unchanged and self._kept is not None:
            self._kept = msgspec.structs.replace(self._kept, at=now)
        else:
            self._kept = _kept(answer, stamp, now)

    def _request(self, now: datetime) -> Request:
        # "Not modified" is of use only while the window reaches beyond the next time that the server is asked.
        kept = self._kept
        spare = kept is not None and kept.starts_at <= now <= kept.ends_at - HORIZON - ASK_SERVER_EVERY
        return Request(
            source=str(self._path or self._source),
            zone=self._zone,
            starts_at=now,
            ends_at=now + WINDOW,
            size_bytes_max=SIZE_BYTES_MAX,
            fetch_s_max=FETCH_S_MAX,
            etag=kept.etag if kept and spare else "",
            last_modified=kept.last_modified if kept and spare else "",
        )

    async def _ask(self, request: Request) -> CalendarAnswer:
        said = await worker_said((calendar_worker.__file__,), request, self._environment, CalendarAnswer)
        return said or CalendarAnswer(wrong=TOO_MUCH)

    def _stamp(self) -> Stamp | None:
        if self._path is None:
            return None
        status = self._path.stat()
        if not S_ISREG(status.st_mode):
            raise UnreadableError(f"{self._path} is not a regular file.")
        return status.st_mtime_ns, status.st_size, status.st_ino


async def worker_said(
    program: Sequence[str], request: msgspec.Struct, environment: Mapping[str, str], kind: type[T]
) -> T | None:
    """Have a worker answer, isolated and within limits; None where it was ended by its own.

    Raises:
        UnreadableError: it could not be started, or took too long.
    """
    output = await run(
        (sys.executable, "-I", *program),
        cwd=Path(__file__).parent,
        env={name: environment[name] for name in PASSED_ON if name in environment},
        timeout_s=WORKER_S_MAX,
        limit_bytes=ANSWER_BYTES_MAX,
        stdin=msgspec.json.encode(request),
    )
    try:
        return msgspec.json.decode(output.out, type=kind)
    except msgspec.DecodeError:  # there is no answer, or half of one
        return None


def near(meetings: tuple[Meeting, ...], now: datetime, left_out: int = 0) -> CalendarReading:
    """Return what is on from now to the horizon."""
    ends_at = now + HORIZON
    on = tuple(one for one in meetings if one.ends_at > now and one.starts_at < ends_at)
    return CalendarReading(meetings=on, left_out=left_out)


def in_order(entries: Iterable[Occurrence]) -> tuple[Meeting, ...]:
    """Return meetings by their times."""
    return tuple(sorted(map(_meeting, entries), key=lambda each: (each.starts_at, each.ends_at, each.uid)))


def _kept(answer: CalendarAnswer, stamp: Stamp | None, now: datetime) -> _Kept:
    return _Kept(
        stamp=stamp,
        at=now,
        starts_at=now,
        ends_at=now + WINDOW,
        meetings=in_order(answer.entries),
        left_out=answer.left_out,
        etag=answer.etag,
        last_modified=answer.last_modified,
    )


def _meeting(entry: Occurrence) -> Meeting:
    return Meeting(
        uid=CalendarText(entry.uid),
        title=CalendarText(entry.title),
        starts_at=entry.starts_at,
        ends_at=entry.ends_at,
        all_day=entry.all_day,
    )
