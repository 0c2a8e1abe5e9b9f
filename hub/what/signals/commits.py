"""The day's commits, in the evening. Urgency: 0.4 plus 0.02 per commit, up to 0.6."""

from collections.abc import Iterator
from datetime import timedelta

from hub.domain.provenance import counted, say
from hub.domain.situation import Situation
from hub.domain.suggestion import Candidate, Need
from hub.what.day import Hours, part_of_day, turn_of_day
from hub.what.reasons import repository_key, state
from hub.what.sighting import of, repositories, work_in

KIND = "summarise-commits"
SENSOR = "git"
DRIVE = "learning"
COMMITS_MIN = 3
"""Fewer are remembered without a note."""
FITS: Hours = {"morning": 0.2, "afternoon": 0.3, "evening": 1.0, "night": 0.5}


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one idea per repository with commits of today; each day is a matter of its own."""
    if part_of_day(situation.local) != "evening":
        return
    for repository in repositories(situation):
        if repository.commits_today < COMMITS_MIN:
            continue
        commits = counted(repository.commits_today, "commit")
        yield Candidate(
            kind=KIND,
            reason_key=repository_key(KIND, repository),
            signature=state(situation.local.date()),
            prompt=say("Summarise today's {commits}{of}", commits=commits, of=of(situation, repository)),
            reasoning=say(
                "{commits} since midnight, and it is {time}: a good time to write down what was done.",
                commits=commits,
                time=f"{situation.local:%H:%M}",
            ),
            urgency=min(0.4 + 0.02 * repository.commits_today, 0.6),
            affinity="docs",
            need=Need(text="The note with the day's commits is written."),
            work=work_in(repository, KIND),
        )


def turns(situation: Situation) -> Iterator[timedelta]:
    """Yield when the evening begins and ends."""
    yield from turn_of_day(situation.local)
