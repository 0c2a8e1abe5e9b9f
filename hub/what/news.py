"""What is new since the last look, and when time alone will bring something new.

A matter counts as there before when a look has found it, said or not: who looks because something changed is to hear of
the change, not of what was passed over earlier.
"""

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime, timedelta

from msgspec.structs import replace

from hub.domain.situation import Situation
from hub.domain.suggestion import Candidate
from hub.what.reasons import is_known
from hub.what.signals import ALL

STRIDE = timedelta(minutes=5)
MINUTE = timedelta(minutes=1)
AHEAD_MAX = timedelta(hours=1)


def news(found: tuple[Candidate, ...], seen: Mapping[str, str]) -> tuple[Candidate, ...]:
    """Return the ideas that were not there at the last look: a matter of its own, or more of one."""
    return tuple(idea for idea in found if not is_known(idea.signature, seen.get(idea.reason_key)))


def seen_after(found: tuple[Candidate, ...], seen: Mapping[str, str], unsaid: Collection[str]) -> dict[str, str]:
    """Return what counts as there before at the next look: all that is there now, but for what is still to be said."""
    there = {idea.reason_key: idea.signature for idea in found if idea.reason_key not in unsaid}
    return {**{key: seen[key] for key in unsaid if key in seen}, **there}


def next_turn(situation: Situation, until: datetime) -> datetime | None:
    """Return the minute at which time alone will bring or end a matter, or None if it will not until `until`.

    The signals are asked what they would see if nothing but the time changed. At most an hour is looked ahead.
    """
    now, span = _matters(situation, timedelta(0)), min(until - situation.at, AHEAD_MAX)
    turned = next((ahead for ahead in _steps(STRIDE, span) if _matters(situation, ahead) != now), None)
    if turned is None:
        return None
    start = turned - STRIDE
    minutes = (start + step for step in _steps(MINUTE, turned - start))
    return situation.at + next((ahead for ahead in minutes if _matters(situation, ahead) != now), turned)


def _steps(stride: timedelta, span: timedelta) -> Iterator[timedelta]:
    return (stride * number for number in range(1, span // stride + 1))


def _matters(situation: Situation, ahead: timedelta) -> frozenset[tuple[str, str]]:
    at = situation.at + ahead
    later = replace(situation, at=at, local=at.astimezone(situation.local.tzinfo))
    return frozenset((idea.reason_key, idea.signature) for signal in ALL for idea in signal.look(later))
