"""Changes as the loop keeps them: what was noticed, when to look again, and what of it is new enough to be said."""

from datetime import datetime

from msgspec.structs import replace

from hub.domain.episode import Proposed
from hub.domain.moment import Change, Occasion
from hub.domain.situation import Situation
from hub.domain.suggestion import Candidate
from hub.loop import attention, away
from hub.loop.commands import WakeAt
from hub.loop.draft import Draft
from hub.loop.events import Changed
from hub.loop.state import Cycle, LastChange
from hub.what import news, next_turn, seen_after
from hub.when import OF_THE_PERSON, WEIGHTY, WORTHWHILE, due, next_cycle, notice, put_off, shown, taken_up, worth_saying

UNASKED = frozenset({Occasion.CHANGE, Occasion.DRIVE, Occasion.START})
"""Cards of these occasions count as unasked: so many an hour, and some time between them."""


def on_changed(draft: Draft, event: Changed) -> None:
    """Something changed in the world."""
    note(draft, event.change)


def note(draft: Draft, change: Change, *, at: datetime | None = None) -> None:
    """Remember a change (of `at`, or of now), and wake up when it is to be thought about."""
    policy, moment = draft.state.policy, min(at or draft.now, draft.now)
    changes = notice(draft.state.changes, change, policy, moment)
    draft.state = replace(draft.state, changes=changes, happened=LastChange(change=change, at=moment))
    is_return = change in OF_THE_PERSON and attention.is_back(draft, moment)
    if change in OF_THE_PERSON:
        away.sign(draft, moment)
    attention.note_change(draft, change, moment, is_return=is_return)
    wake(draft)


def wake(draft: Draft) -> None:
    """Tick when the changes are due, unless a cycle is under way: it does so when it ends."""
    at = due(draft.state.changes, draft.state.policy)
    if at is not None and draft.state.cycle is None:
        draft.commands.append(WakeAt(at=max(at, draft.now)))


def is_due(draft: Draft) -> bool:
    """Say whether changes wait to be thought about."""
    at = due(draft.state.changes, draft.state.policy)
    return at is not None and at <= draft.now and draft.state.cycle is None


def take_up(draft: Draft) -> bool:
    """Let a look take up all changes so far; say whether the person has come back since the last one."""
    returned = draft.state.changes.returned
    draft.state = replace(draft.state, changes=taken_up(draft.state.changes))
    return returned


def urgency_min(draft: Draft) -> float:
    """Return how urgent a matter must be to be said just now."""
    return worth_saying(draft.state.changes, draft.state.policy, draft.now)


def sayable(draft: Draft, cycle: Cycle, situation: Situation) -> frozenset[str] | None:
    """Return the keys of the ideas that are worth saying now; None means any.

    A change brings up only what was not there at the last look; to who has come back, what was passed over is new.
    A need brings up what is its own.
    """
    found = draft.ideas(situation)
    if cycle.wake is not None:
        return frozenset(idea.reason_key for idea in found if idea.drive == cycle.wake.drive)
    if cycle.occasion is Occasion.CHANGE and not cycle.returned:
        found = news(found, draft.state.seen)
    elif cycle.urgency_min <= 0.0:
        return None
    return frozenset(idea.reason_key for idea in found if idea.urgency >= cycle.urgency_min)


def note_looked(draft: Draft, cycle: Cycle, situation: Situation, choice: Proposed | None) -> None:
    """Remember what was there, and look again soon if something new is still to be said."""
    if cycle.hint is not None:
        return
    state, found = draft.state, draft.ideas(situation)
    unsaid = _unsaid(draft, cycle, found, choice)
    changes = state.changes
    if choice is not None and cycle.occasion in UNASKED:
        changes = shown(changes, state.policy, draft.now)
    if unsaid:
        changes = put_off(changes, state.policy, draft.now, max(unsaid.values()))
    else:
        changes = replace(changes, held_at=None)
    turn = next_turn(situation, next_cycle(state.policy, draft.now))
    moments = [moment for moment in (changes.look_at, turn) if moment is not None]
    changes = replace(changes, look_at=min(moments, default=None))
    draft.state = replace(state, seen=seen_after(found, state.seen, unsaid), changes=changes)


def _unsaid(draft: Draft, cycle: Cycle, found: tuple[Candidate, ...], choice: Proposed | None) -> dict[str, float]:
    """Return what is new, worth saying, and could not be said this time, by key, with its urgency."""
    said = choice.proposal.reason_key if choice else None
    new = [idea for idea in news(found, draft.state.seen) if idea.reason_key != said]
    return {idea.reason_key: idea.urgency for idea in new if _waits(cycle, idea.urgency, found=choice is not None)}


def _waits(cycle: Cycle, urgency: float, *, found: bool) -> bool:
    """Say whether a new idea of this urgency waits: for its turn after another, or until less urgent ones are heard.

    To a first look all is new, so that only what is weighty follows its one card.
    """
    least = WEIGHTY if cycle.occasion is Occasion.START else WORTHWHILE
    return urgency >= least and (found or urgency < cycle.urgency_min)
