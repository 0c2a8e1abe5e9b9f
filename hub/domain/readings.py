"""What the sensors say: one class per sensor, so that a reading of a wrong shape cannot be built."""

from datetime import datetime

from hub.contract.base import Value
from hub.contract.mentions import MentionsReading
from hub.domain.situation import (
    Conversation,
    DocumentFolder,
    DriveItem,
    FilesReading,
    FinishedCommand,
    Foreseen,
    Meeting,
    Repository,
    SeenCertificate,
    SystemLoad,
    Task,
    WatchedProgram,
)
from hub.domain.suggested import SuggestedReading


class MessageReading(Value, tag="messages"):
    """When a person last said something to an agent, through the API or seen in a transcript."""

    last_message_at: datetime | None


class TaskReading(Value, tag="tasks"):
    """All open tasks, at most the store's limit."""

    tasks: tuple[Task, ...]


class ConversationReading(Value, tag="conversations"):
    """Recent conversations, newest first."""

    conversations: tuple[Conversation, ...]


class GitReading(Value, tag="git"):
    """Every workspace's repository; `broken` says, workspace by workspace, what could not be read and why."""

    repositories: tuple[Repository, ...]
    broken: tuple[str, ...] = ()


class CalendarReading(Value, tag="calendar"):
    """Events from now to the horizon, sorted by start; `left_out` counts those that could not be read."""

    meetings: tuple[Meeting, ...]
    left_out: int = 0


class SystemReading(Value, tag="system"):
    """The machine's health."""

    load: SystemLoad


class PredictorReading(Value, tag="predictor"):
    """What a predictor foresees, the latest last; `wrong` names the lines of its file that are not used, and why."""

    foreseen: tuple[Foreseen, ...] = ()
    wrong: tuple[str, ...] = ()


class ShellReading(Value, tag="commands"):
    """The long commands of the last hour, the latest last."""

    commands: tuple[FinishedCommand, ...] = ()


class CertificateReading(Value, tag="certificates"):
    """The certificates that could be read."""

    certificates: tuple[SeenCertificate, ...] = ()


class DriveFilesReading(Value, tag="drive-files"):
    """What is open in the files that the person named.

    `wrong` says, file by file, what is not used and why. A file that cannot be read now counts as it was when it last
    could; `unread` are those that never could since the start.
    """

    items: tuple[DriveItem, ...] = ()
    wrong: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


class ProgramsReading(Value, tag="programs"):
    """The programs that are to run."""

    programs: tuple[WatchedProgram, ...] = ()


class FolderReading(Value, tag="folders"):
    """The watched folders of texts and pictures; `wrong` says of a folder, or of the backup, what could not be read."""

    folders: tuple[DocumentFolder, ...] = ()
    wrong: tuple[str, ...] = ()


class BrokenReading(Value, tag="broken"):
    """A sensor could not read; `detail` says what happened and what to do."""

    detail: str


AnyReading = (
    MessageReading
    | TaskReading
    | ConversationReading
    | GitReading
    | CalendarReading
    | FilesReading
    | SystemReading
    | PredictorReading
    | SuggestedReading
    | ShellReading
    | CertificateReading
    | DriveFilesReading
    | ProgramsReading
    | FolderReading
    | MentionsReading
    | BrokenReading
)


class Reading(Value):
    """What one sensor said, when."""

    sensor: str
    at: datetime
    body: AnyReading
