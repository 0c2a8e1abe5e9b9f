"""Asks a checker that runs nothing of the project's whether the uncommitted work brings new errors.

Only Ruff is asked without a yes, only where the project uses it, and only one that does not lie in the work tree: what
lies there is the repository's to say.
"""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from hub.domain.situation import CodeError
from hub.io.sensors.bounded import head
from hub.io.sensors.command import run
from hub.io.sensors.git_program import Git
from hub.io.sensors.guard import Disk, UnreadableError
from hub.sense.checkers import PYPROJECT, RUFF_JSON, FoundError, new_errors, ruff_errors, used

RUFF = "ruff"
RUFF_S_MAX = 10.0
ANSWER_BYTES_MAX = 1024 * 1024
CONFIG_BYTES_MAX = 256 * 1024
FILES_MAX = 20
PYTHON_SUFFIXES = (".py", ".pyi")
KEPT_VARIABLES = ("PATH", "HOME", "LANG", "TMPDIR")


async def errors_of_change(
    git: Git, tracked: Sequence[str], new: Sequence[str], disk: Disk, search_path: str | None = None
) -> tuple[CodeError, ...]:
    """Return the errors that Ruff finds in changed and new files, and did not find in them as last committed.

    Args:
        git: the work tree.
        tracked: the paths of changed files that git knows.
        new: those of files that it does not know yet.
        disk: for looking beside the loop.
        search_path: where Ruff is looked for, as in PATH, which is the default.
    """
    paths = [path for path in (*tracked, *new) if path.endswith(PYTHON_SUFFIXES)][:FILES_MAX]
    found = await disk.look(lambda: _look(git.top, paths, search_path)) if paths else None
    if found is None:
        return ()
    program, there = found
    try:
        now = await _asked(program, git.top, *there)
        known = sorted({each.path for each in now}.intersection(tracked))
        before = [each for path in known for each in await _committed(program, git, path)]
    except UnreadableError:
        return ()  # it is slow, or there is no such commit: then nothing can be said of what is new
    return new_errors(now, before, RUFF)


def _look(top: Path, paths: Sequence[str], search_path: str | None) -> tuple[str, tuple[str, ...]] | None:
    """Return Ruff and the files that are there; None where the project does not use it, or it is not at hand."""
    try:
        names = frozenset(entry.name for entry in os.scandir(top))
        pyproject = head(top / PYPROJECT, CONFIG_BYTES_MAX).decode("utf-8", "replace") if PYPROJECT in names else ""
    except OSError:
        return None
    there = tuple(path for path in paths if (top / path).is_file())
    if not there or all(each.name != RUFF for each in used(names, pyproject)):
        return None
    program = _program(top, search_path)
    return None if program is None else (program, there)


def _program(top: Path, search_path: str | None) -> str | None:
    folders = (search_path or os.environ.get("PATH", os.defpath)).split(os.pathsep)
    outside = [each for each in folders if each and not Path(each).resolve().is_relative_to(top)]
    program = shutil.which(RUFF, path=os.pathsep.join(outside)) if outside else None
    is_outside = program is not None and not Path(program).resolve().is_relative_to(top)
    return program if is_outside else None


async def _asked(program: str, top: Path, *arguments: str, stdin: bytes | None = None) -> tuple[FoundError, ...]:
    argv = (program, *RUFF_JSON, *(() if stdin is None else ("--stdin-filename",)), *arguments)
    argv = (*argv, "-") if stdin is not None else argv
    environment = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    said = await run(argv, cwd=top, env=environment, timeout_s=RUFF_S_MAX, limit_bytes=ANSWER_BYTES_MAX, stdin=stdin)
    return () if said.code or said.cut else ruff_errors(said.out, str(top))


async def _committed(program: str, git: Git, path: str) -> tuple[FoundError, ...]:
    text = await git.answer("show", "--no-textconv", "--no-ext-diff", f"HEAD:{path}")
    return await _asked(program, git.top, path, stdin=text)
