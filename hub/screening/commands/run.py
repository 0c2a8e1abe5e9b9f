"""One call of a program that the table knows, and what its words say."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from hub.screening.commands.script import ProgramCall
from hub.screening.commands.table import Arguments, ProgramEntry, program

ASSIGNMENT = re.compile(r"(?:\w+\+?|BASH_FUNC_[^=]*)=")
INSTALLED = re.compile(
    r"(?:/usr(?:/local)?)?/s?bin/[^/]+$|/opt/homebrew/(?:opt/[\w@.+-]+/)?bin/[^/]+$|/snap/bin/|/nix/store/[^/]+/bin/|/usr/(?:lib|libexec)/[^.]+$"
    r"|(?:~|\$HOME|\$\{HOME\}|/home/[\w.-]+|/Users/[\w.-]+|/root)/(?:bin|\.local|\.cargo|go|\.go|\.bun|\.deno|\.pyenv/(?:shims|bin)|\.rbenv/(?:shims|bin)|\.nvm/versions/node/[\w.]+"
    r"|\.asdf/shims|\.volta|\.dotnet|\.krew|\.yarn|\.local/share/pnpm|\.composer/vendor|\.ghcup|\.cabal|\.pulumi|\.fly|\.poetry|\.rye/shims)(?:/bin)?/[^/]+$"
)
"""Where programs are installed, outside any project: a file there is the program of its name."""


class ProgramRun(NamedTuple):
    """One call of a known program."""

    call: ProgramCall
    name: str
    rest: list[str]
    arguments: Arguments
    depth: int
    known: ProgramEntry


def name_of(word: str) -> str:
    """Return a program's or a file's name without its folder."""
    return word.lower().replace("\\", "/").rpartition("/")[2]


def is_flagged(flag: str, words: list[str]) -> bool:
    """Return True if the table flags the program that ``words`` begin with."""
    found = program(name_of(words[0])) if words else None
    return found is not None and flag in found.is_


def without_inner(words: list[str], starts: list[str]) -> Iterator[str]:
    """Yield the words without the commands in them, which have options of their own: `find -exec rm -r {} +`."""
    is_inner = False
    for word in words:
        if not is_inner or word in {";", "+"}:
            yield word
        is_inner = word in starts or (is_inner and word not in {";", "+"})


def reads_script(run: ProgramRun) -> bool:
    """Return True if a program is an interpreter: what stands behind its script is that script's own."""
    return any(one[0] in {"interpreter", "sed", "awk"} for rule in run.known.rules for one in rule.also)


def unglued(words: list[str], known: ProgramEntry) -> list[str]:
    """Return the words of a call with each option that has a command behind it as a word of its own.

    `fd --exec=rm` and `fd -Hxrm` say the same as `fd -H -x rm`.
    """
    options = {name for rule in known.rules for said in rule.also if said[0] == "after" for name in said[1].split(",")}
    if not options or "whole" in known.is_:
        return words
    takes = {name for _, names in known.takes for name in names} - options
    apart: list[str] = []
    for at, word in enumerate(words):
        name, equals, value = word.partition("=")
        if word in options:
            return [*apart, *words[at:]]
        if name.startswith("--") and name in options and equals:
            return [*apart, name, value, *words[at + 1 :]]
        letters = [f"-{letter}" for letter in word[1:]] if re.match(r"-[A-Za-z]", word) else []
        end = next((place for place, letter in enumerate(letters) if letter in options | takes), None)
        if end is not None and letters[end] in options:
            before, behind = word[: end + 1], word[end + 2 :].removeprefix("=")
            return [*apart, *([before] if end else []), letters[end], *([behind] if behind else []), *words[at + 1 :]]
        apart.append(word)
    return apart
