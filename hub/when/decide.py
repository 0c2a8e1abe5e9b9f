"""Whether to think now, and whether a very confident idea may run without a person (CROSSPOLL 3.6, 5.3, 5.6)."""

from datetime import datetime, timedelta

from hub.contract.phrasing import Phrasing
from hub.contract.words import Autonomy
from hub.domain.mind import AutonomyState, Mind
from hub.domain.moment import Moment, NotNow, Occasion
from hub.domain.policy import Policy
from hub.when.change import WORTHWHILE
from hub.when.cycle import next_cycle, pause_ends
from hub.when.machine import REASONS, Happening, advance
from hub.when.quiet import is_quiet

ASKED: dict[Occasion, str] = {
    Occasion.START: "First look after the start: cards only.",
    Occasion.FOLLOW_UP: "Work was finished: its next step is shown as a card.",
    Occasion.MANUAL: "You asked for a suggestion.",
}


def decide(
    mind: Mind,
    policy: Policy,
    occasion: Occasion,
    *,
    now: datetime,
    silence: timedelta | None,
    urgency_min: float = WORTHWHILE,
) -> Moment | NotNow:
    """Say whether `occasion` is a moment to think; the answer carries the new autonomous state.

    Args:
        mind: what the loop remembers; its autonomous state may be out of date, it is settled first.
        policy: the rules now in force; `enabled` false, or an emergency stop in the ledger, is never a moment.
        occasion: only the cron cycle and what a need began may act by itself, after silence; a need says itself how
            much it matters; what a person asked for, a start and finished
            work are thought about during pauses, too.
        now: the present moment.
        silence: since the person last spoke; None means that nothing was heard since the hub started.
        urgency_min: how urgent a matter must be to be said while the person is there (`hub/when/change.py`).
    """
    autonomy = settle(mind, policy, now)
    if autonomy.state is Autonomy.DISABLED:
        return NotNow(until=next_cycle(policy, now), why=_killed(mind), autonomy=autonomy)
    if occasion in ASKED:
        return Moment(may_act=False, why=ASKED[occasion], autonomy=autonomy)
    if autonomy.state is Autonomy.PAUSED:
        until = pause_ends(autonomy, policy) or next_cycle(policy, now)
        return NotNow(until=until, why=autonomy.reason or "Paused.", autonomy=autonomy)
    if occasion is Occasion.CHANGE:
        return Moment(may_act=False, why="Something changed: cards only.", autonomy=autonomy, urgency_min=urgency_min)
    worth = 0.0 if occasion is Occasion.DRIVE else urgency_min
    return _cycle(mind, policy, autonomy, now, silence=_silence(mind, now, silence), worth=worth)


def settle(mind: Mind, policy: Policy, now: datetime) -> AutonomyState:
    """Return the autonomous state that the rules and the time leave: killed, enabled again, or no longer paused."""
    state = mind.autonomy
    if not policy.enabled or mind.ledger.emergency:
        return advance(state, Happening.DISABLED, now)
    if state.state is Autonomy.DISABLED:
        return advance(state, Happening.ENABLED, now)
    if state.state is Autonomy.PAUSED:
        ends = pause_ends(state, policy)
        return advance(state, Happening.PAUSE_TIMED_OUT, now) if ends is None or now >= ends else state
    return state if policy.autonomous or state.state is Autonomy.PRIMING else _off(state, now)


def why_so(state: AutonomyState, policy: Policy) -> tuple[str, Phrasing | None]:
    """Return why the state is as it is; empty where the reason has gone since, and the state is not touched by that."""
    is_over = policy.autonomous and state.reason == REASONS[Happening.AUTONOMY_OFF]
    return ("", None) if is_over else (state.reason, state.wording)


def after_thinking(current: AutonomyState, policy: Policy, *, found: bool, now: datetime) -> AutonomyState:
    """Return the state once a cycle has thought: only autonomous mode turns a first prediction into `autonomous`."""
    if not policy.autonomous:
        return _off(current, now)
    return advance(current, Happening.PREDICTION_READY if found else Happening.NOTHING_TO_PREDICT, now)


def _cycle(
    mind: Mind, policy: Policy, autonomy: AutonomyState, now: datetime, *, silence: timedelta, worth: float
) -> Moment:
    threshold = timedelta(seconds=policy.timing.silence_s)
    if silence < threshold:
        why = f"You were active {_minutes(silence)} min ago: cards only, for {_minutes(threshold)} min."
        watching = advance(autonomy, Happening.PERSON_SPOKE, now)
        return Moment(may_act=False, why=why, autonomy=watching, urgency_min=worth)
    primed = advance(autonomy, Happening.SILENCE_REACHED, now)
    hindrance = _hindrance(mind, policy, now)
    why = f"Silent for {_minutes(silence)} min. " + (hindrance or "Very confident ideas may run.")
    return Moment(may_act=not hindrance, why=why, autonomy=primed)


def _hindrance(mind: Mind, policy: Policy, now: datetime) -> str:
    if not policy.autonomous:
        return "Autopilot is off: cards only."
    if mind.ledger.decisions == 0:
        return "Onboarding: cards only until your first answer."
    if mind.ledger.month_stopped:
        return "The month's budget is used up: cards only until you re-enable it."
    if is_quiet(policy, mind.dnd_until, now):
        return "Quiet hours or do not disturb: cards wait, nothing runs."
    return ""


def _silence(mind: Mind, now: datetime, silence: timedelta | None) -> timedelta:
    if silence is None:
        silence = now - mind.started_at if mind.started_at is not None else timedelta(0)
    return max(silence, timedelta(0))


def _off(state: AutonomyState, now: datetime) -> AutonomyState:
    return advance(state, Happening.AUTONOMY_OFF, now)


def _killed(mind: Mind) -> str:
    if mind.ledger.emergency:
        return "The emergency stop is on, so nothing starts. `pulse resume --emergency` lifts it."
    return "Pulse is switched off, so nothing starts. Switch it on: `pulse resume`, or on the page."


def _minutes(span: timedelta) -> int:
    return int(span.total_seconds() // 60)
