"""Whether the drives wake Pulse at a moment, from the loop's state alone; nothing changes by asking."""

from datetime import datetime, timedelta

from msgspec.structs import replace

from hub.contract.drives import RestRule
from hub.contract.words import Autonomy
from hub.domain.drives import DriveRules, DriveVerdict
from hub.domain.policy import TwinService
from hub.domain.twin import TwinChat, plain_question
from hub.loop.state import State
from hub.may import has_room
from hub.when import full_until
from hub.when.drives import QUESTION_CHARS_MAX, earlier, evaluate, in_force, next_crossing, next_try

ANSWER_TOKENS_MAX = 60
HOUR = timedelta(hours=1)


def rules_in(state: State) -> DriveRules:
    """Return the person's rules with what mutations changed of them."""
    return in_force(state.policy.drives, state.mind.drives.tuning)


def rules_for_asking(state: State, now: datetime) -> DriveRules:
    """Return the rules by which a wake is considered: where a model is asked whether to, earlier ones."""
    rules = rules_in(state)
    return rules if model_at(state, now) is None else earlier(rules)


def model_at(state: State, now: datetime) -> TwinService | None:
    """Return the model to ask whether to wake, or None where the rules decide alone: also where no budget has room."""
    rules, alone_until = rules_in(state), state.drive_model.alone_until
    if rules.mode != "model" or (alone_until is not None and now < alone_until):
        return None
    service = next((one for one in state.policy.twins if rules.model in {"", one.name}), None)
    if service is None:
        return None
    dearest = chat_with(service, "x" * QUESTION_CHARS_MAX).estimate_microusd
    return service if has_room(state.mind.ledger, state.policy, now, dearest) else None


def chat_with(service: TwinService, text: str) -> TwinChat:
    """Return the question whether to wake, as it is put to a model."""
    return plain_question(service, text, ANSWER_TOKENS_MAX)


def verdict_at(state: State, now: datetime) -> DriveVerdict:
    """Return what the rules come to at `now`, whatever was decided before."""
    rules, since = rules_for_asking(state, now), state.changes.busy_since
    verdict = evaluate(state.mind.drives, rules, now, talked_at=talked_at(state), talking_since=since)
    if is_paused(state):
        return replace(verdict, woken_by=None, held_by="paused", until=None)
    held = None if verdict.woken_by is None else _too_soon(state, now, is_alert=verdict.woken_by == "alert")
    return verdict if held is None else replace(verdict, woken_by=None, held_by=held[0], until=held[1])


def _too_soon(state: State, now: datetime, *, is_alert: bool) -> tuple[RestRule, datetime | None] | None:
    """Return until when what was just done speaks against a wake, which a rail would refuse, or which would crowd.

    No room for a card, which only an answer makes, holds for an alert, too, and so does the rate limiter's interval
    where what comes of it may run alone; that this hour has had its cards, or that one just came, does not.
    """
    if state.open_suggestions >= state.policy.pending_max:
        return "full", None
    last = state.mind.ledger.last_trigger_at if state.policy.autonomous else None
    rested = now if last is None else min(last, now) + timedelta(seconds=state.policy.timing.interval_s)
    if now < rested:
        return "cooldown", rested
    return None if is_alert else _shown_lately(state, now)


def _shown_lately(state: State, now: datetime) -> tuple[RestRule, datetime] | None:
    """Return until when cards that came unasked speak against another: this hour has had enough, or one just came."""
    full = full_until(state.changes, state.policy, now)
    if full is not None:
        return "turns", full
    rested = max(state.changes.shown_at, default=now - HOUR) + timedelta(seconds=rules_in(state).cooldown_s)
    return ("cooldown", rested) if now < rested else None


def verdict_shown(state: State, now: datetime) -> DriveVerdict:
    """Return the verdict to show: what rules cannot know (a model's no, an agent out of reach) holds until it ends."""
    verdict, last = verdict_at(state, now), state.verdict
    if verdict.wakes and last is not None and last.rule == "asking":
        return replace(verdict, woken_by=None, held_by="asking")
    if verdict.wakes and last is not None and not last.wakes and last.until is not None and now < last.until:
        return replace(verdict, woken_by=None, held_by=last.held_by, until=last.until, said=last.said)
    return verdict


def next_look(state: State, now: datetime) -> datetime | None:
    """Return when the drives are to be looked at again: the next crossing, or the end of what speaks against waking.

    A message to an agent that did not arrive is tried again by itself.
    """
    if is_paused(state):
        return None
    moments = (_next_wake(state, now), next_try(state.mind.drives, rules_in(state), now))
    return min((moment for moment in moments if moment is not None), default=None)


def _next_wake(state: State, now: datetime) -> datetime | None:
    crossing = next_crossing(state.mind.drives, rules_for_asking(state, now), now)
    if crossing is None or crossing > now:
        return crossing
    verdict = verdict_at(state, now)
    if not verdict.wakes:
        return verdict.until
    model = state.drive_model
    return None if model.is_asked else max(model.no_until or now, now)


def talked_at(state: State) -> datetime | None:
    """Return when the person was last seen typing, or talking to an agent."""
    moments = (state.changes.busy_at, state.mind.last_message_at)
    return max((moment for moment in moments if moment is not None), default=None)


def is_paused(state: State) -> bool:
    """Say whether needs wake nobody at present: Pulse is paused, switched off or stopped."""
    return state.is_killed or state.mind.autonomy.state in {Autonomy.PAUSED, Autonomy.DISABLED}
