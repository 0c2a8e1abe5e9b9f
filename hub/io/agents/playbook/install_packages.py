"""Installs what a manifest asks for, by the installer that the project uses."""

import asyncio
from pathlib import Path

from hub.contract.words import Risk
from hub.domain.plan import AnyPlan, CannotPlan, Plan
from hub.io.agents.deciding import held
from hub.io.agents.defining import find_program, real
from hub.io.agents.playbook.git_steps import run_step
from hub.io.agents.playbook.shape import Asked, Playbook
from hub.sense.how_to_test import LOCKS

INSTALL = "install-packages"
BY_LOCK = {"uv.lock": ("uv", "sync"), "poetry.lock": ("poetry", "install")}
PIP = ("-m", "pip", "install")
ENVIRONMENTS = (".venv", "venv")


async def plan_install(asked: Asked) -> AnyPlan:
    """Tell what would be started; the work names the manifest, and never the command."""
    manifest = asked.work.args[0] if asked.work.args else ""
    wanted = _argv(asked.folder, manifest)
    if wanted is None:
        return CannotPlan(why=f"Pulse does not know how to install what {manifest or 'this'} asks for.")
    name, *arguments = wanted
    program = find_program(name, asked.search_path)
    if program is None:
        return CannotPlan(why=f"The program {name} was not found. Install it, or add its folder to PATH.")
    locks = (*LOCKS, *BY_LOCK, "package-lock.json", ".npmrc")
    plan = Plan(playbook=INSTALL, argv=(program, *arguments), folder=real(asked.folder))
    return await asyncio.to_thread(held, plan, asked.search_path, (manifest, *locks))


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
    name=INSTALL,
    description="Install what a manifest asks for (npm, pnpm, yarn, bun, uv, poetry, pip); packages may run scripts.",
    risk=Risk.MEDIUM,
    needs="the installer that the project uses",
    work=run_step,
    plan_work=plan_install,
)
