"""Telling: one event to the WebSocket, to the event topic, and to each device as loudly as its profile says."""

from datetime import datetime

from msgspec.structs import replace

from hub.contract import topics
from hub.contract.envelope import Envelope, encode
from hub.contract.events import (
    AnyEvent,
    ExecutionFailed,
    ExecutionProgress,
    PredictionExecuted,
    PredictionExpired,
    PredictionNew,
    PredictionSettled,
    PredictionSnoozed,
    type_of,
)
from hub.contract.surface import AnyDelivered, CardDelivery, DeliveredCard, DeliveredVerdict, Verdict
from hub.contract.topics import Address
from hub.contract.words import DeliveryState, Status
from hub.domain.delivery import Device, LedgerEntry, Routed
from hub.domain.storage import Outgoing, PutDelivery, Send
from hub.domain.suggestion import Card
from hub.loop.commands import Mention, Tell
from hub.loop.draft import Draft
from hub.loop.views import prediction_of, seconds
from hub.when import is_quiet
from hub.where import Grant, mint, route

SOURCE = "pulse/hub"
OUTCOME_S = 3_600.0
"""How long a device that is away, or a broker that is lost, may still be told an outcome or an event."""
VERDICT_S = 300.0
"""How long a device may still be told what became of its own decision."""
BACK_S = 300.0
"""A device that left no longer ago than this may come back with its screen as it was, so endings are kept for it."""
ENDINGS = (PredictionSettled, PredictionSnoozed, PredictionExecuted, ExecutionFailed, PredictionExpired)


def tell(draft: Draft, event: AnyEvent, card: Card | None = None) -> None:
    """Tell everybody. `card` is the card the event is about, as it is now."""
    draft.commands.append(Tell(event=event))
    _send(draft, event, card)
    quiet = is_quiet(draft.state.policy, draft.mind.dnd_until, draft.now)
    for routed in route(
        event,
        _reachable(draft, event),
        draft.state.profiles,
        bands=draft.state.policy.bands,
        now=draft.now,
        quiet=quiet,
    ):
        _deliver(draft, event, routed, card)


def _reachable(draft: Draft, event: AnyEvent) -> tuple[Device, ...]:
    """Count who has just left as there when a card ends: else it would come back with that card still open."""
    if not isinstance(event, ENDINGS):
        return draft.state.devices
    since = draft.now - seconds(BACK_S)
    return tuple(
        replace(device, online=True) if device.left_at is not None and device.left_at > since else device
        for device in draft.state.devices
    )


def mention(draft: Draft, event: ExecutionProgress) -> None:
    """Tell whoever listens just now; it promises nothing, so nothing of it waits in the outbox."""
    draft.commands.append(Tell(event=event))
    message = _message(draft, event, event.prediction_id)
    draft.commands.append(Mention(topic=message.topic, payload=message.payload))


def show(draft: Draft, card: Card, device: Device) -> None:
    """Hand one open card to one device that has just come online."""
    event = PredictionNew(prediction=prediction_of(card, draft.state.policy.timing.snoozes_max))
    for routed in route(
        event,
        (replace(device, online=True),),
        draft.state.profiles,
        bands=draft.state.policy.bands,
        now=draft.now,
        quiet=True,
    ):
        _deliver(draft, event, routed, card)


def answer_device(draft: Draft, to: Address, verdict: Verdict) -> None:
    """Tell a device what became of the decision it handed in."""
    body = DeliveredVerdict(verdict=verdict)
    subject = verdict.prediction.id if verdict.prediction else None
    _hand(draft, to, body, message_id=draft.new_id("vdt"), subject=subject, left_s=VERDICT_S)


def _deliver(draft: Draft, event: AnyEvent, routed: Routed, card: Card | None) -> None:
    to = Address(surface=routed.surface, device=routed.device)
    answerable = card is not None and bool(routed.verbs)
    is_open = card is not None and card.status is Status.PENDING
    expires_at = card.expires_at if card and answerable and is_open else draft.now + seconds(OUTCOME_S)
    delivery_id = draft.new_id("dlv")
    delivery = CardDelivery(
        delivery_id=delivery_id,
        event=event,
        loudness=routed.loudness,
        verbs=routed.verbs,
        token=_token(draft, card, to, routed, expires_at) if card and answerable else "",
        expires_at=expires_at,
    )
    left_s = (expires_at - draft.now).total_seconds()
    subject = card.id if card else None
    _hand(draft, to, DeliveredCard(card=delivery), message_id=delivery_id, subject=subject, left_s=left_s)
    entry = LedgerEntry(
        id=delivery_id,
        user=draft.state.user,
        card_id=card.id if card else "",
        surface=to.surface,
        device=to.device,
        event_type=type_of(event),
        state=DeliveryState.QUEUED,
        at=draft.now,
    )
    draft.changes.append(PutDelivery(entry=entry))


def _token(draft: Draft, card: Card, to: Address, routed: Routed, expires_at: datetime) -> str:
    grant = Grant(
        card_id=card.id,
        card_hash=card.card_hash,
        surface=to.surface,
        device=to.device,
        verbs=routed.verbs,
        expires_at=expires_at,
    )
    return mint(draft.state.secret, grant)


def _hand(
    draft: Draft, to: Address, body: AnyDelivered, *, message_id: str, subject: str | None, left_s: float
) -> None:
    envelope = Envelope(
        id=message_id,
        source=SOURCE,
        type="deliver",
        time=draft.now,
        subject=subject or None,
        data=body,
    )
    outgoing = Outgoing(
        id=message_id,
        topic=topics.deliver(draft.state.user, to),
        payload=encode(envelope),
        wants_receipt=isinstance(body, DeliveredCard),
        expires_at=draft.now + seconds(left_s),
    )
    _lease(draft, outgoing)


def _send(draft: Draft, event: AnyEvent, card: Card | None) -> None:
    _lease(draft, _message(draft, event, card.id if card else None))


def _message(draft: Draft, event: AnyEvent, subject: str | None) -> Outgoing:
    message_id, kind = draft.new_id("evt"), type_of(event)
    envelope = Envelope(
        id=message_id,
        source=SOURCE,
        type=kind,
        time=draft.now,
        subject=subject,
        data=event,
    )
    return Outgoing(
        id=message_id,
        topic=topics.event(draft.state.user, kind),
        payload=encode(envelope),
        expires_at=draft.now + seconds(OUTCOME_S),
    )


def _lease(draft: Draft, outgoing: Outgoing) -> None:
    lease = draft.now + seconds(draft.state.limits.delivery_lease_s)
    draft.changes.append(Send(message=outgoing, leased_until=lease))
