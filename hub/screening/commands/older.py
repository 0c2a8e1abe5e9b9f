"""What an older version of a file is written over: what no commit holds of it yet is lost.

Theory: git names a file from the top of the repository, which is the workspace or a folder around it, or from where it
runs; the shell names the one that it writes from where that runs. So both are compared as paths in full.
"""

import posixpath
import re
from collections.abc import Iterable, Iterator

from hub.screening.commands.arrivals import is_code
from hub.screening.commands.places import GIT_TOP, is_within
from hub.screening.commands.run import name_of
from hub.screening.commands.script import ProgramCall

CALLS_MAX = 32
"""So many calls are followed back from one."""
_SPEC = re.compile(r"[^:\s]*:(?:[0-3]:)?(?!/)(.+)", re.DOTALL)
_OBJECT = re.compile(r"[0-9a-fA-F]{4,64}|\$\(.*\)|`.*`|\$\w+", re.DOTALL)
"""A word that says by its number what git is to print."""
_PRINTS = frozenset({"show", "cat-file"})
_KEEPERS = frozenset({"hg", "svn", "bzr", "brz", "fossil", "p4", "cvs", "jj", "sl"})
"""What keeps versions, and names a file by its path alone."""
_UP = re.compile(r"(?:\.\.?/)+")


def sources(call: ProgramCall) -> list[ProgramCall]:
    """Return a call, and where what it passes on may come from: what runs within its words, and what feeds it."""
    found, seen = [call], {id(call)}
    for each in found:
        for one in (*each.inside, *each.fed_by):
            if id(one) not in seen and len(found) < CALLS_MAX:
                seen.add(id(one))
                found.append(one)
    return found


def older_files(call: ProgramCall) -> list[str]:
    """Return the files of which a call prints, or passes on, what a commit holds; `*` for one that only git knows."""
    return list(dict.fromkeys(file for one in sources(call) for file in _printed(one)))


def _printed(call: ProgramCall) -> Iterator[str]:
    name, *words = [*call.words, ""]
    if name_of(name) in _KEEPERS and not {"cat", "print", "show"}.isdisjoint(words[:2]):
        yield from (one for one in words if is_code(one))
    elif name_of(name) == "git" and not _PRINTS.isdisjoint(words):
        specs = [found[1] for one in words if (found := _SPEC.fullmatch(one)) and not _OBJECT.fullmatch(one)]
        yield from specs
        if not specs and any(map(_OBJECT.fullmatch, words)):
            yield "*"


def is_older(file: str, written: str, root: str, folders: Iterable[str]) -> bool:
    """Return True if a file that git names may be the one that is written.

    Args:
        file: as git names it, or `*`.
        written: in full.
        root: the folder that the agent works in, in full.
        folders: where the command may run, in full.
    """
    if file == "*":
        return is_code(written)
    from_here = file.startswith(".")
    path = posixpath.normpath(_UP.sub("", posixpath.normpath(GIT_TOP.sub(".", file))))
    top = written.removesuffix(f"/{path}") if written.endswith(f"/{path}") else ""
    return bool(top) and (is_within(root, top) or (from_here and any(is_within(one, top) for one in folders)))
