"""Make the sensors that this machine and these settings call for, tied to each other."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

from hub.contract.base import Value
from hub.io.home.command_record import COMMANDS_FILE
from hub.io.home.suggestion_box import BOX_FILE
from hub.io.sensors.caldav_account import CaldavAccount
from hub.io.sensors.certificates import CertificateSensor
from hub.io.sensors.change_watch import ChangeWatch
from hub.io.sensors.ci import CiSource
from hub.io.sensors.commands import command_sensor
from hub.io.sensors.drive_files import DriveFilesSensor, NamedFile
from hub.io.sensors.files import FilesSensor
from hub.io.sensors.folders import FolderSensor
from hub.io.sensors.git import GitSensor
from hub.io.sensors.git_program import ROOM_FOLDER
from hub.io.sensors.mentions import NoMentions
from hub.io.sensors.predictor import predictor_sensor
from hub.io.sensors.programs import ProgramsSensor
from hub.io.sensors.suggested import suggested_sensor
from hub.io.sensors.system import SystemSensor
from hub.io.sensors.traces import Tell
from hub.io.sensors.transcripts import TranscriptFolder, TranscriptSensor
from hub.io.sensors.watchers import watcher
from hub.ports import Sensor
from hub.sense.run_record import RECORD_FILE

PREDICTIONS_FILE = "predictions.jsonl"
"""Below `$PULSE_HOME`: a line for each prompt that a predictor of the person's foresees (CROSSPOLL 9.3)."""


class SensorOptions(Value):
    """What the sensors are to look at, and the names of those that are not wanted.

    `home` is `$PULSE_HOME`, `zone` the person's IANA time zone.
    """

    home: Path
    workspaces: tuple[Path, ...]
    zone: str
    calendar: str | None = None
    caldav: CaldavAccount | None = None
    transcripts: tuple[TranscriptFolder, ...] = ()
    ci: Mapping[Path, CiSource] = {}
    asks_github: bool = False
    asks_deployments: bool = False
    predictions: Path | None = None
    certificates: tuple[Path, ...] = ()
    drive_files: tuple[NamedFile, ...] = ()
    programs: tuple[str, ...] = ()
    backup: Path | None = None
    hears_mentions: bool = False
    without: frozenset[str] = frozenset()

    @property
    def predictions_file(self) -> Path:
        """Where a predictor writes."""
        return self.predictions or self.home / PREDICTIONS_FILE


def make_sensors(options: SensorOptions, now: Callable[[], datetime], tell: Tell) -> tuple[Sensor, ...]:
    """Make all sensors; nothing is looked at before the first reading. Call it inside the event loop.

    `tell` hears of files as they are saved.
    """
    roots = work_trees(options.workspaces)
    git = GitSensor(
        tuple(roots.values()),
        zone=_zone(options.zone),
        record=options.home / RECORD_FILE,
        ci={roots[workspace]: source for workspace, source in options.ci.items() if workspace in roots},
        is_watched=lambda: files.is_watching,
        room=options.home / ROOM_FOLDER,
        asks_github=options.asks_github,
        asks_deployments=options.asks_deployments,
    )
    folders = FolderSensor(
        tuple(roots.values()),
        zone=_zone(options.zone),
        backup=options.backup,
        without=options.home.resolve(),
        is_watched=lambda: files.is_watching,
    )

    def changed(root: Path) -> None:
        git.invalidate(root)
        folders.invalidate(root)

    files = FilesSensor(
        tuple(roots.values()),
        now=now,
        on_change=changed,
        tell=tell,
        make=partial(watcher, without=options.home.resolve()),  # what Pulse writes is nobody's work
    )
    sensors: list[Sensor] = [
        files,
        git,
        folders,
        TranscriptSensor(options.transcripts),
        SystemSensor(options.home),
        predictor_sensor(options.predictions_file),
        suggested_sensor(options.home / BOX_FILE),
        command_sensor(options.home / COMMANDS_FILE),
        CertificateSensor(options.certificates, tuple(roots.values())),
        DriveFilesSensor(options.drive_files, _zone(options.zone)),
        ProgramsSensor(options.programs, tell),
    ]
    sensors.extend(_calendars(options))
    if not options.hears_mentions:
        sensors.append(NoMentions())
    return tuple(each for each in sensors if each.name not in options.without)


def _calendars(options: SensorOptions) -> Iterator[Sensor]:
    if not (options.calendar or options.caldav):
        return
    from hub.io.sensors.caldav import CaldavSensor, JoinedCalendars  # noqa: PLC0415  only where calendars are read
    from hub.io.sensors.calendar import CalendarSensor  # noqa: PLC0415  as above

    zone = _known_zone(options.zone)
    sources: tuple[Sensor, ...] = (
        *([CalendarSensor(options.calendar, zone=zone)] if options.calendar else []),
        *([CaldavSensor(options.caldav, zone=zone)] if options.caldav else []),
    )
    if len(sources) > 1:
        yield JoinedCalendars(sources)
    else:
        yield from sources


def make_watch(options: SensorOptions, tell: Tell) -> ChangeWatch:
    """Make what tells of everything else that the sensors would see: commits, test runs, agents' transcripts."""
    roots = tuple(work_trees(options.workspaces).values())
    return ChangeWatch(
        roots,
        record=options.home / RECORD_FILE,
        transcripts=options.transcripts,
        tell=tell,
        readings=(
            options.predictions_file,
            options.home / COMMANDS_FILE,
            options.home / BOX_FILE,
            *(file.path for file in options.drive_files),
        ),
    )


def work_trees(workspaces: Sequence[Path]) -> dict[Path, Path]:
    """Return for each workspace the work tree around it, or itself: all of that is watched, not only a folder in it."""
    return {each: _work_tree(each.resolve()) for each in workspaces}


def _work_tree(workspace: Path) -> Path:
    return next((folder for folder in (workspace, *workspace.parents) if (folder / ".git").exists()), workspace)


def _zone(name: str) -> tzinfo:
    known = _known_zone(name)
    return UTC if known == "UTC" else ZoneInfo(known)


def _known_zone(name: str) -> str:
    """Return the name if there is such a zone, else UTC, as `assemble` does (which also says so)."""
    try:
        return ZoneInfo(name).key
    except (ValueError, OSError, KeyError):
        return "UTC"
