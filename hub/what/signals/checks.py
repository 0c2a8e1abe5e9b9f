"""The uncommitted work brings errors that a checker of the project's finds. Urgency: 0.5, 0.05 more each up to 0.65."""

from collections.abc import Iterator

from hub.domain.provenance import Wording, counted, say
from hub.domain.situation import CodeError, Repository, Situation
from hub.domain.suggestion import Candidate, Need
from hub.what.day import Hours
from hub.what.reasons import digest, repository_key, state
from hub.what.sighting import of, repositories, work_in
from hub.what.text import TEXT_CHARS_MAX, clean, listed

KIND = "fix-errors"
SENSOR = "git"
DRIVE = "unfinished"
FITS: Hours = {"morning": 0.7, "afternoon": 1.0, "evening": 0.6, "night": 0.3}
COUNTED_MAX = 3
CHECK = "check-code"
"""The playbook that shows them."""


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one matter per repository; it ends with a commit, and another error is more of it.

    An agent is to mend them; where there is none, the checker is run, which shows all that it finds.
    """
    for repository in repositories(situation):
        if repository.new_errors and not repository.conflicts:
            yield _idea(situation, repository, None)
            if CHECK in repository.playbooks:
                yield _idea(situation, repository, CHECK)


def _idea(situation: Situation, repository: Repository, playbook: str | None) -> Candidate:
    errors = repository.new_errors
    tool, place = errors[0].tool, of(situation, repository, "" if playbook else "in")
    count = counted(len(errors), "new error")
    return Candidate(
        kind=KIND,
        reason_key=repository_key(KIND, repository),
        signature=state(repository.head, (digest(each.path, each.text) for each in errors)),
        prompt=say("Check{of} with {tool}", of=place, tool=tool)
        if playbook
        else say("Fix {count} that {tool} finds{of}", count=count, tool=tool, of=place),
        reasoning=say(
            "{count} since the last commit: {first} ({files}).",
            count=count,
            first=clean(errors[0].text, TEXT_CHARS_MAX),
            files=listed(tuple(dict.fromkeys(each.path for each in errors))),
        ),
        urgency=0.5 + 0.05 * min(len(errors), COUNTED_MAX),
        affinity="code",
        need=Need(text="The check reports no error." if playbook else "The agent reports no error."),
        work=work_in(repository, playbook),
        args=(say("{tool}", tool=tool),) if playbook else (),
        details=_details(errors),
    )


def _details(errors: tuple[CodeError, ...]) -> Wording:
    shown = Wording()
    for each in errors:
        line = say(
            "{path}:{line}: {text}", path=clean(each.path), line=each.line, text=clean(each.text, TEXT_CHARS_MAX)
        )
        shown = say("{shown}\n{line}", shown=shown, line=line) if shown.text else line
    return shown
