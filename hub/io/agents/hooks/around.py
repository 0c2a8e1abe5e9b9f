"""Which files around an agent say what a tool of its own would do: looked up beside the loop, just before it is judged.

A repository brings skills and commands along, and an agent calls them by a name alone. All files that could have the
name count, for which of them the agent takes is its own matter; where they are too many to look at, none was found.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from hub.io.agents.hooks.links import LINKS
from hub.io.agents.hooks.skills import SKILL_TOOLS, mentions, name_in
from hub.io.agents.hooks.step import HookStep, SkillFile

SKILL_BYTES_MAX = 65_536
SKILLS_MAX, FOLDERS_MAX = 256, 10_000
"""Files of skills, and folders of a project, that are looked at for one call."""
_SETTINGS, _SKILL = ".claude", "skill.md"
_LEFT_OUT = frozenset({".git", "node_modules"})


WRITTEN_SINCE = (
    "The user said yes, but a file that says what this does is another by now than when they were asked, so it was not "
    "allowed. Ask again, and they are shown what it says."
)


class TooMuchError(Exception):
    """There is more to look at than one call is worth, or a file that cannot be read whole."""


async def with_files_around(step: HookStep, home: str = "") -> HookStep:
    """Return a step that is about to use a tool with what files around it say of that tool."""
    name = name_in(step).casefold() if step.tool in SKILL_TOOLS else ""
    if not name or not step.folder.startswith("/") or "\0" in step.folder:
        return step
    found = await LINKS.beside(lambda: skills_called(name, step.folder, home or str(Path.home())))
    return replace(step, skills=found or ())


def skills_called(name: str, folder: str, home: str) -> tuple[SkillFile, ...]:
    """Return the skills and commands of this name, in small letters; none where they cannot all be looked at."""
    try:
        return tuple(_called(name, folder, home))
    except (OSError, UnicodeDecodeError, TooMuchError):
        return ()


def _called(name: str, folder: str, home: str) -> Iterator[SkillFile]:
    above = (str(one) for one in Path(folder).parents)
    holders = dict.fromkeys((folder, *above, home, *_with_settings(folder)))
    paths = dict.fromkeys(path for one in holders for path in _files_of(one))
    for number, path in enumerate(paths, start=1):
        if number > SKILLS_MAX:
            raise TooMuchError
        text = _text(path)
        own = os.path.basename(os.path.dirname(path)) if _is_skill(path) else Path(path).stem  # noqa: PTH119, PTH120  a text
        if own.casefold() == name or mentions(text, name):
            yield SkillFile(path=path, text=text)


def _with_settings(folder: str) -> Iterator[str]:
    """Yield the folders below this one that have skills of their own."""
    for number, (path, folders, _) in enumerate(os.walk(folder)):
        if number > FOLDERS_MAX:
            raise TooMuchError
        if _SETTINGS in folders:
            yield path
        folders[:] = [one for one in folders if one not in _LEFT_OUT]


def _files_of(folder: str) -> Iterator[str]:
    for kind in ("skills", "commands"):
        top = f"{folder.rstrip('/')}/{_SETTINGS}/{kind}"
        for number, (path, _, names) in enumerate(os.walk(top, followlinks=True)):
            if number > FOLDERS_MAX:
                raise TooMuchError
            yield from (
                f"{path}/{one}" for one in names if _is_skill(one) or (kind == "commands" and one.endswith(".md"))
            )


def _is_skill(path: str) -> bool:
    return path.rpartition("/")[2].casefold() == _SKILL


def _text(path: str) -> str:
    if not Path(path).is_file():
        raise TooMuchError  # what would never end is no file to read
    with Path(path).open("rb") as file:
        raw = file.read(SKILL_BYTES_MAX + 1)
    if len(raw) > SKILL_BYTES_MAX:
        raise TooMuchError
    return raw.decode()
