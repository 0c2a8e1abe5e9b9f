"""What a playbook is: a name, what it does, its risk, what it needs, and the work itself."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path

from hub.contract.words import Risk
from hub.domain.execution import RunResult
from hub.domain.plan import AnyPlan
from hub.domain.suggestion import Work
from hub.io.agents.git import GitFolder
from hub.io.agents.playbook.workplace import Workplace


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a plan is made from where it depends on the work: its arguments, its folder, and PATH for finding tools.

    `home` is Pulse's own folder.
    """

    work: Work
    folder: Path
    git: GitFolder
    search_path: str | None
    home: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Playbook:
    """One built-in piece of work. Doing it twice on one day leaves the same as doing it once.

    `work` may take up to the session's time limit. Exit code 0 means done; another one is the tool's own (tests failed:
    the test runner's). One that starts a program which a repository names tells it with `plan`: it is given the folder
    and PATH, looks, and may block. With `plan_work` the plan depends on the work's arguments, too.
    """

    name: str
    description: str
    risk: Risk
    needs: str
    work: Callable[[Workplace], Coroutine[None, None, RunResult]]
    plan: Callable[[Path, str | None], AnyPlan] | None = None
    plan_work: Callable[[Asked], Coroutine[None, None, AnyPlan]] | None = None
