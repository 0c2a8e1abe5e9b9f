"""The day's commits as a note."""

from hub.contract.words import Risk
from hub.do import clip_line
from hub.domain.execution import RunResult
from hub.io.agents.playbook.desk import NO_GIT, Desk, cannot
from hub.io.agents.playbook.shape import Playbook, in_git

COMMITS_MAX = 500
FORMAT = "--format=%h%x1f%aI%x1f%an%x1f%s"
FIELDS = 4


async def summarise(desk: Desk) -> RunResult:
    """List what was committed on any local branch since the person's midnight, by author."""
    midnight = desk.now.replace(hour=0, minute=0, second=0, microsecond=0)
    desk.say(f"Reading the commits of {midnight:%Y-%m-%d}")
    log = await desk.git.ask(
        "log", "--branches", "HEAD", f"--since={midnight.isoformat()}", f"--max-count={COMMITS_MAX}", FORMAT
    )
    if not log.ok:
        return cannot(NO_GIT)
    commits = [fields for line in log.fields() if len(fields := line.split("\x1f")) == FIELDS]
    by_author: dict[str, list[str]] = {}
    for short, at, author, subject in commits:
        by_author.setdefault(author, []).append(f"- `{short}` {at[11:16]} {clip_line(subject)}")
    desk.say(f"Found {len(commits)} commits")
    lines = [f"{len(commits)} commits by {len(by_author)} people." if commits else "No commits yet today."]
    for author, entries in by_author.items():
        lines += ["", f"## {clip_line(author)} ({len(entries)})", "", *entries]
    return desk.note(f"Commits of {midnight:%Y-%m-%d} in {desk.name}", tuple(lines))


PLAYBOOK = Playbook(
    name="summarise-commits",
    description="Write today's commits into a note, by author.",
    risk=Risk.LOW,
    needs="a git repository with a commit",
    applies=in_git,
    work=summarise,
)
