"""Runs one command that a session of the world log names as its proof: the words of the work, without a shell.

Others wrote those words, so nothing but a person's yes to just this plan lets it start. What the command reads to know
what to do (make its Makefile) is held to what they saw, as with a project's tests. Others named those files, too, and
see the card where they may: so their digests are made with a word that only this Pulse has, and tell nobody what stands
in a file.
"""

import asyncio
import hashlib
import hmac
import os
from pathlib import Path

from msgspec.structs import replace

from hub.contract.words import Risk
from hub.domain.execution import RunResult, not_started
from hub.domain.plan import AnyPlan, CannotPlan, Plan, cannot
from hub.domain.provenance import say
from hub.domain.suggestion import CHECK_COMMAND
from hub.io.agents.deciding import held
from hub.io.agents.defining import DEFINING_BYTES_MAX, find_program, real
from hub.io.agents.environment import home_mark
from hub.io.agents.playbook.git_steps import run_step
from hub.io.agents.playbook.how_to_test import plan_tests
from hub.io.agents.playbook.shape import Asked, Playbook
from hub.io.agents.playbook.workplace import Workplace

NO_COMMAND = say("No command is given.")
TOO_LONG = say(
    "A file that says what it does is longer than {limit} KiB, so Pulse could not check it.",
    limit=DEFINING_BYTES_MAX // 1024,
)
WITH_SCRIPTS = frozenset({"make", "npm", "pnpm", "yarn", "bun"})
"""Programs whose command stands for a line in a file, which is shown where it is the project's way to test."""


async def plan_command(asked: Asked) -> AnyPlan:
    """Tell what the command would start."""
    return await asyncio.to_thread(_planned, asked)


async def check_command(place: Workplace) -> RunResult:
    """Run the command of the plan that was permitted."""
    plan = place.job.plan
    if not isinstance(plan, Plan) or not plan.argv:
        return not_started(NO_COMMAND if plan is None or isinstance(plan, Plan) else plan.told)
    place.say(f"Running {' '.join(plan.argv)}")
    return await run_step(place)


def _planned(asked: Asked) -> AnyPlan:
    name, *rest = asked.work.args or ("",)
    if not name or asked.work.workspace is None:
        return cannot(NO_COMMAND)
    if ".." in Path(name).parts:
        return cannot(
            say(
                "A program is named by its name, by a path in the session's folder, or by a full path; not by {name}.",
                name=name,
            )
        )
    folder = Path(real(asked.folder))
    program = _program(name, folder, asked.search_path)
    if program is None:
        return cannot(say("The program {name} of the command was not found.", name=name))
    argv = (program, *rest)
    tests = plan_tests(folder, asked.search_path) if Path(name).name in WITH_SCRIPTS else None
    known = tests if isinstance(tests, Plan) and tests.argv == argv else Plan()
    bare = Plan(playbook=CHECK_COMMAND, argv=argv, folder=str(folder))
    plan = held(replace(bare, environment=known.environment, script=known.script), asked.search_path)
    if isinstance(plan, CannotPlan):
        return cannot(TOO_LONG)
    try:
        word = home_mark(asked.home).encode()
    except OSError as error:
        return cannot(say("Pulse's own folder cannot be read or written ({error}).", error=str(error.strerror)))
    return replace(plan, defined_by=tuple(replace(file, sha256=_ours(word, file.sha256)) for file in plan.defined_by))


def _ours(word: bytes, digest: str) -> str:
    return hmac.new(word, digest.encode(), hashlib.sha256).hexdigest()


def _program(name: str, folder: Path, search_path: str | None) -> str | None:
    """Return the full path of what is started: a path is meant from the folder, a name is looked for on the path."""
    found = find_program(str(folder / name) if os.sep in name else name, search_path)
    return found if found is not None and Path(found).is_absolute() else None


PLAYBOOK = Playbook(
    name=CHECK_COMMAND,
    description="Run the command that a session of the world log has to prove itself by; only by your yes to it.",
    risk=Risk.HIGH,
    needs="a session that names a folder and a command",
    work=check_command,
    plan_work=plan_command,
)
