"""The upstream branch has commits that are not here. Urgency: 0.35; 0.6 when there are commits on both sides."""

from collections.abc import Iterator

from msgspec.structs import replace

from hub.domain.provenance import RepositoryText, counted, say
from hub.domain.situation import Repository, Situation
from hub.domain.suggestion import Candidate, Need
from hub.what.day import Hours
from hub.what.reasons import branch_of, repository_key, state
from hub.what.sighting import REVIEW, of, repositories, work_in
from hub.what.text import clean

KIND = "catch-up"
SENSOR = "git"
DRIVE = "unfinished"
FITS: Hours = {"morning": 1.0, "afternoon": 0.6, "evening": 0.4, "night": 0.2}
URGENCY_BEHIND = 0.35
URGENCY_APART = 0.6


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one matter per repository whose upstream, as last fetched, is ahead; not amid a merge.

    A branch that is only behind waits until nothing is uncommitted.
    """
    for repository in repositories(situation):
        upstream = repository.upstream
        if not repository.behind or upstream is None or repository.operation:
            continue
        if repository.unpushed:
            yield from _apart(situation, repository, upstream)
        elif not repository.uncommitted:
            yield _behind(situation, repository, upstream)


def _behind(situation: Situation, repository: Repository, upstream: RepositoryText) -> Candidate:
    commits = counted(repository.behind or 0, "new commit")
    return Candidate(
        kind=KIND,
        reason_key=repository_key(KIND, repository),
        signature=state(f"{branch_of(repository)} {repository.head}", ("behind",)),
        prompt=say("Pull {commits}{of}", commits=commits, of=of(situation, repository, "into")),
        reasoning=say(
            "{commits} on {upstream}, with nothing here in the way.",
            upstream=clean(upstream),
            commits=commits,
        ),
        urgency=URGENCY_BEHIND,
        affinity="code",
        need=Need(text="The branch is where its upstream is (git reports no error)."),
        work=work_in(repository, KIND),
    )


def _apart(situation: Situation, repository: Repository, upstream: RepositoryText) -> Iterator[Candidate]:
    here, there = counted(repository.unpushed or 0, "commit"), counted(repository.behind or 0, "commit")
    idea = Candidate(
        kind=KIND,
        reason_key=repository_key(KIND, repository),
        signature=state(f"{branch_of(repository)} {repository.head}", ("behind", "apart")),
        prompt=say(
            "Merge new upstream commits into{of}: {here} here, {there} there",
            of=of(situation, repository, ""),
            here=here,
            there=there,
        ),
        reasoning=say(
            "This branch and {upstream} have diverged: {here} here, {there} there. A push would be refused.",
            upstream=clean(upstream),
            here=here,
            there=there,
        ),
        urgency=URGENCY_APART,
        affinity="code",
        need=Need(text="Both sides are in one branch (the agent reports no error)."),
        work=work_in(repository),
    )
    yield idea
    shown = say("Compare the branch{of} with its upstream", of=of(situation, repository))
    need = Need(text="The note with both sides is written.")
    yield replace(idea, prompt=shown, need=need, work=work_in(repository, REVIEW))
