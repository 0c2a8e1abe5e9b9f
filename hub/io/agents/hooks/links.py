"""Does a path in what an agent asks lead elsewhere than it says? Looked at just before a yes without a person, here.

An agent may make a link, and ask to delete what is behind it by a name that its person once let it delete. The folder
itself may be reached by links: only what is below it is looked at. An agent may name a file system that hangs; a look
there costs one of a few threads and never the hub, and who cannot look lets a person be asked.
"""

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath
from typing import TypeVar

from hub.contract.permission import Permission
from hub.domain.calls import LedTo
from hub.may import paths_in

PATHS_MAX, NAMED_MAX = 64, 2_048
LOOK_S_MAX = 1.0
LOOKS_MAX = 4
"""At the same time; more wait for their turn, for what hangs never comes back."""
SETTINGS = tuple(
    f"{folder}/{one}".rstrip("/")
    for folder, names in (
        (".claude", ("", "settings.json", "settings.local.json", "hooks", "skills", "commands", "agents")),
        (".codex", ("", "hooks.json", "config.toml")),
        (".gemini", ("", "settings.json")),
        (".cursor", ("", "hooks.json")),
        (".github", ("hooks", "copilot")),
        (".git", ("hooks", "config")),
        *((one, ("",)) for one in (".copilot", ".opencode", ".mcp.json")),
    )
    for one in names
)
"""Where agents and git read settings in a project and in a home: what a link there leads to is one of them."""
LED_ELSEWHERE = (
    "The user said yes, but a file that this touches leads elsewhere by now than when they were asked, so it was not "
    "allowed. Ask again, and they are shown where it leads."
)


T = TypeVar("T")


class LinkLooker:
    """Looks beside the loop."""

    def __init__(self, look: Callable[[Permission], bool] | None = None, within_s: float = LOOK_S_MAX) -> None:
        self._look = look or is_linked
        self._within_s = within_s
        self._under_way = 0
        self._turns: list[asyncio.Future[None]] = []

    async def leads_elsewhere(self, asked: Permission) -> bool:
        """Return True if a path in it leads elsewhere than it says, or nobody could tell in time."""
        found = await self.beside(lambda: self._look(asked))
        return found is not False

    async def led_to(self, named: Sequence[str], written: Sequence[str], folder: str) -> tuple[LedTo, ...] | None:
        """Return which of these files links lead elsewhere, and where; None where nobody could tell in time."""
        return await self.beside(lambda: where_led(named, written, folder)) if named else ()

    async def beside(self, look: Callable[[], T]) -> T | None:
        """Return what a look at files found; None where it, or those before it, did not come back in time."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self._within_s):
                while self._under_way >= LOOKS_MAX:
                    turn = loop.create_future()
                    self._turns.append(turn)
                    await turn
                self._under_way += 1
                found = loop.run_in_executor(None, look)
                found.add_done_callback(self._came_back)
                return await asyncio.shield(found)
        except TimeoutError:
            return None

    def _came_back(self, _: asyncio.Future[T]) -> None:
        self._under_way -= 1
        waiting = [turn for turn in self._turns if not turn.done()]  # the others have given up
        self._turns = waiting[1:]
        if waiting:
            waiting[0].set_result(None)


def where_led(named: Sequence[str], written: Sequence[str], folder: str) -> tuple[LedTo, ...] | None:
    """Return the files that are reached by links, and where those lead; None where they are too many to look up."""
    if len(named) > NAMED_MAX or "\0" in folder:
        return None
    root = os.path.normpath(folder)
    real_root = os.path.realpath(root)
    settings = _settings_elsewhere(root, os.path.expanduser("~")) if written else {}  # noqa: PTH111  never raises
    found = []
    for path in named:
        real = path if "\0" in path else os.path.realpath(path)
        inside = f"{real}/".startswith(f"{real_root.rstrip('/')}/")
        real = os.path.normpath(f"{root}/{real[len(real_root) :]}") if inside else real
        if path in written:
            real = _as_agents_read(path, settings) or _as_git_reads(real, root)
        if real != os.path.normpath(path):
            found.append(LedTo(path=path, real=real, written=path in written))
    return tuple(found)


def _settings_elsewhere(*folders: str) -> dict[str, str]:
    """Return by where they really lie the settings of agents and git that links put elsewhere."""
    places = [f"{os.path.realpath(folder).rstrip('/')}/{one}" for folder in folders for one in SETTINGS]
    return {real: one for one in places if (real := os.path.realpath(one)) != one}


def _as_agents_read(path: str, settings: Mapping[str, str]) -> str:
    """Return a path as the settings that agents read there, if a link of theirs leads to it; else nothing."""
    real = "" if "\0" in path or not settings else os.path.realpath(path)
    named = (f"{one}{real.removeprefix(at)}" for at, one in settings.items() if f"{real}/".startswith(f"{at}/"))
    return next(named, "")


def _as_git_reads(path: str, root: str) -> str:
    """Return a path as below `.git` where a folder of another name is one of git's, whose settings run alike."""
    for parent in PurePath(path).parents:
        if not parent.is_relative_to(root) or parent.name == ".git":
            break
        if os.path.isfile(parent / "HEAD") and os.path.isdir(parent / "objects"):  # noqa: PTH112, PTH113  never raise
            return str(parent / ".git" / PurePath(path).relative_to(parent))
    return path


def is_linked(asked: Permission) -> bool:
    """Return True if something below the folder is reached through a link; many paths count as if they were."""
    if not asked.folder.startswith("/"):
        return False
    folder = os.path.normpath(asked.folder)
    below = [one for one in paths_in(asked) if one.startswith(f"{folder}/")]
    if len(below) > PATHS_MAX:
        return True
    real = os.path.realpath(folder)
    return any(os.path.realpath(one) != f"{real}{one.removeprefix(folder)}" for one in below if "\0" not in one)


LINKS = LinkLooker()
"""One for the process: what hangs is counted once."""
