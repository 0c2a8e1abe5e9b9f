"""The last test run failed and nothing has changed since. Urgency: 0.8."""

from collections.abc import Iterator
from datetime import datetime

from msgspec.structs import replace

from hub.domain.provenance import Wording, counted, say
from hub.domain.situation import Repository, Situation
from hub.domain.suggestion import Candidate, Need
from hub.what.day import Hours
from hub.what.reasons import repository_key, state
from hub.what.sighting import REVIEW, at_time, mended, of, repositories, work_in
from hub.what.text import in_lines, listed

KIND = "fix-tests"
SENSOR = "git"
DRIVE = "unfinished"
FITS: Hours = {"morning": 0.8, "afternoon": 1.0, "evening": 0.4, "night": 0.2}
URGENCY = 0.8


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one matter per repository whose tests fail as they are; changed ones are run again first.

    A commit in the meantime is no news of it; other tests that fail are, and so is a failure after they passed
    (`hub.what.passed.ended`). Of a run of Pulse's own there is a card already, by which it can be tried again.

    An agent is to mend the cause; where there is none, a note shows which fail, and what was changed. They are not
    offered to be run again: nothing changed since somebody saw them fail.
    """
    for repository in repositories(situation):
        last = repository.last_test_run_at
        if repository.last_test_run_passed is not False or last is None or _is_told(repository):
            continue
        idea = _idea(situation, repository, last)
        yield idea
        shown = say("See why the tests{of} fail", of=of(situation, repository))
        need = Need(text="The status note is written.")
        yield replace(idea, prompt=shown, need=need, work=work_in(repository, REVIEW))


def _is_told(repository: Repository) -> bool:
    """Return True if another card tells of it, or what is under way will."""
    return bool(repository.was_test_run_ours or repository.changed_modules or repository.conflicts)


def _idea(situation: Situation, repository: Repository, last: datetime) -> Candidate:
    names = repository.failed_tests
    return Candidate(
        kind=KIND,
        reason_key=repository_key(KIND, repository),
        signature=state(KIND, names),
        prompt=say("Find out why the tests{of} fail, and fix the cause", of=of(situation, repository)),
        reasoning=_reasoning(situation, repository, last),
        urgency=URGENCY,
        affinity="code",
        need=mended(repository),
        work=work_in(repository),
        details=say("{names}", names=in_lines(names)) if names else Wording(),
    )


def _reasoning(situation: Situation, repository: Repository, last: datetime) -> Wording:
    when, names = at_time(situation, last), repository.failed_tests
    if not names:
        return say("The last test run failed {when}; no module has changed since.", when=when)
    count = counted(len(names), "test")
    return say(
        "{count} failed {when}: {names}; no module has changed since.", count=count, when=when, names=listed(names)
    )
