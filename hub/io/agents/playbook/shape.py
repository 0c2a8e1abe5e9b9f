"""What a playbook is: a name, what it does, its risk, what it needs, and the work itself."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path

from hub.contract.words import Risk
from hub.domain.execution import RunResult
from hub.io.agents.playbook.desk import Desk


@dataclass(frozen=True, slots=True, kw_only=True)
class Playbook:
    """One built-in piece of work. Doing it twice on one day leaves the same as doing it once.

    `applies` looks at a few files and is fast; `work` may take up to the session's time limit. Exit code 0 means
    done; another one is the tool's own (tests failed: the test runner's).
    """

    name: str
    description: str
    risk: Risk
    needs: str
    applies: Callable[[Path], bool]
    work: Callable[[Desk], Coroutine[None, None, RunResult]]


def in_git(workspace: Path) -> bool:
    """Say whether a folder is in a git work tree."""
    return any((place / ".git").exists() for place in (workspace, *workspace.parents))


def anywhere(workspace: Path) -> bool:
    """Say that a playbook needs nothing of the folder but that it is there."""
    return workspace.is_dir()
