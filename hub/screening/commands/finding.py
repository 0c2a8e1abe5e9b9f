"""What `find` may find: the file that stands for all that it hands to a command."""

import posixpath
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import pairwise

from hub.screening.commands.operands import is_secret

FINDERS = frozenset({"find", "gfind", "fd", "fdfind", "fd-find"})
_STARTS = frozenset({"-", "(", "!", ")", ","})
"""How the first word behind the folders begins that `find` goes through."""
_NAMED = frozenset({"-name", "-iname"})
_NAMES = _NAMED | {"-path", "-ipath", "-wholename"}
_EXCLUDES = frozenset({"-prune", "-not", "!"})
_REGEX_SIGNS = re.compile(r"[\\^$]")
_PART_CHARS = 3
_HERE = frozenset({".", "./", ""})
_DECIDING = (
    ".git/hooks/pre-commit",
    ".git/config",
    ".git/hooks",
    ".claude/settings.json",
    ".github/workflows/ci.yml",
    ".vscode/tasks.json",
    ".mcp.json",
)
"""Files that say what runs by itself, as they are called in most projects."""


def found_files(words: list[str]) -> str:
    """Return one file for all that may be found, where it matters most if that is written; empty if it is no such."""
    folders = list(_folders(words)) or ["."]
    names = [name.lower() for option, name in pairwise(words) if option in _NAMED] or ["*"]
    elsewhere = next((one for one in folders if one not in _HERE and _leads_out(one)), "")
    if elsewhere:
        return posixpath.join(elsewhere, names[0])
    if not _HERE.intersection(folders):
        return ""
    is_all = not any(word in _EXCLUDES for word in words) and "-maxdepth" not in words
    for path in _DECIDING if is_all else ():
        if any(fnmatchcase(posixpath.basename(path), name) for name in names):
            return path
    return ""


def finds_secret(words: list[str]) -> str:
    """Return a name of a secret that is looked for; empty if there is none."""
    behind = len(words) - words[::-1].index("-prune") if "-prune" in words else 0
    is_out = False
    for before, word in pairwise(["", *words[behind:]]):
        if before in _NAMES and is_secret(word) and not is_out:
            return word
        is_out = before in {"-not", "!"} if word in _NAMES else is_out and before not in _NAMES
    return ""


def matches_secret(pattern: str) -> bool:
    """Return True if the pattern that `fd` looks for is a name of a secret, or a part of `.env`."""
    plain = _REGEX_SIGNS.sub("", pattern)
    return is_secret(plain) or (len(plain) >= _PART_CHARS and plain in ".env")


def _folders(words: list[str]) -> Iterator[str]:
    skipping = True
    for word in words:
        if skipping and word in {"-H", "-L", "-P"}:
            if word == "-L":
                yield "/"  # a link may lead anywhere
            continue
        skipping = False
        if word[:1] in _STARTS:
            return
        yield word


def _leads_out(folder: str) -> bool:
    return folder[:1] in {"/", "~", "$", "`"} or ".." in folder.split("/") or folder.startswith(".")
