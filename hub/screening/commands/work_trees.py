"""Which calls of git put other files into a work tree, and from which commits: what is in those, somebody must look up.

Theory: the text of such a call names commits, and says nothing of the files in them. So it is told where each call may
run, and every word by which it, or another call of git in the same text, may name a commit. What is fetched or taken
out of the index on the way is known to nobody before it runs.
"""

import posixpath
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from hub.contract.base import Value
from hub.screening.commands.places import ELSEWHERE
from hub.screening.commands.run import ProgramRun

SEVERAL_STASHES = "one of several stashes"
"""Stands for a stash whose number depends on what became of those before it in the same text."""
UPSTREAM, STASHED, BEFORE = "@{upstream}", "stash@{0}", "@{-1}"
_MERGES = frozenset({"merge", "rebase", "cherry-pick", "revert"})
_KEPT = frozenset({"--abort", "--continue", "--quit", "--skip", "--edit-todo", "--show-current-patch"})
"""With these the commits were named before, or nothing is brought, or a person is asked anyway."""
_RESETS = frozenset({"--hard", "--merge", "--keep"})
_STASHES = frozenset({"pop", "apply", "branch"})
_TAKES_NEW = frozenset({"-u", "--include-untracked", "-a", "--all"})
_STASHED_ONLY = frozenset({"list", "show", "drop", "clear", "create", "store"})
_LATER = {
    "pull": frozenset[str](),
    "bisect": frozenset({"start", "good", "bad", "new", "old", "skip", "reset", "run", "replay"}),
    "submodule": frozenset({"update", "add"}),
    "sparse-checkout": frozenset({"add", "disable", "set", "init", "reapply"}),
}
"""What these bring is only known when they run: some with such a subcommand, some always."""
_UNSETTLES = frozenset({"clone", "fetch", "pull", "rm", "apply", "update-index", "read-tree"})
"""After these a name of a commit, or the index, may hold something else than before."""
_COMMIT_OPTIONS = ("--onto", "--source", "-s")
_FETCHERS = {"gh": ["pr", "checkout"], "hub": ["pr", "checkout"], "glab": ["mr", "checkout"]}


class TreeChange(Value):
    """A call that changes files of a work tree by what git holds.

    `by` is the subcommand, and `folders` are those where it may run, in full as far as the text tells. `targets` name
    the commits whose files it brings, and `names` are other words of the text that may name one. `restores`: it puts
    back what differs from the last commit, and with `takes_new` it takes files away of which git knows nothing.
    `is_open`: what it brings is only known when it runs.
    """

    by: str = ""

    folders: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    restores: bool = False
    takes_new: bool = False
    is_open: bool = False


class GitCalls:
    """The calls of git in one text."""

    def __init__(self) -> None:
        self._changes: dict[TreeChange, None] = {}
        self._names: dict[str, None] = {}
        self._is_open = False
        self._pushes = self._pops = 0
        self._made: dict[str, str] = {}
        """Branches and tags that the text makes, each with what it begins at."""

    def add(self, run: ProgramRun, folders: Sequence[str]) -> None:
        """Note a call of any program that may run in these folders."""
        operands, options = run.arguments.operands, run.arguments.options
        change = TreeChange(is_open=True) if operands[:2] == _FETCHERS.get(run.name) else None
        if run.name == "git" and operands:
            name, *rest = operands
            given = [value for option in _COMMIT_OPTIONS for value in options.get(option, []) if value]
            self._names |= dict.fromkeys((*rest, *given))
            if name in {"branch", "tag"} and rest and not options:
                self._made[rest[0]] = rest[1] if len(rest) > 1 else "HEAD"
            self._is_open |= name in _UNSETTLES or (name == "remote" and rest[:1] == ["update"])
            change = None if not _KEPT.isdisjoint(options) else _change(name, rest, options.keys())
        if change is not None and change.targets[:1] and operands[:1] == ["stash"]:
            change = self._of_stash(change)
        elif change is not None and change.restores and operands[:1] == ["stash"]:
            self._pushes += 1
        if change is not None:
            by = operands[0] if run.name == "git" else run.name
            self._changes[replace(change, by=by, folders=_folders(run, folders))] = None

    def _of_stash(self, change: TreeChange) -> TreeChange:
        """Return which stash a call takes: one that was put away just before, unless there was nothing to put away."""
        self._pops += 1
        if not self._pushes and self._pops == 1:
            return change
        if (self._pushes, self._pops, change.targets) == (1, 1, (STASHED,)):
            self._names[STASHED] = None
            return TreeChange()
        return TreeChange(targets=(SEVERAL_STASHES,))

    def changes(self) -> tuple[TreeChange, ...]:
        """Return the calls that change a work tree, each with the names in the whole text."""
        return tuple(
            replace(
                one,
                targets=tuple(self._made.get(name, name) for name in one.targets),
                names=tuple(name for name in self._names if name in self._made or name not in one.targets),
                is_open=one.is_open or self._is_open,
            )
            for one in self._changes
        )


def _folders(run: ProgramRun, folders: Sequence[str]) -> tuple[str, ...]:
    """Return where a call works, by the options before its subcommand."""
    for option, value in run.arguments.given[: run.arguments.early]:
        if option in {"--git-dir", "--work-tree"}:
            return (ELSEWHERE,)
        if option == "-C":
            folders = [posixpath.normpath(posixpath.join(one, value)) for one in folders]
    return tuple(folders)


def _change(name: str, rest: list[str], options: Iterable[str]) -> TreeChange | None:
    """Return what a call of git changes by its subcommand, the operands behind it and its options."""
    given, found = frozenset(options), None
    if name in _LATER and (not _LATER[name] or _LATER[name].intersection(rest[:1])):
        fetched = tuple(f"{rest[0]}/{one}" for one in rest[1:]) or (UPSTREAM,)
        found = TreeChange(targets=fetched if name == "pull" else (), is_open=True)
    elif name in {"checkout", "switch"} and ("--orphan" in given or (rest and "--" not in given)):
        is_empty = "--orphan" in given
        found = TreeChange(targets=() if is_empty else _commits(rest[:1]), is_open=is_empty)
    elif name in _MERGES:
        found = TreeChange(targets=_commits(rest or [UPSTREAM]))
    elif name == "stash" and rest and rest[0] in _STASHES:
        found = TreeChange(targets=_stashed(rest))
    elif name == "stash" and _STASHED_ONLY.isdisjoint(rest[:1]):
        found = TreeChange(restores=True, takes_new=not _TAKES_NEW.isdisjoint(given))
    elif name == "worktree" and rest[:1] == ["add"]:
        found = TreeChange(targets=tuple(rest[2:3]))
    elif name == "checkout-index" or (name == "reset" and not _RESETS.isdisjoint(given)):
        found = TreeChange(targets=_commits(rest[:1]) if name == "reset" else (), restores=True)
    return found


def _commits(words: list[str]) -> tuple[str, ...]:
    return tuple(BEFORE if word == "-" else word for word in words)


def _stashed(rest: list[str]) -> tuple[str, ...]:
    """Return the stash that is meant: the last one, or one by its number or its name."""
    told = rest[2:] if rest[0] == "branch" else rest[1:]
    return (f"stash@{{{told[0]}}}" if told[0].isdigit() else told[0],) if told else (STASHED,)
