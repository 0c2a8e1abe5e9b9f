"""Where a card goes: devices, and the ledger of what became of each delivery."""

from datetime import datetime
from typing import Literal

from hub.contract.address import AnyAddress
from hub.contract.base import Value
from hub.contract.surface import Loudness, Privacy
from hub.contract.words import DeliveryState, MoveReason, Verb


class DeviceTrouble(Value):
    """Why what was last sent to a device did not reach the person, and since when that is so.

    `said`: why, in the words that came over the broker, which may be anybody's. `gone`: its push service has ended the
    address. `silent`: no receipt came in time. `unseen`: its push service has taken it, and the device has not shown
    it.
    """

    kind: Literal["said", "gone", "silent", "unseen"]
    since: datetime
    why: str = ""


class SurfaceTrouble(Value):
    """What keeps the process of a surface from its work; an empty `surface` is the broker, which all but pages need."""

    surface: str
    since: datetime
    why: str = ""
    fix: str = ""


class AwaitedReceipt(Value):
    """The oldest delivery to a device that it is to make heard and has not answered for; `taken` by a push service."""

    surface: str
    device: str
    since: datetime
    taken: bool = False


class Device(Value):
    """A paired device and what is known of it.

    `profile` names a file in device_profiles/; `left_at` is None while it is online, and if it never was. `privacy`
    None means as the profile says. `address` is where a push service finds it, for devices that hold no connection.
    `pairing` names this pairing: what belongs to an earlier one of the same name is void. `arrives_since` is when the
    first of those messages arrived that arrive there without `trouble`; None before any, and while there is trouble.
    """

    user: str
    surface: str
    device: str
    profile: str
    online: bool = False
    person_active_at: datetime | None = None
    revoked: bool = False
    left_at: datetime | None = None
    title: str = ""
    privacy: Privacy | None = None
    address: AnyAddress | None = None
    pairing: str = ""
    paired_at: datetime | None = None
    arrives_since: datetime | None = None
    trouble: DeviceTrouble | None = None


def tried_as(surface: str, device: str) -> str:
    """Return under which name the ledger keeps what a person sent a device to try it; it is no card's id."""
    return f"test/{surface}/{device}"


class Routed(Value):
    """`where`'s decision for one device: how loudly, which verbs it may offer, and what others may see of it.

    Of a digest `each` has the verbs of each card, in its order.
    """

    surface: str
    device: str
    loudness: Loudness
    verbs: tuple[Verb, ...]
    privacy: Privacy = "full"
    pairing: str = ""
    each: tuple[tuple[Verb, ...], ...] = ()


class LedgerEntry(Value):
    """One delivery of one event to one device; `id` is its idempotency key on every retry.

    `card_id` is empty for what is about no card, and `tried_as` a device for its tests.
    `detail` is what the device said of it, in quotation marks.
    `reason` is that of the card's last move, as it was told; None where there was none. As a change it is added, or
    moved on, by its id.
    """

    id: str
    user: str
    card_id: str
    surface: str
    device: str
    event_type: str
    state: DeliveryState
    at: datetime
    detail: str = ""
    reason: MoveReason | None = None
    loudness: Loudness = "silent"
