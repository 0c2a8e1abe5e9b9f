"""Writes down which links of a folder's texts lead nowhere, how the versions of a document differ, or what changed."""

import asyncio
import difflib
from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path

from hub.contract.words import Risk
from hub.do import clip_line
from hub.domain.execution import RunResult, not_started
from hub.domain.provenance import say, untrusted
from hub.domain.situation import MissingLink
from hub.io.agents.defining import read_regular
from hub.io.agents.playbook.shape import Playbook
from hub.io.agents.playbook.workplace import Workplace, file_name
from hub.io.sensors.folders import FolderListing, list_folder, missing_links
from hub.kit.text import counted, file_size
from hub.sense.text_links import TEXTS
from hub.sense.versions import FolderFile, versions_of

LISTED_MAX = 200
TEXT_BYTES_MAX = 1024 * 1024
COMPARED_BYTES_MAX = 64 * 1024 * 1024
LINES_MAX = 4_000
KNOWN = "links or versions and a file, or backup and when it was made"
TOO_MUCH = say("There are more files in this folder than Pulse looks at.")


async def look_at_folder(place: Workplace) -> RunResult:
    """Look at what the arguments name: `links` or `versions` and a file, or `backup` and a time of ISO 8601.

    A folder of missing files ends with a slash.
    """
    listing = await asyncio.to_thread(list_folder, place.workspace, (place.home,))
    if not listing.is_whole:
        return not_started(TOO_MUCH)
    match place.job.args:
        case ("links", about):
            lines = await asyncio.to_thread(_links, place.workspace, listing, about, place.now)
            name = about.rstrip("/").rpartition("/")[2]
            return place.note(f"Links that lead nowhere: {about}", lines, topic=f"links-{file_name(name)}")
        case ("versions", path):
            lines = await asyncio.to_thread(_versions, place.workspace, listing, path, place.now)
            stem = path.rpartition("/")[2]
            return place.note(f"Versions of {stem}", lines, topic=f"versions-{file_name(stem)}")
        case ("backup", at):
            return _backup(place, listing, at)
    return not_started(say("This checks one thing: {names}.", names=KNOWN))


def _links(top: Path, listing: FolderListing, about: str, now: datetime) -> tuple[str, ...]:
    meant = (link for link in missing_links(top, listing, now) if _is_meant(link, about))
    lines = [
        f"- `{clip_line(untrusted(link.text))}`, line {link.line}: `{clip_line(untrusted(link.target))}` is not there"
        + (f"; perhaps it is `{clip_line(untrusted(link.perhaps))}` now" if link.perhaps else "")
        for link in islice(meant, LISTED_MAX)
    ]
    return (*(lines or ("Nothing is missing there anymore.",)), "", "Nothing was changed.")


def _is_meant(link: MissingLink, about: str) -> bool:
    """Return True if a missing file is the one that is named, or lies in the folder that is."""
    path = untrusted(link.path)
    return path == about or (about.endswith("/") and path.rpartition("/")[0] == about[:-1])


def _versions(top: Path, listing: FolderListing, path: str, now: datetime) -> tuple[str, ...]:
    found = sorted(versions_of(path, listing.files), key=lambda file: file.written_at, reverse=True)
    if not found:
        return ("It no longer exists.",)
    return (
        "Most recently written first.",
        "",
        *(line for number, file in enumerate(found) for line in _version(top, file, found[:number], now)),
        "",
        "Nothing was changed.",
    )


def _version(top: Path, file: FolderFile, later: list[FolderFile], now: datetime) -> Iterator[str]:
    written = file.written_at.astimezone(now.tzinfo)
    yield f"- `{clip_line(file.path)}`, {written:%Y-%m-%d %H:%M}, {file_size(file.size)}"
    if later:
        yield f"  {_compared(top, file, later[0])}"


def _compared(top: Path, older: FolderFile, newest: FolderFile) -> str:
    """Return how a file differs from the one that was written last, in words."""
    before, after = (read_regular(top / file.path, COMPARED_BYTES_MAX + 1) for file in (older, newest))
    if before is None or after is None or max(len(before), len(after)) > COMPARED_BYTES_MAX:
        return "cannot be compared"
    if before == after:
        return f"the same as `{clip_line(newest.path)}`"
    is_text = newest.path.lower().endswith((*TEXTS, ".txt", ".csv")) and max(len(before), len(after)) <= TEXT_BYTES_MAX
    old, new = (raw.decode("utf-8", "replace").splitlines() for raw in (before, after))
    if not is_text or max(len(old), len(new)) > LINES_MAX:
        return "differs"
    changes = difflib.SequenceMatcher(None, old, new, autojunk=True).get_opcodes()
    added = sum(end - start for kind, _, _, start, end in changes if kind != "equal")
    removed = sum(end - start for kind, start, end, _, _ in changes if kind != "equal")
    return f"differs: the newest version adds {counted(added, 'line')} and drops {counted(removed, 'line')}"


def _backup(place: Workplace, listing: FolderListing, at: str) -> RunResult:
    try:
        since = datetime.fromisoformat(at)
    except ValueError:
        return not_started(say("This checks one thing: {names}.", names=KNOWN))
    changed = sorted((file for file in listing.files if file.written_at > since), key=lambda file: -file.size)
    lines = [f"- {file_size(file.size)}  `{clip_line(file.path)}`" for file in changed[:LISTED_MAX]]
    rest = len(changed) - LISTED_MAX
    more = (f"and {counted(rest, 'more file')}",) if rest > 0 else ()
    told = f"{counted(len(changed), 'file')} ({file_size(sum(file.size for file in changed))}), the largest first."
    return place.note(
        f"Changed since {since.astimezone(place.now.tzinfo):%Y-%m-%d %H:%M}", (told, "", *lines, *more), topic="backup"
    )


PLAYBOOK = Playbook(
    name="look-at-folder",
    description="Write a note on links that lead nowhere, a document's versions, or what changed since a backup.",
    risk=Risk.LOW,
    needs="a folder; its arguments name what to look at",
    work=look_at_folder,
)
