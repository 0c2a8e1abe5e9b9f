r"""PowerShell's lines as a reader of bash may read them, or not at all. Pure and total.

The two part words, quotes and calls alike, but for this: a backslash is a letter to PowerShell and mostly parts paths,
so it is read as `/`; and where it quotes by other signs, runs what stands in braces, or evaluates what stands behind a
bracket, nobody can tell from bash what it runs.
"""

import re

_NAME = re.compile(r"power[_-]?shell|pwsh", re.IGNORECASE)
_APART = re.compile(
    "[`{\u2018-\u201f]|\r(?!\n)|<<|<#|@[\"']|--%|[^\\s;|&$]\\(|(?im:(?:^|[;|&(])[^\\S\n]*+(?:ii|r|rd|rmdir|sc|set|sp)\\b)"
)
"""Its own quotes (typographic ones too), here-strings, comments and script blocks, brackets within a word, and names
that stand for something else there."""


def is_powershell(tool: str) -> bool:
    """Return True if a tool of this name takes PowerShell's lines."""
    return _NAME.search(tool) is not None


def as_bash(text: str) -> str | None:
    """Return what a reader of bash would understand as PowerShell does; None where the two could differ."""
    return None if _APART.search(text) else text.replace("\\", "/")
