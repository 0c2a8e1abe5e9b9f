"""What is looked at, by what a start was asked for and by the settings: workspaces, and folders of transcripts."""

from pathlib import Path

from hub.contract.errors import UserError
from hub.io.sensors.drive_files import NamedFile
from hub.io.sensors.transcripts import TranscriptFolder, default_folders
from hub.io.sensors.tree import is_in_repository
from hub.io.world.place import world_files
from hub.sense.drive_files import named_file
from hub.settings import Settings
from hub.settings.schema import DriveSettings, SensorSettings, WorldSettings


class NoWorkspaceError(UserError):
    """A given workspace is not a folder."""

    code = "no-workspace"


def workspaces_of(named: tuple[Path, ...], settings: Settings) -> tuple[Path, ...]:
    """Return the folders to watch: those that were named, else those of the settings, else the current one.

    Raises:
        NoWorkspaceError: one of them is not a folder.
    """
    chosen = named or tuple(Path(one).expanduser() for one in settings.workspaces) or (Path.cwd(),)
    for folder in chosen:
        if not folder.is_dir():
            raise NoWorkspaceError(
                f"{folder} is not a folder.", fix="Name an existing one: `pulse up --workspace DIR`."
            )
    return tuple(dict.fromkeys(folder.resolve() for folder in chosen))


def without_git(workspaces: tuple[Path, ...], home: Path) -> tuple[Path, ...]:
    """Return the folders that are in no repository; a home, where Pulse was merely started, is nobody's project."""
    return tuple(one for one in workspaces if not is_in_repository(one) and one not in (home, *home.parents))


def transcripts_of(wanted: SensorSettings) -> tuple[TranscriptFolder, ...]:
    """Return where conversations with agents are kept, if they may be looked at."""
    if not wanted.transcripts:
        return ()
    named = tuple(TranscriptFolder(source="claude-code", path=Path(one)) for one in wanted.transcript_folders)
    return named or default_folders(Path.home())


def drive_files_of(wanted: DriveSettings) -> tuple[NamedFile, ...]:
    """Return the files of goals, questions, feelings and hypotheses; the same one counts once."""
    named = (named_file(one) for one in wanted.files)
    found = {Path(path).expanduser().absolute(): kind for kind, path in (one for one in named if one is not None)}
    return tuple(NamedFile(kind=kind, path=path) for path, kind in found.items())


def report_file_of(wanted: DriveSettings) -> Path | None:
    """Return the file in which an agent reports its work, if one is named."""
    return Path(wanted.feedback_file).expanduser().absolute() if wanted.feedback_file else None


def mutations_file_of(wanted: DriveSettings) -> Path | None:
    """Return the file in which an agent asks for changes of the drives, if one is named."""
    return Path(wanted.mutations_file).expanduser().absolute() if wanted.mutations_file else None


def world_log_of(wanted: WorldSettings, home: Path) -> Path:
    """Return where the world log lies: where the settings say, else in the folder of Pulse's state."""
    return world_files(home, wanted.log).log
