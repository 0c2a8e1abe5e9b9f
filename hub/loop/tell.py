"""Telling: one event to the WebSocket, to the event topic, and to each device as loudly as its profile says."""

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from hub.contract import topics
from hub.contract.address import AnyAddress
from hub.contract.api import Prediction
from hub.contract.envelope import Envelope, encode
from hub.contract.events import (
    AnyEvent,
    DigestReady,
    ExecutionFailed,
    ExecutionProgress,
    PredictionExecuted,
    PredictionExpired,
    PredictionNew,
    PredictionReturned,
    PredictionSettled,
    PredictionSnoozed,
    StatusChanged,
    type_of,
)
from hub.contract.surface import (
    AnyDelivered,
    CardDelivery,
    DeliveredAddress,
    DeliveredCard,
    DeliveredVerdict,
    DigestItem,
    Verdict,
)
from hub.contract.topics import DeviceAddress
from hub.contract.words import DeliveryState, Source, Status, Verb
from hub.domain.delivery import Device, LedgerEntry, Routed, tried_as
from hub.domain.storage import Outgoing, Send
from hub.domain.suggestion import Card
from hub.loop import notification_test as trial
from hub.loop.alike import forget_alike, note_alike, together
from hub.loop.alike_views import alike_of
from hub.loop.commands import Mention, Tell
from hub.loop.draft import Draft
from hub.loop.reach import RECEIPT_IN, await_answer, await_receipt, is_waited_for
from hub.loop.views import seconds, status_of
from hub.when import is_quiet
from hub.where import Grant, mint, route

SOURCE = "pulse/hub"
OUTCOME_S = 3_600.0
"""How long a device that is away, or a broker that is lost, may still be told an outcome or an event."""
VERDICT_S = 300.0
"""How long a device may still be told what became of its own decision."""
BACK_S = 300.0
"""A device that left no longer ago than this may come back with its screen as it was, so endings are kept for it."""
ARRIVED = frozenset({DeliveryState.ACCEPTED, DeliveryState.SHOWN, DeliveryState.CLEARED, DeliveryState.ACTED})
ENDINGS = (PredictionSettled, PredictionSnoozed, PredictionExecuted, ExecutionFailed, PredictionExpired)


def tell(
    draft: Draft,
    event: AnyEvent,
    card: Card | None = None,
    *,
    is_heard: bool = True,
    urgent: bool = False,
    several: DigestReady | None = None,
) -> None:
    """Tell everybody. `card` is the card the event is about, as it is now; one that is held only goes into lists.

    What is `urgent` is heard on every device, but not in quiet hours. Devices that show several at once are told of
    `several` instead, where there is such a thing.
    """
    draft.commands.append(Tell(event=event))
    _send(draft, event, card)
    if card is not None and isinstance(event, ENDINGS):
        forget_alike(draft, card)
    if card is not None and isinstance(event, PredictionNew | PredictionReturned) and is_waited_for(card):
        await_answer(draft, card.id)
    quiet = not is_heard or is_quiet(draft.state.policy, draft.mind.dnd_until, draft.now)
    for routed in route(
        event,
        tuple(device for device in _reachable(draft, event) if may_show(draft, card, device)),
        draft.state.profiles,
        bands=draft.state.policy.bands,
        now=draft.now,
        quiet=quiet,
        urgent=urgent,
    ):
        if several is not None and _shows_several(draft, routed):
            deliver(draft, several, _each_of(draft, several, routed), None)
        else:
            deliver(draft, event, routed, card)


def tell_new(draft: Draft, card: Card, *, is_heard: bool = True, urgent: bool = False) -> None:
    """Tell everybody of a card that is there from now on."""
    tell(draft, PredictionNew(prediction=draft.view(card)), card, is_heard=is_heard, urgent=urgent)


def tell_settled(draft: Draft, card: Card) -> Prediction:
    """Tell everybody what became of a card; return it as they see it now."""
    shown = draft.view(card)
    tell(draft, PredictionSettled(prediction=shown), card)
    return shown


def tell_status(draft: Draft) -> None:
    """Tell everybody how Pulse is now."""
    tell(draft, StatusChanged(status=status_of(draft.state, draft.now)))


def _shows_several(draft: Draft, routed: Routed) -> bool:
    """Return True if a device shows several cards in one message; one that may show no text tells of each."""
    device = draft.device(routed.surface, routed.device)
    profile = None if device is None else draft.state.profiles.get(device.profile)
    return profile is not None and profile.alike_together and routed.privacy == "full"


def _each_of(draft: Draft, several: DigestReady, routed: Routed) -> Routed:
    """Return the way to a device with what it may answer to each of several cards."""
    device = draft.device(routed.surface, routed.device)
    found = route(
        several,
        () if device is None else (device,),
        draft.state.profiles,
        bands=draft.state.policy.bands,
        now=draft.now,
        quiet=False,
    )
    return replace(routed, verbs=(), each=found[0].each)


def _reachable(draft: Draft, event: AnyEvent) -> tuple[Device, ...]:
    """Count who has just left as there when a card ends: else it would come back with that card still open."""
    if not isinstance(event, ENDINGS):
        return draft.state.devices
    return tuple(
        replace(device, online=True) if _may_come_back(draft, device) else device for device in draft.state.devices
    )


def may_show(draft: Draft, card: Card | None, device: Device) -> bool:
    """Return True if a device shows a card: one that is held only where a person looks at a list of all."""
    if card is None or card.held is None:
        return True
    profile = draft.state.profiles.get(device.profile)
    return profile is not None and profile.lists_held


def _may_come_back(draft: Draft, device: Device) -> bool:
    """Say so for who has just left; not where a push service takes over from the screen as soon as it is left."""
    profile = draft.state.profiles.get(device.profile)
    is_pushed = profile is not None and profile.live_while_present
    return not is_pushed and device.left_at is not None and device.left_at > draft.now - seconds(BACK_S)


def tell_asked(draft: Draft, card: Card) -> None:
    """Tell aloud what an agent asks; of several alike one is heard, and says how many wait."""
    beside, is_heard = note_alike(draft, card)
    event = PredictionNew(prediction=draft.view(card), alike=beside)
    tell(draft, event, card, is_heard=is_heard, several=together(draft, card) if beside else None)


def mention(draft: Draft, event: ExecutionProgress) -> None:
    """Tell those who listen just now; it promises nothing, so nothing of it waits in the outbox."""
    draft.commands.append(Tell(event=event))
    message = _message(draft, event, event.card_id)
    draft.commands.append(Mention(topic=message.topic, payload=message.payload))


def show(draft: Draft, card: Card, device: Device, *, quiet: bool = True) -> None:
    """Hand one open card to one device, whether it is online or not: as a rule to one that has just come online."""
    event = PredictionNew(prediction=draft.view(card))
    for routed in route(
        event,
        (device,) if may_show(draft, card, device) else (),
        draft.state.profiles,
        bands=draft.state.policy.bands,
        now=draft.now,
        quiet=quiet,
    ):
        deliver(draft, event, routed, card)


def show_unseen(draft: Draft, device: Device) -> None:
    """Hand one device that has just gone every open card that came after its person was last active on it."""
    unseen = [card for card in _open_cards(draft) if _came_after(card, device.person_active_at)]
    _show_all(draft, device, unseen, heard=unseen)


def show_waiting(draft: Draft, device: Device, *, left_at: datetime | None) -> None:
    """Hand one device that has come back, or comes for the first time, every open card.

    Those are heard that were to be heard there and never arrived, that were to be heard elsewhere and arrived nowhere,
    or that somebody has waited for since it left.
    """
    everywhere = [entry for _, entries in draft.facts.ledgers or () for entry in entries]
    there = [entry for entry in everywhere if (entry.surface, entry.device) == (device.surface, device.device)]
    arrived = {one.card_id for one in there if one.state in ARRIVED}
    lost = {one.card_id for one in everywhere if one.loudness != "silent"}
    lost -= {one.card_id for one in everywhere if one.state in ARRIVED or _is_on_its_way(draft, one, there)}
    loud = {one.card_id for one in there if one.loudness != "silent"} | lost
    told = {one.card_id for one in there}
    cards = _open_cards(draft)
    asked = [card for card in cards if card.proposal.source is Source.ASK and _came_after(card, left_at)]
    missed = {card.id for card in asked if left_at is not None} - told
    heard = [card for card in cards if card.id in (loud | missed) - arrived]
    _show_all(draft, device, cards, heard=heard)


def _is_on_its_way(draft: Draft, entry: LedgerEntry, there: Sequence[LedgerEntry]) -> bool:
    """Return True if another device was sent it a moment ago, and may still have it."""
    return entry.state is DeliveryState.QUEUED and draft.now - entry.at < RECEIPT_IN and entry not in there


def _open_cards(draft: Draft) -> list[Card]:
    return [card for card in draft.facts.open_cards if card.expires_at > draft.now]


def _came_after(card: Card, moment: datetime | None) -> bool:
    return moment is None or (card.returned_at or card.created_at) > moment


def _show_all(draft: Draft, device: Device, cards: Sequence[Card], *, heard: Sequence[Card]) -> None:
    """Hand cards to one device; of several alike that are to be heard one is."""
    quiet = is_quiet(draft.state.policy, draft.mind.dnd_until, draft.now)
    loud, before = {card.id for card in heard}, set[str]()
    for card in cards:
        alike, is_loud = alike_of(card), card.id in loud
        show(draft, card, device, quiet=quiet or not is_loud or alike in before)
        before.update({alike} - {""} if is_loud else ())


def show_test(draft: Draft, device: Device) -> None:
    """Hand one device what says that it is a test; nothing is stored of it but the deliveries.

    Where its profile says so it is one of each kind that this device is ever told of; elsewhere one card.
    """
    profile = draft.state.profiles.get(device.profile)
    test_id, bands = draft.new_id("test"), draft.state.policy.bands
    noted_as = tried_as(device.surface, device.device)
    if profile is None or not profile.tries_each_row:
        deliver(draft, trial.one(test_id, draft.now), _loudly(draft, device), None, noted_as)
        return
    for event in trial.one_of_each(test_id, bands, draft.now):
        for routed in route(event, (device,), draft.state.profiles, bands=bands, now=draft.now, quiet=False):
            deliver(draft, event, replace(routed, verbs=()), None, noted_as)


def show_told(draft: Draft, device: Device, what: str, fix: str) -> None:
    """Tell one device what was or would be loosened; as of a test, nothing is stored but the deliveries."""
    event = trial.told(draft.new_id("told"), what, fix, draft.now)
    deliver(draft, event, _loudly(draft, device), None, tried_as(device.surface, device.device))


def _loudly(draft: Draft, device: Device) -> Routed:
    profile = draft.state.profiles.get(device.profile)
    privacy = device.privacy or (profile.privacy if profile else "full")
    return Routed(surface=device.surface, device=device.device, loudness="notify", verbs=(), privacy=privacy)


def hand_address(draft: Draft, to: DeviceAddress, address: AnyAddress | None) -> None:
    """Tell a device's gateway where its push service finds it from now on."""
    message_id = draft.new_id("adr")
    body = DeliveredAddress(delivery_id=message_id, address=address)
    _hand(draft, to, body, message_id=message_id, subject=None, left_s=VERDICT_S)


def answer_device(draft: Draft, to: DeviceAddress, verdict: Verdict) -> None:
    """Tell a device what became of the decision it handed in."""
    body = DeliveredVerdict(verdict=verdict)
    subject = verdict.prediction.id if verdict.prediction else None
    _hand(draft, to, body, message_id=draft.new_id("vdt"), subject=subject, left_s=VERDICT_S)


def deliver(draft: Draft, event: AnyEvent, routed: Routed, card: Card | None, noted_as: str = "") -> None:
    """Hand one event to one device, with a line in the ledger; where it is to be heard, a receipt is waited for."""
    to = DeviceAddress(surface=routed.surface, device=routed.device)
    expires_at = _open_until(draft, event, routed, card)
    delivery_id = draft.new_id("dlv")
    delivery = CardDelivery(
        delivery_id=delivery_id,
        event=event,
        loudness=routed.loudness,
        verbs=routed.verbs,
        token=_token(draft, card, routed, routed.verbs, expires_at) if card else "",
        expires_at=expires_at,
        privacy=routed.privacy,
        items=_items(draft, event, routed),
        pending=draft.state.open_count,
    )
    left_s = (expires_at - draft.now).total_seconds()
    subject = card.id if card else None
    _hand(draft, to, DeliveredCard(card=delivery), message_id=delivery_id, subject=subject, left_s=left_s)
    _note(draft, delivery_id, event, routed, card, noted_as=noted_as)
    await_receipt(draft, routed)


def _open_until(draft: Draft, event: AnyEvent, routed: Routed, card: Card | None) -> datetime:
    """Say until when a delivery is of use: while its card can be answered, a digest's longest; else for a while."""
    if card is not None and routed.verbs and card.status is Status.PENDING:
        return card.expires_at
    cards = event.cards if isinstance(event, DigestReady) else ()
    return max((one.expires_at for one in cards), default=draft.now + seconds(OUTCOME_S))


def _items(draft: Draft, event: AnyEvent, routed: Routed) -> tuple[DigestItem, ...]:
    """Give the leave to answer each card of a digest; each is one delivery in the ledger, by an id of its own."""
    if not isinstance(event, DigestReady):
        return ()
    items = tuple(
        DigestItem(
            delivery_id=draft.new_id("dlv"),
            card_id=card.id,
            verbs=verbs,
            token=_token(draft, card, routed, verbs, card.expires_at),
        )
        for card, verbs in zip(event.cards, routed.each, strict=True)
    )
    for card, item in zip(event.cards, items, strict=True):
        _note(draft, item.delivery_id, event, routed, card)
    return items


def _note(
    draft: Draft, entry_id: str, event: AnyEvent, routed: Routed, card: Card | Prediction | None, *, noted_as: str = ""
) -> None:
    entry = LedgerEntry(
        id=entry_id,
        user=draft.state.user,
        card_id=card.id if card else noted_as,
        surface=routed.surface,
        device=routed.device,
        event_type=type_of(event),
        state=DeliveryState.QUEUED,
        at=draft.now,
        reason=card.status_reason if card else None,
        loudness=routed.loudness,
    )
    draft.changes.append(entry)


def _token(draft: Draft, card: Card | Prediction, routed: Routed, verbs: tuple[Verb, ...], expires_at: datetime) -> str:
    if not verbs:
        return ""
    grant = Grant(
        card_id=card.id,
        card_hash=card.card_hash,
        surface=routed.surface,
        device=routed.device,
        verbs=verbs,
        expires_at=expires_at,
        attempt=card.attempts,
        round=card.round,
        pairing=routed.pairing,
    )
    return mint(draft.state.secret, grant)


def _hand(
    draft: Draft, to: DeviceAddress, body: AnyDelivered, *, message_id: str, subject: str | None, left_s: float
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
