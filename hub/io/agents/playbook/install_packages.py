"""Installs what a manifest asks for, by the installer that the project uses."""

import asyncio
import os
import re
from collections.abc import Iterable
from pathlib import Path

from msgspec.structs import replace

from hub.contract.words import Risk
from hub.domain.execution import RunResult
from hub.domain.plan import AnyPlan, CannotPlan, Plan, cannot
from hub.domain.provenance import say
from hub.domain.suggestion import INSTALL_PACKAGES, SET_UP
from hub.io.agents.deciding import held
from hub.io.agents.defining import DEFINING_BYTES_MAX, find_program, read_regular, real
from hub.io.agents.playbook.git_steps import run_planned, run_step
from hub.io.agents.playbook.shape import Asked, Playbook
from hub.io.agents.playbook.workplace import Workplace
from hub.io.sensors.project_look import project_look
from hub.sense.how_to_test import LOCKS, REQUIREMENTS
from hub.sense.set_up import set_up

BY_LOCK = {"uv.lock": ("uv", "sync"), "poetry.lock": ("poetry", "install")}
PIP = ("-m", "pip", "install")
ENVIRONMENTS = (".venv", "venv")
MANIFESTS = frozenset(
    {"package.json", ".npmrc", "pnpm-workspace.yaml", ".pnpmfile.cjs", "pyproject.toml", "setup.py", "setup.cfg"}
)
"""What says in a project, or in one of those that it is made of, which packages are asked for, and from where."""
INCLUDED_MAX = 64
_INCLUDED = re.compile(r"^[ \t]*+(?:-[rc]|--requirement|--constraint)[ \t=]*+([^\s#]++)", re.MULTILINE)
"""A line of a list of requirements that brings another file in."""
RUNS_ITS_OWN = say("packages can run code of their own while they are installed")
NOTHING_MISSING = say("Nothing is missing here anymore, as far as Pulse can tell.")


async def plan_install(asked: Asked) -> AnyPlan:
    """Tell what would be started; the work names the manifest, and never the command.

    What is installed may run code of its own, which nobody has seen: it is never done without a person.
    """
    manifest = asked.work.args[0] if asked.work.args else ""
    if manifest == SET_UP:
        return await asyncio.to_thread(_plan_set_up, asked)
    wanted = _argv(asked.folder, manifest)
    if wanted is None:
        return cannot(say("Pulse does not know how to install what {what} asks for.", what=manifest or "this"))
    name, *arguments = wanted
    program = find_program(name, asked.search_path)
    if program is None:
        return cannot(say("The program {name} was not found. Install it, or add its folder to PATH.", name=name))
    plan = Plan(playbook=INSTALL_PACKAGES, argv=(program, *arguments), folder=real(asked.folder))
    return await asyncio.to_thread(_held, plan, asked, manifest)


def _held(plan: Plan, asked: Asked, manifest: str) -> AnyPlan:
    """Hold a plan to all that says what is installed: no other package is asked for after the look."""
    lists = _with_included(asked.folder, (name for name in (manifest, *REQUIREMENTS) if name))
    names = (*lists, *LOCKS, *BY_LOCK, "package-lock.json")
    found = held(plan, asked.search_path, names, MANIFESTS)
    return found if isinstance(found, CannotPlan) or found.unclear else found.doubted(RUNS_ITS_OWN)


def _plan_set_up(asked: Asked) -> AnyPlan:
    """Tell how what the tests need is installed: by one command, or by one that makes an environment before it."""
    steps = set_up(project_look(asked.folder, asked.search_path))
    if steps is None:
        return cannot(NOTHING_MISSING)
    plans = [_step(argv, asked, steps.manifest) for argv in steps.steps]
    wrong = next((plan for plan in plans if isinstance(plan, CannotPlan)), None)
    first, *rest = (plan for plan in plans if isinstance(plan, Plan))
    return wrong or replace(first, then=rest[0] if rest else None)


def _step(argv: tuple[str, ...], asked: Asked, manifest: str) -> AnyPlan:
    folder = real(asked.folder)
    plan = Plan(playbook=INSTALL_PACKAGES, argv=(os.path.join(folder, argv[0]), *argv[1:]), folder=folder)  # noqa: PTH118  as text
    return _held(plan, asked, manifest)


def _with_included(folder: Path, lists: Iterable[str]) -> tuple[str, ...]:
    """Return lists of requirements with those that they bring in, each as seen from the folder."""
    found = dict.fromkeys(lists)
    waiting = list(found)
    while waiting and len(found) < INCLUDED_MAX:
        name = waiting.pop(0)
        text = (read_regular(folder / name, DEFINING_BYTES_MAX) or b"").decode("utf-8", "replace")
        below = (os.path.normpath(os.path.join(os.path.dirname(name), one)) for one in _INCLUDED.findall(text))  # noqa: PTH118, PTH120  as text
        fresh = [one for one in below if one not in found]
        found |= dict.fromkeys(fresh)
        waiting += fresh
    return tuple(found)


async def install(place: Workplace) -> RunResult:
    """Run the command of the plan that was permitted, and the one that follows it where the first went well."""
    first = await run_step(place)
    plan = place.job.plan
    then = plan.then if isinstance(plan, Plan) else None
    if then is None or first.exit_code != 0:
        return first
    second = await run_planned(place, then)
    return replace(second, output=f"{first.output}{second.output}", truncated=first.truncated or second.truncated)


def _argv(folder: Path, manifest: str) -> tuple[str, ...] | None:
    if manifest == "package.json":
        return (next((tool for lock, tool in LOCKS.items() if (folder / lock).is_file()), "npm"), "install")
    python = next((str(path) for name in ENVIRONMENTS if (path := folder / name / "bin" / "python").exists()), None)
    if manifest == "requirements.txt" and python:
        return (python, *PIP, "-r", manifest)
    if manifest != "pyproject.toml":
        return None
    by_lock = next((argv for lock, argv in BY_LOCK.items() if (folder / lock).is_file()), None)
    return by_lock or ((python, *PIP, "-e", ".") if python else None)


PLAYBOOK = Playbook(
    name=INSTALL_PACKAGES,
    description="Install what a manifest asks for (npm, pnpm, yarn, bun, uv, poetry, pip); packages may run scripts.",
    risk=Risk.MEDIUM,
    needs="the installer that the project uses",
    work=install,
    plan_work=plan_install,
)
