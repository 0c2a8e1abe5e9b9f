"""What would run, as the runner would find it: the work, and the command of a need that is run after it."""

from collections.abc import Callable

from msgspec.structs import replace

from hub.domain.plan import AnyPlan, Plan
from hub.domain.policy import Agent
from hub.domain.suggestion import CHECK_COMMAND, Work


def planned(
    plans: Callable[[Agent, Work], AnyPlan], agent: Agent, work: Work, tester: Agent | None, command: tuple[str, ...]
) -> AnyPlan:
    """Return what would run, with what `tester` would run after it where there is a command for that."""
    plan = plans(agent, work)
    if tester is None or not command or not isinstance(plan, Plan):
        return plan
    then = plans(tester, Work(playbook=CHECK_COMMAND, workspace=work.workspace, args=command))
    return replace(plan, then=then) if isinstance(then, Plan) else plan
