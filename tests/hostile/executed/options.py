"""Options as the installed programs list them themselves, each with a value that would show what it does.

Nothing here says which option is dangerous: the line is read, then run, and what happens decides.
"""

import re
import shutil
import subprocess
from contextlib import suppress
from functools import lru_cache

HELP_S_MAX = 2.0
LONG = re.compile(r"(?<![\w-])--(?:\[no-\])?([a-z][\w-]*)")
LISTED_MAX = 200

LETTERS = tuple(f"-{letter}" for letter in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
"""Options that no help names: most programs have some."""


@lru_cache(maxsize=512)
def options_of(program: str) -> tuple[str, ...]:
    """Return the options that a program's own help names, at most `LISTED_MAX`, and every single letter."""
    name, _, verb = program.partition(" ")
    if shutil.which(name) is None:
        return ()
    asked = [[name, verb, "-h"], ["git", "range-diff", "-h"]] if name == "git" else [[name, "--help"], [name, "-h"]]
    asked += [["curl", "--help", "all"]] if name == "curl" else []
    text = ""
    for words in asked:
        text += _answer(words)
        if LONG.search(text) and name != "curl":
            break
    found = dict.fromkeys([f"--{match[1]}" for match in LONG.finditer(text)])
    return (*tuple(found)[:LISTED_MAX], *LETTERS)


def _answer(words: list[str]) -> str:
    contained = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--tmpfs", "/tmp", "--unshare-all"]  # noqa: S108  its own
    contained += ["--die-with-parent", "--new-session"]  # what does not end would else hold the pipe open
    with suppress(subprocess.TimeoutExpired):
        done = subprocess.run(
            [*contained, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=HELP_S_MAX,
            check=False,
        )
        return done.stdout
    return ""
