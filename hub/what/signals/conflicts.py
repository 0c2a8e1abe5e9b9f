"""A merge, rebase or the like stopped: files are in conflict. Urgency: 0.85."""

from collections.abc import Iterator

from msgspec.structs import replace

from hub.domain.provenance import Wording, counted, say
from hub.domain.situation import Repository, Situation
from hub.domain.suggestion import Candidate, Need
from hub.what.day import Hours
from hub.what.reasons import branch_of, repository_key, state
from hub.what.sighting import REVIEW, of, repositories, work_in
from hub.what.text import listed

KIND = "merge-conflict"
SENSOR = "git"
DRIVE = "unfinished"
FITS: Hours = {"morning": 0.9, "afternoon": 0.9, "evening": 0.7, "night": 0.4}
URGENCY = 0.85


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one matter per repository, to be resolved by an agent or else shown; a resolved file is no new reason."""
    for repository in repositories(situation):
        if repository.conflicts:
            idea = _idea(situation, repository)
            yield idea
            shown = say("Show the conflict in {files}{of}", files=_files(repository), of=of(situation, repository))
            need = Need(text="The note with the conflict is written.")
            yield replace(idea, prompt=shown, need=need, work=work_in(repository, REVIEW))


def _idea(situation: Situation, repository: Repository) -> Candidate:
    return Candidate(
        kind=KIND,
        reason_key=repository_key(KIND, repository),
        signature=state(f"{branch_of(repository)} {repository.head} {repository.operation}", repository.conflicts),
        prompt=say(
            "Resolve the conflict in {files}{of}, and leave the result uncommitted",
            files=_files(repository),
            of=of(situation, repository),
        ),
        reasoning=say(
            "{how}: {names} must be resolved by hand.", how=_how(repository), names=listed(repository.conflicts)
        ),
        urgency=URGENCY,
        affinity="code",
        need=Need(text="The conflict is resolved (the agent reports no error)."),
        work=work_in(repository),
    )


def _files(repository: Repository) -> Wording:
    return counted(len(repository.conflicts), "file")


def _how(repository: Repository) -> Wording:
    """Say what left the conflict. `git am` is called by its name: what ends a rebase or a merge does not end it."""
    match repository.operation:
        case "":
            return say("There is a conflict")  # of a `git stash pop`, or a checkout with local changes
        case "am":
            return say("git am stopped")
        case operation:
            return say("A {operation} stopped", operation=operation)
