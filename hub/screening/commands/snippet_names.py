"""The names that a snippet of code may hold without harm, read from snippet_names.txt, and what their words say."""

import re
from functools import cache
from importlib.resources import files
from typing import Literal

SnippetDeedKind = Literal[
    "reads", "writes", "empties", "fills", "deletes", "imports", "asks", "takes", "secrets", "sets", "says", "unknown"
]
"""What is done with what is named. `takes`: the project's own code is told it; `imports`: a file is run; `says`: a text
is made of several; `secrets` and `sets`: a variable of the environment."""
SnippetDeed = tuple[SnippetDeedKind, str]
SNIPPET_CHARS_MAX = 8_192
DYNAMIC = "$"
"""Stands for a file that is only known when the code runs."""
_WORD = re.compile(r"[a-z]+|[A-Z][a-z]+|[A-Z]+(?![a-z])")
_PLAIN_ADDRESS = re.compile(r"https?://[\w.-]+(?::\d+)?(?:/[\w./~%+-]*)?")
_HIDDEN_PATTERN = re.compile(r"(?:^|/)\.[^/.]*[*?\[{]")


@cache
def _sections() -> dict[str, frozenset[str]]:
    text = files(__package__).joinpath("snippet_names.txt").read_text(encoding="utf-8")
    lines = (line for line in text.replace("\n ", " ").splitlines() if line and not line.startswith("#"))
    return {name: frozenset(names.split()) for name, _, names in (line.partition(":") for line in lines)}


def names(section: str) -> frozenset[str]:
    """Return the names of a section."""
    return _sections()[section]


def members(language: str, module: str) -> frozenset[str] | None:
    """Return what of a module is harmless; None for a module that is not listed."""
    return _sections().get(f"{language} module {module}")


def is_deed_name(name: str) -> bool:
    """Return True if a word of a name says that something is deleted, written, sent, run or told: `drop_all`."""
    words = [word.lower() for word in _WORD.findall(name)]
    return name.lower() in names("deed_names") or not names("deed_words").isdisjoint([name.lower(), *words])


def is_hidden_pattern(pattern: str) -> bool:
    """Return True if a pattern is only known to fit hidden files when the code runs, among them those with secrets."""
    return pattern == DYNAMIC or _HIDDEN_PATTERN.search(pattern) is not None


def is_plain_address(address: str) -> bool:
    """Return True for an address that nothing but its own path is sent to."""
    return _PLAIN_ADDRESS.fullmatch(address) is not None


def joined_path(parts: list[str]) -> str:
    """Return a path made of parts, `DYNAMIC` where one of them is."""
    return DYNAMIC if DYNAMIC in parts or not parts else "/".join(parts)
