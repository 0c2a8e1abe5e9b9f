"""Command lines that are plain enough to be understood without a shell.

A line that uses anything else of the shell's (variables, substitutions, globs, redirections, functions) is not plain:
what it would start depends on more than its words. That is no fault of the line, it only never runs unasked.
"""

import re
import shlex

from hub.contract.base import Value
from hub.domain.provenance import Wording, say

LINE_CHARS_MAX = 4_000
SEPARATORS = frozenset({"&&", "||", ";", "|"})
HARMLESS_SETTINGS = frozenset({
    "CGO_ENABLED", "CI", "DJANGO_SETTINGS_MODULE", "FORCE_COLOR", "LANG", "LC_ALL", "NODE_ENV", "NO_COLOR",
    "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED", "PYTHONPATH", "PYTHONUNBUFFERED", "RUST_BACKTRACE", "RUST_LOG", "TZ",
})  # fmt: skip
"""Names in an environment that choose no program and no option."""
_NOT_PLAIN = re.compile(r"[$`\\~*?\[\]{}<>()#!\x00-\x08\x0a-\x1f\x7f]")
_SETTING = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=")


class PlainLine(Value):
    """The commands of one line, in their order, and why it is not plain (then there are none)."""

    commands: tuple[tuple[str, ...], ...] = ()
    unclear: Wording = Wording()


def read_line(text: str) -> PlainLine:
    """Return the commands of a line, without the harmless settings before them."""
    text = text.strip(" \t\n")
    if len(text) > LINE_CHARS_MAX or _NOT_PLAIN.search(text):
        return PlainLine(unclear=say("“{text}” leaves to the shell what it starts", text=text[:60]))
    lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    try:
        words = list(lexer)
    except ValueError:
        return PlainLine(unclear=say("“{text}” has a quotation mark without its other half", text=text[:60]))
    commands: list[tuple[str, ...]] = []
    current: list[str] = []
    for word in (*words, ";"):
        if word in SEPARATORS:
            commands += [tuple(current)] if current else []
            current = []
        elif not word.strip("&|;"):
            return PlainLine(unclear=say("“{text}” leaves to the shell what it starts", text=text[:60]))
        else:
            current.append(word)
    plain = [_without_settings(command, quoted="'" in text or '"' in text) for command in commands]
    doubt = next((command for command in plain if isinstance(command, Wording)), None)
    if doubt is not None:
        return PlainLine(unclear=doubt)
    return PlainLine(commands=tuple(command for command in plain if command and not isinstance(command, Wording)))


def setting_name(word: str) -> str:
    """Return the name that a word sets, empty if it sets none."""
    found = _SETTING.match(word)
    return found.group(1) if found else ""


def _without_settings(command: tuple[str, ...], *, quoted: bool) -> tuple[str, ...] | Wording:
    """Leave out the settings before a command; return why one of them is not harmless."""
    words = list(command)
    while words and (name := setting_name(words[0])):
        if quoted or name not in HARMLESS_SETTINGS:
            return say("the setting {name} may choose what runs", name=name)
        words.pop(0)
    return tuple(words)


def script_lines(text: str) -> tuple[str, ...]:
    """Return the lines of a shell script that do something; a continued line stays unreadable, as its backslash is."""
    lines = (line.strip(" \t") for line in text.split("\n"))
    return tuple(line for line in lines if line and not line.startswith("#"))
