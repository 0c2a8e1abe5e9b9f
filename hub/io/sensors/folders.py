"""The watched folders of texts and pictures: links that lead nowhere, old versions, the last backup, no versioning.

That is a folder without git, or a repository without program text. All files of a folder are listed, with their times;
only texts that changed are read. Symbolic links are not followed, and repositories within are not entered. A folder
with more files than are looked at yields nothing, for half a listing would make false claims.
"""

import hashlib
import os
import stat
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import islice
from pathlib import Path, PurePosixPath

from hub.contract.base import Value
from hub.domain.first_version import LARGE_MEDIA_ENDINGS
from hub.domain.provenance import RepositoryText
from hub.domain.readings import AnyReading, FolderReading
from hub.domain.situation import DocumentFolder, MissingLink, SinceBackup, Unversioned
from hub.io.sensors.bounded import entries, head
from hub.io.sensors.file_stamps import Stamp, stamp_of
from hub.io.sensors.git_program import is_installed
from hub.io.sensors.guard import DiskSensor, UnreadableError
from hub.io.sensors.tree import IGNORED_FOLDERS, is_noise, is_versioned
from hub.kit.text import one_line
from hub.sense.modules import SOURCE_NAME
from hub.sense.playbooks import MANIFESTS
from hub.sense.text_links import HTML, TEXTS, Link, links_in, missing, name_key
from hub.sense.versions import KINDS, FolderFile, old_versions

FILES_MAX = 5_000
FOLDERS_MAX = 1_000
KNOWN_MAX = 2 * FILES_MAX
"""So many files are remembered, those that are gone included."""
TEXTS_MAX = 500
TEXT_BYTES_MAX = 256 * 1024
COMPARED_BYTES_MAX = 16 * 1024 * 1024
COMPARED_MAX = 40
"""So many files are read at one look to tell whether they are the same."""
MISSING_MAX = 50
OLD_VERSIONS_MAX = 10
LIVE = timedelta(days=60)
"""A text that has not been written for longer is not being worked on, and nobody misses what it links to."""
REREAD_AFTER = timedelta(minutes=15)
REREAD_UNWATCHED_AFTER = timedelta(minutes=5)
BACKUP_ENTRIES_MAX = 2_000
BACKUP_DEPTH_MAX = 2
EDITED_WITHIN = timedelta(days=14)
VERSIONED_BYTES_MAX = 200 * 1024 * 1024
VERSIONED_FILE_BYTES_MAX = 50 * 1024 * 1024
NAME_CHARS_MAX = 80
SYNCHRONISED = ("dropbox", "onedrive", "google drive", "googledrive", "icloud", "clouddocs", "nextcloud", "owncloud")
"""Folders that are kept alike elsewhere: their service keeps versions, and would tear a repository apart."""
PAGES = (*HTML, ".css")


class SeenFolder(Value):
    """A folder as last read, and when; None where it is no folder of texts and pictures."""

    found: DocumentFolder | None
    at: datetime


class FolderListing(Value):
    """The files of a folder; `is_whole` is False where there were more, `holds_repository` where one lies within."""

    files: tuple[FolderFile, ...]
    stamps: dict[str, Stamp]
    is_whole: bool
    holds_repository: bool


class FolderSensor(DiskSensor):
    """Looks at a folder when something in it changed, and now and then."""

    name = "folders"
    read_s_max = 20.0

    def __init__(
        self,
        workspaces: Sequence[Path],
        *,
        zone: tzinfo,
        backup: Path | None = None,
        without: Path | None = None,
        is_watched: Callable[[], bool] = lambda: False,
    ) -> None:
        """Prepare to look.

        Args:
            workspaces: the folders; a repository by its top.
            zone: the person's time zone, for days.
            backup: the folder in which backups are put, if the person named one.
            without: a folder that is left out, and all below.
            is_watched: whether `invalidate` would be called for a change.
        """
        super().__init__()
        self._workspaces = tuple(dict.fromkeys(workspaces))
        self._zone = zone
        self._backup = backup
        self._left_out = tuple(each for each in (without, backup) if each is not None)
        self._is_watched = is_watched
        self._dirty: set[Path] = set(self._workspaces)
        self._seen: dict[Path, SeenFolder] = {}
        self._known: dict[Path, dict[str, Stamp]] = {}
        self._links: dict[Path, dict[str, tuple[Stamp, tuple[Link, ...]]]] = {}
        self._digests: dict[tuple[str, Stamp], str] = {}

    def invalidate(self, workspace: Path) -> None:
        """Say that something changed in a folder; it is looked at again at the next reading."""
        if workspace in self._workspaces:
            self._dirty.add(workspace)

    def look(self, now: datetime) -> AnyReading:
        """Look at each folder that may have changed; one that cannot be read is named."""
        if not self._workspaces:
            raise UnreadableError("No workspace is configured.")
        wrong = []
        for workspace in self._workspaces:
            before = self._seen.get(workspace)
            after = REREAD_AFTER if self._is_watched() else REREAD_UNWATCHED_AFTER
            if before is None or workspace in self._dirty or abs(now - before.at) >= after:
                self._dirty.discard(workspace)
                self._seen[workspace] = SeenFolder(found=self._folder(workspace, now), at=now)
            if not workspace.is_dir():
                wrong.append(f"{workspace} is not a folder")
        if len(wrong) == len(self._workspaces):
            raise UnreadableError(f"{'; '.join(wrong)}.")
        found = (self._seen[each].found for each in self._workspaces)
        return FolderReading(folders=tuple(each for each in found if each is not None), wrong=tuple(wrong))

    def _folder(self, top: Path, now: datetime) -> DocumentFolder | None:
        is_repository = (top / ".git").exists()
        if is_repository and any((top / name).exists() for name in MANIFESTS):
            return None
        listing = list_folder(top, self._left_out)
        if is_repository and any(_is_program(file.path) for file in listing.files):
            return None
        path, name = str(top), RepositoryText(one_line(top.name, NAME_CHARS_MAX))
        if not listing.is_whole:
            self._links.pop(top, None)
            return DocumentFolder(path=path, name=name, is_cut=True)
        links = self._links_of(top, listing, now)
        lost = tuple(islice(_missing(top, listing, links, self._formerly(top, listing)), MISSING_MAX + 1))
        old = old_versions(listing.files, links, self._differ(top, listing), now)
        can_be_one = not is_repository and not listing.holds_repository
        return DocumentFolder(
            path=path,
            name=name,
            missing_links=lost[:MISSING_MAX],
            is_cut_at_links=len(lost) > MISSING_MAX,
            old_versions=tuple(islice(old, OLD_VERSIONS_MAX)),
            since_backup=self._since_backup(listing),
            unversioned=self._unversioned(top, listing, now) if can_be_one else None,
        )

    def _formerly(self, top: Path, listing: FolderListing) -> dict[str, str]:
        """Return the files that were seen before and are gone, each with where it lies now (empty if nowhere)."""
        known = {**self._known.get(top, {}), **listing.stamps}
        self._known[top] = known if len(known) <= KNOWN_MAX else listing.stamps
        places = {stamp: path for path, stamp in listing.stamps.items()}
        return {path: places.get(stamp, "") for path, stamp in known.items() if path not in listing.stamps}

    def _links_of(self, top: Path, listing: FolderListing, now: datetime) -> dict[str, tuple[Link, ...]]:
        """Return the links of each text that is alive; only those are read that changed."""
        before, after = self._links.get(top, {}), dict[str, tuple[Stamp, tuple[Link, ...]]]()
        for text in _alive(listing, now):
            stamp, known = listing.stamps[text.path], before.get(text.path)
            after[text.path] = known if known and known[0] == stamp else (stamp, _read_links(top, text.path))
        self._links[top] = after
        return {path: links for path, (_, links) in after.items()}

    def _differ(self, top: Path, listing: FolderListing) -> Callable[[FolderFile, FolderFile], bool]:
        left = COMPARED_MAX

        def digest(file: FolderFile) -> str:
            nonlocal left
            key = (str(top / file.path), listing.stamps[file.path])
            if key not in self._digests:
                left -= 1
                self._digests[key] = _digest(top / file.path) if left >= 0 else ""
            return self._digests[key]

        def differ(one: FolderFile, other: FolderFile) -> bool:
            if one.size != other.size:
                return True
            mine, theirs = digest(one), digest(other)
            return bool(mine and theirs) and mine != theirs

        known = {(str(top / path), stamp) for path, stamp in listing.stamps.items()}
        below = f"{top}{os.sep}"
        self._digests = {
            key: value
            for key, value in self._digests.items()
            if value and (key in known or not key[0].startswith(below))
        }
        return differ

    def _since_backup(self, listing: FolderListing) -> SinceBackup | None:
        at = None if self._backup is None else _last_written_to(self._backup)
        if at is None:
            return None
        since = [file for file in listing.files if file.written_at > at]
        return SinceBackup(backup_at=at, files=len(since), size=sum(file.size for file in since))

    def _unversioned(self, top: Path, listing: FolderListing, now: datetime) -> Unversioned | None:
        if not _may_become_repository(top):
            return None
        kept = [file for file in listing.files if not file.path.lower().endswith(LARGE_MEDIA_ENDINGS)]
        size = sum(file.size for file in kept)
        if size > VERSIONED_BYTES_MAX or any(file.size > VERSIONED_FILE_BYTES_MAX for file in kept):
            return None
        ours = [file for file in kept if file.path.lower().endswith(KINDS)]
        edited = (file.written_at for file in ours if timedelta(0) <= now - file.written_at <= EDITED_WITHIN)
        days = {at.astimezone(self._zone).date() for at in edited}
        times = [file.written_at for file in ours] or [now]
        return Unversioned(files=len(ours), size=size, days=len(days), oldest_at=min(times), newest_at=max(times))


def list_folder(top: Path, without: Sequence[Path] = ()) -> FolderListing:
    """List what people see of a folder, without the folders named and what lies in repositories within it."""
    files, stamps = list[FolderFile](), dict[str, Stamp]()
    waiting, folders, holds_repository = [""], 0, False
    left_out = {str(each) for each in without}
    while waiting:
        relative, folders = waiting.pop(), folders + 1
        for entry in entries(top / relative):
            path = f"{relative}/{entry.name}" if relative else entry.name
            if not _is_looked_at(entry) or entry.path in left_out:
                continue
            if entry.is_dir(follow_symlinks=False):
                is_repository = os.path.lexists(f"{entry.path}/.git")
                holds_repository = holds_repository or is_repository
                waiting += [] if is_repository else [path]
            elif entry.is_file(follow_symlinks=False) and (seen := _seen(entry, path)) is not None:
                file, stamps[path] = seen
                files.append(file)
        if len(files) > FILES_MAX or folders + len(waiting) > FOLDERS_MAX:
            return FolderListing(files=(), stamps={}, is_whole=False, holds_repository=holds_repository)
    files.sort(key=lambda file: file.path)
    return FolderListing(files=tuple(files), stamps=stamps, is_whole=True, holds_repository=holds_repository)


def missing_links(top: Path, listing: FolderListing, now: datetime) -> Iterator[MissingLink]:
    """Yield the links of all texts that are alive whose files are not there."""
    return _missing(top, listing, {text.path: _read_links(top, text.path) for text in _alive(listing, now)}, {})


def _alive(listing: FolderListing, now: datetime) -> list[FolderFile]:
    """Return the texts that were written lately, the last first."""
    texts = [each for each in listing.files if each.path.lower().endswith(TEXTS) and now - each.written_at <= LIVE]
    return sorted(texts, key=lambda file: file.written_at, reverse=True)[:TEXTS_MAX]


def _is_looked_at(entry: "os.DirEntry[str]") -> bool:
    """Return True for what people see of a folder; not for what is hidden, a by-product, or no text in name."""
    name = entry.name
    is_ours = not name.startswith((".", "~$")) and not is_noise(name) and name not in IGNORED_FOLDERS
    return is_ours and name.isprintable()


def _seen(entry: "os.DirEntry[str]", path: str) -> tuple[FolderFile, Stamp] | None:
    try:
        status = entry.stat(follow_symlinks=False)
        written_at = datetime.fromtimestamp(status.st_mtime, UTC)
    except (OSError, ValueError, OverflowError):
        return None
    return FolderFile(path=path, size=status.st_size, written_at=written_at), stamp_of(status)


def _is_program(path: str) -> bool:
    return SOURCE_NAME.search(path) is not None and not path.lower().endswith(PAGES)


def _read_links(top: Path, path: str) -> tuple[Link, ...]:
    try:
        raw = head(top / path, TEXT_BYTES_MAX + 1, follow=False)
    except OSError:
        return ()
    return () if len(raw) > TEXT_BYTES_MAX or b"\0" in raw else links_in(path, raw.decode("utf-8", "replace"))


def _missing(
    top: Path, listing: FolderListing, links: dict[str, tuple[Link, ...]], formerly: dict[str, str]
) -> Iterator[MissingLink]:
    paths = {unicodedata.normalize("NFC", file.path) for file in listing.files}
    by_name: dict[str, tuple[str, ...]] = {}
    for file in listing.files:
        by_name[name_key(file.path)] = (*by_name.get(name_key(file.path), ())[:1], file.path)

    def has(path: str) -> bool:
        return unicodedata.normalize("NFC", path) in paths or _may_be_there(top, path)

    written = {file.path: file.written_at for file in listing.files}
    for text, linked in links.items():
        yield from missing(text, written[text], linked, has, by_name=by_name, formerly=formerly)


def _may_be_there(top: Path, path: str) -> bool:
    """Return True unless nothing is there for certain; what is hidden, made by tools or behind a link may be."""
    parts = PurePosixPath(path).parts
    if not IGNORED_FOLDERS.isdisjoint(parts) or any(part.startswith(".") for part in parts):
        return True
    place = top
    for part in parts:
        place /= part
        try:
            if stat.S_ISLNK(place.lstat().st_mode):
                return True
        except FileNotFoundError:
            return False
        except (OSError, ValueError):
            return True
    return True


def _digest(path: Path) -> str:
    try:
        raw = head(path, COMPARED_BYTES_MAX + 1, follow=False)
    except OSError:
        return ""
    return "" if len(raw) > COMPARED_BYTES_MAX else hashlib.sha256(raw).hexdigest()


def _last_written_to(backup: Path) -> datetime | None:
    """Return when something was last put into a folder, by the times that the system sets; None for nothing."""
    latest, left, waiting = 0.0, BACKUP_ENTRIES_MAX, [(backup, 0)]
    while waiting and left > 0:
        folder, depth = waiting.pop()
        for entry in entries(folder):
            left -= 1
            try:
                latest = max(latest, entry.stat(follow_symlinks=False).st_ctime)
            except OSError:
                continue
            if depth < BACKUP_DEPTH_MAX and entry.is_dir(follow_symlinks=False):
                waiting.append((Path(entry.path), depth + 1))
    return datetime.fromtimestamp(latest, UTC) if latest else None


def _may_become_repository(top: Path) -> bool:
    """Return False for a folder under version control, a home, a synchronised one, and where git is not installed."""
    home = Path.home()
    is_too_high = top == home or home.is_relative_to(top)
    is_synchronised = any(part.casefold().startswith(SYNCHRONISED) for part in top.parts)
    return not (is_too_high or is_synchronised or is_versioned(top)) and is_installed()
