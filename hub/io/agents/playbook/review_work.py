"""Where a repository stands, in a note: what is in conflict, what is uncommitted, what is here and what is upstream."""

from hub.contract.words import Risk
from hub.domain.execution import RunResult, not_started
from hub.io.agents.git import GitAnswer
from hub.io.agents.playbook.shape import Playbook
from hub.io.agents.playbook.workplace import NO_GIT, Workplace

REVIEW = "review-work"
LINES_MAX = 400
COMMITS_MAX = 20
ONE_LINE = "--format=%h %s"
PLAIN = ("--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=all")


async def review(place: Workplace) -> RunResult:
    """Read, and write the note; nothing is changed in the repository."""
    place.say("Reading what has changed")
    status = await place.git.ask("status", "--short", "--branch", "--untracked-files=all")
    if not status.ok:
        return not_started(NO_GIT)
    ask = place.git.ask
    conflict = await ask("diff", "--diff-filter=U", *PLAIN, "--")
    changed = await ask("diff", "--diff-filter=u", *PLAIN, "HEAD", "--")
    here = await ask("log", f"--max-count={COMMITS_MAX}", ONE_LINE, "@{upstream}..HEAD", "--")
    there = await ask("log", f"--max-count={COMMITS_MAX}", ONE_LINE, "HEAD..@{upstream}", "--")
    lines = (
        *_section("Status", status, "text"),
        *_section("In conflict", conflict, "diff"),
        *_section("Not committed", changed, "diff"),
        *_section("Only here", here, "text"),
        *_section("Only upstream", there, "text"),
    )
    return place.note(f"Where {place.name} stands", lines, topic=REVIEW)


def _section(title: str, answer: GitAnswer, language: str) -> tuple[str, ...]:
    """Return a titled block; nothing where git has nothing to say. A fence of four cannot end within a diff."""
    found = answer.text.splitlines() if answer.ok else []
    if not found:
        return ()
    rest = len(found) - LINES_MAX
    more = (f"({rest} more lines)",) if rest > 0 else ()
    return (f"## {title}", "", f"````{language}", *found[:LINES_MAX], "````", *more, "")


PLAYBOOK = Playbook(
    name=REVIEW,
    description="Write a note on where the repository stands: conflicts, changes, commits here and upstream.",
    risk=Risk.LOW,
    needs="a git repository",
    work=review,
)
