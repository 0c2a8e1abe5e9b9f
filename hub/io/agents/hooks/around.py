"""Which files around an agent say what a tool that it names would do: looked up just before it is judged.

A repository brings skills, helpers and servers of tools along, and an agent calls them by a name alone. All files
that could have the name count, for which of them the agent takes is its own matter. They are looked for around the
folder that it works in by now and around the one in which its session began. A file that was written since its process
began may not be what it goes by, for it keeps what it read.
"""

import json
import os
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from hub.io.agents.hooks.ignored import NAME as PACKAGES
from hub.io.agents.hooks.ignored import IgnoredFolders
from hub.io.agents.hooks.links import LINKS
from hub.io.agents.hooks.own_tools import PERSONS, PULSE
from hub.io.agents.hooks.skills import HELPER_TOOLS, SKILL_TOOLS, has_name, name_in
from hub.io.agents.hooks.step import HookStep, SkillFile
from hub.kit.files import read_regular

FILE_BYTES_MAX = 65_536
SKILLS_MAX, FOLDERS_MAX = 256, 10_000
"""Files of skills, and folders of a project, that are looked at for one call."""
LINKS_MAX = 32
_SETTINGS, _SKILL = ".claude", "skill.md"
_SKILLS, _HELPERS = ("skills", "commands"), ("agents",)
_PULSE = "pulse"
_LOOKED_AT = frozenset(PULSE) | SKILL_TOOLS | HELPER_TOOLS
_SERVERS = (".mcp.json", ".codex/config.toml", ".cursor/mcp.json")
"""Where a project names servers of tools for an agent; those in a home are the person's."""
NOWHERE = "it is unknown in which folder Claude works"
TOO_MUCH = "too many files to look at"
LATE = "Pulse could not look in time"
CHANGED = "changed since Claude started: it may run what it read before"
UNKNOWN_START = "it is unknown when Claude started: it may run what it read before"
WRITTEN_SINCE = (
    "The user said yes, but a file that says what this does is another by now than when they were asked, or could not "
    "be read in time, so it was not allowed. Ask again, and they are shown what it says."
)


Began = Callable[[], float | None]
"""When the agent's process began, in seconds of Unix time; None where nobody knows."""


class TooMuchError(Exception):
    """There is more to look at than one call is worth, or a file that cannot be read whole."""


async def with_files_around(step: HookStep, began_s: Began, home: str = "") -> HookStep:
    """Return a step that is about to use a tool with what files around it say of that tool.

    `began_s` tells when the agent's process began, and is asked only where that matters.
    """
    if step.tool not in _LOOKED_AT:
        return step
    if step.tool in PULSE and step.source:
        return replace(step, is_claimed=step.source not in PERSONS)
    home = home or str(Path.home())
    folders = tuple(dict.fromkeys((step.folder, step.project or step.folder)))
    if step.tool in PULSE:
        claimed = await LINKS.beside(lambda: any(is_claimed(one, home) for one in folders))
        return replace(step, is_claimed=claimed is not False, unseen=LATE if claimed is None else "")
    name, kinds = name_in(step), _HELPERS if step.tool in HELPER_TOOLS else _SKILLS
    found = await LINKS.beside(lambda: files_called(name, kinds, folders, home, began_s()))
    return replace(step, skills=() if found is None or isinstance(found, str) else found, unseen=_unseen(found))


def _unseen(found: tuple[SkillFile, ...] | str | None) -> str:
    return LATE if found is None else found if isinstance(found, str) else ""


async def is_written_since(step: HookStep, began_s: Began) -> bool:
    """Return True unless the files around surely say what a person was shown.

    A look that comes too late is tried once more. To a tool of Pulse's own, whose call says all by itself, no yes is
    lost for one.
    """
    now = await with_files_around(step, began_s)
    if now.unseen == LATE:
        now = await with_files_around(step, began_s)
    if LATE in (now.unseen, step.unseen):
        return step.tool not in PULSE
    return _said_by(now) != _said_by(step)


def _said_by(step: HookStep) -> tuple[object, ...]:
    return step.is_claimed, step.unseen, [(one.path, one.text) for one in step.skills]


def files_called(
    name: str, kinds: Sequence[str], folders: Sequence[str], home: str, began_s: float | None
) -> tuple[SkillFile, ...] | str:
    """Return the files that may have this name, in such folders around these; or why they cannot be looked at."""
    if any(not one.startswith("/") or "\0" in one for one in folders):
        return NOWHERE
    try:
        return tuple(_called(name, kinds, folders, home, began_s)) if name else ()
    except (OSError, TooMuchError):
        return TOO_MUCH


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


def _called(
    name: str, kinds: Sequence[str], folders: Sequence[str], home: str, began_s: float | None
) -> Iterator[SkillFile]:
    above = [str(one) for folder in folders for one in Path(folder).parents]
    tops = [one for one in folders if not any(one != other and Path(one).is_relative_to(other) for other in folders)]
    # helpers are looked for above alone
    below = {one: top for top in tops for one in _with_settings(top)} if kinds is _SKILLS else {}
    holders = dict.fromkeys((*folders, *above, home, *below))
    paths = {path: below.get(one, one) for one in holders for path in _files_of(one, kinds)}
    if len(paths) > SKILLS_MAX:
        raise TooMuchError
    for path, folder in paths.items():
        file = read_bounded(path)
        if has_name(file, name):
            yield file if file.doubt else replace(file, doubt=_since(path, folder, began_s))


def _since(path: str, folder: str, began_s: float | None) -> str:
    """Say why an agent that began then may still go by what it read before; nothing where that is what is there."""
    if began_s is None:
        return UNKNOWN_START
    return CHANGED if _changed_s(path, folder) > began_s else ""


def _changed_s(path: str, folder: str) -> float:
    """Return when a file, a link on the way to it, or a folder around it below `folder` was changed last.

    Its content alone would not tell: another file may have been moved to its place. What is moved within the settings
    is asked about as an edit of them.
    """
    holder = path.rpartition(f"/{_SETTINGS}/")[0]
    moved = [one for one in (holder, *map(str, Path(holder).parents)) if one.startswith(f"{folder.rstrip('/')}/")]
    times = [os.stat(one).st_ctime for one in (path, *moved)]  # noqa: PTH116  a text
    for _ in range(LINKS_MAX):
        link = next((one for one in (*reversed(Path(path).parents), Path(path)) if one.is_symlink()), None)
        if link is None:
            return max(times)
        times.append(link.lstat().st_ctime)
        path = str(link.parent / link.readlink() / Path(path).relative_to(link))
    raise TooMuchError


def _with_settings(folder: str) -> Iterator[str]:
    """Yield the folders below this one that have skills of their own, and are not surely ignored."""
    ignored = IgnoredFolders(folder)
    for number, (path, folders, _) in enumerate(os.walk(folder)):
        if number > FOLDERS_MAX:
            raise TooMuchError
        if _SETTINGS in folders:
            yield path
        folders[:] = [one for one in folders if one != ".git" and not (one == PACKAGES and ignored.has(path))]


def _files_of(folder: str, kinds: Sequence[str]) -> Iterator[str]:
    for kind in kinds:
        top = f"{folder.rstrip('/')}/{_SETTINGS}/{kind}"
        for number, (path, _, names) in enumerate(os.walk(top, followlinks=True)):
            if number > FOLDERS_MAX:
                raise TooMuchError
            ends = _SKILL if kind == "skills" else ".md"
            yield from (f"{path}/{one}" for one in names if one.casefold().endswith(ends))


def read_bounded(path: str) -> SkillFile:
    """Return a file as far as it can be read; nothing is waited for."""
    try:
        raw, about = read_regular(path, FILE_BYTES_MAX + 1)
    except OSError:
        return SkillFile(path=path, doubt="it cannot be read", left_out=1)
    text = raw[:FILE_BYTES_MAX].decode(errors="replace")
    if len(raw) > FILE_BYTES_MAX:
        size = max(about.st_size, len(raw))
        return SkillFile(
            path=path, text=text, doubt=f"too large to read: {size // 1_000} KB", left_out=size - FILE_BYTES_MAX
        )
    if text.encode() != raw:
        return SkillFile(path=path, text=text, doubt="it is not UTF-8 text", left_out=1)
    return SkillFile(path=path, text=text)


def _text(path: str) -> str:
    raw, _ = read_regular(path, FILE_BYTES_MAX + 1)
    if len(raw) > FILE_BYTES_MAX:
        raise TooMuchError
    return raw.decode()
