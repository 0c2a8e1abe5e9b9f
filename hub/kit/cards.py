"""What a surface knows of a card after hearing the hub: the fold of its events and deliveries. Pure.

Each event carries the time at which the hub made it. One that is older than what is known changes nothing, so a repeat,
or a delivery that another overtook, does no harm; what the newest event says is what holds. A surface adds fields of
its own in a subclass and keeps them over every change.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Literal, TypeVar

from msgspec.structs import replace

from hub.contract.api import Prediction
from hub.contract.base import Value
from hub.contract.events import (
    AnyEvent,
    CostApproaching,
    DigestReady,
    ExecutionFailed,
    ExecutionProgress,
    ExecutionStarted,
    Paused,
    PredictionExecuted,
    PredictionExpired,
    PredictionNew,
    PredictionReturned,
    PredictionSettled,
    PredictionSnoozed,
    Resumed,
    StatusChanged,
)
from hub.contract.surface import CardDelivery, Loudness, Privacy
from hub.contract.words import MoveReason, Source, Status, Verb
from hub.kit.fates import fate_of

OVERTAKEN = timedelta(minutes=10)
"""An event older than this is no late delivery: the hub's clock was set back, and it counts."""
LINES_KEPT_MAX = 200
"""Progress lines of one run that are kept."""

CardPhase = Literal["open", "snoozed", "waiting", "running", "settled"]
RunEnd = Literal["", "done", "failed", "stopped", "interrupted", "timeout"]


class CardProjection(Value):
    """One card: where it is in its life, what its run said, and the leave to answer it (`token` is good for `verbs`).

    `round` counts how often it was opened here, since `opened_at`; it is new each time, with nothing of its last run.
    """

    prediction: Prediction
    opened_at: datetime
    heard_at: datetime | None = None
    phase: CardPhase = "open"
    was_open: bool = True
    """Whether it was here before it was settled; else nothing but what became of it is known."""
    round: int = 0
    autonomous: bool = False
    run_id: str = ""
    run_end: RunEnd = ""
    lines: tuple[str, ...] = ()
    line_number: int = -1
    result: str = ""
    delivery_id: str = ""
    token: str = ""
    verbs: tuple[Verb, ...] = ()
    loudness: Loudness = "silent"
    privacy: Privacy = "full"

    @property
    def id(self) -> str:
        """The card's id."""
        return self.prediction.id

    @property
    def has_failed(self) -> bool:
        """Whether its last run ended without proof of what it was for, and nobody has put that aside."""
        fate = fate_of(self.prediction)
        return fate == "failed" or (fate not in {"mended", "ignored"} and self.run_end not in {"", "done"})

    @property
    def ending(self) -> str:
        """The phrase for how its last run ended."""
        fate = fate_of(self.prediction)
        if fate in {"mended", "ignored", "handed_over"}:
            return fate
        return (self.run_end or "failed") if self.has_failed else "executed"


Known = TypeVar("Known", bound=CardProjection)


def card_id_of(event: AnyEvent) -> str:
    """Return the id of the card that an event is about; empty for what is about none."""
    match event:
        case CostApproaching() | StatusChanged() | Paused() | Resumed() | DigestReady():
            return ""
        case PredictionExpired(card_id=card_id) | ExecutionProgress(card_id=card_id):
            return card_id
        case _:
            return event.prediction.id


def card_of(event: AnyEvent) -> Prediction | None:
    """Return the card that an event brings along, as it is shown."""
    found = getattr(event, "prediction", None)
    return found if isinstance(found, Prediction) else None


def is_over(event: AnyEvent) -> bool:
    """Say whether nothing is left to see of a card: nobody answered in time, or what an agent asked was answered."""
    if isinstance(event, PredictionExpired):
        return True
    return isinstance(event, PredictionSettled) and event.prediction.source is Source.ASK


def hear(card: Known | None, event: AnyEvent, at: datetime, make: Callable[..., Known]) -> Known | None:
    """Return what is known of a card after an event about it; the same value where it changes nothing.

    `at` is when the hub made the event, `make` the class of what is known; None while there is nothing to show.
    """
    if card is not None and card.heard_at is not None and timedelta() < card.heard_at - at < OVERTAKEN:
        return card
    known = _changed(card, event, at, make)
    return card if known is None or known is card else replace(known, heard_at=at)


def take(card: Known | None, delivery: CardDelivery, at: datetime, make: Callable[..., Known]) -> Known | None:
    """Hear what a device is handed: the event, and what may be answered with it."""
    known = hear(card, delivery.event, at, make)
    if known is None or known is card:
        return known
    return replace(
        known,
        delivery_id=delivery.delivery_id,
        token=delivery.token,
        verbs=delivery.verbs,
        loudness=delivery.loudness,
        privacy=delivery.privacy,
    )


def correct(card: Known, prediction: Prediction, at: datetime) -> Known:
    """Take a card as the hub has it: after a refusal, or when a delivery may have been missed.

    What is settled can be taken back at the most; more would be refused.
    """
    phase = _phase_of(prediction, at)
    if card.phase == "running" and phase == "waiting":
        return replace(card, prediction=prediction)
    known = card if phase in {"settled", card.phase} else _anew(card)
    verbs = tuple({Verb.UNDO} & {*card.verbs}) if phase == "settled" else card.verbs
    return replace(known, prediction=prediction, phase=phase, verbs=verbs)


def expire(card: Known, reason: MoveReason = MoveReason.EXPIRED) -> Known:
    """Nobody answered in time, or what it was about has passed."""
    expired = replace(card.prediction, status=Status.EXPIRED, status_reason=reason)
    return replace(_anew(card), prediction=expired, phase="settled", verbs=())


def _changed(card: Known | None, event: AnyEvent, at: datetime, make: Callable[..., Known]) -> Known | None:
    match event:
        case PredictionExpired(reason=reason):
            return None if card is None else expire(card, reason)
        case ExecutionProgress():
            return None if card is None else _said(card, event, at)
        case CostApproaching() | StatusChanged() | Paused() | Resumed() | DigestReady():
            return card
        case PredictionNew() | PredictionReturned():
            return _opened(card, event, at, make)
    if card is None:
        begins_here = isinstance(event, ExecutionStarted) and event.autonomous
        card = make(prediction=event.prediction, opened_at=at, was_open=begins_here)
    return _moved(replace(card, prediction=event.prediction), event, at)


def _moved(
    card: Known,
    event: PredictionSettled | PredictionSnoozed | ExecutionStarted | PredictionExecuted | ExecutionFailed,
    at: datetime,
) -> Known:
    """Go on; of what happened at one time, a run's beginning comes after the answer that it follows from."""
    match event:
        case PredictionSettled(prediction=prediction):
            if card.phase == "running" and card.heard_at == at:
                return card
            return replace(_anew(card), phase=_phase_of(prediction, at))
        case PredictionSnoozed():
            return replace(_anew(card), phase="snoozed")
        case ExecutionStarted(execution_id=run_id, autonomous=autonomous):
            begun = card if run_id == card.run_id else _anew(card, run_id)
            return replace(begun, phase="running", autonomous=autonomous)
        case PredictionExecuted(prediction=prediction, result=result, task_id=task_id):
            run_id = prediction.execution_id or card.run_id or task_id
            return replace(card, phase="settled", run_id=run_id, run_end="done", result=result)
        case ExecutionFailed(execution_id=run_id, kind=kind, error=error):
            return replace(card, phase="settled", run_id=run_id, run_end=kind, result=error)


def _opened(
    card: Known | None, event: PredictionNew | PredictionReturned, at: datetime, make: Callable[..., Known]
) -> Known:
    prediction, returned = event.prediction, isinstance(event, PredictionReturned)
    phase = _phase_of(prediction, at)
    if card is None:
        return make(prediction=prediction, opened_at=prediction.opened_at, phase=phase)
    is_repeat = returned and at in {card.opened_at, card.heard_at}
    was_over = card.phase not in {"open", phase} or card.prediction.card_hash != prediction.card_hash
    changed = replace(card, prediction=prediction, phase=phase)
    if is_repeat or not (returned or was_over):
        return changed
    return _anew(replace(changed, round=card.round + 1, opened_at=at, was_open=True, autonomous=False))


def _anew(card: Known, run_id: str = "") -> Known:
    """Forget the last run."""
    return replace(card, run_id=run_id, run_end="", result="", lines=(), line_number=-1)


def _said(card: Known, event: ExecutionProgress, at: datetime) -> Known:
    """Take a line of a run; the first may come before the word that it began. A resumed run counts from 1 again."""
    if card.phase not in {"open", "waiting", "running"}:
        return card
    if event.execution_id != card.run_id:
        if card.phase == "running" and card.run_id:
            return card
        card = _anew(card, event.execution_id)
    if at == card.heard_at and event.number <= card.line_number:
        return card
    lines = (*card.lines, event.line)[-LINES_KEPT_MAX:]
    return replace(card, phase="running", lines=lines, line_number=event.number)


def _phase_of(prediction: Prediction, at: datetime) -> CardPhase:
    if prediction.status is Status.PENDING:
        return "snoozed" if prediction.snoozed_until is not None and prediction.snoozed_until > at else "open"
    if prediction.status is Status.CONFIRMED and prediction.source is not Source.ASK:
        return "waiting"
    return "settled"
