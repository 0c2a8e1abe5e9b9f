"""The day's commits as a note."""

from hub.contract.words import Risk
from hub.do import clip_line
from hub.domain.execution import RunResult, not_started
from hub.io.agents.playbook.shape import Playbook
from hub.io.agents.playbook.workplace import NO_GIT, Workplace
from hub.kit.text import counted

COMMITS_MAX = 500
FORMAT = "--format=%h%x1f%aI%x1f%an%x1f%s"
FIELDS = 4


async def summarise(place: Workplace) -> RunResult:
    """List what was committed on any local branch since the person's midnight, by author."""
    midnight = place.now.replace(hour=0, minute=0, second=0, microsecond=0)
    place.say(f"Reading the commits of {midnight:%Y-%m-%d}")
    log = await place.git.ask(
        "log", "--branches", "HEAD", f"--since={midnight.isoformat()}", f"--max-count={COMMITS_MAX}", FORMAT
    )
    if not log.ok:
        return not_started(NO_GIT)
    commits = [fields for line in log.fields() if len(fields := line.split("\x1f")) == FIELDS]
    by_author: dict[str, list[str]] = {}
    for short, at, author, subject in commits:
        by_author.setdefault(author, []).append(f"- `{short}` {at[11:16]} {clip_line(subject)}")
    count = counted(len(commits), "commit")
    place.say(f"Found {count}")
    lines = [f"{count} by {counted(len(by_author), 'person', 'people')}." if commits else "No commits yet today."]
    for author, entries in by_author.items():
        lines += ["", f"## {clip_line(author)} ({len(entries)})", "", *entries]
    return place.note(f"Commits of {midnight:%Y-%m-%d} in {place.name}", tuple(lines))


PLAYBOOK = Playbook(
    name="summarise-commits",
    description="Write today's commits into a note, by author.",
    risk=Risk.LOW,
    needs="a git repository with a commit",
    work=summarise,
)
