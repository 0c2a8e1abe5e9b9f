"""What is unusual about what an agent asks: new here, out of its place, or written so that it is easily misread.

What a person let an agent do in a folder is familiar there from then on; only their yes makes it so, never a request.
It is told, and decides nothing: no rail is loosened by what is familiar.
"""

import posixpath
import re

from msgspec.structs import replace

from hub.contract.effects import Effect
from hub.contract.permission import Act, Permission
from hub.domain.canonical import digest
from hub.domain.mind import Mind
from hub.screening.acts import ActReading
from hub.screening.effects import HARMLESS
from hub.screening.screening import REASONS

FAMILIAR_MAX = 200
FAMILIAR_CHARS = 12
_GAP = re.compile(r"\n(?:[ \t]*\n){8,}|[ \t]{40,}")
"""Empty lines or spaces that push what follows out of sight."""


def unusual(asked: Permission, shown_text: str, reading: ActReading, mind: Mind, seen_folder: str) -> tuple[str, ...]:
    """Return sentences; `seen_folder` is where the agent's program runs by the kernel's word, empty if unknown."""
    place = _name(asked.folder)
    new = [effect for effect in _loud(reading.effects) if _key(asked, effect) not in mind.familiar]
    where = f" in {place}" if place else ""
    found = [f"You have not let this agent {REASONS[effect]}{where} before." for effect in new[:1]]
    if asked.folder and seen_folder and not is_near(asked.folder, seen_folder):
        found.append(f"It says that it works in {asked.folder}, but it runs in {seen_folder}.")
    if asked.act is Act.EDIT and Effect.CHANGES_SYSTEM in reading.effects:
        found.append("The file is outside the folder that the agent works in.")
    if asked.act is Act.COMMAND and not reading.understood:
        found.append("Pulse does not know all of it, so it may do more than is said here.")
    if shown_text != asked.text:
        found.append("Parts of it cannot be shown as they are: they are marked with ⟨ ⟩.")
    if _GAP.search(asked.text) and asked.act is not Act.PLAN:
        found.append("It has long gaps: read on to its end.")
    return tuple(found)


def remember(mind: Mind, permission: Permission) -> Mind:
    """Return the mind in which what a person let an agent do is familiar; the oldest is forgotten first."""
    keys = [_key(permission, effect) for effect in _loud(permission.effects)]
    if not keys or tuple(keys) == mind.familiar[-len(keys) :]:
        return mind
    kept = [key for key in mind.familiar if key not in keys]
    return replace(mind, familiar=(*kept, *keys)[-FAMILIAR_MAX:])


def _loud(effects: tuple[Effect, ...]) -> list[Effect]:
    return [effect for effect in effects if effect not in HARMLESS]


def _key(permission: Permission, effect: Effect) -> str:
    return digest(permission.agent, permission.folder, effect)[:FAMILIAR_CHARS]


def _name(folder: str) -> str:
    return posixpath.basename(folder.rstrip("/"))


def is_near(said: str, seen: str) -> bool:
    """Say whether one folder is the other, or within it."""
    first, second = (f"{posixpath.normpath(one)}/" for one in (said, seen))
    return first.startswith(second) or second.startswith(first)
