"""Whether what is sent reaches the person: what surfaces say of each delivery, and what they do not say in time.

Theory: a device is believed to arrive until something is known against it. Against it speak its surface's own words
(a receipt with `trouble`), the end of its address, silence (what was to be heard has no receipt in time), its process
(`SurfaceTrouble`) and its absence (`hub/where/gaps.py` puts them in order). Any later receipt of an arrival ends what
was said or silent before. Only what is to be heard is waited for: what comes silently may wait for its budget.
"""

from datetime import datetime, timedelta

from msgspec.structs import replace

from hub.contract.address import fingerprint
from hub.contract.api import REASON_CHARS_MAX
from hub.contract.surface import Receipt
from hub.contract.words import DeliveryState, Source
from hub.domain.delivery import AwaitedReceipt, Device, DeviceTrouble, Routed
from hub.domain.suggestion import Card
from hub.kit.text import one_line
from hub.loop.commands import WakeAt
from hub.loop.draft import Draft
from hub.loop.events import SurfacesSeen
from hub.loop.reach_views import unreached_on
from hub.loop.state import State
from hub.where import LASTS

RECEIPT_IN = timedelta(seconds=45)
"""A surface says within this what became of a delivery, or that it is still trying."""
ANSWERED_IN = timedelta(minutes=3)
"""What somebody waits for is told on one more device where it was not answered within this."""
ARRIVALS = frozenset({DeliveryState.ACCEPTED, DeliveryState.SHOWN, DeliveryState.ACTED})
Living = frozenset[tuple[str, str]]


def await_receipt(draft: Draft, routed: Routed) -> None:
    """Expect a receipt for what was just sent to be heard, where the device or its gateway is there to give one."""
    device = draft.device(routed.surface, routed.device)
    is_awaited = any((one.surface, one.device) == (routed.surface, routed.device) for one in draft.state.awaited)
    if routed.loudness == "silent" or is_awaited or device is None or not (device.online or device.address):
        return
    awaited = AwaitedReceipt(surface=routed.surface, device=routed.device, since=draft.now)
    draft.state = replace(draft.state, awaited=(*draft.state.awaited, awaited))


def note_receipt(draft: Draft, device: Device, receipt: Receipt) -> None:
    """Take what a receipt says of the device itself."""
    _answered(draft, device, receipt)
    before = device.trouble
    if receipt.state is DeliveryState.DEAD:
        if device.address is None or fingerprint(device.address) == receipt.gone:
            _trouble(draft, device, DeviceTrouble(kind="gone", since=draft.now))
    elif receipt.trouble:
        said = DeviceTrouble(kind="said", since=draft.now, why=words_of(receipt))
        _trouble(draft, device, said)
    elif receipt.state in ARRIVALS:
        is_only_taken = before is not None and before.kind == "unseen" and receipt.state is DeliveryState.ACCEPTED
        if not is_only_taken and (before is not None or device.arrives_since is None):
            arrives_since = device.arrives_since or draft.now
            draft.put_device(replace(device, trouble=None, arrives_since=arrives_since))
            look_soon(draft)


def words_of(receipt: Receipt) -> str:
    """Return what a receipt says, in one line: what to do as well as why, for both are the device's word."""
    words = (one_line(one, REASON_CHARS_MAX).rstrip(".") for one in (receipt.trouble, receipt.fix))
    return ". ".join(filter(None, words)) if receipt.trouble else one_line(receipt.detail, REASON_CHARS_MAX)


def come_online(device: Device) -> Device:
    """Return a device that has come without what its silence said of it."""
    return replace(device, trouble=None) if device.trouble is not None and device.trouble.kind == "silent" else device


def on_surfaces(draft: Draft, event: SurfacesSeen) -> None:
    """Take how the processes of the surfaces are."""
    draft.state = replace(draft.state, surface_troubles=event.troubles)
    look_soon(draft)


def look_soon(draft: Draft) -> None:
    """Look at once who is reached now; that look says when to look again (`next_look`)."""
    draft.commands.append(WakeAt(at=draft.now))


def next_look(draft: Draft) -> datetime | None:
    """Return when a receipt is overdue, or something has lasted long enough to be told of; None where nothing is."""
    state = draft.state
    begun: list[datetime | None] = [one.since for one in state.surface_troubles]
    begun += [one.left_at or one.paired_at for one in state.devices if not one.online]
    moments = [moment + LASTS for moment in begun if moment is not None]
    moments += [one.since + RECEIPT_IN for one in state.awaited]
    moments += [told_at + ANSWERED_IN for told_at in state.unanswered.values()]
    return min((moment for moment in moments if moment > draft.now), default=None)


def settle_overdue(draft: Draft) -> None:
    """Name the devices that have not answered in time for what was to be heard there."""
    overdue = [one for one in draft.state.awaited if draft.now - one.since >= RECEIPT_IN]
    if not overdue:
        return
    draft.state = replace(draft.state, awaited=tuple(one for one in draft.state.awaited if one not in overdue))
    for one in overdue:
        device = draft.device(one.surface, one.device)
        if device is None or device.revoked or reads_feed(draft.state, device):
            continue
        if device.trouble is None or device.trouble.kind in {"silent", "unseen"}:
            _trouble(draft, device, DeviceTrouble(kind="unseen" if one.taken else "silent", since=one.since))


def reads_feed(state: State, device: Device) -> bool:
    """Return True if a device has a page open that reads the live feed."""
    profile = state.profiles.get(device.profile)
    return profile is not None and profile.live_while_present and device.online


def living(state: State, now: datetime) -> Living:
    """Return the devices on which something reaches the person, as far as is known."""
    return frozenset(
        (device.surface, device.device)
        for device in state.devices
        if not device.revoked and unreached_on(state, device, now) is None
    )


def is_changed(state: State, now: datetime) -> bool:
    """Return True if other devices are reached than when it was looked at last, or a device or person is overdue."""
    is_overdue = any(now - one.since >= RECEIPT_IN for one in state.awaited)
    return is_overdue or has_unanswered(state, now) or living(state, now) != state.living


def has_unanswered(state: State, now: datetime) -> bool:
    """Return True if something that somebody waits for was not answered in time."""
    return any(now - told_at >= ANSWERED_IN for told_at in state.unanswered.values())


def is_waited_for(card: Card) -> bool:
    """Return True if somebody waits for the answer; sessions of the world log and reminders have times of their own."""
    return card.proposal.source is Source.ASK and not card.session and not card.task_id and card.held is None


def await_answer(draft: Draft, card_id: str) -> None:
    """Look again whether a question that was just told aloud was answered."""
    draft.state = replace(draft.state, unanswered={**draft.state.unanswered, card_id: draft.now})
    draft.commands.append(WakeAt(at=draft.now + ANSWERED_IN))


def _answered(draft: Draft, device: Device, receipt: Receipt) -> None:
    """Wait no more for a device that has answered; where it confirms what it shows, its push service does not count."""
    profile = draft.state.profiles.get(device.profile)
    only_taken = receipt.state is DeliveryState.ACCEPTED and profile is not None and profile.confirms_shown
    kept = []
    for one in draft.state.awaited:
        is_this = (one.surface, one.device) == (device.surface, device.device)
        if not is_this:
            kept.append(one)
        elif only_taken:
            kept.append(replace(one, taken=True))
    draft.state = replace(draft.state, awaited=tuple(kept))


def _trouble(draft: Draft, device: Device, trouble: DeviceTrouble) -> None:
    before = device.trouble
    since = before.since if before is not None else trouble.since
    draft.put_device(replace(device, trouble=replace(trouble, since=since), arrives_since=None))
    look_soon(draft)
