"""Rewrites a lock file, by the tool that it belongs to."""

import asyncio

from hub.contract.words import Risk
from hub.domain.plan import AnyPlan, Plan, cannot
from hub.domain.provenance import say
from hub.io.agents.deciding import held
from hub.io.agents.defining import find_program, real
from hub.io.agents.playbook.git_steps import run_step
from hub.io.agents.playbook.shape import Asked, Playbook
from hub.sense.lock_files import LOCKS

UPDATE_LOCK = "update-lock"


async def plan_update(asked: Asked) -> AnyPlan:
    """Tell which tool would be started; the work names the lock file, and never the command."""
    wanted = asked.work.args[0] if asked.work.args else ""
    known = next(((manifest, argv) for manifest, lock, argv, _ in LOCKS if lock == wanted), None)
    if known is None:
        return cannot(say("Pulse does not know how {what} is written.", what=wanted or "this lock file"))
    manifest, (name, *arguments) = known
    program = find_program(name, asked.search_path)
    if program is None:
        return cannot(say("The program {name} was not found. Install it, or add its folder to PATH.", name=name))
    plan = Plan(playbook=UPDATE_LOCK, argv=(program, *arguments), folder=real(asked.folder))
    return await asyncio.to_thread(held, plan, asked.search_path, (), frozenset({manifest}))


PLAYBOOK = Playbook(
    name=UPDATE_LOCK,
    description="Rewrite a lock file with its own tool (npm, cargo, uv, go, poetry).",
    risk=Risk.LOW,
    needs="the tool that the lock file belongs to",
    work=run_step,
    plan_work=plan_update,
)
