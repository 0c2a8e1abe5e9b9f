"""What Life OS on a watch gets of each event (the second column of CROSSPOLL 6.2). Pure.

=======================  ==========================================================
event                    form
=======================  ==========================================================
new, medium confidence   the complication's count
new, high confidence     a notification with a haptic, and the complication
auto-executed            the complication
completed                a notification, haptic success, and the complication
failed                   a notification, haptic failure, and the complication
paused                   the complication: ⏸
several at once          one notification with a haptic, and the complication
what happened meanwhile  a silent notification
=======================  ==========================================================

Every event that changes the face refreshes it, within the budget; see `budget.py`.
"""

from datetime import datetime

from hub.contract.events import (
    AnyEvent,
    DigestReady,
    ExecutionFailed,
    ExecutionStarted,
    Paused,
    PredictionExecuted,
    PredictionExpired,
    PredictionNew,
    PredictionReturned,
    PredictionSettled,
    PredictionSnoozed,
    Resumed,
)
from hub.contract.surface import LOUD, CardDelivery
from hub.kit.fates import fate_of
from surfaces.apns.alert import Form, To, alert_push
from surfaces.apns.payload import Haptic
from surfaces.apns.push import Push


def watch_alert(
    card: CardDelivery,
    to: To,
    *,
    was_shown: bool,
    at: datetime,
    now: datetime,
    bytes_max: int,
) -> Push | None:
    """Return the notification; None where the face alone tells it.

    Args:
        card: the delivery.
        to: who gets it.
        was_shown: whether a notification about the same card may be on the watch, so that it is replaced in place.
        at: when the hub said it.
        now: the present moment.
        bytes_max: the size budget of the JSON text in bytes.
    """
    replaces = was_shown and isinstance(card.event, PredictionSettled | PredictionSnoozed | PredictionExpired)
    is_note = isinstance(card.event, DigestReady) and not card.event.cards
    if card.loudness not in LOUD and not (replaces or is_note):
        return None
    return alert_push(
        card, to, Form(haptic=haptic_of(card.event), takes_text=False), at=at, now=now, bytes_max=bytes_max
    )


def haptic_of(event: AnyEvent) -> Haptic:
    """Return what the wrist feels."""
    match event:
        case PredictionNew() | PredictionReturned() | DigestReady():
            return "notification"
        case PredictionExecuted(prediction=card):
            return "stop" if fate_of(card) == "handed_over" else "success"
        case ExecutionFailed(kind="stopped"):
            return "stop"
        case ExecutionFailed():
            return "failure"
        case ExecutionStarted():
            return "start"
        case Paused():
            return "directionUp"
        case Resumed():
            return "click"
        case _:
            return ""
