"""Branches that nobody has touched for long. Urgency: 0.2 plus 0.02 per branch, up to 0.4."""

from collections.abc import Iterator

from hub.domain.situation import Repository, Situation
from hub.what.reasons import repository_key, state
from hub.what.sighting import Sighting, of, repositories, work_in
from hub.what.text import clean, counted, listed, span

KIND = "stale-branches"


def look(situation: Situation) -> Iterator[Sighting]:
    """Yield one sighting per repository; a branch that newly went stale is a new reason, a deleted one is not."""
    for repository in repositories(situation):
        if repository.stale_branches:
            yield _sighting(situation, repository)


def _sighting(situation: Situation, repository: Repository) -> Sighting:
    branches = sorted(repository.stale_branches, key=lambda branch: (branch.last_commit_at, branch.name))
    merged = sum(branch.merged for branch in branches)
    number = counted(len(branches), "stale branch", "stale branches")
    oldest = branches[0]
    age = span(situation.at - oldest.last_commit_at)
    return Sighting(
        kind=KIND,
        reason_key=repository_key(KIND, repository),
        signature=state("", (branch.name for branch in branches)),
        prompt=f"List the {number}{of(situation, repository)} in a note: {merged} merged, "
        f"the oldest, {clean(oldest.name)}, untouched for {age}",
        reasoning=f"{number}, {merged} of them merged: {listed(tuple(branch.name for branch in branches))}.",
        urgency=min(0.2 + 0.02 * len(branches), 0.4),
        affinity="code",
        need="The note with the branches is written (exit code 0).",
        work=work_in(repository, KIND),
    )
