"""The last test run failed and nothing has changed since. Urgency: 0.8."""

from collections.abc import Iterator

from hub.domain.provenance import say
from hub.domain.situation import Situation
from hub.domain.suggestion import Candidate, Need
from hub.what.day import Hours
from hub.what.reasons import repository_key, state
from hub.what.sighting import at_time, of, repositories, work_in

KIND = "fix-tests"
SENSOR = "git"
FITS: Hours = {"morning": 0.8, "afternoon": 1.0, "evening": 0.4, "night": 0.2}
URGENCY = 0.8


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one idea per repository whose tests fail as they are; changed ones are run again first."""
    for repository in repositories(situation):
        last = repository.last_test_run_at
        if repository.last_test_run_passed is not False or last is None or repository.changed_modules:
            continue
        yield Candidate(
            kind=KIND,
            reason_key=repository_key(KIND, repository),
            signature=state(repository.head),
            prompt=say("Find out why the tests{of} fail, and fix the cause", of=of(situation, repository)),
            reasoning=say(
                "The last test run, {when}, failed; no module has changed since.", when=at_time(situation, last)
            ),
            urgency=URGENCY,
            affinity="code",
            need=Need(text="The cause is fixed (the agent ends with exit code 0)."),
            work=work_in(repository),
        )
