"""Hooks of others beside Pulse's, in the files that connected agents read: what is told of one that came later."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from hub.cli import connecting
from hub.domain.provenance import Wording, say
from hub.io.agents.hooks.connections import AgentConnection
from hub.io.agents.hooks.dialects import DIALECTS
from hub.io.agents.hooks.hook_places import PLACES
from hub.io.agents.hooks.other_hooks import DOUBTS, VARIABLE, HookLook
from hub.io.home.agents_connected import HookTerms

NAME_CHARS = 12


def hooks_beside(
    home: Path, which: AgentConnection, projects: Sequence[Path], terms: Sequence[HookTerms]
) -> dict[str, Wording]:
    """Return what is told of each hook of others that may answer for the person or change what runs, by its name.

    A file that cannot be read is told of where it may switch hooks off.
    """
    dialect = DIALECTS[which.agent]
    if which.agent not in PLACES:
        return {}
    look = HookLook(which.agent, (*dialect.decides_at, *dialect.changes_at), str(connecting.program_of(home, which)))
    found = look.around([str(one.absolute()) for one in projects], str(Path.home()))
    command = connecting.connect_again(which, terms)
    return {_name(file, hook): _told(file, hook, command) for file, _, hook in found if hook not in DOUBTS}


def _told(file: str, hook: str, command: str) -> Wording:
    if hook.startswith(VARIABLE):
        return say(
            "{file} now sets {name}, which can keep Pulse's hooks from running. "
            "Remove it, or if it is yours: {command}",
            file=file,
            name=hook.removeprefix(VARIABLE),
            command=command,
        )
    return say(
        "A hook that is not Pulse's was added in {file} ({hook}). It may answer for you or change what runs. "
        "Remove it, or if it is yours: {command}",
        file=file,
        hook=hook,
        command=command,
    )


def _name(file: str, hook: str) -> str:
    return hashlib.sha256(f"{file}\0{hook}".encode("utf-8", "surrogateescape")).hexdigest()[:NAME_CHARS]
