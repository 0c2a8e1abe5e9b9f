"""Whether the drives wake Pulse at a moment, from the loop's state alone; nothing changes by asking."""

from datetime import datetime

from msgspec.structs import replace

from hub.contract.words import Autonomy
from hub.domain.drives import DriveRules, DriveVerdict
from hub.loop.state import State
from hub.when.drives import evaluate, in_force, next_crossing


def rules_in(state: State) -> DriveRules:
    """Return the person's rules with what mutations changed of them."""
    return in_force(state.policy.drives, state.mind.drives.tuning)


def verdict_at(state: State, now: datetime) -> DriveVerdict:
    """Return what the rules come to at `now`, whatever was decided before."""
    verdict = evaluate(state.mind.drives, rules_in(state), now, talked_at=talked_at(state))
    return replace(verdict, woken_by=None, held_by="paused", until=None) if is_paused(state) else verdict


def verdict_shown(state: State, now: datetime) -> DriveVerdict:
    """Return the verdict to show: what rules cannot know (a model's no, an agent out of reach) holds until it ends."""
    verdict, last = verdict_at(state, now), state.verdict
    if verdict.wakes and last is not None and not last.wakes and last.until is not None and now < last.until:
        return replace(verdict, woken_by=None, held_by=last.held_by, until=last.until, said=last.said)
    return verdict


def next_look(state: State, now: datetime) -> datetime | None:
    """Return when the drives are to be looked at again: the next crossing, or the end of what speaks against waking."""
    if is_paused(state):
        return None
    crossing = next_crossing(state.mind.drives, rules_in(state), now)
    if crossing is None or crossing > now:
        return crossing
    verdict = verdict_at(state, now)
    return now if verdict.wakes else verdict.until


def talked_at(state: State) -> datetime | None:
    """Return when the person was last seen typing, or talking to an agent."""
    moments = (state.changes.busy_at, state.mind.last_message_at)
    return max((moment for moment in moments if moment is not None), default=None)


def is_paused(state: State) -> bool:
    """Say whether needs wake nobody at present: Pulse is paused, switched off or stopped."""
    return state.is_killed or state.mind.autonomy.state in {Autonomy.PAUSED, Autonomy.DISABLED}
