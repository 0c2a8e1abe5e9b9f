"""Commits that were not pushed for an hour or more. Urgency: 0.3 at 1 h, rising to 0.7 at 24 h."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from hub.contract.words import Risk
from hub.domain.provenance import Wording, counted, say, untrusted
from hub.domain.situation import Repository, Situation
from hub.domain.suggestion import Candidate, Need
from hub.what.day import Hours
from hub.what.reasons import branch_of, repository_key, state
from hub.what.scoring import ramp
from hub.what.sighting import at_time, of, repositories, work_in
from hub.what.text import HOUR, clean

KIND = "push-work"
SENSOR = "git"
DRIVE = "unfinished"
FITS: Hours = {"morning": 0.5, "afternoon": 0.5, "evening": 0.9, "night": 0.6}
AGE_H_MIN = 1.0
AGE_H_HIGH = 24.0


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one idea per repository whose upstream has nothing new; the matter is a day's commits on one branch."""
    for repository in repositories(situation):
        head_at = repository.head_at
        if repository.unpushed and not repository.behind and head_at and situation.at - head_at >= AGE_H_MIN * HOUR:
            yield _idea(situation, repository, head_at)


def turns(situation: Situation) -> Iterator[timedelta]:
    """Yield when the last commit has lain for long enough."""
    for repository in situation.repositories or ():
        if repository.unpushed and repository.head_at is not None:
            yield repository.head_at - situation.at + AGE_H_MIN * HOUR


def _idea(situation: Situation, repository: Repository, head_at: datetime) -> Candidate:
    commits = counted(repository.unpushed or 0, "commit")
    branch = say(" on {branch}", branch=clean(repository.branch)) if repository.branch else Wording()
    age = situation.at - head_at
    day = head_at.astimezone(situation.local.tzinfo).date()
    return Candidate(
        kind=KIND,
        reason_key=repository_key(KIND, repository),
        signature=state(f"{branch_of(repository)} {day}"),
        prompt=say("Push {commits}{of}{to}", commits=commits, of=of(situation, repository), to=_remote(repository)),
        reasoning=say(
            "Only on this machine: {commits}{branch}; the last one was made {when}.",
            commits=commits,
            branch=branch,
            when=at_time(situation, head_at),
        ),
        urgency=ramp(age / HOUR, AGE_H_MIN, AGE_H_HIGH, 0.3, 0.7),
        affinity="code",
        need=Need(text="The commits are on the remote (git reports no error)."),
        work=work_in(repository, KIND),
        risk=Risk.MEDIUM,
    )


def _remote(repository: Repository) -> Wording:
    """Return " to origin" where that is the upstream's remote; another name could be a sentence, and is left out."""
    upstream = "" if repository.upstream is None else untrusted(repository.upstream)
    return say(" to origin") if upstream.startswith("origin/") else Wording()
