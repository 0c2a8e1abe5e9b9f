"""What one wants to know before a meeting: open tasks, recent commits, unfinished work."""

from datetime import timedelta

from hub.contract.words import Risk
from hub.do import clip_line
from hub.domain.execution import RunResult
from hub.io.agents.playbook.desk import Desk, file_name
from hub.io.agents.playbook.shape import Playbook, anywhere

RECENT = timedelta(days=7)
COMMITS_MAX = 30
TASKS_MAX = 50
FILES_MAX = 30


async def prepare(desk: Desk) -> RunResult:
    """Write the context of a meeting: `args` are its title and then the open tasks, one each.

    Without a workspace the note has only the tasks; without a title, the prompt is the title.
    """
    title, *tasks = desk.job.args or (desk.job.prompt,)
    desk.say(f"Preparing {title}")
    lines = ["## Open tasks", "", *(_listed(tasks, TASKS_MAX) or ["None given."])]
    if desk.job.workspace is not None:
        lines += await _repository(desk)
    return desk.note(f"Before: {title}", tuple(lines), topic=f"meeting-{file_name(title)}")


async def _repository(desk: Desk) -> list[str]:
    """Say what happened in the workspace lately; nothing, if it is no git repository."""
    since = (desk.now - RECENT).isoformat()
    log = await desk.git.ask("log", f"--since={since}", f"--max-count={COMMITS_MAX}", "--format=%h %an: %s")
    if not log.ok:
        return []
    branch = await desk.git.ask("branch", "--show-current")
    status = await desk.git.ask("status", "--porcelain", "--no-renames")
    desk.say(f"{len(log.fields())} commits in the last {RECENT.days} days")
    return [
        "",
        f"## Last {RECENT.days} days in {desk.name}",
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
    applies=anywhere,
    work=prepare,
)
