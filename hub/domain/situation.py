"""What is going on: the situation made of what the sensors say, and what it is made of (CROSSPOLL 2.2).

A reading that could not be had is `None` in the situation and named in `unknown`; nothing downstream guesses.
Words that others wrote have types of their own (provenance.py); a `str` here is an id, a path, or a word of ours.
"""

from datetime import datetime, timedelta
from functools import partial
from typing import Literal

from msgspec import field

from hub.contract.base import Value
from hub.contract.mentions import OpenMentions
from hub.domain.plan import Became
from hub.domain.provenance import (
    CalendarText,
    CiText,
    ModelText,
    NoteText,
    RepositoryText,
    TaskText,
    TranscriptText,
)
from hub.domain.suggested import Suggested
from hub.domain.worded import Worded

TaskState = Literal["queued", "running", "completed", "failed", "cancelled"]


class Task(Value):
    """One task of the task store."""

    id: str
    title: TaskText
    status: TaskState
    created_at: datetime
    updated_at: datetime
    channel: str | None = None
    deadline: datetime | None = None
    notes: TaskText = field(default_factory=partial(TaskText, ""))
    card_id: str | None = field(name="prediction_id", default=None)
    own_words: bool = False
    """Whether the person themselves wrote its title, and showed that it is them."""
    kept_by: str = ""
    """The surface whose process kept it, which may take it back; empty where nothing of the kind did."""
    title_worded: Worded | None = None
    """The title as a code where it is a sentence of Pulse's own, for just that text."""

    @property
    def is_open(self) -> bool:
        """Whether it is neither finished nor given up."""
        return self.status in {"queued", "running"}


class Module(Value):
    """A module (folder of sources, relative to its repository) with files changed since the last recorded test run."""

    path: RepositoryText
    files: int


class Branch(Value):
    """A local branch that is not merged, and the age of its last commit."""

    name: RepositoryText
    last_commit_at: datetime


class TodoLine(Value):
    """A to-do comment added since the last commit on the default branch, or uncommitted."""

    path: RepositoryText
    line: int
    text: RepositoryText


class CodeError(Value):
    """An error that a checker of the project's finds in uncommitted work, and not in what was last committed."""

    tool: str
    path: RepositoryText
    line: int
    text: RepositoryText


class StaleLock(Value):
    """A lock file that does not say what its manifest now asks for; the names are those of our own list."""

    manifest: str
    lock: str


class NotInstalled(Value):
    """What a manifest, whose name is of our own list, asks for, and is not installed in the project's folder."""

    manifest: str
    names: tuple[RepositoryText, ...]


LeftOutFor = Literal["private", "kind", "size", "tools", "name"]


class WorkFile(Value):
    """A file of uncommitted work, and what became of it; `was` is its path at the last commit where it has moved.

    `size` and `size_before` are bytes, None where it does not exist; lines are None where nobody can count them.
    """

    path: RepositoryText
    became: Became
    was: RepositoryText = field(default_factory=partial(RepositoryText, ""))
    added: int | None = None
    removed: int | None = None
    size: int | None = None
    size_before: int | None = None


class LeftOut(Value):
    """A new file, or a folder of them, that no commit is proposed with, and why.

    It may hold secrets, is of a kind that seldom belongs into one, is too large, was made by tools, or has a name that
    is no text.
    """

    path: RepositoryText
    reason: LeftOutFor
    size: int | None = None


class NotSetUp(Value):
    """The tests need something that is not installed: what the manifest asks for, with an environment for it.

    The manifest's name is of our own list; empty where there is none, and only a runner is missing.
    """

    manifest: str
    makes_environment: bool


CheckState = Literal["passed", "failed", "running", "none"]


class PullRequest(Value):
    """An open pull request, no draft: the person's own, or one that waits for their review."""

    number: int
    title: RepositoryText
    checks: CheckState
    can_merge: bool
    is_mine: bool


class Deployment(Value):
    """A run of GitHub Actions that waits for the person's leave to deploy one commit to one environment.

    `repository` is "owner/name" at github.com, `run`, `attempt` and `environment_id` are GitHub's own numbers.
    `fork` is the repository that the commit comes from, where that is another.
    """

    repository: str
    run: int
    attempt: int
    commit: str
    environment: CiText
    environment_id: int
    branch: CiText
    workflow: CiText
    title: CiText
    actor: CiText
    fork: CiText


class Repository(Value):
    """One git work tree, as read; `truncated` says that a limit of the sensor cut a list short.

    `conflicts` are files that a merge left unmerged, `operation` what was begun in the work tree and not ended.
    `unpushed` and `behind` count commits against `upstream` as it was last fetched; None without one. `added` and
    `removed` are the lines of the uncommitted change, `to_commit` its files that belong into a commit (new ones only if
    they are text that people write, or pictures), `work` what became of each, `left_out` the new files that do not,
    `written_at` when each was last written or deleted, `diff` its beginning, and `message` says it in a line; empty
    where that cannot be said. `set_up` is what the tests need before they can be run. `failed_tests` are those that a
    test program left noted as failed; `was_test_run_ours` says that the last run was Pulse's, so its own card tells how
    it ended.
    `pull_requests` and `deployments` are None until GitHub has told them.
    """

    path: str
    name: RepositoryText
    branch: RepositoryText | None
    head: str | None
    head_at: datetime | None
    uncommitted: tuple[RepositoryText, ...] = ()
    uncommitted_since: datetime | None = None
    written_at: tuple[datetime, ...] = ()
    conflicts: tuple[RepositoryText, ...] = ()
    operation: Literal["", "merge", "rebase", "am", "cherry-pick", "revert", "bisect"] = ""
    upstream: RepositoryText | None = None
    unpushed: int | None = None
    behind: int | None = None
    added: int = 0
    removed: int = 0
    to_commit: tuple[RepositoryText, ...] = ()
    work: tuple[WorkFile, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    diff: RepositoryText = field(default_factory=partial(RepositoryText, ""))
    message: RepositoryText = field(default_factory=partial(RepositoryText, ""))
    stale_locks: tuple[StaleLock, ...] = ()
    new_errors: tuple[CodeError, ...] = ()
    not_installed: tuple[NotInstalled, ...] = ()
    set_up: NotSetUp | None = None
    pull_requests: tuple[PullRequest, ...] | None = None
    deployments: tuple[Deployment, ...] | None = None
    changed_modules: tuple[Module, ...] = ()
    last_test_run_at: datetime | None = None
    last_test_run_passed: bool | None = None
    was_test_run_ours: bool = False
    tests_in: RepositoryText = field(default_factory=partial(RepositoryText, ""))
    """The folder below in which the tests of what was changed are run; empty where those of the top are."""
    failed_tests: tuple[RepositoryText, ...] = ()
    stale_branches: tuple[Branch, ...] = ()
    todos_added: tuple[TodoLine, ...] = ()
    commits_today: int = 0
    ci: Literal["passed", "failed", "running", "unknown"] = "unknown"
    ci_detail: CiText = field(default_factory=partial(CiText, ""))
    playbooks: tuple[str, ...] = ()
    truncated: bool = False


class Conversation(Value):
    """A recent conversation with an agent: times and an open question, if it ended in one.

    `person_at` is when the person last said something in it, no matter who spoke last; None when that was not seen.
    `folder` is where the agent works; empty where that was not seen. `is_done` says that the agent's last word was
    words, not work.
    """

    id: TranscriptText
    source: TranscriptText
    last_at: datetime
    last_from: Literal["person", "agent"]
    open_question: TranscriptText = field(default_factory=partial(TranscriptText, ""))
    topic: TranscriptText = field(default_factory=partial(TranscriptText, ""))
    person_at: datetime | None = None
    folder: str = ""
    is_done: bool = False


class Meeting(Value):
    """A calendar event that is on or near; an `all_day` one starts and ends at midnight where the person is."""

    uid: CalendarText
    title: CalendarText
    starts_at: datetime
    ends_at: datetime
    all_day: bool = False


class Foreseen(Value):
    """What a predictor of the person's next prompts wrote down (CROSSPOLL 9.3). `channel` is only ever compared."""

    prompt: ModelText
    confidence: float
    at: datetime
    channel: str = ""
    reasoning: ModelText = field(default_factory=partial(ModelText, ""))


class FinishedCommand(Value):
    """A command that the person's shell ran: when it ended, where, its exit status, and how long it took.

    It took long, or `ran_tests`: of a run of tests the shell tells however short it was.
    """

    at: datetime
    folder: str
    command: TranscriptText
    status: int
    seconds: int
    ran_tests: bool = False


class SeenCertificate(Value):
    """A certificate's file: named by the settings, or lying in a workspace; and when it ends."""

    path: RepositoryText
    workspace: str | None
    name: RepositoryText
    ends_at: datetime


DriveFileKind = Literal["goals", "curiosity", "emotions", "hypotheses", "deadlines"]


class DriveItem(Value):
    """What is open in a file of goals, questions, feelings, hypotheses or deadlines that the person named.

    `id` is the file's own for it, or else its words; `weight` (0 to 1) is how much it matters there.
    """

    kind: DriveFileKind
    path: str
    id: NoteText
    text: NoteText
    weight: float
    due_at: datetime | None = None
    updated_at: datetime | None = None


class WatchedProgram(Value):
    """A program that is to run, by the name that the person wrote, and whether it does."""

    name: str
    is_running: bool


class MissingLink(Value):
    """A link or picture in a text whose file does not exist: paths from the folder, and the target as the text has it.

    `written_at` is when the text was last written, `path` what the target means. `was_there` says that it was seen
    before. `perhaps` is where that file lies now, or the one file of that name elsewhere in the folder; empty where
    there is none, or more than one.
    """

    text: RepositoryText
    written_at: datetime
    line: int
    target: RepositoryText
    path: RepositoryText
    was_there: bool = False
    perhaps: RepositoryText = field(default_factory=partial(RepositoryText, ""))


class OldVersion(Value):
    """A document in `count` versions, by their names, of which an older one was edited last or is linked to.

    With `is_many` there are merely many of them, and `older` is the one before the newest.

    `newest` is the newest by its name, `older` the other; paths from the folder. `linked_in` is the text that links to
    the older one, with the line; empty where that one was written after the newest.
    """

    name: RepositoryText
    count: int
    newest: RepositoryText
    newest_at: datetime
    older: RepositoryText
    older_at: datetime
    linked_in: RepositoryText = field(default_factory=partial(RepositoryText, ""))
    line: int = 0
    is_many: bool = False


class SinceBackup(Value):
    """What was written in a folder since its last backup: how many files, and their bytes together."""

    backup_at: datetime
    files: int
    size: int


class Unversioned(Value):
    """A folder that could become a repository: its files, their bytes together, and on how many days it was edited.

    `oldest_at` and `newest_at` are when the first and the last of its texts and pictures were written.
    """

    files: int
    size: int
    days: int
    oldest_at: datetime
    newest_at: datetime


class DocumentFolder(Value):
    """A watched folder of texts and pictures, as read; `is_cut` says that it holds more than is looked at.

    `is_cut_at_links` says that more links than these lead nowhere.

    `unversioned` is None where it is a repository, or would make a bad one. `since_backup` is None where no backup of
    it is known.
    """

    path: str
    name: RepositoryText
    missing_links: tuple[MissingLink, ...] = ()
    old_versions: tuple[OldVersion, ...] = ()
    since_backup: SinceBackup | None = None
    unversioned: Unversioned | None = None
    is_cut_at_links: bool = False
    is_cut: bool = False


class SystemLoad(Value):
    """How the machine is; shares are 0 to 1."""

    load_per_core: float
    memory_used: float
    disk_used: float


class FilesReading(Value, tag="files"):
    """Paths changed lately in the workspaces, newest last, bounded; the situation has it as it was read."""

    changed: tuple[RepositoryText, ...]
    last_change_at: datetime | None


class Situation(Value):
    """The one picture that a cycle thinks about. `local` is `at` in the person's time zone."""

    at: datetime
    local: datetime
    silence: timedelta | None = None
    tasks: tuple[Task, ...] | None = None
    conversations: tuple[Conversation, ...] | None = None
    repositories: tuple[Repository, ...] | None = None
    meetings: tuple[Meeting, ...] | None = None
    files: FilesReading | None = None
    system: SystemLoad | None = None
    foreseen: tuple[Foreseen, ...] | None = None
    suggested: tuple[Suggested, ...] | None = None
    commands: tuple[FinishedCommand, ...] | None = None
    certificates: tuple[SeenCertificate, ...] | None = None
    drive_items: tuple[DriveItem, ...] | None = None
    programs: tuple[WatchedProgram, ...] | None = None
    folders: tuple[DocumentFolder, ...] | None = None
    mentions: tuple[OpenMentions, ...] | None = None
    unknown: tuple[str, ...] = ()
