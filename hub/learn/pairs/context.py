"""The situation of a suggestion as text: what a model learns from, and what it is asked about (CROSSPOLL 2.3, 7.3).

One rendering for both: a model that learnt from pairs recognises a question, because it begins with the very words of
a pair's prompt. It tells what CROSSPOLL 2.3 assembles (time, silence, tasks, recent activity), a line each, as short as
it can be said. What others wrote is data in it: between quotation marks that it cannot close, on one line, cut, its
secrets masked.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from hub.domain.canonical import visible
from hub.domain.masking import mask
from hub.domain.provenance import WorldText, untrusted
from hub.domain.situation import Conversation, Meeting, PullRequest, Repository, Situation, Task
from hub.kit.text import counted, cut, duration, listed, one_line

CONTEXT_CHARS_MAX = 1_500
SHOWN_MAX = 5
"""Of tasks, conversations, repositories and meetings, so many are told."""
NAMES_MAX = 3
"""Of the modules, tests and pull requests of a repository, so many are told by name."""
QUOTE_CHARS_MAX = 120
OPEN_TASKS = frozenset({"queued", "running"})
OPEN, CLOSE = "“", "”"
_INNER = str.maketrans({OPEN: '"', CLOSE: '"'})


def context_of(situation: Situation) -> str:
    """Return the situation in a few lines, none of them empty, of at most `CONTEXT_CHARS_MAX` characters."""
    return cut(visible("\n".join(_lines(situation))), CONTEXT_CHARS_MAX)


def _lines(situation: Situation) -> Iterator[str]:
    yield f"Time: {situation.local:%A %H:%M}"
    if situation.silence is not None:
        yield f"Silence: {duration(situation.silence)}"
    tasks = [task for task in situation.tasks or () if task.status in OPEN_TASKS]
    yield from _told("Open tasks", [_task(task, situation.at) for task in tasks])
    for repository in (situation.repositories or ())[:SHOWN_MAX]:
        yield f"Repository {_quote(repository.name)}: {_state(repository, situation.at)}"
    yield from _told("Conversations", [_conversation(one, situation.at) for one in situation.conversations or ()])
    yield from _told("Meetings", [_meeting(one, situation.at) for one in situation.meetings or ()])


def _told(what: str, parts: Sequence[str]) -> Iterator[str]:
    if parts:
        yield f"{what}: {listed(parts, shown_max=SHOWN_MAX)}"


def _task(task: Task, now: datetime) -> str:
    due = "" if task.deadline is None else f", due {_when(task.deadline - now)}"
    return f"{_quote(task.title)} (no news for {duration(now - task.updated_at)}{due})"


def _state(repository: Repository, now: datetime) -> str:
    return listed(list(_signs(repository, now))) or "nothing new"


def _signs(repository: Repository, now: datetime) -> Iterator[str]:
    if repository.branch:
        yield f"on {_quote(repository.branch)}"
    modules = [module.path for module in repository.changed_modules]
    counts = (
        (len(repository.conflicts), "file in conflict", "files in conflict"),
        (len(repository.uncommitted), "uncommitted file", ""),
        (repository.unpushed or 0, "commit not pushed", "commits not pushed"),
        (repository.behind or 0, "commit behind", "commits behind"),
        (repository.commits_today, "commit today", "commits today"),
    )
    yield from (counted(count, one, many) for count, one, many in counts if count)
    yield from _named(
        modules, "module changed since the last tests", "modules changed since the last tests", map(_quote, modules)
    )
    if repository.last_test_run_at is not None:
        passed = "passed" if repository.last_test_run_passed else "failed"
        yield f"tests {passed} {_when(repository.last_test_run_at - now)}"
    tests = repository.failed_tests
    yield from _named(tests, "failed test", "failed tests", map(_quote, tests))
    pulls = repository.pull_requests or ()
    yield from _named(pulls, "open pull request", "open pull requests", map(_pull_request, pulls))
    if repository.ci in {"passed", "failed"}:
        yield f"CI {repository.ci}"


def _named(things: Sequence[object], one: str, many: str, names: Iterator[str]) -> Iterator[str]:
    """Yield how many there are, with the first of their names."""
    if things:
        told = [name for name, _ in zip(names, range(NAMES_MAX), strict=False)]
        more = ["…"] if len(things) > NAMES_MAX else []
        yield f"{counted(len(things), one, many)} ({', '.join(told + more)})"


def _pull_request(one: PullRequest) -> str:
    checks = "" if one.checks == "none" else f", checks {one.checks}"
    return f"{_quote(one.title)}{checks}"


def _conversation(one: Conversation, now: datetime) -> str:
    open_end = f" asks {_quote(one.open_question)}" if one.open_question else ""
    return f"{_quote(one.source)}{open_end}, {_when(one.last_at - now)}"


def _meeting(one: Meeting, now: datetime) -> str:
    return f"{_quote(one.title)} {_when(one.starts_at - now)}"


def _when(away: timedelta) -> str:
    return f"{duration(-away)} ago" if away <= timedelta(0) else f"in {duration(away)}"


def _quote(text: WorldText) -> str:
    """Return others' words as data: on one line, without what cannot be seen, and not at length."""
    return f"{OPEN}{one_line(mask(untrusted(text)), QUOTE_CHARS_MAX).translate(_INNER)}{CLOSE}"
