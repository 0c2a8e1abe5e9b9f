"""Files that are one document in versions, by their names: `plan.md`, `plan v2.md`, `plan_final2 (1).md`.

A name gives an order only where it says so: drafts first, then by number, then what is called final. The bare name is
the first version, unless there is a v1 beside it: then it is the working copy and has no place in the order, as a copy
has none. The order by name is compared with the order by time, and only a contradiction is worth a mention.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime, timedelta

from msgspec.structs import replace

from hub.contract.base import Value
from hub.domain.provenance import RepositoryText
from hub.domain.situation import OldVersion
from hub.sense.text_links import DOCUMENTS, PICTURES, TEXTS, Link

KINDS = (*TEXTS, *DOCUMENTS, *PICTURES)
VERSIONS_MAX = 50
"""More files of one name than this are a series, not a document in versions."""
APART = timedelta(minutes=10)
"""Files that were written closer together came together: unpacked, copied, synchronised."""
RECENT = timedelta(days=14)
MANY = 5
"""From this many versions in order on, one more is worth a mention."""
JUST_NOW = timedelta(days=1)

_COPY = re.compile(r"(?:\s*\(\d{1,2}\)|[\s_-]+(?:copy|kopie)(?:[\s_-]*\d{1,2})?)$", re.IGNORECASE)
_COPY_OF = re.compile(r"^(?:copy of|kopie von)\s+", re.IGNORECASE)
_NUMBER = re.compile(r"[\s_.-]+v(?:er(?:sion)?)?[\s_.-]{0,2}(\d{1,3})(?:[._](\d{1,3}))?$", re.IGNORECASE)
_FINAL = re.compile(r"[\s_.-]+(?:final|endg(?:ü|ue)ltig|endfassung)[\s_.-]{0,2}(\d{1,2})?$", re.IGNORECASE)
_DRAFT = re.compile(r"[\s_.-]+(?:draft|entwurf|old|backup|bak)$", re.IGNORECASE)

Rank = tuple[int, ...]
BARE: Rank = (1, 1, 0, 0)
FIRST: Rank = (1, 1)
DRAFT: Rank = (0,)


class FolderFile(Value):
    """A file of the folder: its path from the top, its bytes, and when it was last written."""

    path: str
    size: int
    written_at: datetime


class Version(Value):
    """A file as its name tells: the document's, and its place among the versions, None where it tells none."""

    file: FolderFile
    name: str
    rank: Rank | None
    is_marked: bool
    is_bare: bool


def old_versions(
    files: Iterable[FolderFile],
    links: Mapping[str, tuple[Link, ...]],
    differ: Callable[[FolderFile, FolderFile], bool],
    now: datetime,
) -> Iterator[OldVersion]:
    """Yield each document of which an older version was edited last, or is what a text links to.

    Args:
        files: all files of the folder.
        links: the links of each text, by the text's path.
        differ: tells whether two files surely hold different things.
        now: the present moment.
    """
    for versions in _documents(files):
        found = _edited(versions, differ, now) or _linked(versions, links, differ) or _many(versions, now)
        if found is not None:
            yield found


def versions_of(path: str, files: Iterable[FolderFile]) -> tuple[FolderFile, ...]:
    """Return the files that are one document with the file at a path; none where there is no such file."""
    documents = (tuple(each.file for each in versions) for versions in _documents(files))
    return next((each for each in documents if any(file.path == path for file in each)), ())


def as_version(file: FolderFile) -> Version:
    """Read what a file's name tells."""
    stem = unicodedata.normalize("NFC", file.path.rpartition("/")[2].rpartition(".")[0])
    name, is_copy = _COPY_OF.sub("", stem), _COPY_OF.match(stem) is not None
    while (copied := _COPY.search(name)) is not None and copied.start() > 0:
        name, is_copy = name[: copied.start()], True
    final, number, draft = None, None, None
    if (found := _FINAL.search(name)) is not None and found.start() > 0:
        name, final = name[: found.start()], int(found[1] or 1)
    if (found := _NUMBER.search(name)) is not None and found.start() > 0:
        name, number = name[: found.start()], (int(found[1]), int(found[2] or 0))
    if (found := _DRAFT.search(name)) is not None and found.start() > 0 and final is None:
        name, draft = name[: found.start()], True
    is_marked = bool(final or number or draft)
    rank = _rank(final, number, is_draft=bool(draft))
    is_bare = not is_marked and not is_copy
    return Version(file=file, name=name, rank=None if is_copy else rank, is_marked=is_marked, is_bare=is_bare)


def _rank(final: int | None, number: tuple[int, int] | None, *, is_draft: bool) -> Rank:
    if is_draft:
        return DRAFT
    if number is not None:
        return (1, *number, final or 0)
    return BARE if final is None else (2, final)


def _documents(files: Iterable[FolderFile]) -> Iterator[list[Version]]:
    found: dict[tuple[str, str, str], list[Version]] = {}
    for file in files:
        folder, _, name = file.path.rpartition("/")
        ending = name[name.rfind(".") :].lower()
        if ending in KINDS:
            version = as_version(file)
            found.setdefault((folder, version.name.casefold(), ending), []).append(version)
    for versions in found.values():
        if 1 < len(versions) <= VERSIONS_MAX and any(each.is_marked for each in versions):
            has_first = any(each.is_marked and each.rank is not None and each.rank[:2] == FIRST for each in versions)
            yield [replace(each, rank=None) if has_first and each.is_bare else each for each in versions]


def _newest(versions: list[Version]) -> Version | None:
    """Return the newest by its name; None where two could be, or none tells."""
    ranked = sorted((each for each in versions if each.rank is not None), key=lambda each: each.rank or ())
    is_clear = len(ranked) > 1 and ranked[-1].rank != ranked[-2].rank
    return ranked[-1] if is_clear else None


def _edited(
    versions: list[Version], differ: Callable[[FolderFile, FolderFile], bool], now: datetime
) -> OldVersion | None:
    newest, last = _newest(versions), max(versions, key=lambda each: each.file.written_at)
    if newest is None or last.rank is None or last is newest:
        return None
    is_later = last.file.written_at - newest.file.written_at >= APART
    is_recent = now - last.file.written_at <= RECENT
    if not (is_later and is_recent and differ(last.file, newest.file)):
        return None
    return _told(versions, newest, last)


def _linked(
    versions: list[Version],
    links: Mapping[str, tuple[Link, ...]],
    differ: Callable[[FolderFile, FolderFile], bool],
) -> OldVersion | None:
    newest = _newest(versions)
    if newest is None:
        return None
    older = {
        each.file.path: each
        for each in versions
        if each.rank is not None and each is not newest and newest.file.written_at - each.file.written_at >= APART
    }
    own = {each.file.path for each in versions}
    for text, linked in links.items():
        paths = {link.path for link in linked}
        if text in own or newest.file.path in paths:
            continue
        for link in linked:
            if link.path in older and differ(older[link.path].file, newest.file):
                return _told(versions, newest, older[link.path], text=text, line=link.line)
    return None


def _many(versions: list[Version], now: datetime) -> OldVersion | None:
    """Return a document that has just got one version more, and has so many that the wrong one is soon taken."""
    newest = _newest(versions)
    ranked = [each for each in versions if each.rank is not None]
    if newest is None or len(ranked) < MANY or now - newest.file.written_at > JUST_NOW:
        return None
    ordered = sorted(ranked, key=lambda each: each.file.written_at)
    return _told(versions, newest, ordered[-2], is_many=True) if ordered[-1] is newest else None


def _told(
    versions: list[Version], newest: Version, older: Version, *, text: str = "", line: int = 0, is_many: bool = False
) -> OldVersion:
    return OldVersion(
        name=RepositoryText(newest.name),
        count=len(versions),
        newest=RepositoryText(newest.file.path),
        newest_at=newest.file.written_at,
        older=RepositoryText(older.file.path),
        older_at=older.file.written_at,
        linked_in=RepositoryText(text),
        line=line,
        is_many=is_many,
    )
