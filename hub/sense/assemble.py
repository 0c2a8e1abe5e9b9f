"""Readings become the situation; what is missing, broken or too old becomes None and is named in `unknown`.

Nothing here guesses: a stale calendar is worse than none, because somebody would act on it.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import TypeVar
from zoneinfo import ZoneInfo

from hub.contract.mentions import MENTIONS_SENSOR, MentionsReading
from hub.domain.readings import (
    AnyReading,
    CalendarReading,
    CertificateReading,
    ConversationReading,
    DriveFilesReading,
    FolderReading,
    GitReading,
    MessageReading,
    PredictorReading,
    ProgramsReading,
    Reading,
    ShellReading,
    SystemReading,
    TaskReading,
)
from hub.domain.situation import Conversation, FilesReading, Situation
from hub.domain.suggested import SuggestedReading

FRESH_FOR_S: Mapping[str, float] = {
    "messages": 120,
    "tasks": 120,
    "transcripts": 300,
    "git": 600,
    "calendar": 6 * 3600,
    "files": 300,
    "system": 300,
    "predictor": 300,
    "suggested": 300,
    "commands": 300,
    "certificates": 300,
    "drive-files": 300,
    "programs": 300,
    "folders": 300,
    MENTIONS_SENSOR: 900,
}
"""How old a sensor's reading may be, in seconds. The calendar's is long because a server that is down for an hour
does not move meetings; mentions come from outside, every 5 minutes; the others are read at every tick, so older means
that the sensor hangs."""

ZONE_UNKNOWN = "zone"

Body = TypeVar("Body", bound=AnyReading)


def assemble(readings: Mapping[str, Reading], *, now: datetime, zone: str) -> Situation:
    """Make one picture of the newest reading of each sensor.

    Args:
        readings: by sensor name, as in `FRESH_FOR_S`; others are ignored.
        now: the present moment, with a time zone.
        zone: the person's IANA time zone; an unknown one is read as UTC and named in `unknown` as "zone".

    Returns:
        The situation. `unknown` names each sensor without a usable reading, or with one that lacks a file of the
        person's, and each broken repository as "git:PATH".
    """
    messages = _usable(readings, "messages", MessageReading, now)
    tasks = _usable(readings, "tasks", TaskReading, now)
    transcripts = _usable(readings, "transcripts", ConversationReading, now)
    git = _usable(readings, "git", GitReading, now)
    calendar = _usable(readings, "calendar", CalendarReading, now)
    files = _usable(readings, "files", FilesReading, now)
    system = _usable(readings, "system", SystemReading, now)
    predictor = _usable(readings, "predictor", PredictorReading, now)
    suggested = _usable(readings, "suggested", SuggestedReading, now)
    commands = _usable(readings, "commands", ShellReading, now)
    certificates = _usable(readings, "certificates", CertificateReading, now)
    noted = _usable(readings, "drive-files", DriveFilesReading, now)
    programs = _usable(readings, "programs", ProgramsReading, now)
    documents = _usable(readings, "folders", FolderReading, now)
    mentions = _usable(readings, MENTIONS_SENSOR, MentionsReading, now)
    more = (predictor, suggested, commands, certificates, noted, programs, documents, mentions)
    bodies = (messages, tasks, transcripts, git, calendar, files, system, *more)
    unknown = [name for name, body in zip(FRESH_FOR_S, bodies, strict=True) if body is None or _is_partial(body)]
    place = _place(zone)
    return Situation(
        at=now,
        local=now.astimezone(place or UTC),
        silence=_silence(messages, transcripts, now),
        tasks=tasks.tasks if tasks else None,
        conversations=transcripts.conversations if transcripts else None,
        repositories=git.repositories if git else None,
        meetings=calendar.meetings if calendar else None,
        files=files,
        system=system.load if system else None,
        foreseen=predictor.foreseen if predictor else None,
        suggested=suggested.suggested if suggested else None,
        commands=commands.commands if commands else None,
        certificates=certificates.certificates if certificates else None,
        drive_items=noted.items if noted else None,
        programs=programs.programs if programs else None,
        folders=documents.folders if documents else None,
        mentions=mentions.channels if mentions else None,
        unknown=(*unknown, *_broken_repositories(git), *(() if place else (ZONE_UNKNOWN,))),
    )


def last_spoken(messages: MessageReading | None, conversations: tuple[Conversation, ...]) -> datetime | None:
    """Return when the person last said something anywhere; None when they never did."""
    return max(_spoken(messages, conversations), default=None)


def _spoken(messages: MessageReading | None, conversations: tuple[Conversation, ...]) -> Iterator[datetime]:
    if messages is not None and messages.last_message_at is not None:
        yield messages.last_message_at
    for each in conversations:
        if each.person_at is not None:
            yield each.person_at
        elif each.last_from == "person":
            yield each.last_at


def _silence(
    messages: MessageReading | None, transcripts: ConversationReading | None, now: datetime
) -> timedelta | None:
    last = last_spoken(messages, transcripts.conversations if transcripts else ())
    # A clock that was set back makes the last word lie in the future; that is no silence at all, never a negative one.
    return None if last is None else max(now - last, timedelta(0))


def _usable(readings: Mapping[str, Reading], name: str, kind: type[Body], now: datetime) -> Body | None:
    reading = readings.get(name)
    if reading is None or not isinstance(reading.body, kind):
        return None
    # The distance, not the age: after the clock was set back, a reading "from the future" would stay fresh for hours.
    return reading.body if abs((now - reading.at).total_seconds()) <= FRESH_FOR_S[name] else None


def _is_partial(body: AnyReading) -> bool:
    """Return True if something may be there that this reading lacks: then nothing of it counts as gone."""
    return isinstance(body, DriveFilesReading) and bool(body.unread)


def _broken_repositories(git: GitReading | None) -> Iterator[str]:
    for each in git.broken if git else ():
        yield f"git:{each.partition(': ')[0]}"


def _place(zone: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(zone)
    except (ValueError, OSError):  # a key that is no path below the zone folder, or one that names a folder
        return None
    except KeyError:  # ZoneInfoNotFoundError
        return None
