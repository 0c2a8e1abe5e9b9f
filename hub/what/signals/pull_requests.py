"""A pull request waits for the person. Urgency: 0.75 with failed checks, else 0.6 (it can be merged, or reviewed)."""

from collections.abc import Iterator

from msgspec.structs import replace

from hub.domain.provenance import Wording, say
from hub.domain.situation import PullRequest, Repository, Situation
from hub.domain.suggestion import Candidate, Need
from hub.what.day import Hours
from hub.what.reasons import repository_key, state
from hub.what.sighting import of, repositories, work_in

KIND = "pull-request"
SENSOR = "git"
DRIVE = "social"
FITS: Hours = {"morning": 1.0, "afternoon": 0.9, "evening": 0.5, "night": 0.2}
SHOW = "show-pull-request"
MATTERS: dict[str, tuple[float, Wording]] = {
    "failed": (0.75, say("its checks failed")),
    "ready": (0.6, say("it is approved and can be merged")),
    "review": (0.6, say("your review is asked for")),
}
"""By what is the matter: how urgent, and why."""


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one matter per pull request, for an agent or else to be shown; another state of it is a new reason."""
    for repository in repositories(situation):
        for request in repository.pull_requests or ():
            matter = _matter(request)
            if matter:
                yield from _ways(situation, repository, request, matter)


def _matter(request: PullRequest) -> str:
    if not request.is_mine:
        return "review"
    if request.checks == "failed":
        return "failed"
    return "ready" if request.can_merge and request.checks != "running" else ""


def _ways(situation: Situation, repository: Repository, request: PullRequest, matter: str) -> Iterator[Candidate]:
    urgency, why = MATTERS[matter]
    place = of(situation, repository)
    idea = Candidate(
        kind=KIND,
        reason_key=f"{repository_key(KIND, repository)}:{request.number}",
        signature=state(matter),
        prompt=_wanted(matter, request.number, place),
        reasoning=say("Pull request {number}, “{title}”: {why}.", number=request.number, title=request.title, why=why),
        urgency=urgency,
        affinity="code",
        need=Need(text="What was asked for is done (the agent reports no error)."),
        work=work_in(repository),
        args=(say("{number}", number=request.number),),
    )
    yield idea
    shown = say("Show pull request {number}{of}: {why}", number=request.number, of=place, why=why)
    need = Need(text="The pull request is shown (gh reports no error).")
    yield replace(idea, prompt=shown, need=need, work=work_in(repository, SHOW))


def _wanted(matter: str, number: int, place: Wording) -> Wording:
    match matter:
        case "failed":
            words = say(
                "Find out why the checks of pull request {number}{of} fail, and fix the cause", number=number, of=place
            )
        case "ready":
            words = say("Merge pull request {number}{of}", number=number, of=place)
        case _:
            words = say("Review pull request {number}{of}, and write down what you find", number=number, of=place)
    return words
