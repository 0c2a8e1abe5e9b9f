"""A command line in the plainest form that a shell has, or nothing: what a grant may be compared with.

Theory: a grant says yes without a person, so it must not rest on how well a whole language is parsed. This reader knows
words, quotes that hold no more than text, `&&`, `||`, `;`, `|`, a new line, and output that is thrown away. With
anything else in it (a backslash, a variable, a comment, a glob, a group, a setting, any other redirect) a line is not
plain, and is like no other: nothing can hide in what is refused whole.
"""

import posixpath
import re
from functools import lru_cache
from typing import Literal

from hub.contract.base import Value

LINE_CHARS_MAX = 2_000
CALLS_MAX = 12
LINES_KEPT_MAX = 512
"""Lines whose calls are remembered: those on the last cards are compared with every new one."""
_BLANK = re.compile(r"[ \t]+")
_JOINT = re.compile(r"&&|\|\||[;|\n]")
_THROWN_AWAY = re.compile(r"(?:2>&1|1?>&2|[12&]?>[ \t]?/dev/null|</dev/null)(?=[ \t;|\n&]|$)")
_BARE = re.compile(r"[\w./:@=,+%^-][\w./:@=,+%^~-]*")
_SINGLE = re.compile(r"'([^'\x00-\x08\x0b-\x1f\x7f]*)'")
_DOUBLE = re.compile(r'"([^"$`\\!\x00-\x08\x0b-\x1f\x7f]*)"')
_NAME = re.compile(r"[A-Za-z0-9_][\w.+-]*")
"""What a program is called where nothing but the search path says which one it is."""
_FOLDER = re.compile(r"[\w./@+][\w./@+ -]*")
_NOT_COMPARED = frozenset(
    {"if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "in", "select"}
    | {"function", "time", "coproc", "alias", "unalias", "source", "eval", "exec", "export", "declare", "typeset"}
    | {"local", "readonly", "unset", "trap", "set", "shopt", "hash", "enable", "builtin", "command", "pushd", "popd"}
    | {"let", "read", "mapfile", "readarray", "getopts", "return", "exit", "wait", "fc", "bind", "complete", "compgen"}
    | {"suspend", "umask", "ulimit", "env"}
)
"""Words of the shell, and calls after which a name or a path may mean something else."""


class PlainCall(Value):
    """One call: its words after quoting, where it stands, and what stands before it (nothing before the first)."""

    words: tuple[str, ...]
    start: int
    end: int
    behind: Literal["", "&&", "||", ";", "|"] = ""


def plain_calls(text: str) -> tuple[PlainCall, ...]:
    """Return the calls of a line; none where it is not plain. Pure and total."""
    if not text.strip() or len(text) > LINE_CHARS_MAX or "\r" in text:
        return ()
    line, at, behind = text.strip(" \t\n"), 0, ""
    calls: list[PlainCall] = []
    while at < len(line):
        call, at = _call(line, at, behind)
        if call is None or len(calls) >= CALLS_MAX:
            return ()
        calls.append(call)
        joint = _JOINT.match(line, at)
        if joint is None:
            break
        behind = ";" if joint[0] == "\n" else joint[0]
        at = _after_blanks(line, joint.end())
    return tuple(calls) if at == len(line) and line[-1:] not in {"&", "|"} else ()


class PlacedCall(Value):
    """One call of a plain line, the folder in which it runs, and its text as it stands."""

    words: tuple[str, ...]
    folder: str
    source: str
    is_fed: bool


@lru_cache(maxsize=LINES_KEPT_MAX)
def placed_calls(text: str, folder: str) -> tuple[PlacedCall, ...]:
    """Return the calls of a line with where each runs; none where the line is not plain, or that cannot be told.

    One `cd` may stand first, before `&&`, and then nothing that would go on where it failed.
    """
    calls, line, here = plain_calls(text), text.strip(" \t\n"), posixpath.normpath(folder)
    if calls and calls[0].words[0] == "cd":
        first, *rest = calls
        there = first.words[1] if len(first.words) == len(("cd", "folder")) else ""
        goes = _FOLDER.fullmatch(there) is not None and ".." not in there.split("/")
        if not goes or not rest or rest[0].behind != "&&" or any(one.behind in {"||", ";"} for one in rest):
            return ()
        here, calls = posixpath.normpath(posixpath.join(here, there)), tuple(rest)
    if any(one.words[0] == "cd" for one in calls):
        return ()
    return tuple(
        PlacedCall(words=one.words, folder=here, source=line[one.start : one.end], is_fed=one.behind == "|")
        for one in calls
    )


def _call(line: str, at: int, behind: str) -> tuple[PlainCall | None, int]:
    """Read one call; None where it is not plain."""
    words: list[str] = []
    start = end = at
    while at < len(line) and not _JOINT.match(line, at):
        thrown = _THROWN_AWAY.match(line, at)
        if thrown is not None:
            at = thrown.end()
        else:
            word, at = _word(line, at)
            if word is None:
                return None, at
            words.append(word)
        end = at
        blank = _BLANK.match(line, at)
        if blank is None and at < len(line) and not _JOINT.match(line, at):
            return None, at
        at = blank.end() if blank else at
    if not words or not _NAME.fullmatch(words[0]) or words[0] in _NOT_COMPARED:
        return None, at
    return PlainCall(words=tuple(words), start=start, end=end, behind=behind), at  # type: ignore[arg-type]  # a joint


def _word(line: str, at: int) -> tuple[str | None, int]:
    """Read one word with its quotes; None where it is none."""
    begun, parts = at, []
    while at < len(line):
        found = _BARE.match(line, at) or _SINGLE.match(line, at) or _DOUBLE.match(line, at)
        if found is None:
            break
        parts.append(found[found.lastindex or 0])
        at = found.end()
    word = "".join(parts)
    return (word, at) if at > begun and not _opens(line[begun:at]) else (None, at)


def _opens(written: str) -> bool:
    """Return True if a shell may put something else in the place of a word: a home, or a list of words."""
    return written.startswith("~") or ":~" in written or "=~" in written


def _after_blanks(line: str, at: int) -> int:
    """Return where the next call begins; a line may end behind `&&`, `||` and `|`."""
    return len(line) - len(line[at:].lstrip(" \t\n"))
