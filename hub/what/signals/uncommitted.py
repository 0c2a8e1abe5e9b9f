"""Work that lies uncommitted for four hours or more. Urgency: 0.4 at 4 h, rising to 0.8 at 24 h."""

from collections.abc import Iterator
from datetime import timedelta

from hub.domain.provenance import say
from hub.domain.situation import Repository, Situation
from hub.domain.suggestion import Candidate, Need
from hub.kit.text import counted
from hub.what.day import Hours
from hub.what.reasons import branch_of, repository_key, state
from hub.what.scoring import ramp
from hub.what.sighting import at_time, of, repositories, work_in
from hub.what.text import HOUR, listed

KIND = "commit-work"
SENSOR = "git"
FITS: Hours = {"morning": 0.6, "afternoon": 0.5, "evening": 0.9, "night": 0.6}
AGE_H_MIN = 4.0
AGE_H_HIGH = 24.0


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one idea per repository; the matter ends with the next commit, not with the next saved file."""
    for repository in repositories(situation):
        since = repository.uncommitted_since
        if repository.uncommitted and since and situation.at - since >= AGE_H_MIN * HOUR:
            yield _idea(situation, repository, situation.at - since)


def _idea(situation: Situation, repository: Repository, age: timedelta) -> Candidate:
    files = counted(len(repository.uncommitted), "uncommitted file")
    return Candidate(
        kind=KIND,
        reason_key=repository_key(KIND, repository),
        signature=state(f"{branch_of(repository)} {repository.head}"),
        prompt=say(
            "Commit the {files}{of} on a branch of their own, with a message that says what they do",
            files=files,
            of=of(situation, repository),
        ),
        reasoning=say(
            "{files}, the oldest changed {when}: {names}.",
            files=files,
            when=at_time(situation, situation.at - age),
            names=listed(repository.uncommitted),
        ),
        urgency=ramp(age / HOUR, AGE_H_MIN, AGE_H_HIGH, 0.4, 0.8),
        affinity="code",
        need=Need(text="The files are committed (the agent ends with exit code 0)."),
        work=work_in(repository),
    )
