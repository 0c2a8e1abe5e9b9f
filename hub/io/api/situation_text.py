"""A situation in a few lines: what was looked at, and what could not be seen. Pure."""

from collections.abc import Iterator

from hub.contract.phrasing import Phrasing
from hub.domain.provenance import untrusted
from hub.domain.situation import Repository, Situation
from hub.domain.worded import Worded
from hub.io.api.story_words import SAY, length_of, number_of, phrase


def describe(situation: Situation) -> list[Worded]:
    """Return one line for each thing that was known."""
    return list(_lines(situation))


def _lines(situation: Situation) -> Iterator[Worded]:
    moment = Phrasing(code="seen.moment", moment=situation.at)
    yield Worded(text=f"It was {situation.local:%A %H:%M}.", wording=moment)
    if situation.silence is not None:
        yield phrase("seen.silence", parts={"span": length_of(situation.silence)})
    if situation.tasks is not None:
        yield number_of("seen.tasks", len(situation.tasks))
    if situation.conversations:
        yield number_of("seen.conversations", len(situation.conversations))
    for repository in situation.repositories or ():
        yield from _repository(repository)
    for meeting in situation.meetings or ():
        yield phrase("seen.meeting", title=untrusted(meeting.title), clock=f"{meeting.starts_at:%H:%M}")
    if situation.system is not None:
        used = f"{situation.system.disk_used:.0%}".removesuffix("%")
        yield phrase("seen.system", numbers={"load": situation.system.load_per_core}, used=used)
    for name in situation.unknown:
        yield phrase(f"unseen.{name}") if f"unseen.{name}" in SAY.texts else phrase("unseen.other", name=name)


def _repository(found: Repository) -> Iterator[Worded]:
    name = untrusted(found.name)
    if found.branch:
        yield phrase("seen.repository", name=name, branch=untrusted(found.branch))
    else:
        yield phrase("seen.no_branch", name=name)
    yield number_of("seen.uncommitted", len(found.uncommitted), name=name)
    if found.unpushed is not None:
        yield number_of("seen.unpushed", found.unpushed, name=name)
    if found.changed_modules:
        yield number_of("seen.modules", len(found.changed_modules), name=name)
    if found.stale_branches:
        yield number_of("seen.stale", len(found.stale_branches), name=name)
    if found.ci != "unknown":
        yield phrase(f"seen.ci_{found.ci}", name=name)
