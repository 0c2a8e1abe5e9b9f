"""Asking git of a workspace for those who do the work: whatever keeps git from answering is an answer too."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from hub.contract.base import Value
from hub.io.sensors.git_program import ROOM_FOLDER, WorkTree, find_work_tree, open_work_tree
from hub.io.sensors.git_work import DIFF_CHARS_MAX, UncommittedWork, read_work
from hub.io.sensors.guard import Disk, UnreadableError
from hub.sense.git_output import new_files

GIT_BYTES_MAX = 4_194_304
CONTENT_BYTES_MAX = 1_048_577


class GitAnswer(Value):
    """What git answered. `exit_code` is None when git could not be asked; `text` is then empty."""

    exit_code: int | None
    text: str

    @property
    def ok(self) -> bool:
        """Whether git did what it was asked."""
        return self.exit_code == 0

    def fields(self, separator: str = "\n") -> tuple[str, ...]:
        """Return the parts that are not empty."""
        return tuple(part for part in self.text.split(separator) if part)


class GitFolder:
    """Git in one folder; the repository is found again for every question, for its agent may have moved it."""

    def __init__(self, home: Path, environ: Mapping[str, str], folder: Path) -> None:
        self._room = home / ROOM_FOLDER
        self._environ = environ
        self._folder = folder

    async def work_tree(self) -> WorkTree | None:
        """Return the work tree around the folder and its commit; None if there is none that may be asked."""
        try:
            return await find_work_tree(self._folder.resolve(), self._environ)
        except UnreadableError:
            return None

    async def content(self, path: str) -> bytes:
        """Return a file as it was last committed; empty where there is none, or git cannot tell."""
        try:
            git = await open_work_tree(self._folder, Disk(), self._room, self._environ)
            said = await git.ask("cat-file", "blob", f"HEAD:{path}", bytes_max=CONTENT_BYTES_MAX)
        except UnreadableError:
            return b""
        return b"" if said.code or said.cut else said.out

    async def work(self, paths: Sequence[str], chars_max: int = DIFF_CHARS_MAX) -> UncommittedWork | None:
        """Return what became of some files since the last commit; None where git cannot tell."""
        try:
            disk = Disk()
            git = await open_work_tree(self._folder, disk, self._room, self._environ)
            said = await git.ask(
                "status", "--porcelain=v2", "-z", "--no-renames", "--untracked-files=all", "--", *paths
            )
            if said.code or said.cut:
                return None
            new = tuple(path for path in new_files(said.out) if path in paths)
            return await read_work(git, new, disk, known=paths, chars_max=chars_max)
        except UnreadableError:
            return None

    async def ask(self, *arguments: str) -> GitAnswer:
        """Run one command and return what it printed; anything beyond `GIT_BYTES_MAX` is left out."""
        try:
            git = await open_work_tree(self._folder, Disk(), self._room, self._environ)
            said = await git.ask(*arguments, cwd=self._folder, bytes_max=GIT_BYTES_MAX)
        except UnreadableError:
            return GitAnswer(exit_code=None, text="")
        return GitAnswer(exit_code=0 if said.cut else said.code, text=said.out.decode("utf-8", "surrogateescape"))

    async def unlike_stored(self, names: Sequence[str]) -> frozenset[str]:
        """Return those of these files whose text a filter keeps from git (see `Git`); all where that is unknown."""
        try:
            git = await open_work_tree(self._folder, Disk(), self._room, self._environ)
            return await git.unlike_stored(names, self._folder)
        except UnreadableError:
            return frozenset(names)
