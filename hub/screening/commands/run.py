"""One call of a program that the table knows, and what its words say."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from hub.screening.commands.script import ProgramCall
from hub.screening.commands.table import Arguments, ProgramEntry, program

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
