"""The person's calendars on a CalDAV server, asked beside the loop; one that has not changed costs a small request."""

import asyncio
import os
import stat
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path

import msgspec

from hub.contract.base import Value
from hub.domain.provenance import CalendarText
from hub.domain.readings import BrokenReading, CalendarReading, Reading
from hub.domain.situation import Meeting
from hub.io.sensors.background_poll import BackgroundPoll
from hub.io.sensors.caldav_account import CaldavAccount
from hub.io.sensors.caldav_wire import DavAnswer, DavLogin, DavRequest
from hub.io.sensors.calendar import (
    HORIZON,
    KEEP_WHILE_AWAY,
    SIZE_BYTES_MAX,
    TOO_MUCH,
    WINDOW,
    in_order,
    near,
    worker_said,
)
from hub.io.sensors.guard import UnreadableError
from hub.kit.private_address import host_of
from hub.ports import Sensor

ASK_EVERY = timedelta(minutes=10)
REFUSED_FOR = timedelta(hours=1)
"""So long nobody knocks again with a password that was refused: many servers lock an account that does."""
WHOLE_S_MAX = 25.0
PASSWORD_BYTES_MAX = 1_024
ROOT = Path(__file__).resolve().parents[3]
START = "import sys; sys.path.append(sys.argv[1]); from hub.io.sensors.caldav_worker import main; main()"
"""Isolated, as the other worker is; its own package comes last, so that nothing there stands in for another's."""
FIRST = "The calendars are being read for the first time."


class _KnownMeetings(Value):
    """What was on when the server was last asked."""

    at: datetime
    ends_at: datetime
    meetings: tuple[Meeting, ...]
    homes: tuple[str, ...]
    tags: Mapping[str, str]


class CaldavSensor:
    """Tells what is on from now to 24 hours ahead, in all calendars of one account."""

    name = "calendar"

    def __init__(self, account: CaldavAccount, *, zone: str, environment: Mapping[str, str] = os.environ) -> None:
        """Prepare to ask; the zone is as for `CalendarSensor`."""
        self._account = _Account(account, zone, environment)

    async def read(self, now: datetime) -> Reading:
        """Tell what is known, with the time at which the server last said so, and ask beside it when that is old."""
        known = self._account.look(account_name(self._account.account), now)
        if known is None or abs(now - known.at) > KEEP_WHILE_AWAY:
            return Reading(sensor=self.name, at=now, body=BrokenReading(detail=self._account.trouble or FIRST))
        return Reading(sensor=self.name, at=known.at, body=near(known.meetings, now))

    async def settled(self) -> None:
        """Wait until what is being asked has been answered."""
        await self._account.settled()

    async def close(self) -> None:
        """End a question that is under way."""
        await self._account.close()


class JoinedCalendars:
    """Several sources of meetings as one: without one of them nothing is known, for what is missing may be on now."""

    name = "calendar"

    def __init__(self, sources: tuple[Sensor, ...]) -> None:
        self._sources = sources

    async def read(self, now: datetime) -> Reading:
        """Tell what is on in any of them, with the time of the oldest."""
        readings = await asyncio.gather(*(one.read(now) for one in self._sources))
        found: dict[tuple[CalendarText, datetime, CalendarText], Meeting] = {}
        left_out = 0
        for one in readings:
            if not isinstance(one.body, CalendarReading):
                return one
            found |= {(each.uid, each.starts_at, each.title): each for each in one.body.meetings}
            left_out += one.body.left_out
        meetings = tuple(sorted(found.values(), key=lambda each: (each.starts_at, each.ends_at)))
        body = CalendarReading(meetings=meetings, left_out=left_out)
        return Reading(sensor=self.name, at=min(one.at for one in readings), body=body)

    async def close(self) -> None:
        """Close all of them."""
        await asyncio.gather(*(one.close() for one in self._sources))


def account_name(account: CaldavAccount) -> str:
    """Return how an account is called in messages: by its host."""
    return host_of(account.url) or "caldav"


class _Account(BackgroundPoll[_KnownMeetings]):
    """What one account's server tells; `trouble` is why it last told nothing."""

    def __init__(self, account: CaldavAccount, zone: str, environment: Mapping[str, str]) -> None:
        super().__init__(ASK_EVERY)
        self.account = account
        self.trouble = ""
        self._zone = zone
        self._environment = environment
        self._refused_at: datetime | None = None

    async def ask(self, name: str, now: datetime) -> _KnownMeetings | None:
        """Ask the server, unless it has just refused the password."""
        if self._refused_at is not None and abs(now - self._refused_at) < REFUSED_FOR:
            return None
        answer = await self._answer(now)
        self._refused_at = now if answer.is_refused else None
        self.trouble = f"{name}: {answer.wrong}" if answer.wrong else ""
        if answer.wrong:
            return None
        if answer.unchanged and self._known is not None:
            return msgspec.structs.replace(self._known, at=now)
        return _KnownMeetings(
            at=now,
            ends_at=now + WINDOW,
            meetings=in_order(answer.entries),
            homes=answer.homes,
            tags=answer.tags,
        )

    async def _answer(self, now: datetime) -> DavAnswer:
        try:
            password = await asyncio.to_thread(password_of, self.account, self._environment)
            request = self._request(password, now)
            said = await worker_said(("-c", START, str(ROOT)), request, self._environment, DavAnswer)
        except (UnreadableError, OSError) as wrong:
            return DavAnswer(wrong=str(wrong))
        return said or DavAnswer(wrong=TOO_MUCH)

    def _request(self, password: str, now: datetime) -> DavRequest:
        # "Not changed" is of use only while what is known reaches beyond the next time that the server is asked.
        known = self._known
        spare = known is not None and known.at <= now <= known.ends_at - HORIZON - ASK_EVERY
        account = self.account
        return DavRequest(
            url=account.url,
            login=DavLogin(
                user=account.user, password=password, hosts=(host_of(account.url), *map(str.lower, account.hosts))
            ),
            names=account.calendars,
            zone=self._zone,
            starts_at=now,
            ends_at=now + WINDOW,
            whole_s_max=WHOLE_S_MAX,
            bytes_max=SIZE_BYTES_MAX,
            homes=known.homes if known else (),
            tags=dict(known.tags) if known else {},
            unconditional=not spare,
        )


def password_of(account: CaldavAccount, environment: Mapping[str, str]) -> str:
    """Return the password, from its file or its environment variable.

    Raises:
        UnreadableError: it does not exist, or others can read its file.
    """
    if not account.password_file:
        password = environment.get(account.password_env, "")
        if not password:
            raise UnreadableError(
                f"The environment variable {account.password_env} is not set. Start Pulse with it, "
                "or name a file in `sensors.caldav.password_file`."
            )
        return password
    path = Path(account.password_file).expanduser()
    try:
        return _first_line(path)
    except FileNotFoundError:
        raise UnreadableError(f"{path} does not exist. Write the password into it, and `chmod 600` it.") from None


def _first_line(path: Path) -> str:
    # Without O_NONBLOCK, opening a named pipe would wait for a writer that never comes.
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise UnreadableError(f"{path} is not a regular file.")
        if status.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise UnreadableError(f"Others may read {path}, and it holds a password. Run `chmod 600 {path}`.")
        line = file.read(PASSWORD_BYTES_MAX).partition(b"\n")[0].rstrip(b"\r")
    if not line:
        raise UnreadableError(f"{path} is empty. Write the password into it.")
    return line.decode("utf-8", "replace")
