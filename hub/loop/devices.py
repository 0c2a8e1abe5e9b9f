"""What devices say: presence, receipts, and decisions with their signed tokens."""

from msgspec.structs import replace

from hub.contract import topics
from hub.contract.address import fingerprint
from hub.contract.api import AnswerReply
from hub.contract.profile import DeviceProfile
from hub.contract.surface import Decision, Verdict
from hub.contract.topics import GATEWAY, DeviceAddress
from hub.contract.words import AFTER_FAILURE, GRANTING, DeliveryState, Status, Verb
from hub.domain.delivery import Device
from hub.domain.moment import Change
from hub.domain.provenance import in_quotes
from hub.domain.requests import (
    ChangeDevice,
    DeviceDecision,
    Noted,
    Refused,
    RegisterDevice,
    Reply,
    ReportPresence,
    ReportReceipt,
    RevokeDevice,
    SetAddress,
    TellDevices,
    TryDevice,
)
from hub.domain.storage import DeleteSent, ReleaseLeases
from hub.domain.suggestion import Answer
from hub.kit.text import one_line
from hub.loop import reach, refusals
from hub.loop.answers import decide
from hub.loop.digests import note_day
from hub.loop.draft import Draft
from hub.loop.events import AgentConnected
from hub.loop.news import note
from hub.loop.notification_test import LOOSENED
from hub.loop.reach_views import unreached_on
from hub.loop.tell import answer_device, hand_address, show_test, show_told, show_unseen, show_waiting
from hub.loop.views import status_of
from hub.where import Grant, TokenError, beside_agents, check, may_say

ORDER = (
    DeliveryState.QUEUED,
    DeliveryState.UNKNOWN,
    DeliveryState.ACCEPTED,
    DeliveryState.SHOWN,
    DeliveryState.CLEARED,
    DeliveryState.ACTED,
    DeliveryState.DEAD,
)
"""A receipt that comes late or twice never takes the ledger back. Desktops put a notification away once its button was
pressed, and may say so before or after the answer: what counts is the answer."""

TITLE_CHARS_MAX = 80
NOT_SHOWN = Refused(
    code="not-shown",
    status=403,
    detail="That device did not show everything that would run, so it cannot approve it.",
    fix="Answer where you can read everything: on the page, or with `pulse approve`.",
)

APPROVE_IN_PULSE = Refused(
    code="approve-in-pulse",
    status=403,
    detail="A coding agent is connected, and could answer there too, so only a no or later counts.",
    fix="Approve in Pulse.",
)


def on_agent_connected(draft: Draft, event: AgentConnected) -> None:
    """From now on an agent could answer wherever a login that lies in a file is enough."""
    del event
    draft.state = replace(draft.state, profiles=beside_agents(draft.state.profiles))


def on_presence(draft: Draft, request: ReportPresence, reply_to: str) -> None:
    """A device came or went; one that came is handed every open card, and at once whatever has waited for it.

    What came while it was away is told as loudly as it would have been; what it has shown before comes silently. A
    device that only reports that its person is active has been handed them already. One that reads the feed itself
    is handed, when it goes, what came after its person was last active: nobody has seen that.
    """
    draft.reply(reply_to, Noted(status=status_of(draft.state, draft.now)))
    if request.sender.device == GATEWAY:
        _hasten_carried(draft, request)
        return
    device = draft.device(request.sender.surface, request.sender.device)
    if device is None or device.revoked:
        return
    presence = request.presence
    said = presence.person_active_at
    active_at = None if said is None else min(said, draft.now)
    now = replace(
        device,
        online=presence.online,
        person_active_at=active_at or device.person_active_at,
        left_at=None if presence.online else draft.now if device.online else device.left_at,
    )
    if now.online != device.online:
        now = reach.come_online(now) if now.online else now
        reach.look_soon(draft)
    if now != device:
        draft.put_device(now)
        note_day(draft)
    if active_at is not None:
        note(draft, Change.PRESENCE, at=active_at)
    profile = draft.state.profiles.get(device.profile)
    if profile is not None and profile.live_while_present:
        if device.online and not presence.online:
            show_unseen(draft, now)
        return
    if presence.online and (not device.online or now.person_active_at == device.person_active_at):
        draft.changes.append(ReleaseLeases(topic=topics.deliver(draft.state.user, request.sender), at=draft.now))
        show_waiting(draft, now, left_at=device.left_at)


def _hasten_carried(draft: Draft, request: ReportPresence) -> None:
    """Hand a gateway that has come online at once whatever has waited for the devices that it carries for."""
    if not request.presence.online:
        return
    for device in draft.state.devices:
        if device.surface == request.sender.surface and device.address is not None and not device.revoked:
            address = DeviceAddress(surface=device.surface, device=device.device)
            draft.changes.append(ReleaseLeases(topic=topics.deliver(draft.state.user, address), at=draft.now))


def on_receipt(draft: Draft, request: ReportReceipt, reply_to: str) -> None:
    """A receipt retires the outbox row, nothing earlier does; one that says that it is still tried does not."""
    draft.reply(reply_to, Noted(status=status_of(draft.state, draft.now)))
    entry, receipt = draft.facts.delivery, request.receipt
    if entry is None or (entry.surface, entry.device) != (request.sender.surface, request.sender.device):
        return
    if receipt.state is not DeliveryState.QUEUED:
        draft.changes.append(DeleteSent(ids=(entry.id,)))
    is_late = ORDER.index(receipt.state) < ORDER.index(entry.state)
    if not is_late and (receipt.state is not entry.state or receipt.trouble):
        words = reach.words_of(receipt)
        detail = in_quotes(words) if words else ""
        draft.changes.append(replace(entry, state=receipt.state, at=draft.now, detail=detail))
    device = draft.device(entry.surface, entry.device)
    if device is not None and not device.revoked and not (is_late and receipt.trouble):
        reach.note_receipt(draft, device, receipt)
    _forget_gone(draft, request)


def _forget_gone(draft: Draft, request: ReportReceipt) -> None:
    """Drop an address that its push service has ended, unless the device has given another one since."""
    device = draft.device(request.sender.surface, request.sender.device)
    gone = request.receipt.gone
    if device is not None and device.address is not None and gone and fingerprint(device.address) == gone:
        draft.put_device(replace(device, address=None))
        hand_address(draft, request.sender, None)


def on_register(draft: Draft, request: RegisterDevice, reply_to: str) -> None:
    """Pair a device, or pair it again."""
    known = draft.device(request.address.surface, request.address.device)
    device = Device(
        user=draft.state.user,
        surface=request.address.surface,
        device=request.address.device,
        profile=request.profile,
        online=known.online if known else False,
        left_at=known.left_at if known else None,
        title=_called(request.title) or (known.title if known else ""),
        privacy=known.privacy if known else None,
        address=known.address if known and not known.revoked else None,
        pairing=_pairing(draft, known),
        paired_at=known.paired_at if known and not known.revoked else draft.now,
        arrives_since=known.arrives_since if known and not known.revoked else None,
        trouble=known.trouble if known and not known.revoked else None,
    )
    if device != known:
        draft.put_device(device)
        reach.look_soon(draft)
    draft.reply(reply_to, Noted(status=status_of(draft.state, draft.now)))


def _called(title: str | None) -> str:
    """Return what a device is called, as it may stand beside what is said of others."""
    return one_line(title or "", TITLE_CHARS_MAX)


def _pairing(draft: Draft, known: Device | None) -> str:
    """Pairing again goes on with a pairing that holds; after a revocation another one begins."""
    return draft.new_id("pair") if known is None or known.revoked else known.pairing


def on_revoke(draft: Draft, request: RevokeDevice, reply_to: str) -> None:
    """End a pairing; one that is unknown or has ended is no mistake.

    It is written again even so: where the store could not take it, the state already says what the store does not.
    """
    draft.reply(reply_to, Noted(status=status_of(draft.state, draft.now)))
    known = draft.device(request.address.surface, request.address.device)
    if known is not None:
        draft.put_device(replace(known, revoked=True, online=False, address=None))
        reach.look_soon(draft)
        if known.address is not None:
            hand_address(draft, request.address, None)


def on_change(draft: Draft, request: ChangeDevice, reply_to: str) -> None:
    """Call a device otherwise, or show more or less on it."""
    device = _paired(draft, request.address, reply_to)
    if device is None:
        return
    changed = replace(device, title=_called(request.title) or device.title, privacy=request.privacy or device.privacy)
    if changed != device:
        draft.put_device(changed)
    draft.reply(reply_to, Noted(status=status_of(draft.state, draft.now)))


def on_set_address(draft: Draft, request: SetAddress, reply_to: str) -> None:
    """Take note of where a device's push service finds it, and tell the gateway."""
    device = _paired(draft, request.address, reply_to)
    if device is None:
        return
    if device.address != request.push:
        draft.put_device(replace(device, address=request.push, trouble=None))
        reach.look_soon(draft)
        note_day(draft)
        hand_address(draft, request.address, request.push)
    draft.reply(reply_to, Noted(status=status_of(draft.state, draft.now)))


def on_test(draft: Draft, request: TryDevice, reply_to: str) -> None:
    """Send one device a notification that says what it is; nothing can be answered by it."""
    device = _paired(draft, request.address, reply_to)
    if device is None:
        return
    if not _is_reached(draft, device):
        why = unreached_on(draft.state, device, draft.now)
        draft.reply(reply_to, refusals.no_address(str(request.address), why))
        return
    show_test(draft, device)
    draft.reply(reply_to, Noted(status=status_of(draft.state, draft.now)))


def on_tell(draft: Draft, request: TellDevices, reply_to: str) -> None:
    """Tell every device that can be reached; nothing can be answered there."""
    tell_devices(draft, request.what, LOOSENED)
    draft.reply(reply_to, Noted(status=status_of(draft.state, draft.now)))


def tell_devices(draft: Draft, what: str, fix: str) -> None:
    """Tell every device that can be reached what was done, and what to do if that was somebody else."""
    for device in draft.state.devices:
        if not device.revoked and _is_reached(draft, device):
            show_told(draft, device, what, fix)


def _is_reached(draft: Draft, device: Device) -> bool:
    profile = draft.state.profiles.get(device.profile)
    return device.address is not None or (device.online and profile is not None and not profile.needs_address)


def _paired(draft: Draft, address: DeviceAddress, reply_to: str) -> Device | None:
    device = draft.device(address.surface, address.device)
    if device is None or device.revoked:
        draft.reply(reply_to, refusals.unknown_device(str(address)))
        return None
    return device


def on_hand_in(draft: Draft, request: DeviceDecision, reply_to: str) -> None:
    """Take a decision only if its token was signed for this card, this device and this verb."""
    reply = _hand_in(draft, request)
    if request.replies:
        draft.reply(reply_to, reply)
        return
    draft.reply(reply_to, Noted(status=status_of(draft.state, draft.now)))
    answer_device(draft, request.sender, _verdict(request.decision, reply))


def _hand_in(draft: Draft, request: DeviceDecision) -> Reply:
    decision, sender = request.decision, request.sender
    try:
        grant = check(draft.state.secret, decision.token)
    except TokenError as error:
        return refusals.bad_token(error)
    device = draft.device(sender.surface, sender.device)
    fits = _fits(grant, decision, sender) and not _is_stale(draft, grant, decision.verb)
    if not fits or device is None or device.revoked or grant.pairing != device.pairing:
        return refusals.bad_token(TokenError())
    profile = draft.state.profiles.get(device.profile)
    if profile is not None and decision.human_input not in profile.inputs:
        return refusals.wrong_input(decision.human_input, profile)
    if profile is not None and not _may_say(draft, decision, profile):
        return APPROVE_IN_PULSE
    if profile is not None and decision.verb in GRANTING and not _was_shown(decision, device, profile):
        return NOT_SHOWN
    return decide(draft, _answer(decision, sender, grant))


def _may_say(draft: Draft, decision: Decision, profile: DeviceProfile) -> bool:
    """Return True unless only an agent that is connected would have to want this: then it takes more than a login."""
    card = draft.facts.card
    is_own_idea = card is not None and card.is_own_idea and decision.prompt is None
    return may_say(decision.verb, profile, is_own_idea=is_own_idea)


def _was_shown(decision: Decision, device: Device, profile: DeviceProfile) -> bool:
    """Return True if a yes came from where all that it lets run was shown, as far as the device and the hub know."""
    if decision.shown == "part":
        return False
    return (device.privacy or profile.privacy) == "full" or (profile.unfolds and decision.shown == "whole")


def _verdict(decision: Decision, reply: Reply) -> Verdict:
    if isinstance(reply, AnswerReply):
        return Verdict(
            decision_id=decision.decision_id,
            accepted=True,
            code="repeated" if reply.repeated else "taken",
            message=reply.message,
            prediction=reply.prediction,
        )
    if not isinstance(reply, Refused):
        raise TypeError(type(reply).__name__)
    message = f"{reply.detail} {reply.fix}".strip()
    return Verdict(
        decision_id=decision.decision_id,
        accepted=False,
        code=reply.code,
        message=message,
        prediction=reply.prediction,
    )


def _fits(grant: Grant, decision: Decision, sender: DeviceAddress) -> bool:
    return (
        (grant.card_id, grant.card_hash) == (decision.card_id, decision.card_hash)
        and (grant.surface, grant.device) == (sender.surface, sender.device)
        and (decision.verb in grant.verbs)
    )


def _is_stale(draft: Draft, grant: Grant, verb: Verb) -> bool:
    """An expired token gives no leave; where nobody could have any more, the person is told what became of the card."""
    if draft.now < grant.expires_at:
        return False
    card = draft.facts.card
    is_over = card is not None and (card.status is not Status.PENDING or card.expires_at <= draft.now)
    return verb in {Verb.UNDO, Verb.STOP, *AFTER_FAILURE} or not is_over


def _answer(decision: Decision, sender: DeviceAddress, grant: Grant) -> Answer:
    return Answer(
        key=decision.decision_id,
        card_id=decision.card_id,
        verb=decision.verb,
        by=decision.by,
        surface=sender.surface,
        device=sender.device,
        human_input=decision.human_input,
        card_hash=decision.card_hash,
        prompt=decision.prompt,
        reason=decision.reason,
        until=decision.until,
        attempt=grant.attempt if decision.verb in AFTER_FAILURE else None,
        round=grant.round,
        voters=decision.voters,
        about=decision.about,
        permission=decision.permission,
        by_device=True,
    )
