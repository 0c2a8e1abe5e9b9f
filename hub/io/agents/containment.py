"""What a run can see and reach, where the machine can hold it to that: bubblewrap, if it is installed and works.

Contained, a run has processes of its own (it sees no others, and the kernel ends all of them with the first), and
does not see Pulse's files nor the doors by which it could have the session start something outside for it. Whether it
has the network, and where it may write, are settings of its agent. Nothing here is a permission: a run that may not be
contained as its settings demand does not start.
"""

import functools
import os
import shutil
import subprocess
from collections.abc import Sequence
from functools import reduce
from pathlib import Path

from msgspec.structs import replace

from hub.domain.policy import Agent
from hub.domain.provenance import Wording, say
from hub.io.agents.process import Ending
from hub.io.agents.supervised import Program

PROBE_S_MAX = 10.0
MEGABYTE = 1_048_576
OWN_TEMPORARY = ("/tmp", "/var/tmp")  # noqa: S108  hidden behind folders of the run's own
SESSION_DOORS = ("bus", "systemd")
"""Below the person's runtime folder: who may speak to these can have a program started outside."""
TROUBLE = "bwrap: "
"""How the container's own words begin; the program inside has then not run."""


@functools.cache
def bubblewrap() -> str:
    """Return the full path of a bubblewrap that works here; empty if there is none. Tried once."""
    program = shutil.which("bwrap")
    if program is None:
        return ""
    argv = (program, *_base(read_only=False), "--", "true")
    try:
        said = subprocess.run(argv, capture_output=True, check=False, timeout=PROBE_S_MAX)  # noqa: S603  fixed words
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return program if said.returncode == 0 else ""


def means(agent: Agent) -> str:
    """Return the program that contains an agent's runs here; empty if nothing does."""
    return "" if agent.contain == "none" or agent.kind == "openclaw" else bubblewrap()


def contained(program: Program, agent: Agent, home: Path, session: str | None = None) -> Program | str:
    """Return the program as it is started, inside its container if there is one; or why it may not start.

    Args:
        program: what is to run.
        agent: whose settings hold.
        home: `$PULSE_HOME`, which is hidden.
        session: the run's own folder, in which it may always write.
    """
    wrapper = means(agent)
    limits = (("RLIMIT_AS", agent.memory_mb_max * MEGABYTE),) if agent.memory_mb_max else ()
    program = replace(program, limits=(*program.limits, *limits))
    if not wrapper:
        return _without(agent) or program
    if _is_gone(wrapper):
        return f"{wrapper} has gone since Pulse started, so the run cannot be sandboxed. Install it, or restart Pulse."
    places = [program.cwd, *([session] if session else []), *agent.folders]
    folders = tuple(str(Path(place).expanduser()) for place in places)
    argv = (wrapper, *options(agent, home, folders, os.getuid()), "--", *program.argv)
    return replace(program, argv=argv, wrapped=True)


def inside(ending: Ending, program: Program) -> Ending:
    """Tell the container's own failure from the program's: then the program has not run."""
    first = ending.output.partition("\n")[0]
    if program.wrapped and ending.exit_code == 1 and first.startswith(TROUBLE):
        return replace(ending, ended="failed-to-start", exit_code=None, output="", detail=f"{first}.")
    return ending


def options(agent: Agent, home: Path, folders: tuple[str, ...], uid: int) -> tuple[str, ...]:
    """Return bubblewrap's arguments; the later ones cover the earlier ones.

    Args:
        agent: whose settings hold.
        home: what is hidden.
        folders: where may be written, even if that is nowhere else; what does not exist is left out.
        uid: whose session's doors are hidden.
    """
    found = list(_base(read_only=agent.read_only))
    if not agent.network:
        found += ["--unshare-net"]
    if agent.read_only:
        found += [word for place in OWN_TEMPORARY for word in ("--tmpfs", place)]
    doors = [Path(f"/run/user/{uid}/{name}") for name in SESSION_DOORS]
    for place in (home.resolve(), *doors):
        if place.is_dir():
            found += ["--tmpfs", str(place)]
        elif place.exists():
            found += ["--ro-bind", os.devnull, str(place)]
    for folder in folders:
        found += ["--bind-try", folder, folder]
    return (*found, "--chdir", folders[0])


def _base(*, read_only: bool) -> tuple[str, ...]:
    root = "--ro-bind" if read_only else "--bind"
    return ("--unshare-pid", "--die-with-parent", root, "/", "/", "--dev-bind", "/dev", "/dev", "--proc", "/proc")


def _is_gone(wrapper: str) -> bool:
    return not os.access(wrapper, os.X_OK)


def _without(agent: Agent) -> str:
    """Say why an agent may not run uncontained, and what to do; empty if it may."""
    demanded = [
        *(["contain"] if agent.contain == "bubblewrap" else []),
        *(["network"] if not agent.network else []),
        *(["read_only"] if agent.read_only else []),
    ]
    if not demanded:
        return ""
    why = "contain is none" if agent.contain == "none" else "bubblewrap is not installed, or does not work here"
    return (
        f"The agent {agent.name} must be sandboxed ({', '.join(demanded)}), and {why}. "
        "Install bubblewrap (`bwrap true` shows whether it works), or change the agent's settings."
    )


def described(agent: Agent, workspace: str | None = None) -> Wording:
    """Say in a line what holds an agent's runs here, as cards and records show it.

    It may try bubblewrap, once in a process's life; call it beside the loop.
    """
    if agent.kind == "openclaw":
        return say("runs elsewhere, under OpenClaw")
    memory = (say("{number} MB for each process", number=agent.memory_mb_max),) if agent.memory_mb_max else ()
    wrapper = means(agent)
    if _is_gone(wrapper) if wrapper else _without(agent):
        return say("cannot be sandboxed here, so it does not start")
    if not wrapper:
        return _listed((say("not sandboxed"), *memory))
    where = Path(workspace).name if workspace else "the workspace"
    writes = ", ".join((where, *agent.folders))
    facts = (
        say("Pulse's files hidden"),
        *(() if agent.network else (say("no network"),)),
        *((say("writes only in {folders}", folders=writes),) if agent.read_only else ()),
        *memory,
    )
    return say("bubblewrap: {facts}", facts=_listed(facts))


def _listed(facts: Sequence[Wording]) -> Wording:
    return reduce(lambda told, one: say("{told}, {one}", told=told, one=one), facts)
