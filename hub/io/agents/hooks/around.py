"""Which files around an agent say what a tool that it names would do: looked up just before it is judged.

A repository brings skills, helpers and servers of tools along, and an agent calls them by a name alone. All files
that could have the name count, for which of them the agent takes is its own matter; where they are too many to look
at, none was found.
"""

import json
import os
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from hub.io.agents.hooks.links import LINKS
from hub.io.agents.hooks.own_tools import PULSE
from hub.io.agents.hooks.skills import HELPER_TOOLS, SKILL_TOOLS, mentions, name_in, squeezed
from hub.io.agents.hooks.step import HookStep, SkillFile

FILE_BYTES_MAX = 65_536
SKILLS_MAX, FOLDERS_MAX = 256, 10_000
"""Files of skills, and folders of a project, that are looked at for one call."""
_SETTINGS, _SKILL = ".claude", "skill.md"
_SKILLS, _HELPERS = ("skills", "commands"), ("agents",)
_PULSE = "pulse"
_SERVERS = (".mcp.json", ".codex/config.toml", ".cursor/mcp.json")
"""Where a project names servers of tools for an agent; those in a home are the person's."""
_LEFT_OUT = frozenset({".git", "node_modules"})


WRITTEN_SINCE = (
    "The user said yes, but a file that says what this does is another by now than when they were asked, so it was not "
    "allowed. Ask again, and they are shown what it says."
)


class TooMuchError(Exception):
    """There is more to look at than one call is worth, or a file that cannot be read whole."""


async def with_files_around(step: HookStep, home: str = "") -> HookStep:
    """Return a step that is about to use a tool with what files around it say of that tool."""
    home = home or str(Path.home())
    if step.tool in PULSE:
        claimed = await LINKS.beside(lambda: is_claimed(step.folder, home))
        return replace(step, is_claimed=claimed is not False)
    if step.tool not in SKILL_TOOLS | HELPER_TOOLS:
        return step
    name, kinds = name_in(step).casefold(), _HELPERS if step.tool in HELPER_TOOLS else _SKILLS
    found = await LINKS.beside(lambda: files_called(name, kinds, step.folder, home))
    return replace(step, skills=found or (), is_claimed=found is None)


def files_called(name: str, kinds: Sequence[str], folder: str, home: str) -> tuple[SkillFile, ...] | None:
    """Return the files of this name, in small letters, in such folders; None where they cannot all be looked at."""
    if not name.isascii() or not name or not folder.startswith("/") or "\0" in folder:
        return None
    try:
        return tuple(_called(name, kinds, folder, home))
    except (OSError, UnicodeDecodeError, TooMuchError):
        return None


def is_claimed(folder: str, home: str) -> bool:
    """Return True if a project around this folder has a server called as Pulse's, or nobody can tell."""
    if not folder.startswith("/") or "\0" in folder:
        return True
    around = [one for one in (folder, *map(str, Path(folder).parents)) if one != home]
    paths = (os.path.join(one, name) for one in around for name in _SERVERS)  # noqa: PTH118  a text
    try:
        return any(_names_pulse(_servers_in(path)) for path in paths if os.path.lexists(path))
    except (OSError, ValueError, RecursionError, TooMuchError):
        return True


def _servers_in(path: str) -> object:
    text = _text(path)
    return tomllib.loads(text) if path.endswith(".toml") else json.loads(text)


def _names_pulse(found: object) -> bool:
    """Return True if a part of a file of settings has this name, wherever in it."""
    if isinstance(found, dict):
        return any(str(name).casefold() == _PULSE or _names_pulse(value) for name, value in found.items())
    return isinstance(found, list) and any(map(_names_pulse, found))


def _called(name: str, kinds: Sequence[str], folder: str, home: str) -> Iterator[SkillFile]:
    above = (str(one) for one in Path(folder).parents)
    below = _with_settings(folder) if kinds is _SKILLS else ()  # helpers are looked for above alone
    holders = dict.fromkeys((folder, *above, home, *below))
    paths = dict.fromkeys(path for one in holders for path in _files_of(one, kinds))
    for number, path in enumerate(paths, start=1):
        if number > SKILLS_MAX:
            raise TooMuchError
        text = _text(path)
        own = os.path.basename(os.path.dirname(path)) if _is_skill(path) else Path(path).stem  # noqa: PTH119, PTH120  a text
        if squeezed(own) == squeezed(name) or mentions(text, name):
            yield SkillFile(path=path, text=text)


def _with_settings(folder: str) -> Iterator[str]:
    """Yield the folders below this one that have skills of their own."""
    for number, (path, folders, _) in enumerate(os.walk(folder)):
        if number > FOLDERS_MAX:
            raise TooMuchError
        if _SETTINGS in folders:
            yield path
        folders[:] = [one for one in folders if one not in _LEFT_OUT]


def _files_of(folder: str, kinds: Sequence[str]) -> Iterator[str]:
    for kind in kinds:
        top = f"{folder.rstrip('/')}/{_SETTINGS}/{kind}"
        for number, (path, _, names) in enumerate(os.walk(top, followlinks=True)):
            if number > FOLDERS_MAX:
                raise TooMuchError
            ends = _SKILL if kind == "skills" else ".md"
            yield from (f"{path}/{one}" for one in names if one.casefold().endswith(ends))


def _is_skill(path: str) -> bool:
    return path.rpartition("/")[2].casefold() == _SKILL


def _text(path: str) -> str:
    if not Path(path).is_file():
        raise TooMuchError  # what would never end is no file to read
    with Path(path).open("rb") as file:
        raw = file.read(FILE_BYTES_MAX + 1)
    if len(raw) > FILE_BYTES_MAX:
        raise TooMuchError
    return raw.decode()
