"""The signals, one file each; a signal looks at the situation and yields what it saw, with its numbers."""

from collections.abc import Callable, Iterator

from hub.domain.situation import Situation
from hub.what.sighting import Sighting
from hub.what.signals import (
    branches,
    ci,
    commits,
    deadlines,
    dependencies,
    disk,
    failed_tests,
    meetings,
    plan,
    questions,
    run_tests,
    stale_tasks,
    todos,
    uncommitted,
    unpushed,
)

Look = Callable[[Situation], Iterator[Sighting]]

ALL: tuple[Look, ...] = (
    run_tests.look,
    failed_tests.look,
    ci.look,
    uncommitted.look,
    unpushed.look,
    branches.look,
    todos.look,
    dependencies.look,
    commits.look,
    stale_tasks.look,
    deadlines.look,
    questions.look,
    meetings.look,
    disk.look,
    plan.look,
)
