"""To-do comments that came with the current work. Urgency: 0.2 plus 0.03 per comment, up to 0.4."""

from collections import Counter
from collections.abc import Iterator

from hub.domain.provenance import counted, say, untrusted
from hub.domain.situation import Repository, Situation
from hub.domain.suggestion import Candidate, Need
from hub.what.day import Hours
from hub.what.reasons import branch_of, repository_key, state
from hub.what.sighting import TITLE_CHARS_MAX, of, repositories, work_in
from hub.what.text import clean

KIND = "list-todos"
SENSOR = "git"
DRIVE = "unfinished"
FITS: Hours = {"morning": 0.8, "afternoon": 0.5, "evening": 0.5, "night": 0.2}


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one idea per repository; one more comment in a file is a new reason, a reworded one is not."""
    for repository in repositories(situation):
        if repository.todos_added:
            yield _idea(situation, repository)


def _idea(situation: Situation, repository: Repository) -> Candidate:
    todos = sorted(repository.todos_added, key=lambda todo: (todo.path, todo.line))
    per_file = Counter(todo.path for todo in todos)
    comments = counted(len(todos), "to-do comment")
    first = todos[0]
    day = repository.head_at.astimezone(situation.local.tzinfo).date() if repository.head_at else None
    return Candidate(
        kind=KIND,
        reason_key=repository_key(KIND, repository),
        signature=state(
            f"{branch_of(repository)} {day}",
            (f"{untrusted(path)} {number}" for path, most in per_file.items() for number in range(most)),
        ),
        prompt=say(
            "List {number}{of}",
            number=counted(len(todos), "new TODO"),
            of=of(situation, repository, "in"),
        ),
        reasoning=say(
            "{number} added; the first is {path}:{line}: {text}",
            number=comments,
            path=clean(first.path),
            line=first.line,
            text=clean(first.text, TITLE_CHARS_MAX),
        ),
        urgency=min(0.2 + 0.03 * len(todos), 0.4),
        affinity="code",
        need=Need(text="The note with the to-do comments is written."),
        work=work_in(repository, KIND),
        comes="once liked",
    )
