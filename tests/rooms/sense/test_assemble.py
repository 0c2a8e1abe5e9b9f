from datetime import UTC, datetime, timedelta
from typing import Literal

import pytest

from hub.contract.mentions import MENTIONS_SENSOR, MentionsReading
from hub.domain.provenance import TranscriptText
from hub.domain.readings import (
    AnyReading,
    BrokenReading,
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
from hub.domain.situation import Conversation, FilesReading, SystemLoad
from hub.domain.suggested import SuggestedReading
from hub.sense import assemble
from hub.sense.assemble import FRESH_FOR_S

NOW = datetime(2026, 3, 29, 12, 0, tzinfo=UTC)
BODIES: dict[str, AnyReading] = {
    "messages": MessageReading(last_message_at=NOW - timedelta(minutes=40)),
    "tasks": TaskReading(tasks=()),
    "transcripts": ConversationReading(conversations=()),
    "git": GitReading(repositories=()),
    "calendar": CalendarReading(meetings=()),
    "predictor": PredictorReading(),
    "suggested": SuggestedReading(),
    "commands": ShellReading(),
    "certificates": CertificateReading(),
    "drive-files": DriveFilesReading(),
    "programs": ProgramsReading(),
    "folders": FolderReading(),
    MENTIONS_SENSOR: MentionsReading(),
    "files": FilesReading(changed=(), last_change_at=None),
    "system": SystemReading(load=SystemLoad(load_per_core=0.1, memory_used=0.2, disk_used=0.3)),
}


def said(name: str, body: AnyReading | None = None, age_s: float = 0) -> dict[str, Reading]:
    return {name: Reading(sensor=name, at=NOW - timedelta(seconds=age_s), body=body or BODIES[name])}


def everything() -> dict[str, Reading]:
    return {name: said(name)[name] for name in BODIES}


def talk(who: Literal["person", "agent"], minutes: int, person_minutes: int | None = None) -> ConversationReading:
    person_at = None if person_minutes is None else NOW - timedelta(minutes=person_minutes)
    last_at = NOW - timedelta(minutes=minutes)
    one = Conversation(
        id=TranscriptText("c"),
        source=TranscriptText("codex"),
        last_at=last_at,
        last_from=who,
        person_at=person_at,
    )
    return ConversationReading(conversations=(one,))


def test_every_sensor_has_a_limit() -> None:
    assert set(FRESH_FOR_S) == set(BODIES)


def test_all_is_known() -> None:
    found = assemble(everything(), now=NOW, zone="Europe/Berlin")
    assert found.unknown == ()
    assert found.silence == timedelta(minutes=40)
    assert (found.tasks, found.conversations, found.repositories, found.meetings) == ((), (), (), ())
    assert found.files is not None
    assert found.system is not None


def test_nothing_is_known() -> None:
    found = assemble({}, now=NOW, zone="UTC")
    assert set(found.unknown) == set(FRESH_FOR_S)
    assert (found.silence, found.tasks, found.repositories, found.files, found.system) == (None,) * 5


@pytest.mark.parametrize("name", FRESH_FOR_S)
def test_a_reading_counts_until_its_limit(name: str) -> None:
    limit = FRESH_FOR_S[name]
    assert name not in assemble({**everything(), **said(name, age_s=limit)}, now=NOW, zone="UTC").unknown
    assert assemble({**everything(), **said(name, age_s=limit + 1)}, now=NOW, zone="UTC").unknown == (name,)


@pytest.mark.parametrize("name", FRESH_FOR_S)
def test_broken_and_mistaken_readings_are_unknown(name: str) -> None:
    broken = said(name, BrokenReading(detail="no"))
    assert assemble({**everything(), **broken}, now=NOW, zone="UTC").unknown == (name,)
    other = BODIES["tasks" if name != "tasks" else "git"]
    assert assemble({**everything(), **said(name, other)}, now=NOW, zone="UTC").unknown == (name,)


def test_a_reading_from_the_far_future_is_unknown() -> None:
    assert assemble({**everything(), **said("git", age_s=-7200)}, now=NOW, zone="UTC").unknown == ("git",)


def test_broken_repositories_are_named() -> None:
    git = said("git", GitReading(repositories=(), broken=("/a/b: git says: no: really",)))
    assert assemble({**everything(), **git}, now=NOW, zone="UTC").unknown == ("git:/a/b",)


@pytest.mark.parametrize(
    ("messages", "transcripts", "minutes"),
    [
        (MessageReading(last_message_at=NOW - timedelta(minutes=9)), talk("person", 20), 9),
        (MessageReading(last_message_at=NOW - timedelta(minutes=30)), talk("person", 20), 20),
        (MessageReading(last_message_at=None), talk("agent", 1, person_minutes=15), 15),
        (MessageReading(last_message_at=None), talk("agent", 1), None),
        (MessageReading(last_message_at=None), ConversationReading(conversations=()), None),
        (BrokenReading(detail=""), talk("person", 3), 3),
        (MessageReading(last_message_at=NOW - timedelta(minutes=4)), BrokenReading(detail=""), 4),
        (MessageReading(last_message_at=NOW + timedelta(hours=1)), talk("person", 20), 0),
    ],
)
def test_silence_is_since_the_newest_word_of_a_person(
    messages: AnyReading, transcripts: AnyReading, minutes: int | None
) -> None:
    found = assemble({**said("messages", messages), **said("transcripts", transcripts)}, now=NOW, zone="UTC")
    assert found.silence == (None if minutes is None else timedelta(minutes=minutes))


@pytest.mark.parametrize(
    ("utc_hour", "local_hour"),
    [(0, 1), (1, 3)],  # the night when Berlin's clocks go from 2 to 3
)
def test_local_time_follows_the_zone(utc_hour: int, local_hour: int) -> None:
    found = assemble({}, now=NOW.replace(hour=utc_hour), zone="Europe/Berlin")
    assert found.local.hour == local_hour
    assert found.local == found.at


@pytest.mark.parametrize("zone", ["Mars/Olympus", "", "../etc/passwd", "Europe", "\0"])
def test_an_unknown_zone_is_utc_and_is_named(zone: str) -> None:
    found = assemble(everything(), now=NOW, zone=zone)
    assert found.local.utcoffset() == timedelta(0)
    assert found.unknown == ("zone",)
