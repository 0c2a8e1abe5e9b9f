"""Texts link to files, or show pictures, that are not there. Urgency: 0.55; 0.6 where a file of that name is found.

Who writes a text often links to what they are about to draw: until it has lain for ten minutes, nothing is missed.
"""

from collections.abc import Iterator
from datetime import timedelta

from msgspec.structs import replace

from hub.domain.provenance import Wording, say
from hub.domain.situation import DocumentFolder, MissingLink, Situation
from hub.domain.suggestion import Candidate
from hub.what.day import Hours
from hub.what.reasons import digest, state
from hub.what.sighting import looked_at_folder
from hub.what.text import clean

KIND = "missing-links"
SENSOR = "folders"
DRIVE = "unfinished"
FITS: Hours = {"morning": 0.8, "afternoon": 0.8, "evening": 0.5, "night": 0.3}
URGENCY, URGENCY_MOVED = 0.55, 0.6
WRITING = timedelta(minutes=10)
SHOWN_MAX = 3


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one idea per folder; one more missing file is a new reason."""
    for folder in situation.folders or ():
        settled = tuple(each for each in folder.missing_links if situation.at - each.written_at >= WRITING)
        links = settled or folder.missing_links
        if links:
            idea = looked_at_folder(
                folder,
                kind=KIND,
                reason_key=f"{KIND}:{digest(folder.path)}",
                signature=_signature(links),
                prompt=say("See which {links} nowhere", links=_counted(len(links))),
                reasoning=_reasoning(links),
                urgency=URGENCY_MOVED if any(each.perhaps for each in links) else URGENCY,
                args=(say("links"),),
            )
            yield idea if settled else replace(idea, comes="when asked")


def turns(situation: Situation) -> Iterator[timedelta]:
    """Yield when each text has lain for long enough."""
    for folder in situation.folders or ():
        yield from (each.written_at - situation.at + WRITING for each in folder.missing_links)


def is_mended(signature: str, folder: DocumentFolder) -> bool:
    """Return True if none of the links that a card was made for is missing any more, in whatever text it stands."""
    told, missing = (set(each.partition("|")[2].split(",")) for each in (signature, _signature(folder.missing_links)))
    return told.isdisjoint(missing) and not folder.is_cut_at_links


def _signature(links: tuple[MissingLink, ...]) -> str:
    return state("missing", (digest(each.text, each.target) for each in links))


def _counted(links: int) -> str:
    return "link leads" if links == 1 else f"{links} links lead"


def _reasoning(links: tuple[MissingLink, ...]) -> Wording:
    told = Wording()
    for each in links[:SHOWN_MAX]:
        told = say("{told}{one}{space}", told=told, one=_told(each), space="" if each is links[-1] else " ")
    rest = len(links) - SHOWN_MAX
    return say("{told}{more}", told=told, more=f"And {rest} more." if rest > 0 else "")


def _told(link: MissingLink) -> Wording:
    perhaps = say(", perhaps it is {path} now", path=clean(link.perhaps)) if link.perhaps else ""
    return say(
        "{text}, line {line}: {target} is not there{perhaps}.",
        text=clean(link.text),
        line=link.line,
        target=clean(link.target),
        perhaps=perhaps,
    )
