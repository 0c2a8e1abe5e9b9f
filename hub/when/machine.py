"""The autonomous state as a table (CROSSPOLL 5.2). docs/when.md is generated from it.

Theory: Pulse watches until the person has been silent for long enough; then it primes, that is, it looks for a first
prediction; with one in hand it is autonomous. Whatever the person says to an agent takes it back to watching.
Answering a card is not speaking: the silence goes on (CROSSPOLL, Appendix A, 14:45 to 15:00).
Three rejections in a row, a cost cap or the person pause it, from any state in which it runs; only the person or two
hours end a pause. The kill switch wins over everything, and only enabling again lifts it.

Pairs that change nothing stand in the table: they are expected, because answers of models and people come late.
Pairs that are missing are refused: nothing but enabling leads out of `disabled`, and a pause can only end where one is.
"""

from datetime import datetime
from enum import StrEnum

from hub.contract.errors import PulseError
from hub.contract.phrasing import Phrasing
from hub.contract.words import Autonomy
from hub.domain.mind import AutonomyState


class Happening(StrEnum):
    """What can happen to the autonomous state."""

    DISABLED = "disabled"
    ENABLED = "enabled"
    PERSON_SPOKE = "person-spoke"
    SILENCE_REACHED = "silence-reached"
    PREDICTION_READY = "prediction-ready"
    NOTHING_TO_PREDICT = "nothing-to-predict"
    AUTONOMY_OFF = "autonomy-off"
    REJECTED_TOO_OFTEN = "rejected-too-often"
    COST_CAP = "cost-cap"
    PAUSED_BY_PERSON = "paused-by-person"
    RESUMED = "resumed"
    PAUSE_TIMED_OUT = "pause-timed-out"


class IllegalHappeningError(PulseError):
    """That cannot happen in this state; nothing was changed."""

    code = "illegal-happening"
    status = 409


MOVES: dict[tuple[Autonomy, Happening], Autonomy] = {
    (Autonomy.DISABLED, Happening.DISABLED): Autonomy.DISABLED,
    (Autonomy.DISABLED, Happening.ENABLED): Autonomy.WATCHING,
    (Autonomy.DISABLED, Happening.PERSON_SPOKE): Autonomy.DISABLED,
    (Autonomy.DISABLED, Happening.PREDICTION_READY): Autonomy.DISABLED,
    (Autonomy.DISABLED, Happening.NOTHING_TO_PREDICT): Autonomy.DISABLED,
    (Autonomy.DISABLED, Happening.AUTONOMY_OFF): Autonomy.DISABLED,
    (Autonomy.DISABLED, Happening.REJECTED_TOO_OFTEN): Autonomy.DISABLED,
    (Autonomy.DISABLED, Happening.COST_CAP): Autonomy.DISABLED,
    (Autonomy.WATCHING, Happening.DISABLED): Autonomy.DISABLED,
    (Autonomy.WATCHING, Happening.ENABLED): Autonomy.WATCHING,
    (Autonomy.WATCHING, Happening.PERSON_SPOKE): Autonomy.WATCHING,
    (Autonomy.WATCHING, Happening.SILENCE_REACHED): Autonomy.PRIMING,
    (Autonomy.WATCHING, Happening.PREDICTION_READY): Autonomy.WATCHING,
    (Autonomy.WATCHING, Happening.NOTHING_TO_PREDICT): Autonomy.WATCHING,
    (Autonomy.WATCHING, Happening.AUTONOMY_OFF): Autonomy.WATCHING,
    (Autonomy.WATCHING, Happening.REJECTED_TOO_OFTEN): Autonomy.PAUSED,
    (Autonomy.WATCHING, Happening.COST_CAP): Autonomy.PAUSED,
    (Autonomy.WATCHING, Happening.PAUSED_BY_PERSON): Autonomy.PAUSED,
    (Autonomy.WATCHING, Happening.RESUMED): Autonomy.WATCHING,
    (Autonomy.PRIMING, Happening.DISABLED): Autonomy.DISABLED,
    (Autonomy.PRIMING, Happening.ENABLED): Autonomy.PRIMING,
    (Autonomy.PRIMING, Happening.PERSON_SPOKE): Autonomy.WATCHING,
    (Autonomy.PRIMING, Happening.SILENCE_REACHED): Autonomy.PRIMING,
    (Autonomy.PRIMING, Happening.PREDICTION_READY): Autonomy.AUTONOMOUS,
    (Autonomy.PRIMING, Happening.NOTHING_TO_PREDICT): Autonomy.WATCHING,
    (Autonomy.PRIMING, Happening.AUTONOMY_OFF): Autonomy.WATCHING,
    (Autonomy.PRIMING, Happening.REJECTED_TOO_OFTEN): Autonomy.PAUSED,
    (Autonomy.PRIMING, Happening.COST_CAP): Autonomy.PAUSED,
    (Autonomy.PRIMING, Happening.PAUSED_BY_PERSON): Autonomy.PAUSED,
    (Autonomy.PRIMING, Happening.RESUMED): Autonomy.PRIMING,
    (Autonomy.AUTONOMOUS, Happening.DISABLED): Autonomy.DISABLED,
    (Autonomy.AUTONOMOUS, Happening.ENABLED): Autonomy.AUTONOMOUS,
    (Autonomy.AUTONOMOUS, Happening.PERSON_SPOKE): Autonomy.WATCHING,
    (Autonomy.AUTONOMOUS, Happening.SILENCE_REACHED): Autonomy.AUTONOMOUS,
    (Autonomy.AUTONOMOUS, Happening.PREDICTION_READY): Autonomy.AUTONOMOUS,
    (Autonomy.AUTONOMOUS, Happening.NOTHING_TO_PREDICT): Autonomy.AUTONOMOUS,
    (Autonomy.AUTONOMOUS, Happening.AUTONOMY_OFF): Autonomy.WATCHING,
    (Autonomy.AUTONOMOUS, Happening.REJECTED_TOO_OFTEN): Autonomy.PAUSED,
    (Autonomy.AUTONOMOUS, Happening.COST_CAP): Autonomy.PAUSED,
    (Autonomy.AUTONOMOUS, Happening.PAUSED_BY_PERSON): Autonomy.PAUSED,
    (Autonomy.AUTONOMOUS, Happening.RESUMED): Autonomy.AUTONOMOUS,
    (Autonomy.PAUSED, Happening.DISABLED): Autonomy.DISABLED,
    (Autonomy.PAUSED, Happening.ENABLED): Autonomy.PAUSED,
    (Autonomy.PAUSED, Happening.PERSON_SPOKE): Autonomy.PAUSED,
    (Autonomy.PAUSED, Happening.PREDICTION_READY): Autonomy.PAUSED,
    (Autonomy.PAUSED, Happening.NOTHING_TO_PREDICT): Autonomy.PAUSED,
    (Autonomy.PAUSED, Happening.AUTONOMY_OFF): Autonomy.PAUSED,
    (Autonomy.PAUSED, Happening.REJECTED_TOO_OFTEN): Autonomy.PAUSED,
    (Autonomy.PAUSED, Happening.COST_CAP): Autonomy.PAUSED,
    (Autonomy.PAUSED, Happening.PAUSED_BY_PERSON): Autonomy.PAUSED,
    (Autonomy.PAUSED, Happening.RESUMED): Autonomy.WATCHING,
    (Autonomy.PAUSED, Happening.PAUSE_TIMED_OUT): Autonomy.WATCHING,
}

RENEWS: frozenset[tuple[Autonomy, Happening]] = frozenset({(Autonomy.PAUSED, Happening.PAUSED_BY_PERSON)})
"""Pairs that keep the state but start its time anew: a person who pauses means from now on."""

REASONS: dict[Happening, str] = {
    Happening.DISABLED: "The emergency stop is on.",
    Happening.ENABLED: "Pulse was switched on.",
    Happening.PERSON_SPOKE: "You are active.",
    Happening.SILENCE_REACHED: "You have been away long enough.",
    Happening.PREDICTION_READY: "A first suggestion is ready.",
    Happening.NOTHING_TO_PREDICT: "There was nothing worth suggesting.",
    Happening.AUTONOMY_OFF: "Autopilot is off.",
    Happening.REJECTED_TOO_OFTEN: "Paused: you dismissed too many in a row.",
    Happening.COST_CAP: "Paused: a spending limit was reached.",
    Happening.PAUSED_BY_PERSON: "Paused by you.",
    Happening.RESUMED: "Resumed by you.",
    Happening.PAUSE_TIMED_OUT: "The pause is over.",
}

WHILE_OFF: dict[Happening, str] = {
    Happening.PAUSED_BY_PERSON: "Pulse is off, so it cannot be paused.",
    Happening.RESUMED: "Pulse is off, so it cannot be resumed.",
}
"""What a person asks for that is refused while Pulse is off, in words; the rest is nothing that a person does."""
SWITCH_ON = "Switch it on first: `pulse resume`; after an emergency stop: `pulse resume --emergency`."


def advance(current: AutonomyState, happening: Happening, now: datetime) -> AutonomyState:
    """Return the state after `happening`; the very same object when nothing changes.

    Raises:
        IllegalHappeningError: the table has no such pair.
    """
    pair = (current.state, happening)
    if pair not in MOVES:
        said = WHILE_OFF.get(happening) if current.state is Autonomy.DISABLED else None
        raise IllegalHappeningError(
            said or f"{happening} cannot happen while {current.state}", fix=SWITCH_ON if said else ""
        )
    after = MOVES[pair]
    if after is current.state and pair not in RENEWS:
        return current
    wording = Phrasing(code=f"because.{happening.replace('-', '_')}")
    return AutonomyState(state=after, since=now, reason=REASONS[happening], wording=wording)
