"""How much a person wants of something: what they said ("less often", "never here"), and what they dismissed.

Theory: an answer is a word about the kind of suggestion, too. "Never" takes what it means out of the choice. "Less"
ranks it lower and lets it rest: for a day after it was last shown, longer each time that it is said again, up to a
week. Who dismisses a kind three times in a row need not say anything: from then on it rests as well, for an hour at
first and longer with each further time, up to a week; one yes ends that. A note that nobody asked for is quiet after
two, until the person wants to hear of its kind again: it is no work that was only ill-timed. Who asks Pulse for a
suggestion is not kept waiting by a rest. Nor does anything rest
that they want always to be asked about. All of it only ever quietens: nothing here lets anything run.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from msgspec.structs import replace

from hub.contract.base import Value
from hub.domain.mind import Mind, Mute, Tally
from hub.domain.provenance import Wording, say
from hub.domain.suggestion import Candidate
from hub.what.signals import backup, disk, links, meetings, memory, unversioned, versions

DISMISSALS_TO_REST = 3
"""From so many dismissals in a row on, a kind rests by itself."""
QUIET_AFTER: Mapping[str, int] = {
    unversioned.KIND: 1,
    **dict.fromkeys((backup.KIND, disk.KIND, links.KIND, meetings.KIND, memory.KIND, versions.KIND), 2),
}
"""After how many dismissals in a row a kind is quiet until the person wants it again: notes that nobody asked for."""
LESS_WEIGHT = 0.5
"""What each "less" leaves of how well a kind has been received."""
SAID_MAX = 16
"""More often than this, "less" changes nothing more."""


class Rest(Value):
    """How long a kind rests once it was shown, and how often it then comes at most, in words."""

    length: timedelta
    at_most: Wording


RESTS = (
    Rest(length=timedelta(hours=1), at_most=say("once an hour")),
    Rest(length=timedelta(hours=2), at_most=say("once in {number} hours", number=2)),
    Rest(length=timedelta(hours=4), at_most=say("once in {number} hours", number=4)),
    Rest(length=timedelta(hours=8), at_most=say("once in {number} hours", number=8)),
    Rest(length=timedelta(days=1), at_most=say("once a day")),
    Rest(length=timedelta(days=2), at_most=say("once in {number} days", number=2)),
    Rest(length=timedelta(days=4), at_most=say("once in {number} days", number=4)),
    Rest(length=timedelta(days=7), at_most=say("once a week")),
)
QUIET = Rest(length=timedelta.max, at_most=say("when you ask for it"))
"""The kind is not brought up at all until the person says otherwise."""
A_DAY = 4
"""Where in `RESTS` the first "less" begins."""


def fits(mute: Mute, kind: str, repository: str | None, channel: str | None) -> bool:
    """Return True if a wish means this: all that it names must match. `channel` None: it is not known yet."""
    pairs = ((mute.kind, kind), (mute.repository, repository), (mute.channel, channel))
    return all(meant is None or meant == found for meant, found in pairs)


def liking(mind: Mind, idea: Candidate) -> float:
    """Return the weight of what a person wants less of, 0 to 1."""
    said = sum(mute.times for mute in _said(mind, "less", idea, None))
    return LESS_WEIGHT ** min(said, SAID_MAX)


def is_wanted(mind: Mind, idea: Candidate, now: datetime, *, channel: str | None = None, asked: bool = False) -> bool:
    """Return True if an idea may be suggested now; with `asked` a person wants a suggestion, so that nothing rests."""
    return is_kind_wanted(mind, idea.kind, idea.work.workspace, channel, now, asked=asked)


def is_always_asked(mind: Mind, kind: str, repository: str | None, channel: str | None) -> bool:
    """Return True if a person always wants to be asked about this: it never runs alone, and is never held back."""
    return any(mute.degree == "ask" and fits(mute, kind, repository, channel) for mute in mind.mutes)


def is_kind_wanted(
    mind: Mind, kind: str, repository: str | None, channel: str | None, now: datetime, *, asked: bool = False
) -> bool:
    """Say the same of anything of a kind, also of what no signal finds."""
    meant = [mute for mute in mind.mutes if fits(mute, kind, repository, channel)]
    if any(mute.degree == "never" for mute in meant):
        return False
    if is_always_asked(mind, kind, repository, channel):
        return True
    rests = [(mute.last_at, rest_after_less(mute.times)) for mute in meant]
    tally = mind.tallies.get(kind)
    learnt = None if tally is None else rest_after_dismissals(kind, tally)
    if tally is not None and tally.last_at is not None and learnt is not None:
        rests.append((tally.last_at, learnt))
    return asked or all(now - since >= rest.length for since, rest in rests)


def rest_after_less(times: int) -> Rest:
    """Return how a kind rests that a person wants less of, having said so this often (once at least)."""
    return _rest(A_DAY + times - 1)


def rest_after_dismissals(kind: str, tally: Tally) -> Rest | None:
    """Return how a kind rests for having been dismissed in a row; None while it does not."""
    if kind in QUIET_AFTER:
        return QUIET if tally.in_row >= QUIET_AFTER[kind] else None
    return None if tally.in_row < DISMISSALS_TO_REST else _rest(tally.in_row - DISMISSALS_TO_REST)


def in_view_of(mind: Mind, idea: Candidate) -> Wording:
    """Return why an idea is suggested, with what makes it rarer where something does."""
    if is_always_asked(mind, idea.kind, idea.work.workspace, None):
        return idea.reasoning
    less = max((mute.times for mute in _said(mind, "less", idea, None)), default=0)
    tally = mind.tallies.get(idea.kind, Tally())
    learnt = rest_after_dismissals(idea.kind, tally)
    said = rest_after_less(less) if less else None
    if said is not None and (learnt is None or said.length >= learnt.length):
        note = say("You asked to see this less often, so it comes at most {rest}.", rest=said.at_most)
    elif learnt is QUIET:
        note = say("You dismissed it before, so it only comes when you ask.")
    elif learnt is not None:
        note = say(
            "You dismissed {count} of these in a row, so they come at most {rest}.",
            count=tally.in_row,
            rest=learnt.at_most,
        )
    else:
        return idea.reasoning
    return say("{why} {note}", why=idea.reasoning, note=note)


def after_shown(mind: Mind, kind: str, repository: str | None, channel: str, now: datetime) -> Mind:
    """Return the mind after something was put before the person: whatever rests, rests from now on."""
    mutes = tuple(replace(mute, last_at=now) if fits(mute, kind, repository, channel) else mute for mute in mind.mutes)
    tally = mind.tallies.get(kind)
    if tally is None:
        return mind if mutes == mind.mutes else replace(mind, mutes=mutes)
    return replace(mind, mutes=mutes, tallies={**mind.tallies, kind: replace(tally, last_at=now)})


def _said(mind: Mind, degree: str, idea: Candidate, channel: str | None) -> list[Mute]:
    place = idea.work.workspace
    return [mute for mute in mind.mutes if mute.degree == degree and fits(mute, idea.kind, place, channel)]


def _rest(place: int) -> Rest:
    return RESTS[min(max(place, 0), len(RESTS) - 1)]
