"""A long command has ended, as the person's shell tells. Urgency: 0.7 if it failed, else 0.5."""

from collections.abc import Iterator

from hub.domain.provenance import quoted, say
from hub.domain.situation import FinishedCommand, Repository, Situation
from hub.domain.suggestion import Candidate, Need
from hub.kit.text import duration
from hub.what.day import Hours
from hub.what.reasons import repository_key, state
from hub.what.sighting import REVIEW, at_time, of, repositories, work_in
from hub.what.text import TEXT_CHARS_MAX, clean

KIND = "command-ended"
SENSOR = "commands"
DRIVE = "unfinished"
FITS: Hours = {"morning": 0.8, "afternoon": 0.9, "evening": 0.7, "night": 0.4}
URGENCY_FAILED, URGENCY_DONE = 0.7, 0.5
BY_A_KEY = frozenset({130, 131, 137, 143})
"""The status of what the person, or somebody else, ended: that is no news."""


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield the latest one in each repository; of a run of tests, known as such or by its trace, the tests tell."""
    for repository in repositories(situation):
        here = (each for each in situation.commands or () if _is_in(each, repository))
        last = max(here, key=lambda each: each.at, default=None)
        if last is not None and last.status not in BY_A_KEY and not _is_told(last, repository):
            if last.status:
                yield _idea(situation, repository, last, None)
            yield _idea(situation, repository, last, REVIEW)


def _is_in(command: FinishedCommand, repository: Repository) -> bool:
    return command.folder == repository.path or command.folder.startswith(f"{repository.path}/")


def _is_told(command: FinishedCommand, repository: Repository) -> bool:
    run = repository.last_test_run_at
    if run is None:
        return False
    before_its_end_s = (command.at - run).total_seconds()
    return before_its_end_s <= command.seconds and (command.ran_tests or before_its_end_s >= 0)


def _idea(situation: Situation, repository: Repository, command: FinishedCommand, playbook: str | None) -> Candidate:
    line, place = clean(command.command, TEXT_CHARS_MAX), of(situation, repository, "in")
    why, how = (say("why"), say("failed")) if command.status else (say("how"), say("ended"))
    return Candidate(
        kind=KIND,
        reason_key=repository_key(KIND, repository),
        signature=state(command.at.isoformat()),
        prompt=say("See {why} a command{of} {how}", why=why, of=place, how=how)
        if playbook
        else say("Find out why this command{of} failed: {line}", of=place, line=quoted(line)),
        reasoning=say(
            "“{line}” {how} {when}, after {took}.",
            line=line,
            how=how,
            when=at_time(situation, command.at),
            took=duration(command.seconds),
        ),
        urgency=URGENCY_FAILED if command.status else URGENCY_DONE,
        affinity="code",
        need=Need(text="The status note is written." if playbook else "The agent reports no error."),
        work=work_in(repository, playbook),
    )
