"""What devices say: presence, receipts, and decisions with their signed tokens."""

from msgspec.structs import replace

from hub.contract import topics
from hub.contract.api import Prediction
from hub.contract.surface import Decision, Verdict
from hub.contract.topics import Address
from hub.contract.words import DeliveryState, Status, Verb
from hub.domain.delivery import Device
from hub.domain.requests import (
    HandIn,
    Noted,
    Refused,
    RegisterDevice,
    Reply,
    ReportPresence,
    ReportReceipt,
    RevokeDevice,
    Taken,
)
from hub.domain.storage import Hasten, PutDelivery, PutDevice, Retire
from hub.domain.suggestion import Answer
from hub.loop.answers import decide
from hub.loop.draft import Draft
from hub.loop.tell import answer_device, show
from hub.loop.views import status_of
from hub.where import Grant, TokenError, check

ORDER = (
    DeliveryState.QUEUED,
    DeliveryState.UNKNOWN,
    DeliveryState.ACCEPTED,
    DeliveryState.SHOWN,
    DeliveryState.ACTED,
    DeliveryState.CLEARED,
    DeliveryState.DEAD,
)
"""A receipt that comes late or twice never takes the ledger back."""


def on_presence(draft: Draft, request: ReportPresence, reply_to: str) -> None:
    """A device came or went; one that came is handed every open card, and at once whatever has waited for it.

    A device that only reports that its person is active has been handed them already.
    """
    draft.reply(reply_to, Noted(status=status_of(draft.state, draft.now)))
    device = _find(draft, request.sender)
    if device is None or device.revoked:
        return
    presence = request.presence
    now = replace(
        device,
        online=presence.online,
        person_active_at=presence.person_active_at or device.person_active_at,
        left_at=None if presence.online else draft.now if device.online else device.left_at,
    )
    if now != device:
        _put(draft, now)
    if presence.online and (not device.online or now.person_active_at == device.person_active_at):
        draft.changes.append(Hasten(topic=topics.deliver(draft.state.user, request.sender), at=draft.now))
        for card in draft.facts.open_cards:
            if card.expires_at > draft.now:
                show(draft, card, now)


def on_receipt(draft: Draft, request: ReportReceipt, reply_to: str) -> None:
    """A receipt retires the outbox row, nothing earlier does."""
    draft.reply(reply_to, Noted(status=status_of(draft.state, draft.now)))
    entry, receipt = draft.facts.delivery, request.receipt
    if entry is None or (entry.surface, entry.device) != (request.sender.surface, request.sender.device):
        return
    draft.changes.append(Retire(ids=(entry.id,)))
    if ORDER.index(receipt.state) > ORDER.index(entry.state):
        moved = replace(entry, state=receipt.state, at=draft.now, detail=receipt.detail)
        draft.changes.append(PutDelivery(entry=moved))


def on_register(draft: Draft, request: RegisterDevice, reply_to: str) -> None:
    """Pair a device, or pair it again."""
    known = _find(draft, request.address)
    device = Device(
        user=draft.state.user,
        surface=request.address.surface,
        device=request.address.device,
        profile=request.profile,
        online=known.online if known else False,
        left_at=known.left_at if known else None,
    )
    if device != known:
        _put(draft, device)
    draft.reply(reply_to, Noted(status=status_of(draft.state, draft.now)))


def on_revoke(draft: Draft, request: RevokeDevice, reply_to: str) -> None:
    """End a pairing; one that is unknown or has ended is no mistake."""
    draft.reply(reply_to, Noted(status=status_of(draft.state, draft.now)))
    known = _find(draft, request.address)
    if known is not None and not known.revoked:
        _put(draft, replace(known, revoked=True, online=False))


def on_hand_in(draft: Draft, request: HandIn, reply_to: str) -> None:
    """Take a decision only if its token was signed for this card, this device and this verb."""
    draft.reply(reply_to, Noted(status=status_of(draft.state, draft.now)))
    decision, sender = request.decision, request.sender
    try:
        grant = check(draft.state.secret, decision.token)
    except TokenError as error:
        answer_device(draft, sender, _refused(decision, error))
        return
    device = _find(draft, sender)
    fits = _fits(grant, decision, sender) and not _is_stale(draft, grant, decision.verb)
    if not fits or device is None or device.revoked:
        answer_device(draft, sender, _refused(decision, TokenError()))
        return
    reply = decide(draft, _answer(decision, sender))
    if isinstance(reply, Taken):
        verdict = Verdict(
            decision_id=decision.decision_id,
            accepted=True,
            code="repeated" if reply.repeated else "taken",
            message=reply.message,
            prediction=reply.prediction,
        )
    else:
        code, detail, shown = _why(reply)
        verdict = Verdict(decision_id=decision.decision_id, accepted=False, code=code, message=detail, prediction=shown)
    answer_device(draft, sender, verdict)


def _find(draft: Draft, address: Address) -> Device | None:
    same = (d for d in draft.state.devices if (d.surface, d.device) == (address.surface, address.device))
    return next(same, None)


def _put(draft: Draft, device: Device) -> None:
    others = tuple(d for d in draft.state.devices if (d.surface, d.device) != (device.surface, device.device))
    draft.state = replace(draft.state, devices=(*others, device))
    draft.changes.append(PutDevice(device=device))


def _fits(grant: Grant, decision: Decision, sender: Address) -> bool:
    return (
        (grant.card_id, grant.card_hash) == (decision.prediction_id, decision.card_hash)
        and (grant.surface, grant.device) == (sender.surface, sender.device)
        and (decision.verb in grant.verbs)
    )


def _is_stale(draft: Draft, grant: Grant, verb: Verb) -> bool:
    """An expired token gives no leave; where nobody could have any more, the person is told what became of the card."""
    if draft.now < grant.expires_at:
        return False
    card = draft.facts.card
    is_over = card is not None and (card.status is not Status.PENDING or card.expires_at <= draft.now)
    return verb in {Verb.UNDO, Verb.STOP} or not is_over


def _answer(decision: Decision, sender: Address) -> Answer:
    return Answer(
        key=decision.decision_id,
        card_id=decision.prediction_id,
        verb=decision.verb,
        by=decision.by,
        surface=sender.surface,
        device=sender.device,
        human_input=decision.human_input,
        card_hash=decision.card_hash,
        prompt=decision.prompt,
        reason=decision.reason,
        until=decision.until,
    )


def _refused(decision: Decision, error: TokenError) -> Verdict:
    return Verdict(decision_id=decision.decision_id, accepted=False, code=error.code, message=error.detail)


def _why(reply: Reply) -> tuple[str, str, Prediction | None]:
    if not isinstance(reply, Refused):
        raise TypeError(type(reply).__name__)
    return reply.code, f"{reply.detail} {reply.fix}".strip(), reply.prediction
