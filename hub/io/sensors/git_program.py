"""The `git` program, made harmless: a repository may come from anywhere, and its configuration names programs.

This is the only place that starts git. Every question about a repository is asked with a configuration of ours in
front of it: git is told (GIT_COMMON_DIR) that what work trees share is in a folder that we make for the question, with
the repository's objects and references linked in and a `config` that holds what hub/sense/git_config.py lists. What
else the repository's own says is never read, and cannot be slipped in between two questions.

| in the repository | stopped by |
|---|---|
| keys that name a program (filters, drivers, monitors, signers, helpers, includes …) | its configuration is not read |
| files that are secrets without their filter (git-crypt) | ours stands in its place, and shows nothing of the file |
| hooks | core.hooksPath points nowhere, and the shared folder is ours |
| attributes (.gitattributes, $GIT_DIR/info/attributes) | they can only name what the person or nobody defines |
| replacements (`git replace`), which show another commit than is pushed | GIT_NO_REPLACE_OBJECTS |
| promisor remotes, remote helpers, any address | not taken over, no lazy fetch, no protocol allowed |
| a work tree or a bare repository that poses as the workspace's | refused |
| a repository owned by somebody else | git's own safe.directory check stands: it is found without GIT_DIR |
| submodules with all of the above | never entered |

Finding the repository and listing its configuration do read it, but run nothing. The person's own configuration is
theirs and is read; what would run or print something else all the same is overridden.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from hub.contract.base import Value
from hub.io.sensors.command import Output, run
from hub.io.sensors.guard import Disk, UnreadableError
from hub.sense.git_config import Settings, config_file, kept_settings, origin_of, own_filters, shut_filters
from hub.sense.git_output import filters, text

COMMAND_S_MAX = 15.0
OUTPUT_BYTES_MAX = 1024 * 1024
ASKED_AT_ONCE = 200
"""Of so many paths git is asked in one command line."""
OLDEST_GIT = (2, 31)
"""The first that reads overrides from GIT_CONFIG_COUNT, which unlike `-c` can name any key."""
NULL = os.devnull
ROOM_FOLDER = "git"
"""Below `$PULSE_HOME`: where the hub has the folders that stand before a repository's own while git is asked."""
SHARED = (
    *("objects", "refs", "packed-refs", "reftable", "shallow", "logs"),
    *("info/exclude", "info/attributes", "info/sparse-checkout"),
)
"""What is linked into the shared folder of ours; none of it names a program."""
OVERRIDES: Mapping[str, str] = {
    "color.ui": "false",
    "column.ui": "never",
    "core.askPass": "",
    "core.fsmonitor": "false",
    "core.hooksPath": NULL,
    "core.pager": "cat",
    "core.quotePath": "false",
    "credential.helper": "",
    "diff.external": "",
    "diff.orderFile": NULL,
    "gc.auto": "0",
    "log.showSignature": "false",
    "maintenance.auto": "false",
    "protocol.allow": "never",
    "safe.bareRepository": "explicit",
    "status.submoduleSummary": "false",
    "submodule.recurse": "false",
}
ENVIRONMENT: Mapping[str, str] = {
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
    "LANGUAGE": "C",
}
KEPT_GIT_VARIABLES = frozenset(
    {"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CEILING_DIRECTORIES", "GIT_EXEC_PATH"}
)
"""The person's own configuration; all other GIT_* variables could point to another repository."""


class Git(Value):
    """A work tree that is safe to ask: where it is, and what of its settings is taken over.

    `origin` is the address of its remote of that name, which git is never told.

    `room` is a folder of ours for the folders of the questions; None is the system's for temporary files.
    `filters` are the names of those that git runs here, for they are the person's own.
    """

    top: Path
    git_folder: Path
    common_folder: Path
    settings: Settings = ()
    filters: frozenset[str] = frozenset()
    origin: str = ""
    room: Path | None = None
    environ: Mapping[str, str] = {}

    async def ask(self, *arguments: str, cwd: Path | None = None, bytes_max: int | None = None) -> Output:
        """Run git in the work tree, or in a folder of it; the exit code is the caller's to judge.

        Raises:
            UnreadableError: git took too long.
        """
        limit_bytes = OUTPUT_BYTES_MAX if bytes_max is None else bytes_max
        with self._shared() as shared:
            pointed = {
                "GIT_DIR": str(self.git_folder),
                "GIT_COMMON_DIR": str(shared),
                "GIT_WORK_TREE": str(self.top),
            }
            environment = {**git_environment(self.environ), **pointed}
            return await _run(cwd or self.top, arguments, environment, limit_bytes)

    async def answer(self, *arguments: str) -> bytes:
        """Run git and return what it printed.

        Raises:
            UnreadableError: git took too long or failed; its own words are in the text.
        """
        return _good(await self.ask(*arguments))

    async def unlike_stored(self, paths: Sequence[str], cwd: Path | None = None) -> frozenset[str]:
        """Return those of these files that git stores otherwise than they lie there, by a filter that is not run here.

        Whether they changed cannot be told, and their text may be a secret. Where git cannot say, all count as such.

        Args:
            paths: relative to the folder that is asked in.
            cwd: that folder; the top if None.

        Raises:
            UnreadableError: git took too long.
        """
        found: set[str] = set()
        for start in range(0, len(paths), ASKED_AT_ONCE):
            asked = paths[start : start + ASKED_AT_ONCE]
            said = await self.ask("check-attr", "-z", "filter", "--", *asked, cwd=cwd)
            is_whole = not said.code and not said.cut
            found.update((path for path, name in filters(said.out) if name not in self.filters) if is_whole else asked)
        return frozenset(found)

    @contextmanager
    def _shared(self) -> Iterator[Path]:
        """Make the folder that stands before the repository's own for one question."""
        try:
            if self.room is not None:
                self.room.mkdir(mode=0o700, parents=True, exist_ok=True)
            made = tempfile.TemporaryDirectory(prefix="git-", dir=self.room, ignore_cleanup_errors=True)
        except OSError as wrong:
            raise UnreadableError(f"there is no room to ask git: {wrong.strerror or wrong}.") from wrong
        with made as name:
            shared = Path(name)
            (shared / "info").mkdir()
            for part in SHARED:
                (shared / part).symlink_to(self.common_folder / part)
            (shared / "config").write_text(config_file(self.settings), encoding="utf-8", errors="surrogateescape")
            yield shared


class WorkTree(Value):
    """Where a work tree is. `head` is the commit that is checked out; empty if there is none."""

    top: Path
    git_folder: Path
    common_folder: Path
    head: str


async def find_work_tree(workspace: Path, environ: Mapping[str, str]) -> WorkTree:
    """Find the repository of a workspace, a folder without links in its path; one question, and nothing runs.

    Raises:
        UnreadableError: there is none, git refuses it, or its configuration points elsewhere.
    """
    places = ("--show-toplevel", "--git-dir", "--git-common-dir")
    asked = ("rev-parse", "--path-format=absolute", *places, "HEAD")
    said = await _run(workspace, asked, git_environment(environ), OUTPUT_BYTES_MAX)
    lines = text(said.out).splitlines()
    if len(lines) != len(places) + 1:
        await _check_version(workspace, environ)
        _good(said)
        raise UnreadableError("its paths contain line breaks.")
    top, git_folder, common_folder = map(Path, lines[:-1])
    if not workspace.is_relative_to(top):
        raise UnreadableError("its configuration (core.worktree) points to another folder.")
    return WorkTree(top=top, git_folder=git_folder, common_folder=common_folder, head="" if said.code else lines[-1])


def is_installed() -> bool:
    """Return True if git is on the path."""
    return shutil.which("git") is not None


async def knows_author(environ: Mapping[str, str] | None = None) -> bool:
    """Return True if the person has told git who they are, so that a commit names them.

    Raises:
        UnreadableError: git took too long.
    """
    asked = ("config", "--get", "user.email")
    said = await _run(Path("/"), asked, git_environment(os.environ if environ is None else environ), OUTPUT_BYTES_MAX)
    return said.code == 0 and bool(said.out.strip())


async def open_work_tree(
    workspace: Path, disk: Disk, room: Path | None = None, environ: Mapping[str, str] | None = None
) -> Git:
    """Find the repository of a workspace, and take over what may be taken over of its settings.

    Args:
        workspace: a folder in a work tree.
        disk: for looking at it beside the loop.
        room: where folders of ours are made, see `Git`.
        environ: the environment to take git's from; this process's own if None.

    Raises:
        UnreadableError: there is none, git refuses it, or its configuration points elsewhere.
    """
    environ = os.environ if environ is None else environ
    real = await disk.look(lambda: workspace.resolve() if workspace.is_dir() else None)
    if real is None:
        raise UnreadableError("the folder is missing or may not be read.")
    found = await find_work_tree(real, environ)
    listing = ("config", "--list", "--show-scope", "-z")
    said = await _run(found.top, listing, git_environment(environ), OUTPUT_BYTES_MAX)
    listed = _good(said)
    if said.cut:
        raise UnreadableError("its configuration is too long.")
    return Git(
        top=found.top,
        git_folder=found.git_folder,
        common_folder=found.common_folder,
        settings=(*kept_settings(listed), *shut_filters(listed)),
        filters=own_filters(listed),
        origin=origin_of(listed),
        room=room,
        environ=environ,
    )


async def _run(cwd: Path, arguments: tuple[str, ...], environment: Mapping[str, str], limit_bytes: int) -> Output:
    argv = ("git", "--no-optional-locks", "--no-pager", "--literal-pathspecs", *arguments)
    return await run(argv, cwd=cwd, env=environment, timeout_s=COMMAND_S_MAX, limit_bytes=limit_bytes)


def git_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment for git: the person's own, without our secrets and what misleads, with our overrides."""
    env = {name: value for name, value in environment.items() if _is_handed_on(name)}
    env.update(ENVIRONMENT)
    env["GIT_CONFIG_COUNT"] = str(len(OVERRIDES))
    for number, (key, value) in enumerate(OVERRIDES.items()):
        env[f"GIT_CONFIG_KEY_{number}"] = key
        env[f"GIT_CONFIG_VALUE_{number}"] = value
    return env


def _is_handed_on(name: str) -> bool:
    return name in KEPT_GIT_VARIABLES or not name.startswith(("GIT_", "PULSE_"))


def _good(output: Output) -> bytes:
    if output.code and not output.cut:
        said = output.error.removeprefix("fatal: ").partition("\n")[0]
        raise UnreadableError(f"git says: {said or f'it ended with status {output.code}'}.{_advice(output.error)}")
    return output.out


def _advice(error: str) -> str:
    if "dubious ownership" in error:
        return " Somebody else owns it. If you trust it: git config --global --add safe.directory FOLDER"
    return ""


async def _check_version(cwd: Path, environ: Mapping[str, str]) -> None:
    said = text(_good(await _run(cwd, ("version",), git_environment(environ), OUTPUT_BYTES_MAX))).strip()
    number = said.removeprefix("git version ").split(".")
    try:
        version = (int(number[0]), int(number[1]))
    except (ValueError, IndexError):
        raise UnreadableError(f"git does not tell its version: {said}") from None
    if version < OLDEST_GIT:
        raise UnreadableError(f"git {said} is too old. Install git 2.31 or newer.")
