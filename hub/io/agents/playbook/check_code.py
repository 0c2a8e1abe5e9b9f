"""Checks types and style with the program that the project uses for it; what it finds is shown."""

import asyncio
from pathlib import Path

from hub.contract.words import Risk
from hub.domain.plan import AnyPlan, Plan, cannot
from hub.domain.provenance import say
from hub.io.agents.deciding import held
from hub.io.agents.defining import find_program, real
from hub.io.agents.playbook.git_steps import run_step
from hub.io.agents.playbook.shape import Asked, Playbook
from hub.sense.checkers import CHECKERS

CHECK_CODE = "check-code"
OWN_FOLDERS = (".venv/bin", "venv/bin", "node_modules/.bin")
"""Where a project keeps its own programs; they come before those on the path."""


async def plan_check(asked: Asked) -> AnyPlan:
    """Tell what would be started; the work names the checker, and never the command."""
    wanted = asked.work.args[0] if asked.work.args else ""
    checker = next((each for each in CHECKERS if each.name == wanted), None)
    if checker is None:
        return cannot(say("Pulse does not know how to check with {what}.", what=wanted or "this"))
    program = _own(asked.folder, checker.name) or find_program(checker.name, asked.search_path)
    if program is None:
        return cannot(
            say("The program {name} was not found. Install it, or add its folder to PATH.", name=checker.name)
        )
    argv = (program, *checker.arguments)
    return await asyncio.to_thread(
        held, Plan(playbook=CHECK_CODE, argv=argv, folder=real(asked.folder)), asked.search_path
    )


def _own(folder: Path, name: str) -> str | None:
    return next((str(path) for place in OWN_FOLDERS if (path := folder / place / name).is_file()), None)


PLAYBOOK = Playbook(
    name=CHECK_CODE,
    description="Check types and style with the project's own checker (ruff, mypy, pyright, tsc, eslint, cargo, go).",
    risk=Risk.LOW,
    needs="the checker that the project uses",
    work=run_step,
    plan_work=plan_check,
)
