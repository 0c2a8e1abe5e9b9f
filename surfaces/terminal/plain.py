"""One line for each thing that happens, where there is no terminal to draw on. Pure."""

from datetime import datetime

from hub.contract.events import (
    AnyEvent,
    CostApproaching,
    DigestReady,
    ExecutionFailed,
    Paused,
    PredictionExecuted,
    PredictionExpired,
    PredictionReturned,
    type_of,
)
from hub.kit.digests import heading
from surfaces.terminal.cells import safe
from surfaces.terminal.words import SAY


def event_line(event: AnyEvent, now: datetime) -> str:
    """Say an event in one line: time, type, card, text."""
    card, text = _said(event)
    return f"{now:%H:%M:%S}  {type_of(event):<20}  {card}  {safe(' '.join(text.split()))}".rstrip()


def link_line(state: str, broker: str, note: str) -> str:
    """Say that the connection came or went."""
    return f"# {state}: {broker} {note}".rstrip()


def _said(event: AnyEvent) -> tuple[str, str]:
    match event:
        case PredictionExpired(card_id=card):
            return card, ""
        case PredictionExecuted(card_id=card, result=result):
            return card, result
        case ExecutionFailed(card_id=card, error=error):
            return card, error
        case PredictionReturned(prediction=prediction, reason=reason):
            return prediction.id, f"{reason}: {prediction.prompt}"
        case CostApproaching(window=window, spent_usd=spent, cap_usd=cap):
            return "", f"${spent:.2f} of ${cap:.2f} this {window}"
        case Paused(reason=reason):
            return "", reason
        case DigestReady():
            return "", SAY.put(heading(event))
        case _:
            shown = getattr(event, "prediction", None)
            return (shown.id, shown.prompt) if shown is not None else ("", "")
