"""Branches that nobody has touched for long. Urgency: 0.2 plus 0.02 per branch, up to 0.4."""

from collections.abc import Iterator

from hub.domain.provenance import counted, say
from hub.domain.situation import Repository, Situation
from hub.domain.suggestion import Candidate, Need
from hub.what.day import Hours
from hub.what.reasons import repository_key, state
from hub.what.sighting import of, repositories, work_in
from hub.what.text import listed

KIND = "stale-branches"
SENSOR = "git"
DRIVE = "unfinished"
FITS: Hours = {"morning": 0.7, "afternoon": 0.4, "evening": 0.4, "night": 0.2}


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one idea per repository; a branch that newly went stale is a new reason, a deleted one is not."""
    for repository in repositories(situation):
        if repository.stale_branches:
            yield _idea(situation, repository)


def _idea(situation: Situation, repository: Repository) -> Candidate:
    branches = sorted(repository.stale_branches, key=lambda branch: (branch.last_commit_at, branch.name))
    number = counted(len(branches), "stale branch", "stale branches")
    return Candidate(
        kind=KIND,
        reason_key=repository_key(KIND, repository),
        signature=state("", (branch.name for branch in branches)),
        prompt=say(
            "List {number}{of}",
            number=number,
            of=of(situation, repository),
        ),
        reasoning=say(
            "{number}, untouched for a month or longer: {names}.",
            number=number,
            names=listed(tuple(branch.name for branch in branches)),
        ),
        urgency=min(0.2 + 0.02 * len(branches), 0.4),
        affinity="code",
        need=Need(text="The note with the branches is written."),
        work=work_in(repository, KIND),
        comes="once liked",
    )
