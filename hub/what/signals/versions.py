"""A document of which an older version is edited or linked to (urgency 0.65), or that has many versions (0.5)."""

from collections.abc import Iterator

from hub.domain.provenance import Wording, quoted, say
from hub.domain.situation import DocumentFolder, OldVersion, Situation
from hub.domain.suggestion import Candidate
from hub.what.day import Hours
from hub.what.reasons import digest, state
from hub.what.sighting import at_time, looked_at_folder, moment_said
from hub.what.text import clean

KIND = "old-version"
SENSOR = "folders"
DRIVE = "unfinished"
FITS: Hours = {"morning": 0.8, "afternoon": 0.8, "evening": 0.5, "night": 0.3}
URGENCY, URGENCY_MANY = 0.65, 0.5
STEPS = (5, 8, 12, 20, 30)
DOCUMENTS_MAX = 3


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one idea per document, those first that were written last; another pair of files is a new reason."""
    for folder in situation.folders or ():
        latest = sorted(folder.old_versions, key=lambda one: max(one.older_at, one.newest_at), reverse=True)
        yield from (_idea(situation, folder, one) for one in latest[:DOCUMENTS_MAX])


def _idea(situation: Situation, folder: DocumentFolder, one: OldVersion) -> Candidate:
    return looked_at_folder(
        folder,
        kind=KIND,
        reason_key=f"{KIND}:{digest(folder.path, one.name, one.newest.map(_place_and_ending))}",
        signature=_signature(one),
        prompt=say("Look at the {count} versions of {name}", count=one.count, name=quoted(clean(one.name))),
        reasoning=_reasoning(situation, one),
        urgency=URGENCY_MANY if one.is_many else URGENCY,
        args=(say("versions"), say("{path}", path=one.newest)),
    )


def _place_and_ending(path: str) -> str:
    """Return what versions of one document have in common beside its name."""
    folder, _, name = path.rpartition("/")
    return f"{folder}/{name[name.rfind('.') :].lower()}"


def _signature(one: OldVersion) -> str:
    if one.is_many:
        return state("many", (step for step in STEPS if one.count >= step))
    return state(digest(one.older, one.linked_in))


def _reasoning(situation: Situation, one: OldVersion) -> Wording:
    if one.is_many:
        return say(
            "{count} versions are in the same folder; the newest, by name and date, is {newest}, {newest_at}.",
            count=one.count,
            newest=clean(one.newest),
            newest_at=at_time(situation, one.newest_at),
        )
    return _linked(situation, one) if one.linked_in else _edited(situation, one)


def _edited(situation: Situation, one: OldVersion) -> Wording:
    return say(
        "{older} was changed last, {older_at}; {newest}, by its name the newest of {count}, {newest_at}. They differ.",
        older=clean(one.older),
        older_at=at_time(situation, one.older_at),
        newest=clean(one.newest),
        count=one.count,
        newest_at=at_time(situation, one.newest_at),
    )


def _linked(situation: Situation, one: OldVersion) -> Wording:
    return say(
        "{text}, line {line}, links to {older}; {newest} is newer, of {newest_at}, and differs.",
        text=clean(one.linked_in),
        line=one.line,
        older=clean(one.older),
        newest=clean(one.newest),
        newest_at=moment_said(situation, one.newest_at),
    )
