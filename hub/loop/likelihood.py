"""How likely a yes is at this moment: what is known now, made ready for the room that estimates."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import lru_cache

from hub.domain.likelihood import Estimate, Features, Levels, Presence
from hub.domain.moment import Changes
from hub.domain.situation import Situation
from hub.domain.suggestion import Candidate, Likely
from hub.domain.teaching import YesModel
from hub.learn.prior import meaning, prior_logit
from hub.learn.yes import estimate
from hub.loop.draft import Draft
from hub.loop.state import Cycle, State

JUST_BEFORE = timedelta(minutes=5)
AT_WORK = timedelta(minutes=3)
"""Whose hands were at work so lately is in the middle of something."""
HERE = timedelta(minutes=30)
LONG_SILENCE_S = 3_600.0
MANY_TASKS = 5
RECENT = timedelta(hours=8)
MANY_CONVERSATIONS = 3
MEETING_NEAR_S = 3_600.0
WORDS_CHARS_MAX = 200
"""So much is read of what is offered, and as much of what was seen."""
MEANING_DECIMALS = 2
"""Kept with every card: two decimals place a text as well as more do."""
OFFERS_REMEMBERED = 64
"""The same idea is rated for several channels, and again at the next look."""


def likely(draft: Draft, cycle: Cycle, situation: Situation) -> Likely:
    """Return what says how likely a yes is to an idea on a channel, here and now."""
    happened, presence = around(draft, cycle)
    return likely_by(draft.state.habits.model, situation, draft.now, happened=happened, presence=presence)


def around(draft: Draft, cycle: Cycle) -> tuple[str, Presence]:
    """Return what came just before, and where the person's attention is."""
    return _happened(draft, cycle), presence_of(draft.state.changes, draft.now)


def likely_by(model: YesModel, situation: Situation, now: datetime, *, happened: str, presence: Presence) -> Likely:
    """Return what says how likely a yes was to an idea on a channel, in that situation and by that model."""

    def of(idea: Candidate, channel: str) -> Estimate:
        local = situation.local
        silence_s = None if situation.silence is None else situation.silence.total_seconds()
        place, prior = in_figures(idea.prompt.text, idea.reasoning.text)
        about = Features(
            kind=idea.kind,
            reason=idea.reason_key,
            channel=channel,
            at=now,
            hour=hour_of(local),
            weekday=local.weekday(),
            repository=idea.work.workspace or "",
            silence_s=silence_s,
            presence=presence,
            happened=happened,
            urgency=idea.urgency,
            levels=_levels(situation, idea, silence_s),
            meaning=place,
            prior=prior,
        )
        return estimate(model, about)

    return of


def in_figures(offer: str, seen: str) -> tuple[tuple[float, ...], float]:
    """Return where the words of an offer stand, and what the shipped rows say of it after what was seen."""
    return _in_figures(_beginning(offer), _beginning(seen))


@lru_cache(maxsize=OFFERS_REMEMBERED)
def _in_figures(offer: str, seen: str) -> tuple[tuple[float, ...], float]:
    place = tuple(round(part, MEANING_DECIMALS) for part in meaning(offer))
    return place, round(prior_logit(seen, offer), MEANING_DECIMALS)


def _beginning(text: str) -> str:
    """Return the beginning of a text in one line."""
    return " ".join(text[:WORDS_CHARS_MAX].split())


def _happened(draft: Draft, cycle: Cycle) -> str:
    """Return what came just before: a change within the last minutes, else why Pulse looked."""
    return just_before(draft.state, draft.now) or str(cycle.occasion)


def just_before(state: State, now: datetime) -> str:
    """Return the change that came within the last minutes; empty without one."""
    last = state.happened
    return str(last.change) if last is not None and timedelta(0) <= now - last.at <= JUST_BEFORE else ""


def presence_of(changes: Changes, now: datetime) -> Presence:
    """Return where the person's attention is, by what is known of them."""
    if changes.busy_at is not None and now - changes.busy_at <= AT_WORK:
        return "typing"
    if changes.here_at is None:
        return "unknown"
    return "here" if now - changes.here_at <= HERE else "away"


def hour_of(local: datetime) -> float:
    """Return a local hour with its fraction."""
    return local.hour + local.minute / 60


def silence_level(silence_s: float | None) -> float:
    """Return how much silence there is, 0 to 1."""
    return min((silence_s or 0.0) / LONG_SILENCE_S, 1.0)


def calendar_level(starts: Iterable[datetime], now: datetime) -> float:
    """Return how near the next meeting is, 0 to 1."""
    begins = [(start - now).total_seconds() for start in starts]
    nearest_s = min((s for s in begins if s >= 0), default=MEETING_NEAR_S)
    return max(0.0, 1.0 - nearest_s / MEETING_NEAR_S)


def _levels(situation: Situation, idea: Candidate, silence_s: float | None) -> Levels:
    """Return how much there is of each signal of CROSSPOLL 2.2, 0 to 1."""
    talks = [one for one in situation.conversations or () if situation.at - one.last_at <= RECENT]
    return Levels(
        time=idea.time_relevance,
        silence=silence_level(silence_s),
        tasks=min(len(situation.tasks or ()) / MANY_TASKS, 1.0),
        conversations=min(len(talks) / MANY_CONVERSATIONS, 1.0),
        git=1.0 if any(one.uncommitted or one.ci == "failed" for one in situation.repositories or ()) else 0.0,
        calendar=calendar_level([one.starts_at for one in situation.meetings or ()], situation.at),
    )
