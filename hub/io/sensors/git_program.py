"""The `git` program, made harmless: a repository may come from anywhere, and its configuration names programs.

What could run a program or reach the network, and what stops it:

| in the repository | stopped by |
|---|---|
| core.fsmonitor, core.hooksPath and hooks | overridden |
| filter.NAME.clean and .process (run by `git status`) | each key that the repository defines is overridden |
| diff.external, diff.NAME.command, diff.NAME.textconv | --no-ext-diff, --no-textconv |
| gpg.program through log.showSignature | overridden |
| core.pager, core.editor, core.askPass | no pager, no terminal, no prompt |
| missing objects fetched from a promisor remote, remote helpers, core.sshCommand | no lazy fetch, no protocol allowed |
| a repository owned by somebody else | git's own safe.directory check stands; we never set GIT_DIR |
| submodules with all of the above | never entered |
"""

import os
from collections.abc import Mapping
from pathlib import Path

from hub.contract.base import Value
from hub.io.sensors.command import Output, run
from hub.io.sensors.guard import Disk, UnreadableError
from hub.sense.git_output import local_programs, text

COMMAND_S_MAX = 15.0
OUTPUT_BYTES_MAX = 1024 * 1024
FILTERS_MAX = 256
OLDEST_GIT = (2, 31)
"""The first that reads overrides from GIT_CONFIG_COUNT, which unlike `-c` can name any key."""
NULL = os.devnull
OVERRIDES: Mapping[str, str] = {
    "core.fsmonitor": "false",
    "core.hooksPath": NULL,
    "core.pager": "cat",
    "core.quotePath": "false",
    "diff.external": "",
    "diff.orderFile": NULL,
    "gc.auto": "0",
    "log.showSignature": "false",
    "maintenance.auto": "false",
    "protocol.allow": "never",
    "safe.bareRepository": "explicit",
    "status.submoduleSummary": "false",
}
ENVIRONMENT: Mapping[str, str] = {
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_NO_LAZY_FETCH": "1",
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
    """A work tree that is safe to ask: where it is, and the overrides of the filters that it defines."""

    top: Path
    git_folder: Path
    common_folder: Path
    filters: tuple[str, ...] = ()

    async def ask(self, *arguments: str) -> Output:
        """Run git in the work tree; the exit code is the caller's to judge.

        Raises:
            UnreadableError: git took too long.
        """
        return await _git(self.top, arguments, self.filters)

    async def answer(self, *arguments: str) -> bytes:
        """Run git and return what it printed.

        Raises:
            UnreadableError: git took too long or failed; its own words are in the text.
        """
        return _good(await self.ask(*arguments))


async def open_work_tree(workspace: Path, disk: Disk) -> Git:
    """Find the repository of a workspace.

    Raises:
        UnreadableError: there is none, git refuses it, or its configuration points elsewhere.
    """
    real = await disk.look(lambda: workspace.resolve() if workspace.is_dir() else None)
    if real is None:
        raise UnreadableError("the folder is missing or may not be read.")
    _check_version(text(_good(await _git(workspace, ("version",), ()))))
    places = ("rev-parse", "--path-format=absolute", "--show-toplevel", "--git-dir", "--git-common-dir")
    lines = text(_good(await _git(workspace, places, ()))).splitlines()
    if len(lines) != len(places) - 2:
        raise UnreadableError("its paths contain line breaks.")
    top, git_folder, common_folder = map(Path, lines)
    if not real.is_relative_to(top):
        raise UnreadableError("its configuration (core.worktree) points to another folder.")
    listed = _good(await _git(top, ("config", "--list", "--name-only", "--show-scope", "-z"), ()))
    filters = local_programs(listed)
    if len(filters) > FILTERS_MAX:
        raise UnreadableError(f"it defines more than {FILTERS_MAX} filters.")
    return Git(top=top, git_folder=git_folder, common_folder=common_folder, filters=filters)


async def _git(cwd: Path, arguments: tuple[str, ...], filters: tuple[str, ...]) -> Output:
    argv = ("git", "--no-optional-locks", "--no-pager", "--literal-pathspecs", *arguments)
    env = git_environment(os.environ, filters)
    return await run(argv, cwd=cwd, env=env, timeout_s=COMMAND_S_MAX, limit_bytes=OUTPUT_BYTES_MAX)


def git_environment(environment: Mapping[str, str], filters: tuple[str, ...]) -> dict[str, str]:
    """Return the environment for git: the person's own, without what misleads, with our overrides."""
    disabled = {key: "false" if key.endswith(".required") else "" for key in filters}
    overrides = {**OVERRIDES, **disabled}
    env = {
        name: value for name, value in environment.items() if not name.startswith("GIT_") or name in KEPT_GIT_VARIABLES
    }
    env.update(ENVIRONMENT)
    env["GIT_CONFIG_COUNT"] = str(len(overrides))
    for number, (key, value) in enumerate(overrides.items()):
        env[f"GIT_CONFIG_KEY_{number}"] = key
        env[f"GIT_CONFIG_VALUE_{number}"] = value
    return env


def _good(output: Output) -> bytes:
    if output.code and not output.cut:
        said = output.error.removeprefix("fatal: ").partition("\n")[0]
        raise UnreadableError(f"git says: {said or f'exit code {output.code}'}.{_advice(output.error)}")
    return output.out


def _advice(error: str) -> str:
    if "dubious ownership" in error:
        return " Somebody else owns it. If you trust it: git config --global --add safe.directory FOLDER"
    return ""


def _check_version(said: str) -> None:
    number = said.removeprefix("git version ").split(".")
    try:
        version = (int(number[0]), int(number[1]))
    except (ValueError, IndexError):
        raise UnreadableError(f"git does not tell its version: {said.strip()}") from None
    if version < OLDEST_GIT:
        raise UnreadableError(f"git {said.strip()} is too old. Install git 2.31 or newer.")
