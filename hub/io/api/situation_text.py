"""A situation in a few lines: what was looked at, and what could not be seen. Pure."""

from collections.abc import Iterator

from hub.domain.provenance import untrusted
from hub.domain.situation import Repository, Situation
from hub.kit.text import counted, duration


def describe(situation: Situation) -> list[str]:
    """Return one line for each thing that was known."""
    return list(_lines(situation))


def _lines(situation: Situation) -> Iterator[str]:
    yield f"It was {situation.local:%A %H:%M}."
    if situation.silence is not None:
        yield f"You had said nothing for {duration(situation.silence)}."
    if situation.tasks is not None:
        yield f"{counted(len(situation.tasks), 'open task')}."
    if situation.conversations:
        yield f"{counted(len(situation.conversations), 'recent conversation')}."
    for repository in situation.repositories or ():
        yield _repository(repository)
    for meeting in situation.meetings or ():
        yield f"{untrusted(meeting.title)} at {meeting.starts_at:%H:%M}."
    if situation.system is not None:
        yield f"Disk {situation.system.disk_used:.0%} full, load {situation.system.load_per_core:.1f} per core."
    if situation.unknown:
        yield f"Not known: {', '.join(situation.unknown)}."


def _repository(found: Repository) -> str:
    facts = [f"{counted(len(found.uncommitted), 'uncommitted file')}"]
    if found.unpushed is not None:
        facts.append(counted(found.unpushed, "unpushed commit"))
    if found.changed_modules:
        facts.append(f"{counted(len(found.changed_modules), 'module')} changed since the last test run")
    if found.stale_branches:
        facts.append(counted(len(found.stale_branches), "stale branch", "stale branches"))
    if found.ci != "unknown":
        facts.append(f"CI {found.ci}")
    branch = untrusted(found.branch) if found.branch else "no branch"
    return f"{untrusted(found.name)} on {branch}: {', '.join(facts)}."
