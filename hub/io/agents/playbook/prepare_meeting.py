"""What one wants to know before a meeting: open tasks, recent commits, unfinished work."""

from datetime import datetime, timedelta

from hub.contract.words import Risk
from hub.do import clip_line
from hub.domain.execution import RunResult
from hub.io.agents.playbook.shape import Playbook
from hub.io.agents.playbook.workplace import Workplace, file_name

RECENT = timedelta(days=7)
COMMITS_MAX = 30
TASKS_MAX = 50
FILES_MAX = 30


async def prepare(place: Workplace) -> RunResult:
    """Write the context of a meeting: `args` are its title, its start (ISO 8601, optional), and the open tasks.

    Without a workspace the note has only these; without a title, the prompt is the title.
    """
    title, *tasks = place.job.args or (place.job.prompt,)
    place.say(f"Preparing {title}")
    start = _moment(tasks[0]) if tasks else None
    tasks = tasks[1:] if start else tasks
    lines = [
        *((f"Starts {start:%Y-%m-%d %H:%M}.", "") if start else ()),
        "## Open tasks",
        "",
        *(_listed(tasks, TASKS_MAX) or ["None given."]),
    ]
    if place.job.workspace is not None:
        lines += await _repository(place)
    return place.note(f"Before: {title}", tuple(lines), topic=f"meeting-{file_name(title)}")


def _moment(text: str) -> datetime | None:
    """Read a moment; None if the text is none."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


async def _repository(place: Workplace) -> list[str]:
    """Say what happened in the workspace lately; nothing, if it is no git repository."""
    since = (place.now - RECENT).isoformat()
    log = await place.git.ask("log", f"--since={since}", f"--max-count={COMMITS_MAX}", "--format=%h %an: %s")
    if not log.ok:
        return []
    branch = await place.git.ask("branch", "--show-current")
    status = await place.git.ask("status", "--porcelain", "--no-renames")
    place.say(f"{len(log.fields())} commits in the last {RECENT.days} days")
    return [
        "",
        f"## Last {RECENT.days} days in {place.name}",
        "",
        *(_listed(log.fields(), COMMITS_MAX) or ["No commits."]),
        "",
        f"## Not committed (branch {clip_line(branch.text.strip()) or 'none'})",
        "",
        *(_listed([line[len("XY ") :] for line in status.fields()], FILES_MAX) or ["Nothing."]),
    ]


def _listed(entries: list[str] | tuple[str, ...], most: int) -> list[str]:
    """Make list items, and say how many were left out."""
    items = [f"- {clip_line(entry)}" for entry in entries[:most]]
    return items if len(entries) <= most else [*items, f"- and {len(entries) - most} more"]


PLAYBOOK = Playbook(
    name="prepare-meeting",
    description="Collect open tasks and recent work into a note for a meeting.",
    risk=Risk.LOW,
    needs="nothing; more is in the note with a git repository",
    work=prepare,
)
