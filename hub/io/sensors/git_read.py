"""Everything that is told of one work tree, asked of git in a handful of bounded commands."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, tzinfo
from pathlib import Path

import msgspec

from hub.contract.base import Value
from hub.domain.provenance import RepositoryText
from hub.domain.situation import Branch, LeftOut, Repository, TodoLine, WorkFile
from hub.domain.suggestion import RUN_TESTS
from hub.io.sensors import workspace
from hub.io.sensors.checks import errors_of_change
from hub.io.sensors.git_program import Git
from hub.io.sensors.git_work import NEW_FILE_BYTES_MAX, PLAIN_DIFF, UncommittedWork, read_work
from hub.io.sensors.guard import Disk, UnreadableError
from hub.io.sensors.packages import packages_missing
from hub.io.sensors.run_traces import WATCHED, TracedRun, traced_run
from hub.io.sensors.workspace import Operation, Project
from hub.sense import git_output
from hub.sense.changes import FileChange, message_of
from hub.sense.git_output import Commit, GitStatus
from hub.sense.installed_files import TOOL_FOLDERS
from hub.sense.modules import left_out_for, modules
from hub.sense.run_record import RecordedRun
from hub.sense.todos import in_diff

STALE_AFTER = timedelta(days=30)
COMMITS_MAX = 500
"""How many commits are looked at to count those of today."""
BRANCHES_MAX = 200
UNCOMMITTED_MAX = 200
FILTERED_MAX = 2_000
"""Of so many changed files it is asked whether a filter stands between them and git."""
MODULES_MAX = 50
TODOS_MAX = 100
DIFF_PATHS_CHARS_MAX = 262_144
"""Paths longer than this all together do not go on a command line."""
TODO_PATTERN = "TODO|FIXME"


class GitContext(Value):
    """What is to be known besides the work tree: the record of test runs, that of the shell, and the time zone."""

    record: Path | None
    zone: tzinfo
    commands: Path | None = None


class _Base(Value):
    """What everything else builds on."""

    status: GitStatus
    operation: Operation
    commits: tuple[Commit, ...]
    default: str | None
    is_cut: bool


async def read_repository(git: Git, place: GitContext, disk: Disk, now: datetime) -> Repository:
    """Read one work tree; `truncated` is set when a limit cut a list, or a part could not be read.

    Raises:
        UnreadableError: not even its status could be had.
    """
    base = await _base(git, disk)
    branches, branches_cut = await _stale(git, base, now)
    todos, todos_cut = await _todos(git, base, disk)
    tested = await _tested(git, base, place, disk)
    uncommitted = (*base.status.tracked, *base.status.untracked)
    status = base.status
    left_out, new = await disk.look(lambda: _sorted_out(git.top, status))
    work = await _work(git, base, new, disk)
    changes = work.changes if work else ()
    belonging = (*status.tracked, *new)
    since = await disk.look(lambda: workspace.oldest_change(git.top, belonging or uncommitted))
    midnight = now.astimezone(place.zone).replace(hour=0, minute=0, second=0, microsecond=0)
    return msgspec.structs.replace(
        tested,
        uncommitted=tuple(map(RepositoryText, uncommitted[:UNCOMMITTED_MAX])),
        uncommitted_since=since,
        written_at=await disk.look(lambda: workspace.written_at(git.top, belonging[:UNCOMMITTED_MAX])),
        conflicts=tuple(map(RepositoryText, status.unmerged[:UNCOMMITTED_MAX])),
        operation=base.operation,
        upstream=RepositoryText(status.upstream) if status.upstream else None,
        unpushed=status.ahead,
        behind=status.behind,
        added=sum(each.added or 0 for each in changes if each.path not in new),
        removed=sum(each.removed or 0 for each in changes),
        to_commit=tuple(map(RepositoryText, belonging[:UNCOMMITTED_MAX])),
        work=tuple(map(_work_file, changes[:UNCOMMITTED_MAX])),
        left_out=left_out[:UNCOMMITTED_MAX],
        diff=RepositoryText(work.diff if work else ""),
        message=RepositoryText(message_of(changes)),
        not_installed=await disk.look(lambda: packages_missing(git.top, uncommitted)),
        new_errors=await errors_of_change(git, status.tracked, new, disk),
        stale_locks=await disk.look(lambda: workspace.locks(git.top, uncommitted)),
        stale_branches=branches,
        todos_added=todos[:TODOS_MAX],
        commits_today=sum(midnight <= commit.at <= now for commit in base.commits),
        truncated=base.is_cut
        or tested.truncated
        or branches_cut
        or todos_cut
        or len(uncommitted) > UNCOMMITTED_MAX
        or len(todos) > TODOS_MAX,
    )


async def _base(git: Git, disk: Disk) -> _Base:
    status, is_cut, operation = await _status_amid(git, disk)
    commits: tuple[Commit, ...] = ()
    if status.head is not None:
        commits = git_output.commits(
            await git.answer("log", f"--max-count={COMMITS_MAX}", "--no-show-signature", "--format=%H %ct", "HEAD")
        )
    names = [
        f"{where}/{name}" for where in ("refs/heads", "refs/remotes/origin") for name in git_output.DEFAULT_BRANCHES
    ]
    refs = await _or_nothing(git, "for-each-ref", "--format=%(refname) %(symref)", "refs/remotes/origin/HEAD", *names)
    default = git_output.default_branch(refs or b"")
    return _Base(status=status, operation=operation, commits=commits, default=default, is_cut=is_cut or refs is None)


async def _status_amid(git: Git, disk: Disk) -> tuple[GitStatus, bool, Operation]:
    """Read the status and the operation that it was read in; where that began or ended meanwhile, read once more.

    Conflicts of a merge beside the news that no merge is under way would be a matter that never was.
    """
    before = await disk.look(lambda: workspace.operation(git.git_folder))
    status, is_cut = await _status(git)
    operation = await disk.look(lambda: workspace.operation(git.git_folder))
    if operation != before:
        status, is_cut = await _status(git)
    return status, is_cut, operation


async def _status(git: Git) -> tuple[GitStatus, bool]:
    """Read the status; when looking for new files takes too long, without them."""
    plain = ("status", "--porcelain=v2", "--branch", "-z", "--no-renames", "--ignore-submodules=all")
    try:
        said = await git.ask(*plain, "--untracked-files=all")
        if said.cut:  # mostly by what was installed and is not ignored, which is nobody's work
            with _installed_ignored(git.room) as ignored:
                said = await git.ask(*ignored, *plain, "--untracked-files=all")
        if said.code == 0 or said.cut:
            return await _as_stored(git, git_output.status(said.out), is_cut=said.cut)
    except UnreadableError:
        pass  # too slow; without new files it is a matter of the index alone
    return await _as_stored(git, git_output.status(await git.answer(*plain, "--untracked-files=no")), is_cut=True)


async def _as_stored(git: Git, status: GitStatus, *, is_cut: bool) -> tuple[GitStatus, bool]:
    """Leave out files of which it cannot be told here whether they changed; a conflict is one whatever lies there."""
    paths = (*status.tracked, *status.untracked)
    asked = paths[:FILTERED_MAX]
    without = (await git.unlike_stored(asked)).union(paths[FILTERED_MAX:]).difference(status.unmerged)
    told = msgspec.structs.replace(
        status,
        tracked=tuple(path for path in status.tracked if path not in without),
        untracked=tuple(path for path in status.untracked if path not in without),
    )
    return told, is_cut or len(paths) > len(asked)


@contextmanager
def _installed_ignored(room: Path | None) -> Iterator[tuple[str, str]]:
    """Have git ignore what tools put there, in place of what the person's own list ignores."""
    with tempfile.NamedTemporaryFile("w", prefix="ignored-", dir=room) as listed:
        listed.writelines(f"{folder}/\n" for folder in sorted(TOOL_FOLDERS))
        listed.flush()
        yield ("-c", f"core.excludesFile={listed.name}")


async def _stale(git: Git, base: _Base, now: datetime) -> tuple[tuple[Branch, ...], bool]:
    if base.default is None:
        return (), False
    listed = await _or_nothing(
        git,
        "for-each-ref",
        f"--no-merged={base.default}",
        f"--count={BRANCHES_MAX}",
        "--sort=committerdate",
        "--format=%(refname) %(committerdate:unix)",
        "refs/heads",
    )
    unmerged = git_output.branches(listed or b"")
    found = git_output.stale(unmerged, current=base.status.branch, default=base.default, before=now - STALE_AFTER)
    return found, listed is None or len(unmerged) == BRANCHES_MAX


async def _todos(git: Git, base: _Base, disk: Disk) -> tuple[tuple[TodoLine, ...], bool]:
    """Find the to-dos added since the branch left the default branch, uncommitted and new files included."""
    new = await disk.look(lambda: tuple(workspace.todos_in_new(git.top, base.status.untracked)))
    if base.status.head is None:
        return new, False
    start = "HEAD"
    if base.default is not None:
        fork = await _or_nothing(git, "merge-base", "HEAD", base.default)
        start = git_output.text(fork).strip() if fork else start
    said = await git.ask(
        "diff",
        "-U0",
        "--inter-hunk-context=0",
        f"-G{TODO_PATTERN}",
        "--src-prefix=a/",
        "--dst-prefix=b/",
        *PLAIN_DIFF,
        start,
        "--",
    )
    added = tuple(in_diff(git_output.text(said.out)))
    return (*added, *new), said.cut or bool(said.code)


async def _work(git: Git, base: _Base, new: tuple[str, ...], disk: Disk) -> UncommittedWork | None:
    """Tell what differs from the last commit; None when it is too much, or unknown."""
    known = base.status.tracked
    if base.status.head is None or base.status.unmerged or not (known or new):
        return None
    if sum(map(len, known)) > DIFF_PATHS_CHARS_MAX:
        return None
    try:
        return await read_work(git, new, disk, known=known)  # and nothing that `_as_stored` left out
    except UnreadableError:
        return None


def _work_file(change: FileChange) -> WorkFile:
    return WorkFile(
        path=RepositoryText(change.path),
        became=change.became,
        was=RepositoryText(change.was),
        added=change.added,
        removed=change.removed,
        size=change.size,
        size_before=change.size_before,
    )


def _sorted_out(top: Path, status: GitStatus) -> tuple[tuple[LeftOut, ...], tuple[str, ...]]:
    """Return the new files that no commit is proposed with, and why; and the paths of the others."""
    sized = tuple((path, workspace.size_of(top / path)) for path in status.untracked)
    found = tuple((path, size, left_out_for(path, size, NEW_FILE_BYTES_MAX)) for path, size in sized)
    files = (LeftOut(path=RepositoryText(path), reason=reason, size=size) for path, size, reason in found if reason)
    folders = (LeftOut(path=RepositoryText(folder), reason="tools") for folder in status.tool_folders)
    return (*files, *folders), tuple(path for path, _, reason in found if not reason)


async def _tested(git: Git, base: _Base, place: GitContext, disk: Disk) -> Repository:
    """Tell which modules changed since the last test run that is known of."""
    runs = await disk.look(lambda: workspace.recorded_runs(place.record, git.top))
    kept = await _or_nothing(git, "ls-files", "-z", "--", *WATCHED)
    traced = await disk.look(lambda: traced_run(git.top, frozenset(git_output.names(kept or b""))))
    if runs and traced and not runs[0].left(traced.at) and traced.trace.passed is not None:
        runs = ()  # it was run since, by somebody else
    elif runs:
        traced = None
    typed = await disk.look(lambda: workspace.typed_run(place.commands, git.top))
    if typed is not None and not _is_older(typed, runs[0] if runs else None, traced):
        runs, traced = (typed,), None
    at = runs[0].at if runs else traced.at if traced else None
    paths = {*base.status.tracked, *base.status.untracked}
    committed = await _committed(git, base, runs[-1].head if runs else None, runs[-1].at if runs else at)
    paths.update(git_output.names(committed or b""))

    def tested_at(path: str) -> datetime | None:
        return next((run.at for run in runs if run.covers(path)), None) if runs else at

    found = await disk.look(lambda: tuple(workspace.changed_since(git.top, sorted(paths), tested_at)))
    changed = modules(found, limit=MODULES_MAX + 1)
    project, tests_in = await disk.look(lambda: _project(git.top, found))
    return Repository(
        path=str(git.top),
        name=RepositoryText(git.top.name),
        branch=RepositoryText(base.status.branch) if base.status.branch else None,
        head=base.status.head,
        head_at=base.commits[0].at if base.commits else None,
        changed_modules=changed[:MODULES_MAX],
        last_test_run_at=at,
        last_test_run_passed=all(run.passed for run in runs) if runs else traced.trace.passed if traced else None,
        was_test_run_ours=bool(runs) and typed not in runs,
        failed_tests=tuple(map(RepositoryText, traced.trace.failed)) if traced else (),
        playbooks=project.playbooks,
        set_up=project.set_up,
        tests_in=RepositoryText(tests_in),
        truncated=committed is None or len(changed) > MODULES_MAX,
    )


def _project(top: Path, changed: tuple[str, ...]) -> tuple[Project, str]:
    """Return what can be done in a work tree, and the folder below in which tests of what was changed can be run."""
    here = workspace.project(top)
    is_here = RUN_TESTS in here.playbooks or here.set_up is not None
    tests_in = "" if is_here else workspace.project_of(top, changed)
    return (msgspec.structs.replace(here, playbooks=(RUN_TESTS, *here.playbooks)) if tests_in else here), tests_in


def _is_older(typed: RecordedRun, run: RecordedRun | None, traced: TracedRun | None) -> bool:
    """Return True if another trace of a run says more than the test command that the person typed.

    What a runner left behind names what failed; a trace that does not say how the run ended says less.
    """
    if run is not None and run.at >= typed.at:
        return True
    if traced is None or traced.at < typed.at:
        return False
    return traced.trace.passed is not None or not typed.left(traced.at)


async def _committed(git: Git, base: _Base, tested_head: str | None, at: datetime | None) -> bytes | None:
    """Return the names of files that commits changed since the run; None when git could not tell."""
    if base.status.head is None:
        return b""
    if tested_head and tested_head.isalnum():
        since_run = await _or_nothing(git, "diff", "--name-only", "-z", *PLAIN_DIFF, tested_head, "--")
        if since_run is not None:
            return since_run
    if at is None:
        return b""  # without any trace of a run nothing is known of older commits: only what is not committed is new
    plain = ("--name-only", "--format=", "-z", "--no-show-signature", *PLAIN_DIFF)
    since = f"--since={at.timestamp():.0f}"
    return await _or_nothing(git, "log", f"--max-count={COMMITS_MAX}", since, *plain, "HEAD", "--")


async def _or_nothing(git: Git, *arguments: str) -> bytes | None:
    """Ask for a part that the rest can do without; a cut answer counts as none, for its end may mislead."""
    try:
        said = await git.ask(*arguments)
    except UnreadableError:
        return None
    return None if said.code or said.cut else said.out
