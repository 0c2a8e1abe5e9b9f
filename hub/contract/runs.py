"""What would run, and what came of it: the parts of a card that tell a person about a run, before and after."""

from typing import Literal

from hub.contract.base import HubMessage
from hub.contract.phrasing import Phrasing
from hub.contract.words import TextSource

RunEnding = Literal["done", "failed", "stopped", "interrupted", "timeout", "not-started"]
TextForm = Literal["text", "markdown", "mermaid"]


class DefinedBy(HubMessage):
    """A file that says what runs, with the SHA-256 of its content; seen from the folder, or with its full path."""

    path: str
    sha256: str


class FileToCommit(HubMessage):
    """What becomes of a file by a commit; `was` is its path before, empty unless it moves.

    Sizes are bytes, null where the file does not exist; lines are null where nobody can count them, as in a picture.
    """

    path: str
    became: Literal["added", "changed", "deleted", "renamed"]
    was: str = ""
    added: int | None = None
    removed: int | None = None
    size: int | None = None
    size_before: int | None = None


class CommitPlan(HubMessage):
    """What a commit would hold: its message, every file, and the diff, of which there is more where `diffCut`.

    `GET /predictions/{id}/changes` has all of the diff, and the pictures.
    """

    message: str
    files: tuple[FileToCommit, ...]
    diff: str = ""
    diff_cut: bool = False


class PlannedRun(HubMessage):
    """What would be started if the person says yes: part of what the card's hash stands for.

    `summary` is the command in one line with its folder's name, `command` that beginning of it that runs; `script`
    what that command stands for in its file. `environment` are names only; `containment` says what will hold the
    program; `then` is what Pulse runs afterwards to prove it done, in `summary` as well. `unclear` says why
    `definedBy` may not be every file that decides what runs, so that it never runs without a person. `commit` is what
    would be committed, null where something else runs. With `problem`, it could not be told, and the rest is empty.
    Texts come as codes, too.
    """

    summary: str
    argv: tuple[str, ...] = ()
    folder: str = ""
    prompt: Literal["argument", "input", "none"] = "none"
    environment: tuple[str, ...] = ()
    defined_by: tuple[DefinedBy, ...] = ()
    script: str = ""
    containment: str = ""
    problem: str = ""
    then: "PlannedRun | None" = None
    unclear: str = ""
    commit: CommitPlan | None = None
    command: str = ""
    summary_worded: Phrasing | None = None
    containment_worded: Phrasing | None = None
    problem_worded: Phrasing | None = None
    unclear_worded: Phrasing | None = None

    @property
    def line(self) -> str:
        """What would run, or why that cannot be told, in one line that is the same on every surface."""
        return f"▶ {self.summary}" if self.summary else f"▶ ? {self.problem}"


class CountedTests(HubMessage):
    """How many tests there were of each kind; of `packages`, where the tool counts no single tests."""

    passed: int = 0
    failed: int = 0
    errors: int = 0
    skipped: int = 0
    of: Literal["tests", "packages"] = "tests"


class ChangedFile(HubMessage):
    """A file that a run changed, seen from its folder; lines added and removed, null where nobody can count them."""

    path: str
    added: int | None = None
    removed: int | None = None


class WorkResult(HubMessage):
    """What came of a card's last run, in words for a person.

    `summary` is its one line, for surfaces that have no room: "1,991 passed in 14 s", "3 errors; tests did not start".
    `summaryWorded` is the same as a code; a surface may make its own line of `ended`, `tests` and `durationS`, too.
    `handedOver`: an agent took it and ended without an error (`ended` is `done`), and nothing shows that it is done; it
    is neither. `provenBy` is the command that proved it done, empty where none did. `advice` is how to mend what kept
    it from running; both come as codes, too. `trouble` are the last lines that matter of a run that failed, `said` is
    the agent's last paragraph; both are words of programs (`quotes` says whose), as are the names in `files`, of which
    there may be more (`filesChanged`). `hasDiff`: `GET /predictions/{id}/runs` has the changes, line by line.
    `form` is how `said`, or else the run's output, is written; `note` the file that it was written to, `commit` the
    commit that was made: `undo` takes it back while it is not pushed and nothing lies on it.
    """

    execution_id: str
    ended: RunEnding
    summary: str
    summary_worded: Phrasing | None = None
    tests: CountedTests | None = None
    duration_s: float | None = None
    proven_by: str = ""
    proven_by_worded: Phrasing | None = None
    advice: str = ""
    advice_worded: Phrasing | None = None
    trouble: tuple[str, ...] = ()
    said: str = ""
    form: TextForm = "text"
    note: str = ""
    files: tuple[ChangedFile, ...] = ()
    files_changed: int = 0
    has_diff: bool = False
    handed_over: bool = False
    quotes: tuple[TextSource, ...] = ()
    commit: str = ""
