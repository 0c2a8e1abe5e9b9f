"""Texts link to files, or show pictures, that are not there. Urgency: 0.65, and 0.7 where the file lies elsewhere.

Who writes a text often links to what they are about to draw: until it has lain for ten minutes, only what was there
before is missed. Each missing file is a matter of its own, for it is put back or renamed by itself; many of one folder
went together, and are one.
"""

from collections.abc import Iterator
from datetime import timedelta

from msgspec.structs import replace

from hub.domain.provenance import RepositoryText, Wording, quoted, say
from hub.domain.situation import DocumentFolder, MissingLink, Situation
from hub.domain.suggestion import Candidate
from hub.what.day import Hours
from hub.what.reasons import digest, items_of, state
from hub.what.sighting import looked_at_folder
from hub.what.text import clean

KIND = "missing-links"
SENSOR = "folders"
DRIVE = "unfinished"
FITS: Hours = {"morning": 0.8, "afternoon": 0.8, "evening": 0.5, "night": 0.3}
URGENCY, URGENCY_MOVED = 0.65, 0.7
WRITING = timedelta(minutes=10)
TOGETHER_MIN = 4
"""So many missing files of one folder are one matter."""
SHOWN_MAX = 3

Files = dict[RepositoryText, list[MissingLink]]
"""Missing files by their paths, with the links that lead to each."""


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one idea per missing file, or per folder of them; one more file there is a new reason."""
    for folder in situation.folders or ():
        for place, files in _by_place(folder).items():
            settled = {path: links for path, links in files.items() if any(_is_missed(situation, one) for one in links)}
            if len(settled) >= TOGETHER_MIN:
                yield _idea(folder, place.map(lambda path: f"{path}/"), settled)
            else:
                for path, links in files.items():
                    idea = _idea(folder, path, {path: links})
                    yield idea if path in settled else replace(idea, comes="when asked")


def turns(situation: Situation) -> Iterator[timedelta]:
    """Yield when each text has lain for long enough."""
    for folder in situation.folders or ():
        yield from (each.written_at - situation.at + WRITING for each in folder.missing_links)


def is_mended(signature: str, folder: DocumentFolder) -> bool:
    """Return True if none of the files that a card was made for is missing any more."""
    missing = _signature({each.path: [each] for each in folder.missing_links})
    return items_of(signature).isdisjoint(items_of(missing)) and not folder.is_cut_at_links


def _by_place(folder: DocumentFolder) -> dict[RepositoryText, Files]:
    found: dict[RepositoryText, Files] = {}
    for link in folder.missing_links:
        place = link.path.map(lambda path: path.rpartition("/")[0])
        found.setdefault(place, {}).setdefault(link.path, []).append(link)
    return found


def _is_missed(situation: Situation, link: MissingLink) -> bool:
    return link.was_there or bool(link.perhaps) or situation.at - link.written_at >= WRITING


def _idea(folder: DocumentFolder, about: RepositoryText, files: Files) -> Candidate:
    links = [link for each in files.values() for link in each]
    first = next(iter(files)).map(lambda path: path.rpartition("/")[2])
    one = say("Check the link to {name}, which is missing", name=quoted(clean(first)))
    return looked_at_folder(
        folder,
        kind=KIND,
        reason_key=f"{KIND}:{digest(folder.path, about)}",
        signature=_signature(files),
        prompt=one if len(files) == 1 else say("Check the links to {count} missing files", count=len(files)),
        reasoning=_reasoning(links),
        urgency=URGENCY_MOVED if any(each.perhaps for each in links) else URGENCY,
        args=(say("links"), say("{about}", about=about)),
    )


def _signature(files: Files) -> str:
    return state("missing", files)


def _reasoning(links: list[MissingLink]) -> Wording:
    told = Wording()
    for number, each in enumerate(links[:SHOWN_MAX]):
        told = say("{told} {another}", told=told, another=_told(each)) if number else _told(each)
    rest = len(links) - SHOWN_MAX
    return say("{told} And {rest} more.", told=told, rest=rest) if rest > 0 else told


def _told(link: MissingLink) -> Wording:
    perhaps = say(", perhaps it is {path} now", path=clean(link.perhaps)) if link.perhaps else ""
    return say(
        "{text}, line {line}: {target} does not exist{perhaps}.",
        text=clean(link.text),
        line=link.line,
        target=clean(link.target),
        perhaps=perhaps,
    )
