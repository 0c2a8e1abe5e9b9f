"""What an uncommitted change is, in a line: how much it adds and removes, and a message for its commit.

The message says only what the diff shows: files that come or go, and definitions that are added to or removed from one.
What a change is for cannot be seen, so nothing is claimed about it.
"""

import re
from collections.abc import Sequence

from hub.contract.base import Value
from hub.kit.text import counted, listed, one_line

MESSAGE_CHARS_MAX = 72
NAMED_MAX = 2
DEFINITION = re.compile(
    r"\s*(?:export\s+|default\s+|pub(?:\([a-z]+\))?\s+|public\s+|private\s+|protected\s+|static\s+|async\s+|abstract\s+)*"
    r"(?:def|class|fn|func|function|interface|struct|enum|trait|type)\s+(?:\([^)]{0,80}\)\s*)?([A-Za-z_$][\w$]{1,60})"
)
"""A line that begins a definition, in the languages that have a word for it."""
EVERYWHERE = frozenset({"__init__", "index", "main", "mod", "lib", "README"})
"""Files that many folders have are told with their folder."""
DEV_NULL = "/dev/null"


class FileChange(Value):
    """What a diff says of one file; `is_new` and `is_gone` as against the last commit."""

    path: str
    is_new: bool = False
    is_gone: bool = False
    added: int = 0
    removed: int = 0
    defined: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()


def changes_in(diff: str) -> tuple[FileChange, ...]:
    """Read `git diff -U0 --no-renames`, with the prefixes a/ and b/; what makes no sense is passed over."""
    return tuple(_file(part.split("\n")) for part in diff.split("\ndiff --git ") if "\n@@ " in part or "\n+++ " in part)


def _file(lines: Sequence[str]) -> FileChange:
    heads = {line[:4]: line[4:].rstrip("\t") for line in lines if line.startswith(("--- ", "+++ "))}
    before, after = heads.get("--- ", ""), heads.get("+++ ", "")
    start = next((number for number, line in enumerate(lines) if line.startswith("@@ ")), len(lines))
    added = [line[1:] for line in lines[start:] if line.startswith("+")]
    removed = [line[1:] for line in lines[start:] if line.startswith("-")]
    defined, dropped = _defined(added), _defined(removed)
    return FileChange(
        path=(before if after == DEV_NULL else after)[2:],
        is_new=before == DEV_NULL,
        is_gone=after == DEV_NULL,
        added=len(added),
        removed=len(removed),
        defined=tuple(name for name in defined if name not in dropped),
        dropped=tuple(name for name in dropped if name not in defined),
    )


def _defined(lines: Sequence[str]) -> tuple[str, ...]:
    found = (DEFINITION.match(line) for line in lines)
    return tuple(dict.fromkeys(each[1] for each in found if each))


def message_of(changes: Sequence[FileChange], new: Sequence[str] = ()) -> str:
    """Return a message for the commit of these changes and new files; empty when there is nothing to say.

    Args:
        changes: of the files that git knows.
        new: paths of the files that it does not know yet.
    """
    every = (*changes, *(FileChange(path=path, is_new=True) for path in new))
    if not every:
        return ""
    words = _of_one(every[0]) if len(every) == 1 else _of_many(every)
    return one_line(words, MESSAGE_CHARS_MAX)


def _of_one(change: FileChange) -> str:
    name = _name(change.path)
    if change.is_new or change.is_gone:
        return f"{'Add' if change.is_new else 'Remove'} {name}"
    if 0 < len(change.defined) <= NAMED_MAX:
        return f"Add {listed(change.defined)} to {name}"
    if 0 < len(change.dropped) <= NAMED_MAX and not change.defined:
        return f"Remove {listed(change.dropped)} from {name}"
    return f"Update {name}"


def _of_many(changes: Sequence[FileChange]) -> str:
    verb = "Add" if all(each.is_new for each in changes) else "Update"
    verb = "Remove" if all(each.is_gone for each in changes) else verb
    names = [_name(each.path) for each in changes]
    own = [each for each in changes if not _is_test(each.path)]
    if len(own) == 1 and verb == "Update":
        return f"{_of_one(own[0])}, with {'its test' if len(changes) == NAMED_MAX else 'tests'}"
    words = f"{verb} {listed(names)}"
    return words if len(words) <= MESSAGE_CHARS_MAX else f"{verb} {counted(len(changes), 'file')}{_place(changes)}"


def _place(changes: Sequence[FileChange]) -> str:
    folders = {each.path.rpartition("/")[0].partition("/")[0] for each in changes}
    only = folders.pop() if len(folders) == 1 else ""
    return f" in {only}" if only else ""


def _name(path: str) -> str:
    folder, _, name = path.rpartition("/")
    return f"{folder.rpartition('/')[2]}/{name}" if folder and name.partition(".")[0] in EVERYWHERE else name


def _is_test(path: str) -> bool:
    return re.search(r"(?:^|/)(?:tests?|spec|__tests__)/|(?:^|/)test_|[._]test\.|[._]spec\.", path) is not None
