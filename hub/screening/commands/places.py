"""Where a file is that a command names, seen from the folder in which the command runs."""

import posixpath
import re
import unicodedata
from collections.abc import Iterable, Sequence
from enum import StrEnum

from hub.contract.effects import Effect
from hub.screening.commands.operands import is_temporary, unescaped
from hub.screening.commands.spellings import spellings
from hub.screening.rule_files import (
    holds_rule_files,
    is_read_at_start,
    is_read_by_itself,
    is_rule_file,
)

FOLDERS_MAX = 16
"""A command that may be in more folders than this after its `cd` may be anywhere."""
ELSEWHERE = "/elsewhere"
"""Stands for a folder that is only known when the command runs."""
SOME_FOLDER = "/somewhere/project"
"""Stands for the folder where that is not known: what is relative is inside, what is written out in full is not."""
_TOOLS_OWN = re.compile(
    r"(?:^|/)(?:node_modules/\.bin|vendor/bin|(?:\.?v?env|\.?venv[\w.-]*|\.?virtualenv|\.(?:tox|nox)/[^/]+|\.direnv/[^/]+)"
    r"/(?:bin|Scripts))(?:/|$)|(?:^|/)(?:node_modules|site-packages|bower_components)/[^/]+/."
    r"|^/(?:[^/]+/)?vendor/[^/]+(?:/.+|\.\w+)(?<!\.md)$",
    re.IGNORECASE,
)
"""Where the programs are that a project's tasks run by name, and the code of others that they load."""
_HOMES = re.compile(r"/(?:home|Users)/[^/]+|/root")
_OWN_IN_HOME = re.compile(r"\.|bin/")
_SYSTEM = re.compile(
    r"/|/(?:etc|bin|sbin|lib\w*|boot|sys|proc|dev(?!/shm/)|usr/(?:bin|sbin|lib\w*|share|local/(?:bin|sbin|lib|etc)))(?:/.*)?"
)
"""Folders that are no project, wherever an agent was started."""
_IGNORED = re.compile("[\u00ad\u034f\u180b-\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]")
_NAME_ENDS = re.compile(r"(?<![. ])[. ]++(?=/|$)|::?\$[^/]*")
"""What some file systems leave out of a name: characters that nobody sees, dots and blanks at its end, its streams."""
_OTHER_DISK = re.compile(r"[A-Za-z]:[\\/]")
_SHORT_GIT = re.compile(r"(?<=/)git~\d(?=/|$)", re.IGNORECASE)
_GIT_DATA = re.compile(r"(?:^|/)\.git/(?:[A-Z_]*MSG|info/exclude)$")
"""Files of git's that only hold a text."""
_WORKTREE = re.compile(r"/\.(?:claude|codex|copilot|cursor|gemini|opencode)/worktrees/[^/]+/")
"""Where agents keep checkouts of their own, whose files are a project's."""
_NUMBERS = re.compile(
    r"\$\(\(.*?\)\)|\$\(seq(?: \d+)+\)|\$\(date (?:-u )?\+['\"]?[%\w:.-]+['\"]?\)|\$(?:RANDOM|\$|#|\?)|\$\{RANDOM\}",
    re.DOTALL,
)
"""What is only known when the command runs, but no more than a number or a date."""
_SCRATCH = re.compile(
    r"(?:\$\(mktemp(?: -[dqut]+| --directory| [\w-]+\.X+)*\)|`mktemp(?: -d)?`)(?:/(?!.*\.\.)[\w./-]*)?$"
)
"""A file or a folder that `mktemp` makes."""
_NAME_ONLY = re.compile(r"(?<=\w/)\$\(basename \"?\$\{?\w+\}?\"?(?: \.\w+)?\)[\w.-]*$")
"""A name in a folder, without one before it."""
_DYNAMIC = re.compile(r"[$`]|<\(|>\(")
_BEHIND_PATH = re.compile(r"[?#].*", re.DOTALL)
"""What stands behind the path of an address."""
GIT_TOP = re.compile(r"\$\(git rev-parse --show-toplevel\)|\$PWD|\$\{PWD\}|\$\(pwd\)|`pwd`")
_QUIET = frozenset(
    {"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty", "nul", "$null", "-", "/dev/fd/1", "/dev/fd/2"}
)


class FilePlace(StrEnum):
    """Where a file is."""

    QUIET = "quiet"
    """No file: standard input or output, or nothing at all."""
    INSIDE = "inside"
    TEMPORARY = "temporary"
    RULES = "rules"
    """It says what runs by itself or what an agent may do, wherever it is."""
    OUTSIDE = "outside"
    UNKNOWN = "unknown"
    """It is only known when the command runs."""


WRITING: dict[FilePlace, Effect] = {
    FilePlace.INSIDE: Effect.WRITES_IN_WORKSPACE,
    FilePlace.TEMPORARY: Effect.WRITES_IN_WORKSPACE,
    FilePlace.RULES: Effect.CHANGES_PERMISSIONS,
    FilePlace.OUTSIDE: Effect.CHANGES_SYSTEM,
    FilePlace.UNKNOWN: Effect.WRITES_IN_WORKSPACE,
}
"""What it is to write there."""
LOSES = frozenset({FilePlace.INSIDE, FilePlace.UNKNOWN})
"""Where a file that is emptied is lost."""


def place_of(path: str, root: str, folders: Iterable[str]) -> FilePlace:
    """Return where a file is.

    Args:
        path: as the command names it.
        root: the folder that the agent works in, in full.
        folders: where the command may run, in full.
    """
    if path.lower() in _QUIET:
        return FilePlace.QUIET
    path = GIT_TOP.sub(".", unescaped(_BEHIND_PATH.sub("", path)) if "://" in path else path)
    path = _NUMBERS.sub("0", path)
    if path.startswith(("~", "$HOME", "${HOME}")) and not root.startswith("~"):
        return (
            FilePlace.RULES if is_rule_file(path) else FilePlace.TEMPORARY if is_temporary(path) else FilePlace.OUTSIDE
        )
    full = [posixpath.normpath(posixpath.join(folder, path)) for folder in folders]
    spelled = [spelling for each in full for spelling in spellings(each)]
    if any(map(_says_rules, spelled)):
        return FilePlace.RULES
    if _SCRATCH.match(path):
        return FilePlace.TEMPORARY
    path = _NAME_ONLY.sub("x", path)
    if _DYNAMIC.search(path):
        return FilePlace.UNKNOWN
    if _OTHER_DISK.match(path):
        return FilePlace.OUTSIDE
    if all(is_within(one, root) for one in full):
        return FilePlace.RULES if _starts(spelled, root) else _within(full, root)
    return FilePlace.TEMPORARY if all(map(is_temporary, full)) or is_temporary(path) else FilePlace.OUTSIDE


def written_place(path: str, root: str, folders: Sequence[str]) -> FilePlace:
    """Return where a file is that is written: a program that tasks run by its name is a rule for what they do."""
    found = place_of(path, root, folders)
    if found is not FilePlace.INSIDE:
        return found
    full = (posixpath.normpath(posixpath.join(folder, path)) for folder in folders)
    is_tool = any(map(_TOOLS_OWN.search, _below((one for each in full for one in spellings(each)), root)))
    return FilePlace.RULES if is_tool else found


def _starts(paths: Sequence[str], root: str) -> bool:
    """Return True if something reads one of these files by itself, whatever the project's own folder is called."""
    return any(map(is_read_at_start, paths)) or any(map(is_read_by_itself, _below(paths, root)))


def _below(paths: Iterable[str], root: str) -> list[str]:
    """Return paths without the folder that the agent works in."""
    return [one.removeprefix(root) for one in paths]


def _says_rules(path: str) -> bool:
    """Return True if a file says what runs by itself, also where a file system takes another spelling for its name."""
    if _GIT_DATA.search(path):
        return False
    path = _WORKTREE.sub("/", path)
    plain = _NAME_ENDS.sub("", _IGNORED.sub("", unicodedata.normalize("NFKC", path.replace("\\", "/"))))
    return any(map(is_rule_file, (path, _SHORT_GIT.sub(".git", plain))))


def is_project(folder: str) -> bool:
    """Return True unless a folder is a home or one of the system's."""
    plain = posixpath.normpath(folder) if folder else ""
    return bool(plain) and not (_HOMES.fullmatch(plain) or _SYSTEM.fullmatch(plain))


def _within(full: Sequence[str], root: str) -> FilePlace:
    """Return where files in the folder are: a home's own settings and the system's folders are no project's."""
    is_home = _HOMES.fullmatch(root) is not None
    own = is_home and any(_OWN_IN_HOME.match(posixpath.relpath(one, root)) for one in full if one != root)
    return FilePlace.OUTSIDE if own or _SYSTEM.fullmatch(root) else FilePlace.INSIDE


def holds_rules(path: str, root: str) -> bool:
    """Return True if files that say what runs by itself lie directly in a folder, written out in full, or below it."""
    return is_within(root, path) or (is_within(path, root) and holds_rule_files(path))


def is_within(path: str, folder: str) -> bool:
    """Return True if a path is a folder or in it, both written out in full."""
    return f"{path}/".startswith(f"{folder.rstrip('/')}/")
