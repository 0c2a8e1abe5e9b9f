"""A lock file lacks what its manifest asks for. Urgency: 0.5."""

from collections.abc import Iterator

from hub.domain.provenance import say
from hub.domain.situation import Repository, Situation, StaleLock
from hub.domain.suggestion import Candidate, Need
from hub.what.day import Hours
from hub.what.reasons import repository_key, state
from hub.what.sighting import of, repositories, work_in

KIND = "update-lock"
SENSOR = "git"
DRIVE = "system"
FITS: Hours = {"morning": 0.7, "afternoon": 0.9, "evening": 0.6, "night": 0.3}
URGENCY = 0.5


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one idea per lock file; it is one matter until the branch has another commit."""
    for repository in repositories(situation):
        for stale in repository.stale_locks if not repository.conflicts else ():
            yield _idea(situation, repository, stale)


def _idea(situation: Situation, repository: Repository, stale: StaleLock) -> Candidate:
    return Candidate(
        kind=KIND,
        reason_key=f"{repository_key(KIND, repository)}:{stale.lock}",
        signature=state(repository.head),
        prompt=say("Update {lock}{of}", lock=stale.lock, of=of(situation, repository)),
        reasoning=say(
            "{manifest} asks for something that {lock} does not have: "
            "installing from the lock file fails or is incomplete.",
            manifest=stale.manifest,
            lock=stale.lock,
        ),
        urgency=URGENCY,
        affinity="code",
        need=Need(text="The lock file is updated (its tool reports no error)."),
        work=work_in(repository, KIND),
        args=(say("{lock}", lock=stale.lock),),
    )
