"""What an agent may see of Pulse's own environment: an allow-list, so that a secret nobody thought of stays inside."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from hub.domain.execution import Job

ALLOWED = frozenset({"PATH", "HOME", "LANG", "TMPDIR", "USER", "SHELL"})
ALLOWED_PREFIX = "LC_"
RESERVED_PREFIX = "PULSE_"
MARK = "PULSE_SESSION_HOME"
RUN_MARK = "PULSE_EXECUTION"


def scrubbed(environ: Mapping[str, str], names: Iterable[str] = ()) -> dict[str, str]:
    """Return the allowed part of `environ` and those `names` that are set; `PULSE_*` is never handed down."""
    wanted = ALLOWED.union(names)
    kept = {
        name: value
        for name, value in environ.items()
        if (name in wanted or name.startswith(ALLOWED_PREFIX)) and not name.startswith(RESERVED_PREFIX)
    }
    return {**kept, "TERM": "dumb"}


def marked(home: Path, run: str = "") -> dict[str, str]:
    """Return the marks that every process of a session inherits, so that what it leaves behind can be found.

    The home's mark is for a later start; that of the run (its execution's id) for the end of the run itself.
    """
    return {MARK: str(home), **({RUN_MARK: run} if run else {})}


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
