"""Looks for files that a need names, and for a text in them. It opens plain files to read, and changes nothing.

Theory: the pattern was written by somebody else, so nothing in it may lead where it must not: a relative one stays in
its folder, links included; Pulse's own folder and the hidden folders of the person's home (keys, passwords) are not
looked at unless they are a workspace's; what the system shows as files is none. A pipe or device is never opened, and
all of it has a bound: folders' entries, bytes, time. A file that nobody changed since the session began was not made by
it, whatever it is called: then nobody can say. It is not opened either, or whoever may begin sessions from afar could
ask letter by letter what stands in it.
"""

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal

from hub.contract.base import Value
from hub.domain.provenance import LogText, RepositoryText, Wording, say, untrusted
from hub.domain.world_proof import FileNeed, ProofFinding
from hub.kit.globbing import is_pattern, matcher

ENTRIES_MAX = 20_000
"""So many entries of folders are looked at for one pattern."""
FILES_MAX = 64
"""So many files that fit are looked into."""
PARTS_MAX = 64
READ_BYTES_MAX = 16 * 1024 * 1024
CHUNK_BYTES = 1024 * 1024
TOLD_MAX = 3
CLOCK_S = 2.0
"""A file system's clock may be so much behind: what changed just before the session began counts as its own."""
SYSTEM = (Path("/proc"), Path("/sys"))
ANY_DEPTH = "**"


class ProofPlaces(Value):
    """Where may be looked: in the workspaces for what has no folder of its own, and in what is private never."""

    home: str
    workspaces: tuple[str, ...] = ()
    private: tuple[str, ...] = ()


class LookLimits:
    """What one look has used of what it may."""

    def __init__(self, is_late: Callable[[], bool]) -> None:
        self.is_cut = False
        self.is_refused = False
        self._is_late = is_late
        self._entries = ENTRIES_MAX
        self._bytes = READ_BYTES_MAX

    def entry(self) -> bool:
        """Count one entry of a folder; False if that was too much."""
        self._entries -= 1
        return self._go_on(within=self._entries >= 0)

    def room(self) -> int:
        """Return how many bytes may be read next; 0 where it was too much."""
        return min(CHUNK_BYTES, self._bytes) if self._go_on(within=self._bytes > 0) else 0

    def read(self, count: int) -> None:
        """Count bytes that were read."""
        self._bytes -= count

    def _go_on(self, *, within: bool) -> bool:
        self.is_cut = self.is_cut or not within or self._is_late()
        return not self.is_cut


class _Fit(Value):
    path: str
    size: int
    is_file: bool
    is_new: bool


class _Found:
    """What fits a pattern: with what is needed in it, without, or from before the session, which is never opened."""

    def __init__(self) -> None:
        self.holding = list[_Fit]()
        self.without = list[_Fit]()
        self.old = list[_Fit]()

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.holding) + len(self.without) + len(self.old)


def look_for(
    need: FileNeed, folder: str, since: datetime, places: ProofPlaces, is_late: Callable[[], bool]
) -> ProofFinding:
    """Look whether a file that is needed is there. Blocks while it looks.

    Args:
        need: the pattern, and the text that the file is to hold.
        folder: the session's own, absolute; empty where nobody said: then the workspaces.
        since: when the session began.
        places: where may be looked.
        is_late: says when it took too long.
    """
    pattern, limits = untrusted(need.pattern), LookLimits(is_late)
    roots, parts = _from(pattern, folder, places)
    if not parts or not roots:
        why = "no folder is known for it" if parts else "that is not a path pattern"
        return _finding(need, "unknown", say("“{it}” was not looked for: {why}", it=need.pattern, why=why))
    wanted, found = untrusted(need.text).encode(), _Found()
    for path in _paths(roots, parts, places, limits):
        fit = _fit(path, since)
        if fit is None or (wanted and not fit.is_file):
            continue
        if not fit.is_new:
            found.old.append(fit)
        elif not wanted or holds(path, wanted, limits):
            found.holding.append(fit)
        else:
            found.without.append(fit)
        if found.count >= FILES_MAX:
            limits.is_cut = True
            break
    return _judged(need, found, limits)


def _judged(need: FileNeed, found: _Found, limits: LookLimits) -> ProofFinding:
    if found.holding:
        words = _told(found.holding)
        if need.text:
            words = say("{files} with “{text}”", files=words, text=need.text)
        return _finding(need, "there", say("Found {files}", files=words))
    if limits.is_refused:
        words = say("“{it}” was not looked for: it is outside the folders Pulse checks", it=need.pattern)
        return _finding(need, "unknown", words)
    if limits.is_cut:
        words = say("“{it}” was not found within the limits of a check", it=need.pattern)
        return _finding(need, "unknown", words)
    if found.without:
        words = say("{files} exists, without “{text}”", files=_told(found.without), text=need.text)
        return _finding(need, "missing", words)
    if found.old:
        words = say("{files} exists, but has not changed since the session started", files=_told(found.old))
        return _finding(need, "unknown", words)
    return _finding(need, "missing", say("No file matches “{it}”", it=need.pattern))


def _from(pattern: str, folder: str, places: ProofPlaces) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """Return where to begin, and the parts of the pattern from there on; no parts for what is no path."""
    roots = (folder,) if folder else places.workspaces
    if pattern.startswith("~/"):
        roots, pattern = (places.home,), pattern[2:]
    elif pattern.startswith("/"):
        roots = ("/",)
    parts = tuple(part for part in pattern.split("/") if part not in {"", "."})
    is_path = len(parts) <= PARTS_MAX and ".." not in parts and "\0" not in pattern and not pattern.startswith("~")
    return tuple(root for one in roots if (root := Path(one)).is_absolute()), parts if is_path else ()


def _paths(roots: Sequence[Path], parts: tuple[str, ...], places: ProofPlaces, limits: LookLimits) -> Iterator[Path]:
    """Yield the real paths that fit, each once, as far as they may be looked at."""
    seen = set[Path]()
    for root in roots:
        bound = _real(root)
        for path in _walk(root, parts, bound, places, limits):
            real = _real(path)
            if real in seen:
                continue
            seen.add(real)
            if _may(real, bound, places):
                yield real
            else:
                limits.is_refused = True


def _walk(root: Path, parts: tuple[str, ...], bound: Path, places: ProofPlaces, limits: LookLimits) -> Iterator[Path]:
    """Yield what is there by this pattern; folders behind links are entered by name only, never by `**`."""
    stack, seen = [(root, parts)], set[tuple[Path, int]]()
    while stack:
        path, left = stack.pop()
        if (path, len(left)) in seen:
            continue
        seen.add((path, len(left)))
        if not left:
            if os.path.lexists(path):
                yield path
        elif not is_pattern(left[0]):
            stack.append((path / left[0], left[1:]))
        elif _may(_real(path), bound, places):
            stack += _steps(path, left, limits)
        else:
            limits.is_refused = True


def _steps(path: Path, left: tuple[str, ...], limits: LookLimits) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Yield what is in a folder and fits the next part of a pattern, with what is left of the pattern then."""
    part, after = left[0], left[1:]
    is_any_depth, fits = part == ANY_DEPTH, matcher(part)
    for name, is_folder in _entries(path, limits):
        if name.startswith(".") and not part.startswith("."):
            continue
        if not is_any_depth and fits(name):
            yield path / name, after
        elif is_any_depth and is_folder:
            yield path / name, left
        elif is_any_depth and not after:
            yield path / name, ()
    if is_any_depth and after:
        yield path, after


def _entries(path: Path, limits: LookLimits) -> list[tuple[str, bool]]:
    """Return the names in a folder, the last first, and whether each is a folder itself; nothing for what is none."""
    found = list[tuple[str, bool]]()
    try:
        with os.scandir(path) as entries:
            for one in entries:
                if not limits.entry():
                    break
                found.append((one.name, one.is_dir(follow_symlinks=False)))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError:
        limits.is_refused = True
    return sorted(found, reverse=True)  # what is put on the stack last is looked at first


def _may(real: Path, bound: Path, places: ProofPlaces) -> bool:
    """Return True if a real path, found from `bound` on, may be looked at."""
    if not real.is_relative_to(bound) or any(real.is_relative_to(one) for one in SYSTEM):
        return False
    if any(real.is_relative_to(_real(Path(one))) for one in places.private):
        return False
    if any(real.is_relative_to(_real(Path(one))) for one in places.workspaces):
        return True
    home = _real(Path(places.home))
    return real == home or not real.is_relative_to(home) or not real.relative_to(home).parts[0].startswith(".")


def _real(path: Path) -> Path:
    """Return where a path leads; `Path.resolve` would raise where links lead in a circle."""
    return Path(os.path.realpath(path))


def _fit(path: Path, since: datetime) -> _Fit | None:
    """Return a plain file or folder; None for anything else, and for what is gone."""
    try:
        state = path.lstat()
    except OSError:
        return None
    is_file = stat.S_ISREG(state.st_mode)
    if not is_file and not stat.S_ISDIR(state.st_mode):
        return None
    return _Fit(
        path=str(path), size=state.st_size, is_file=is_file, is_new=state.st_ctime >= since.timestamp() - CLOCK_S
    )


def holds(path: Path, wanted: bytes, limits: LookLimits) -> bool:
    """Return True if a plain file holds these bytes; nothing else does, and a pipe in its place cannot hold us up."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        limits.is_refused = True
        return False
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return False
        kept = b""
        while (room := limits.room()) and (chunk := os.read(descriptor, room)):
            limits.read(len(chunk))
            if wanted in kept + chunk:
                return True
            kept = (kept + chunk)[-len(wanted) + 1 :] if len(wanted) > 1 else b""
    except OSError:
        limits.is_refused = True
    finally:
        os.close(descriptor)
    return False


def _told(fits: Sequence[_Fit]) -> Wording:
    shown = [
        say("{path} ({size} bytes)", path=RepositoryText(fit.path), size=fit.size)
        if fit.is_file
        else say("{path}", path=RepositoryText(fit.path))
        for fit in fits[:TOLD_MAX]
    ]
    words = shown[0]
    for one in shown[1:]:
        words = say("{before}, {one}", before=words, one=one)
    more = len(fits) - len(shown)
    return say("{files} and {more} more", files=words, more=more) if more else words


def _finding(need: FileNeed, state: Literal["there", "missing", "unknown"], words: Wording) -> ProofFinding:
    return ProofFinding(part=need, state=state, words=LogText(words.text))
