"""What an uncommitted change is: what becomes of each file, how much it adds and removes, and a message for its commit.

The message says only what the diff shows: files that come, go or move, and definitions that are added to or removed
from one. What a change is for cannot be seen, so nothing is claimed about it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec.structs import replace

from hub.contract.base import Value
from hub.domain.plan import Became
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
RAW = re.compile(r":\d+ \d+ ([0-9a-f]+) [0-9a-f]+ ([A-Z])\d*")
"""A line of `git diff --raw`: the blob that was there, and what became of it."""
NUMBERS = re.compile(r"(-|\d+)\t(-|\d+)\t(.+)", re.DOTALL)
"""A line of `git diff --numstat`; a dash where git counts no lines."""
VERBS: Mapping[Became, str] = {"changed": "update", "added": "add", "deleted": "remove", "renamed": "rename"}
"""In the order in which a message of several names them."""


class FileChange(Value):
    """What became of one file since the last commit; `was` is its path there, where that was another.

    `added` and `removed` are None where nobody can count lines; `size` and `size_before` are bytes, None where the file
    does not exist, or its size was not asked for. `blob` is git's name of what was there before.
    """

    path: str
    became: Became = "changed"
    was: str = ""
    added: int | None = 0
    removed: int | None = 0
    size: int | None = None
    size_before: int | None = None
    blob: str = ""
    defined: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()


def changes_in(numbers: Sequence[str], diff: str) -> tuple[FileChange, ...]:
    """Return what became of each file; what makes no sense is passed over.

    Args:
        numbers: the records of `git diff --raw --numstat -z --no-abbrev --no-renames`.
        diff: `git diff --no-renames` of the same, with the prefixes a/ and b/.
    """
    found = dict(_raw(numbers))
    lines = {match[3]: match for match in map(NUMBERS.fullmatch, numbers) if match}
    defined = dict(map(_definitions, diff.split("\ndiff --git ")))
    return tuple(_counted(change, lines.get(path), *defined.get(path, ((), ()))) for path, change in found.items())


def _raw(records: Sequence[str]) -> Iterator[tuple[str, FileChange]]:
    for record, path in pairwise(records):
        match = RAW.fullmatch(record)
        if match:
            became: Became = "added" if match[2] == "A" else "deleted" if match[2] == "D" else "changed"
            yield path, FileChange(path=path, became=became, blob=match[1])


def _counted(
    change: FileChange, lines: re.Match[str] | None, defined: Sequence[str], dropped: Sequence[str]
) -> FileChange:
    is_text = lines is not None and lines[1] != "-"
    return replace(
        change,
        added=int(lines[1]) if lines is not None and is_text else None,
        removed=int(lines[2]) if lines is not None and is_text else None,
        defined=tuple(name for name in defined if name not in dropped),
        dropped=tuple(name for name in dropped if name not in defined),
    )


def _definitions(part: str) -> tuple[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return a file's path with the names that its lines define and no longer define."""
    head, _, body = part.partition("\n@@ ")
    heads = {line[:4]: line[4:].rstrip("\t") for line in head.split("\n") if line.startswith(("--- ", "+++ "))}
    before, after = heads.get("--- ", ""), heads.get("+++ ", "")
    lines = body.split("\n")
    added = _defined(line[1:] for line in lines if line.startswith("+"))
    removed = _defined(line[1:] for line in lines if line.startswith("-"))
    return (before if after == DEV_NULL else after)[2:], (added, removed)


def _defined(lines: Iterable[str]) -> tuple[str, ...]:
    found = (DEFINITION.match(line) for line in lines)
    return tuple(dict.fromkeys(each[1] for each in found if each))


def with_renames(changes: Sequence[FileChange], new_blobs: Mapping[str, str]) -> tuple[FileChange, ...]:
    """Tell a file that is gone and one that came with just its content as one that has moved.

    Args:
        changes: in any order.
        new_blobs: git's names of what the files are that came, by their paths.
    """
    gone = {each.blob: each for each in changes if each.became == "deleted" and each.size_before}
    moved: dict[str, FileChange] = {}
    for each in changes:
        before = gone.pop(new_blobs.get(each.path, ""), None) if each.became == "added" else None
        if before is not None:
            moved[before.path] = moved[each.path] = replace(
                each, became="renamed", was=before.path, added=0, removed=0, size_before=before.size_before
            )
    kept = (moved.get(each.path, each) for each in changes if each.became != "deleted" or each.path not in moved)
    return tuple(kept)


def message_of(changes: Sequence[FileChange]) -> str:
    """Return a message for the commit of these changes; empty when there is nothing to say."""
    if not changes:
        return ""
    words = _of_one(changes[0], _name(changes[0].path)) if len(changes) == 1 else _of_many(changes)
    return one_line(words[:1].upper() + words[1:], MESSAGE_CHARS_MAX)


def _of_one(change: FileChange, name: str) -> str:
    if change.became == "renamed":
        return f"rename {_moved(change, name)}"
    if change.became == "changed" and 0 < len(change.defined) <= NAMED_MAX:
        return f"add {listed(change.defined)} to {name}"
    if change.became == "changed" and 0 < len(change.dropped) <= NAMED_MAX and not change.defined:
        return f"remove {listed(change.dropped)} from {name}"
    return f"{VERBS[change.became]} {name}"


def _moved(change: FileChange, name: str) -> str:
    """Return "a.md to b.md", or where only the folder is another, "a.md to docs/a.md"."""
    before = _name(change.was)
    return f"{before} to {change.path if before == name else name}"


def _of_many(changes: Sequence[FileChange]) -> str:
    tests = [each for each in changes if _is_test(each.path)]
    own = [each for each in changes if each not in tests]
    if len(own) == 1 and own[0].became == "changed" and all(each.became in {"changed", "added"} for each in tests):
        return f"{_of_one(own[0], _name(own[0].path))}, with {'its test' if len(tests) == 1 else 'tests'}"
    groups = [(verb, [each for each in changes if each.became == became]) for became, verb in VERBS.items()]
    there = [(verb, found) for verb, found in groups if found]
    often = Counter(_name(each.path) for each in changes)
    words = listed([f"{verb} {listed([_in_list(each, often) for each in found])}" for verb, found in there])
    if len(words) <= MESSAGE_CHARS_MAX:
        return words
    return listed([f"{verb} {counted(len(found), 'file')}" for verb, found in there]) + _place(changes)


def _in_list(change: FileChange, often: Mapping[str, int]) -> str:
    name = _name(change.path)
    if change.became == "renamed":
        return _moved(change, name)
    return change.path if often[name] > 1 else name


def _place(changes: Sequence[FileChange]) -> str:
    folders = {each.path.rpartition("/")[0].partition("/")[0] for each in changes}
    only = folders.pop() if len(folders) == 1 else ""
    return f" in {only}" if only else ""


def _name(path: str) -> str:
    folder, _, name = path.rpartition("/")
    return f"{folder.rpartition('/')[2]}/{name}" if folder and name.partition(".")[0] in EVERYWHERE else name


def _is_test(path: str) -> bool:
    return re.search(r"(?:^|/)(?:tests?|spec|__tests__)/|(?:^|/)test_|[._]test\.|[._]spec\.", path) is not None
