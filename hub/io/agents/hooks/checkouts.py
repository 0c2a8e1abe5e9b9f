"""Which files that agents or git read as they start a command of git would bring, change or take away.

An agent takes settings up in the middle of a session, so a commit that holds some can switch its hooks off. What the
commits hold that a command names is looked up just before it is judged, by git with none of the repository's own
configuration (`git_program.py`), and nothing is written. What cannot be looked up, or not in time, asks.

What a command fetches is known to nobody before it runs. Where git tracks such files, any of them may change, and it
asks; elsewhere none is touched by most of what is ever fetched, so it goes on, and is looked at as soon as it has run.
"""

import asyncio
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from msgspec.structs import replace

from hub.contract.base import Value
from hub.contract.permission import FIELD_CHARS_MAX, Act, CallField
from hub.domain.calls import AgentCall
from hub.io.agents.hooks.around import LATE
from hub.io.agents.hooks.asking import call_name
from hub.io.agents.hooks.call_fields import fields_of_call
from hub.io.agents.hooks.links import LINKS
from hub.io.agents.hooks.step import NAME_CHARS_MAX, BroughtFile, Dialect, HookStep
from hub.io.sensors.git_program import Git, open_work_tree
from hub.io.sensors.guard import Disk, UnreadableError
from hub.kit.bounded import BoundedMap, BoundedSet
from hub.screening.acts import read_act
from hub.screening.commands.places import ELSEWHERE, SOME_FOLDER
from hub.screening.commands.work_trees import STASHED, TreeChange
from hub.screening.rule_files import is_read_by_agents_or_git

KEPT = 512
"""So many calls and sessions are remembered at once."""
LOOK_S_MAX = 2.0
LINKS_MAX = 40
"""So many links the system follows one after another."""
GIT_BYTES_MAX = 4_194_304
NAMES_MAX = 16
"""So many words of one command are looked up as commits."""
UNKNOWN_COMMIT = "it is unknown which commit {name} is"
UNKNOWN_FOLDER = "it is unknown in which folder git would work"
TOO_MUCH = "there is too much to look at"
_READ = "this file, which agents or git read as they start"
ADDS, CHANGES, TAKES = (f"git would {does} {_READ}" for does in ("add", "change", "take away"))
MAY_CHANGE = f"what is fetched may change {_READ}"
MAY_BRING = "what is fetched may bring files that agents or git read as they start"
CAME_WITH = f"git has fetched {_READ}"
_LATER = re.compile(r"[$`*?\[]|^-")
_DEEDS = {"A": ADDS, "D": TAKES}
_MERGES = frozenset({"merge", "pull"})
_PICKS = frozenset({"cherry-pick", "revert"})
_LINK = "120000"
"""The mode of a symbolic link."""


CAME = (
    "Pulse: the last command fetched files that agents or git read as they start ({named}). "
    "They may switch Pulse's questions off, so the user must look at them first."
)
SHOWN = 3


Session: TypeAlias = tuple[str, str, str]
"""Whose it is, by process or token; the agent's name, its session."""


class BroughtFiles:
    """The files that commands of git bring, for one hub; what was fetched is kept until a person has let a tool run."""

    def __init__(self) -> None:
        self._open: BoundedSet[tuple[Session, str]] = BoundedSet(KEPT)
        self._shown: BoundedSet[tuple[Session, str]] = BoundedSet(KEPT)
        self._came: BoundedMap[Session, tuple[BroughtFile, ...]] = BoundedMap(KEPT)

    async def with_files(self, whose: str, dialect: Dialect, step: HookStep, room: Path | None) -> HookStep:
        """Return a step that is about to use a tool with what that brings, and what came before it unasked."""
        session, call = _named(whose, dialect, step)
        came = self._came.get(session, ())
        if came:
            self._shown.add((session, call))
        found = await brought_by(*_command(dialect, step), room)
        if found.is_open:
            self._open.add((session, call))
        return replace(step, brought=(*found.files, *came))

    async def did(self, whose: str, dialect: Dialect, step: HookStep, room: Path | None) -> str:
        """Note that a tool was used; return what there is to say of the files that it brought, if there are any."""
        session, call = _named(whose, dialect, step)
        if (session, call) in self._shown:
            self._shown.discard((session, call))
            self._came.pop(session, None)
        if (session, call) not in self._open:
            return ""
        self._open.discard((session, call))
        came = await tracked_in(*_command(dialect, step), room)
        if came:
            self._came[session] = came
        return CAME.format(named=", ".join(one.path for one in came[:SHOWN])) if came else ""


def _named(whose: str, dialect: Dialect, step: HookStep) -> tuple[Session, str]:
    return (whose, dialect.name, step.session), call_name(step)


def _command(dialect: Dialect, step: HookStep) -> tuple[str, str, str]:
    """Return the command that a tool runs, in which folder, and the tool; an empty one for any other tool."""
    wanted = dialect.wanted(step)
    text = wanted.text if wanted.act is Act.COMMAND else ""
    return text, fields_of_call(dialect, step, wanted).folder if text else "", step.tool


class Checkouts(Value):
    """What a command would bring; `is_open`: and what nobody knows before it has run, where git tracks no such file."""

    files: tuple[BroughtFile, ...] = ()
    is_open: bool = False


async def brought_by(text: str, folder: str, tool: str, room: Path | None) -> Checkouts:
    """Return what a command would bring to the work trees in which it works.

    Args:
        text: the command.
        folder: where it runs.
        tool: the agent's tool for it, which tells its shell.
        room: where git's folders of ours are made.
    """
    changes = read_act(Act.COMMAND, text, "", folder, tool).tree_changes
    if not changes:
        return Checkouts()
    try:
        async with asyncio.timeout(LOOK_S_MAX):
            found = [await _brought(one, at, room) for one in changes for at in one.folders]
    except TimeoutError:
        return _unknown(LATE)
    files = dict.fromkeys(file for one in found for file in one.files)
    return Checkouts(files=tuple(files), is_open=any(one.is_open for one in found))


async def with_brought(call: AgentCall, room: Path | None = None) -> AgentCall:
    """Return a call with the files that its command would bring; what only the run shows asks in any case."""
    if call.act is not Act.COMMAND:
        return call
    found = await brought_by(call.text, call.folder, "", room)
    files = (*found.files, *((BroughtFile(path="git", deed=MAY_BRING),) if found.is_open else ()))
    brought = tuple(CallField(name=one.path[:NAME_CHARS_MAX], value=one.deed[:FIELD_CHARS_MAX]) for one in files)
    return replace(call, brought=brought, says_more=call.says_more or bool(brought))


async def tracked_in(text: str, folder: str, tool: str, room: Path | None) -> tuple[BroughtFile, ...]:
    """Return such files where a command that has run has brought what nobody knew before."""
    opened = (one for one in read_act(Act.COMMAND, text, "", folder, tool).tree_changes if one.is_open)
    folders = tuple(dict.fromkeys(at for one in opened for at in one.folders))
    try:
        async with asyncio.timeout(LOOK_S_MAX):
            trees = [at for one in folders if (at := await _work_tree(one))]
            tracked = [path for at in trees for path in await _tracked(await _git(at, room))]
    except (TimeoutError, UnreadableError):
        return ()  # it has run: what it brought is found by the look that follows each minute, too
    return tuple(BroughtFile(path=path, deed=CAME_WITH) for path in dict.fromkeys(tracked))


def _unknown(why: str) -> Checkouts:
    return Checkouts(files=(BroughtFile(path="git", deed=why),))


async def _brought(change: TreeChange, folder: str, room: Path | None) -> Checkouts:
    if not folder.startswith("/") or folder in {ELSEWHERE, SOME_FOLDER} or "\0" in folder:
        return _unknown(UNKNOWN_FOLDER)
    at = await _work_tree(folder)
    if not at:
        return Checkouts() if at is not None else _unknown(LATE)
    is_range = change.by in _PICKS
    later = next((one for one in change.targets if _LATER.search(one) or ("..." in one and not is_range)), "")
    if later:
        return _unknown(UNKNOWN_COMMIT.format(name=later))
    if len(change.targets) + len(change.names) > NAMES_MAX:
        return _unknown(TOO_MUCH)
    try:
        return await _Look(await _git(at, room)).at(change)
    except UnreadableError as wrong:
        return _unknown(str(wrong))


async def _work_tree(folder: str) -> str | None:
    """Return the folder, or the first around it that is there; empty if none of them is in a repository; None if late.

    A folder that is not there yet may be made by the same command.
    """

    def look() -> str:
        around = (folder, *map(str, Path(folder).parents))
        has_git = any(os.path.lexists(f"{one.rstrip('/')}/.git") for one in around)
        return next(filter(os.path.isdir, around), "") if has_git else ""

    return await LINKS.beside(look)


async def _git(folder: str, room: Path | None) -> Git:
    return await open_work_tree(Path(folder), Disk(), room)


async def _tracked(git: Git) -> Mapping[str, str]:
    """Return the files of which it is about that git tracks, each with its mode."""
    found = {}
    for entry in (await _printed(git, "ls-files", "--stage", "-z")).split("\0"):
        about, _, path = entry.partition("\t")
        if path and is_read_by_agents_or_git(path):
            found[path] = about.partition(" ")[0]
    return found


async def _printed(git: Git, *arguments: str) -> str:
    """Return what git printed.

    Raises:
        UnreadableError: it failed, or there is too much of it.
    """
    said = await git.ask(*arguments, cwd=git.top, bytes_max=GIT_BYTES_MAX)
    if said.cut or said.code:
        raise UnreadableError(TOO_MUCH if said.cut else f"git {arguments[0]} failed")
    return said.out.decode("utf-8", "surrogateescape")


def _real_places(links: Sequence[Path], top: Path) -> tuple[str, ...]:
    """Return where links lead, from the top of their work tree on, and each link on the way: it may be changed, too."""
    real_top = os.path.realpath(top)
    return tuple(dict.fromkeys(os.path.relpath(one, real_top) for link in links for one in _on_the_way(link)))


def _on_the_way(path: Path) -> Iterator[Path]:
    """Yield every link that the system follows to get there, and the place itself; of a circle as far as it goes."""
    at, left, followed = Path("/"), list(reversed(path.parts[1:])), 0
    while left and followed < LINKS_MAX:
        part = left.pop()
        step = at.parent if part == ".." else at / part
        if not step.is_symlink():
            at = step
            continue
        yield step
        followed += 1
        target = step.readlink()
        at = Path("/") if target.is_absolute() else at
        left += reversed([one for one in target.parts if one != "/"])
    yield at


class _Look:
    """One look at one work tree."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._behind_links: tuple[str, ...] = ()
        self._files: dict[BroughtFile, None] = {}

    async def at(self, change: TreeChange) -> Checkouts:
        """Return what a call would bring.

        Raises:
            UnreadableError: git cannot tell.
        """
        tracked = await _tracked(self._git)
        links = [self._git.top / path for path, mode in tracked.items() if mode == _LINK]
        behind = await LINKS.beside(lambda: _real_places(links, self._git.top)) if links else ()
        if behind is None:
            return _unknown(LATE)
        self._behind_links = behind
        for name in change.targets:
            commits = await self._commits(name)
            if not commits and not change.is_open:
                self._files |= dict.fromkeys(_unknown(UNKNOWN_COMMIT.format(name=name)).files)
            for commit in commits:
                await self._compare(change.by, commit)
        for name in change.names:
            for commit in () if _LATER.search(name) else await self._commits(name):
                await self._compare("stash" if name == STASHED else "", commit)
        if change.restores:
            await self._restored(takes_new=change.takes_new)
        if change.is_open:
            self._files |= dict.fromkeys(BroughtFile(path=path, deed=MAY_CHANGE) for path in tracked)
        return Checkouts(files=tuple(self._files), is_open=change.is_open and not self._files)

    async def _commits(self, name: str) -> tuple[str, ...]:
        """Return every commit that git may take a name for, or a range of them; of a remote's only where no other."""
        if ".." in name:
            return (name,) if await self._said("rev-list", "--max-count=1", name, "--") else ()
        plain = await self._said("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        listed = await self._refs(f"refs/heads/{name}", f"refs/tags/{name}")
        found = tuple(dict.fromkeys((*plain.split(), *listed)))
        return found or await self._refs(f"refs/remotes/*/{name}")

    async def _refs(self, *names: str) -> tuple[str, ...]:
        return tuple((await _printed(self._git, "for-each-ref", "--format=%(objectname)", *names)).split())

    async def _said(self, *arguments: str) -> str:
        """Return what git printed, nothing where it says that there is no such thing."""
        said = await self._git.ask(*arguments, bytes_max=GIT_BYTES_MAX)
        return "" if said.code else said.out.decode("utf-8", "surrogateescape").strip()

    async def _compare(self, by: str, commit: str) -> None:
        """Note what it brings that a subcommand takes this commit, or range of commits."""
        log = ("log", "-m", "--root", "--raw", "--no-abbrev", "--no-renames", "--format=", "-z")
        if by in _PICKS or ".." in commit:
            walk = () if ".." in commit else ("--no-walk",)
            turned = ("-R",) if by == "revert" else ()
            await self._note(*log, *walk, *turned, commit, "--")
        elif by == "stash":
            await self._note_trees(f"{commit}^1", commit)
            await self._note_trees(f"{commit}^1", f"{commit}^2")
            if await self._said("rev-parse", "--verify", "--quiet", f"{commit}^3"):
                await self._note(*log, "--no-walk", f"{commit}^3", "--")
        elif self._changed(await self._trees("HEAD", commit)):
            base = (await self._said("merge-base", "--all", "HEAD", commit)).split() if by in _MERGES else []
            await self._note_trees(base[0] if len(base) == 1 else "HEAD", commit)
        if by == "rebase":
            await self._note(*log, f"{commit}..HEAD", "--")

    async def _note_trees(self, old: str, new: str) -> None:
        self._files |= dict.fromkeys(self._changed(await self._trees(old, new)))

    async def _trees(self, old: str, new: str) -> str:
        """Return how two trees differ; where there is no commit yet, all is new."""
        if old == "HEAD" and not await self._said("rev-parse", "--verify", "--quiet", "HEAD"):
            old = await self._said("hash-object", "-t", "tree", os.devnull)
        return await _printed(self._git, "diff-tree", "-r", "--raw", "--no-renames", "-z", old, new)

    async def _restored(self, *, takes_new: bool) -> None:
        await self._note("diff-index", "-R", "--raw", "--no-renames", "-z", "HEAD")
        await self._note("diff-files", "-R", "--raw", "--no-renames", "-z")
        if takes_new:
            others = (await _printed(self._git, "ls-files", "--others", "-z")).split("\0")
            self._files |= dict.fromkeys(
                BroughtFile(path=one, deed=TAKES) for one in others if is_read_by_agents_or_git(one)
            )

    async def _note(self, *arguments: str) -> None:
        self._files |= dict.fromkeys(self._changed(await _printed(self._git, *arguments)))

    def _changed(self, raw: str) -> Sequence[BroughtFile]:
        """Return the files of which it is about in a list of changes, as git prints it with `--raw -z`."""
        parts, found = iter(raw.split("\0")), []
        for about in parts:
            if not about.lstrip("\n").startswith(":"):
                continue
            path, (*_, new, deed) = next(parts, ""), about.split()
            if is_read_by_agents_or_git(path) or any(f"{path}/".startswith(f"{one}/") for one in self._behind_links):
                found.append(BroughtFile(path=path, deed=_DEEDS.get(deed[:1], CHANGES), content=new))
        return found
