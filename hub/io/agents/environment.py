"""What an agent may see of Pulse's own environment: an allow-list, so that a secret nobody thought of stays inside.

Nothing in it names the folder with Pulse's secrets: the mark of this home is a random word, and a session's files are
among the system's temporary ones (see session.py).
"""

import os
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TextIO

from hub.domain.execution import Job

ALLOWED = frozenset({"PATH", "HOME", "LANG", "TMPDIR", "USER", "SHELL"})
ALLOWED_PREFIX = "LC_"
RESERVED_PREFIX = "PULSE_"
MARK = "PULSE_MARK"
RUN_MARK = "PULSE_EXECUTION"
MARK_FILE = "mark"
MARK_BYTES = 16


def scrubbed(environ: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    """Return the allowed part of `environ` and those `names` that are set; `PULSE_*` is never handed down."""
    wanted = ALLOWED.union(names)
    kept = {
        name: value
        for name, value in environ.items()
        if (name in wanted or name.startswith(ALLOWED_PREFIX)) and not name.startswith(RESERVED_PREFIX)
    }
    return {**kept, "TERM": "dumb"}


def home_mark(home: Path) -> str:
    """Return the word by which processes of this home are known; it is made on first use, and kept in the home.

    Raises:
        OSError: it can be neither read nor made.
    """
    path = home / MARK_FILE
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        made = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        return path.read_text(encoding="ascii").strip() or _made_again(path)
    with os.fdopen(made, "w", encoding="ascii") as file:
        return _written(file)


def _made_again(path: Path) -> str:
    """Fill a file that was left empty, as after a power cut."""
    with path.open("w", encoding="ascii") as file:
        return _written(file)


def _written(file: TextIO) -> str:
    word = secrets.token_hex(MARK_BYTES)
    file.write(f"{word}\n")
    return word


def marked(home: Path, run: str = "") -> dict[str, str]:
    """Return the marks that every process of a session inherits, so that what it leaves behind can be found.

    The home's mark is for a later start; that of the run (its execution's id) for the end of the run itself.

    Raises:
        OSError: the home's mark can be neither read nor made.
    """
    return {MARK: home_mark(home), **({RUN_MARK: run} if run else {})}


def for_job(environ: Mapping[str, str], job: Job, home: Path, cost_file: str) -> dict[str, str]:
    """Return the environment of one session, with what the agent is to know of its bounds."""
    return {
        **scrubbed(environ, job.agent.environment),
        **marked(home, job.execution_id),
        "PULSE_SESSION": job.session_id,
        "PULSE_ALLOWED_TOOLS": ",".join(job.bounds.allowed_tools),
        "PULSE_BLOCKED_TOOLS": ",".join(job.bounds.blocked_tools),
        "PULSE_MAX_TOKENS": str(job.bounds.tokens_max),
        "PULSE_COST_FILE": cost_file,
    }
