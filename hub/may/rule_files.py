"""Which files, and which commands, say what runs by itself or what an agent may do: no grant ever covers those.

The files are those of `hub.screening.rule_files`. A hidden file or folder that nobody was shown counts as one.
"""

import posixpath
import re
from collections.abc import Sequence

from hub.screening.rule_files import names_rules

_OTHERS = frozenset({"node_modules", "site-packages", "bower_components"})
"""Folders of code that others wrote."""
_CHANGES_RULES: tuple[tuple[str, ...], ...] = (
    ("git", "config"),
    ("git", "remote"),
    ("git", "submodule"),
    ("git", "init"),
    ("git", "hook"),
    ("git", "lfs", "install"),
    ("git", "credential"),
    ("pre-commit", "install"),
    ("pre-commit", "init-templatedir"),
    ("lefthook", "install"),
    ("npm", "config"),
    ("npm", "set"),
    ("pip", "config"),
    ("direnv",),
    ("husky",),
    ("crontab",),
    ("at",),
    ("batch",),
    ("chsh",),
    ("pulse",),
    ("claude",),
    ("codex",),
    ("gemini",),
    ("copilot",),
    ("opencode",),
    ("cursor-agent",),
)
"""Commands that change what runs by itself, or what an agent may do: git's own settings, hooks, timers, agents."""
_SPOKEN = re.compile(
    "|".join(
        (r"(?:^|[;&|(`\n]\s*|/)" if len(each) == 1 else r"(?:^|[\s;&|(`/])")
        + r"\s+(?:-\S+\s+)*".join(map(re.escape, each))
        + r"(?=[\s;&|)`]|$)"
        for each in _CHANGES_RULES
    )
)


def changes_rules(text: str, calls: Sequence[tuple[str, ...]]) -> bool:
    """Return True if a command changes such settings; of a line that is not plain (no calls) any word may say so."""
    if not calls:
        return _SPOKEN.search(text) is not None
    return any(_is_one(words) for words in calls)


def _is_one(words: tuple[str, ...]) -> bool:
    is_other_git = words[0] == "git" and words[1:2] != () and words[1].startswith("-")
    return is_other_git or any(words[: len(each)] == each for each in _CHANGES_RULES)


def steps_up(path: str) -> bool:
    """Return True if a path goes up on its way: through a link that leads elsewhere than its words say."""
    return ".." in path.split("/")


def is_open(path: str, folder: str) -> bool:
    """Return True if a file may be let through because its folder was: nothing hidden, nothing of others, no rules.

    Both are full paths that name no step up; what the folder itself is called was on the card.
    """
    inside = posixpath.relpath(path, folder)
    parts = [] if inside == "." else inside.split("/")
    is_hidden = any(part.startswith(".") or part.lower() in _OTHERS for part in parts)
    return not is_hidden and not names_rules(path)
