"""What is new since the last look, and when time alone will bring something new.

A matter counts as there before when a look has found it, said or not: who looks because something changed is to hear of
the change, not of what was passed over earlier. What comes only when asked for is no news.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime, timedelta

from msgspec.structs import replace

from hub.domain.situation import Situation
from hub.domain.suggestion import Candidate
from hub.what.reasons import is_known
from hub.what.signals import TIMED, TimedSignal

MINUTE = timedelta(minutes=1)
AHEAD_MAX = timedelta(hours=1)


def news(found: tuple[Candidate, ...], seen: Mapping[str, str]) -> tuple[Candidate, ...]:
    """Return the ideas that were not there at the last look: a matter of its own, or more of one."""
    return tuple(idea for idea in _come(found) if not is_known(idea.signature, seen.get(idea.reason_key)))


def seen_after(found: tuple[Candidate, ...], seen: Mapping[str, str], unsaid: Collection[str]) -> dict[str, str]:
    """Return what counts as there before at the next look: all that is there now, but for what is still to be said."""
    there = {idea.reason_key: idea.signature for idea in _come(found) if idea.reason_key not in unsaid}
    return {**{key: seen[key] for key in unsaid if key in seen}, **there}


def next_turn(situation: Situation, until: datetime) -> datetime | None:
    """Return the minute at which time alone will bring or end a matter, or None if it will not until `until`.

    Each signal names the moments at which it may see something else, and is asked about these alone, as if nothing but
    the time had changed. At most an hour is looked ahead.
    """
    span = min(until - situation.at, AHEAD_MAX)
    turned = (_turn_of(signal, situation, span) for signal in TIMED)
    ahead = min((each for each in turned if each is not None), default=None)
    return None if ahead is None else situation.at + ahead


def _turn_of(signal: TimedSignal, situation: Situation, span: timedelta) -> timedelta | None:
    ahead = _minutes(signal.turns(situation), span)
    if not ahead:
        return None
    now = _matters(signal, situation, timedelta(0))
    return next((each for each in ahead if _matters(signal, situation, each) != now), None)


def _minutes(moments: Iterable[timedelta], span: timedelta) -> list[timedelta]:
    """Return the first full minutes from each moment on, and after it, for a bound may belong to either side of it."""
    near = [moment for moment in moments if timedelta(0) <= moment <= span]
    first = {-(-moment // MINUTE) for moment in near} | {moment // MINUTE + 1 for moment in near}
    return [number * MINUTE for number in sorted(first) if 0 < number <= span // MINUTE]


def _matters(signal: TimedSignal, situation: Situation, ahead: timedelta) -> frozenset[tuple[str, str]]:
    at = situation.at + ahead
    later = replace(situation, at=at, local=at.astimezone(situation.local.tzinfo))
    return frozenset((idea.reason_key, idea.signature) for idea in _come(signal.look(later)))


def _come(found: Iterable[Candidate]) -> Iterator[Candidate]:
    return (idea for idea in found if idea.comes != "when asked")
