"""What is not committed in a work tree, file by file: what becomes of each, with sizes, lines and the diff."""

import hashlib
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from hub.contract.base import Value
from hub.io.sensors.bounded import head
from hub.io.sensors.command import Output
from hub.io.sensors.git_program import Git
from hub.io.sensors.guard import Disk, UnreadableError
from hub.io.sensors.workspace import size_of
from hub.kit.line_diff import as_new_file, lines_of
from hub.sense.changes import FileChange, changes_in, with_renames
from hub.sense.git_output import names, sizes, text

NEW_FILE_BYTES_MAX = 1024 * 1024
"""A new file that is longer is no work of an editor's: it is left out of a commit that Pulse proposes."""
FILES_MAX = 200
DIFF_CHARS_MAX = 6_000
SHA1_CHARS = 40
PLAIN_DIFF = (
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--no-renames",
    "--no-relative",
    "--ignore-submodules=all",
)
"""For `git diff`: run no program of the repository, and look the same whatever is configured."""


class UncommittedWork(Value):
    """The files that a commit would hold, in the order of their paths, and the diff of them, cut to a length."""

    changes: tuple[FileChange, ...]
    diff: str = ""
    is_cut: bool = False


class _NewFile(Value):
    change: FileChange
    blob: str
    diff: str


async def read_work(
    git: Git, new: Sequence[str], disk: Disk, *, known: Sequence[str], chars_max: int = DIFF_CHARS_MAX
) -> UncommittedWork | None:
    """Return what became of the files that git knows, and of the `new` ones; None where git cannot tell it whole.

    Args:
        git: a work tree with a commit.
        new: paths of files that git does not know.
        disk: for reading them beside the loop.
        known: paths of the files that git knows, and that may have changed.
        chars_max: how long the diff may be.

    Raises:
        UnreadableError: git took too long.
    """
    numbers = said = Output(code=0, out=b"", error="", cut=False)
    if known:
        numbers = await git.ask("diff", "--raw", "--numstat", "-z", "--no-abbrev", *PLAIN_DIFF, "HEAD", "--", *known)
        said = await git.ask("diff", "-U3", "--src-prefix=a/", "--dst-prefix=b/", *PLAIN_DIFF, "HEAD", "--", *known)
    if numbers.code or numbers.cut:
        return None
    found_in = {each.path: each for each in changes_in(names(numbers.out), text(said.out))}
    before = await _sizes_before(git, [each.path for each in found_in.values() if each.became != "added"])
    there = [path for path, each in found_in.items() if each.became != "deleted"]
    sizes_now = await disk.look(lambda: {path: size_of(git.top / path) for path in there[:FILES_MAX]})
    sized = [replace(each, size=sizes_now.get(path), size_before=before.get(path)) for path, each in found_in.items()]
    length = max((len(each.blob) for each in sized), default=SHA1_CHARS)
    fresh = [path for path in new if path not in found_in][:FILES_MAX]
    added = [path for path, each in found_in.items() if each.became == "added"][:FILES_MAX]
    found = await disk.look(lambda: tuple(_read_new(git.top, (*fresh, *added), length)))
    every = (*sized, *(each.change for each in found[: len(fresh)]))
    blobs = {each.change.path: each.blob for each in found if each.blob}
    whole = "".join((text(said.out), *(each.diff for each in found[: len(fresh)])))
    return UncommittedWork(
        changes=tuple(sorted(with_renames(every, blobs), key=_path)),
        diff=whole[:chars_max],
        is_cut=said.cut or bool(said.code) or len(whole) > chars_max,
    )


def _path(change: FileChange) -> str:
    return change.path


async def _sizes_before(git: Git, paths: Sequence[str]) -> dict[str, int]:
    if not paths:
        return {}
    try:
        said = await git.ask("ls-tree", "-l", "-z", "--full-tree", "HEAD", "--", *paths[:FILES_MAX])
    except UnreadableError:
        return {}
    return sizes(said.out)


def _read_new(top: Path, paths: Sequence[str], blob_chars: int) -> Iterator[_NewFile]:
    for path in paths:
        size = size_of(top / path)
        content = _content(top / path) if size is not None and size <= NEW_FILE_BYTES_MAX else None
        is_text = content is not None and b"\0" not in content
        said = content.decode("utf-8", "replace") if content is not None and is_text else None
        counts = (None, None) if said is None else (len(lines_of(said)), 0)
        yield _NewFile(
            change=FileChange(path=path, became="added", size=size, added=counts[0], removed=counts[1]),
            blob="" if content is None else _blob(content, blob_chars),
            diff=_as_binary(path) if said is None else as_new_file(path, said),
        )


def _content(path: Path) -> bytes | None:
    try:
        return head(path, NEW_FILE_BYTES_MAX, follow=False) if stat.S_ISREG(path.lstat().st_mode) else None
    except OSError:
        return None


def _blob(content: bytes, chars: int) -> str:
    """Return git's name of a content: a digest of its kind, its length and itself."""
    whole = b"blob %d\0" % len(content) + content
    by = hashlib.sha1 if chars == SHA1_CHARS else hashlib.sha256
    return by(whole, usedforsecurity=False).hexdigest()


def _as_binary(path: str) -> str:
    return f"diff --git a/{path} b/{path}\nnew file\nBinary files /dev/null and b/{path} differ\n"
