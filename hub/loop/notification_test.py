"""What a device is sent when a person tries it, or something was loosened elsewhere; nobody can answer it. Pure.

Most devices show one kind of notification. Where it looks different for each row of CROSSPOLL 6.2's matrix, as the
profile says, there is one of each; each is about a card of its own, or the next would take the place of the last.
"""

from datetime import datetime, timedelta

from msgspec.structs import replace

from hub.contract.api import Prediction
from hub.contract.events import (
    AnyEvent,
    CostApproaching,
    ExecutionFailed,
    ExecutionStarted,
    Paused,
    PredictionExecuted,
    PredictionNew,
)
from hub.contract.words import Risk, Source, Status
from hub.domain.policy import Bands

LASTS = timedelta(minutes=10)
PROMPT = "This is a test. Notifications from Pulse reach this device."
COST_CAP_USD = 1.0
LOOSENED = "If that was not you: `pulse kill`, then `pulse devices`."
PUT_BACK = "Pulse alone writes there, and is believed by it. If that was not you: look at what your agents did."
NOT_PUT_BACK = "Pulse is believed by it. Look at it, and at what your agents did, before you restart Pulse."
EDITED = "If that was not you: look at config.toml and set-up.json before you restart Pulse."


def one(test_id: str, now: datetime) -> AnyEvent:
    """Return the one card that says that notifications arrive."""
    return PredictionNew(prediction=_card(test_id, PROMPT, now))


def told(told_id: str, what: str, fix: str, now: datetime) -> AnyEvent:
    """Return the card that tells what was loosened, or would be, and what to do if that was somebody else."""
    return PredictionNew(prediction=replace(_card(told_id, what, now), target_channel="security", reasoning=fix))


def one_of_each(test_id: str, bands: Bands, now: datetime) -> tuple[AnyEvent, ...]:
    """Return an event for each row of the matrix, in its order. The cost event can only say so by its numbers: zero."""

    def about(kind: str, prompt: str, status: Status = Status.PENDING) -> Prediction:
        return replace(_card(f"{test_id}-{kind}", prompt, now), status=status, execution_id=f"{test_id}-{kind}")

    medium = replace(about("medium", "This is a test of a suggestion."), confidence=bands.show)
    high = about("high", "This is a test of a confident suggestion.")
    alone = about("alone", "This is a test: nothing was started on autopilot.", Status.CONFIRMED)
    done = about("done", "This is a test of a finished run.", Status.EXECUTED)
    failed = about("failed", "This is a test of a failed run.", Status.FAILED)
    return (
        PredictionNew(prediction=medium),
        PredictionNew(prediction=high),
        ExecutionStarted(prediction=alone, execution_id=alone.id, autonomous=True),
        PredictionExecuted(
            card_id=done.id, task_id=done.id, result="This is a test: nothing was done.", prediction=done
        ),
        ExecutionFailed(
            card_id=failed.id,
            execution_id=failed.id,
            kind="failed",
            error="This is a test: nothing has failed.",
            prediction=failed,
        ),
        CostApproaching(window="hour", spent_usd=0.0, cap_usd=COST_CAP_USD),
        Paused(reason="This is a test: nothing was paused."),
    )


def _card(card_id: str, prompt: str, now: datetime) -> Prediction:
    return Prediction(
        id=card_id,
        prompt=prompt,
        target_agent="pulse",
        target_channel="test",
        confidence=1.0,
        reasoning="You asked for a test.",
        created_at=now,
        status=Status.PENDING,
        source=Source.TEMPLATE,
        expires_at=now + LASTS,
        risk=Risk.LOW,
        card_hash="test",
        cost_estimate_usd=0.0,
    )
