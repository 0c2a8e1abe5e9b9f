"""The signals, one file each; a signal looks at the situation and yields what it saw, with its numbers."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Protocol

from hub.domain.situation import Situation
from hub.domain.suggestion import Candidate
from hub.what.day import Hours
from hub.what.signals import (
    agents,
    backup,
    branches,
    certificates,
    checks,
    ci,
    commands,
    commits,
    conflicts,
    deadlines,
    dependencies,
    deployments,
    disk,
    failed_tests,
    foreseen,
    links,
    locks,
    meetings,
    memory,
    mentions,
    packages,
    plan,
    programs,
    pull_requests,
    questions,
    refused_deployments,
    run_tests,
    stale_tasks,
    suggested,
    todos,
    uncommitted,
    unpushed,
    unversioned,
    upstream,
    versions,
    wanted,
)


class Signal(Protocol):
    """What a signal's file holds: its kind, what it looks at, how well it fits the times of the day, and how it looks.

    `SENSOR` is the name of the sensor without which it sees nothing: where that could not read, nothing has passed.
    `DRIVE` names the drive that its matters press while they stand open (`BUILT_IN_DRIVES` in hub/domain/drives.py); a
    candidate that names one itself presses that.
    """

    KIND: str
    SENSOR: str
    DRIVE: str
    FITS: Hours

    def look(self, situation: Situation, /) -> Iterator[Candidate]:
        """Yield what is worth doing."""


class TimedSignal(Protocol):
    """What the file of a signal holds whose matters come and go with the time alone."""

    KIND: str

    def look(self, situation: Situation, /) -> Iterator[Candidate]:
        """Yield what is worth doing."""

    def turns(self, situation: Situation, /) -> Iterator[timedelta]:
        """Yield how far off each moment is at which time alone may bring, change or end a matter, past ones, too.

        None may be missing. They are differences, for a certificate may end so late that no date lies a week after it.
        """


ALL: tuple[Signal, ...] = (
    run_tests,
    failed_tests,
    conflicts,
    ci,
    checks,
    deployments,
    refused_deployments,
    pull_requests,
    uncommitted,
    unpushed,
    upstream,
    locks,
    packages,
    branches,
    todos,
    dependencies,
    commits,
    stale_tasks,
    deadlines,
    wanted,
    questions,
    agents,
    commands,
    meetings,
    mentions,
    disk,
    memory,
    programs,
    certificates,
    versions,
    links,
    backup,
    unversioned,
    foreseen,
    suggested,
    plan,
)
TIMED: tuple[TimedSignal, ...] = (
    uncommitted,
    unpushed,
    commits,
    stale_tasks,
    deadlines,
    wanted,
    questions,
    agents,
    meetings,
    mentions,
    certificates,
    links,
    backup,
    plan,
)
"""Those that read the time of the situation; the others see the same however late it is."""
