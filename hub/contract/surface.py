"""The surface protocol: what a device is handed, and what it may say back (design sections 4 to 7)."""

from typing import Annotated, Literal

from msgspec import Meta, field

from hub.contract.address import AnyAddress
from hub.contract.api import Aware, Key, Prediction, Prompt, Reason, Word
from hub.contract.base import HubMessage, Message
from hub.contract.events import AnyEvent
from hub.contract.permission import PermissionAnswer
from hub.contract.words import Breadth, DeliveryState, HumanInput, Verb

Loudness = Literal["silent", "badge", "notify", "alert"]
LOUD: frozenset[Loudness] = frozenset({"notify", "alert"})
"""What makes a sound; the rest is told in silence."""
VOTERS_MAX = 100
Privacy = Literal["full", "title", "nothing"]
"""What a push service and a lock screen may see of a card."""


class DigestItem(HubMessage):
    """The leave to answer one card of a digest on one device: what a delivery has for a card that comes alone.

    `delivery_id` is the card's own, for a receipt that says that just this card was shown.
    """

    delivery_id: str
    card_id: Word = field(name="predictionId")
    verbs: tuple[Verb, ...]
    token: str


class CardDelivery(HubMessage):
    """One event for one device: how loudly, and which verbs a person may answer with there.

    `token` is the signed action token for this card, this device and these verbs, until `expires_at`;
    empty when nothing may be answered. With a digest it is empty, and `items` has one for each of its cards.
    `pending` is how many cards wait with this one, for the number on an icon; None where the hub did not say.
    """

    delivery_id: str
    event: AnyEvent
    loudness: Loudness
    verbs: tuple[Verb, ...]
    token: str
    expires_at: Aware
    privacy: Privacy = "full"
    items: tuple[DigestItem, ...] = ()
    pending: Annotated[int, Meta(ge=0)] | None = None


class Receipt(Message):
    """A device says honestly what became of a delivery.

    `gone` is the fingerprint of an address that its push service has ended; the hub then forgets just that one.
    `trouble` says in plain words, without a full stop, why what is sent there does not reach the person now, and `fix`
    what they can do about it; both are shown as the device's own words. With `queued` the surface is still trying: the
    delivery stays with it.
    """

    delivery_id: Key
    state: DeliveryState
    at: Aware
    detail: Reason = ""
    trouble: Reason = ""
    fix: Reason = ""
    gone: Annotated[str, Meta(max_length=64)] = ""


class Voter(Message):
    """One voice behind an answer that several people gave together; those that did not count are kept all the same."""

    id: Key
    name: Annotated[str, Meta(min_length=1, max_length=80)]
    choice: Verb
    weight: Annotated[float, Meta(ge=0, le=1_000)]
    counted: bool


class Decision(Message):
    """A person's answer, handed in by a device; bound to what was shown by the card's hash.

    `shown` says whether all of what a yes lets run was shown there, or only a part of it: then no yes is taken, nor is
    one to a card whose text the device was not to show (`privacy`), unless `whole` says that it was asked for there.

    `about` is how far `less` and `never` reach, `permission` what is answered to an agent beyond yes or no. `voters`
    names everybody whose vote was looked at, where the answer came out of a vote. `proof` shows over MQTT that the
    device itself says all this (`hub/kit/mqtt/proof.py`).
    """

    decision_id: Key
    card_id: Word = field(name="predictionId")
    verb: Verb
    card_hash: Key
    token: Annotated[str, Meta(max_length=1024)]
    human_input: HumanInput
    at: Aware
    by: Word = "me"
    prompt: Prompt | None = None
    reason: Reason = ""
    until: Aware | None = None
    about: Breadth | None = None
    permission: PermissionAnswer | None = None
    voters: Annotated[tuple[Voter, ...], Meta(max_length=VOTERS_MAX)] = ()
    shown: Literal["", "whole", "part"] = ""
    proof: Annotated[str, Meta(max_length=128)] = ""


class Verdict(HubMessage):
    """The hub's answer to a decision, handed to the device that sent it (as a delivery of its own kind)."""

    decision_id: str
    accepted: bool
    code: str
    message: str
    prediction: Prediction | None = None


class Presence(Message):
    """Whether a device is there, as retained state; the broker publishes `online: false` as its last will.

    A device that is connected but worn by nobody counts as absent (`online: false`, `worn: false`). `worn` and
    `battery_percent` are None where it cannot tell.
    """

    online: bool
    at: Aware | None = None
    person_active_at: Aware | None = None
    worn: bool | None = None
    battery_percent: Annotated[int, Meta(ge=0, le=100)] | None = None


class Delivered(HubMessage, tag_field="kind"):
    """What arrives on `deliver/{surface}/{device}`: a card or the verdict on a decision."""


class DeliveredCard(Delivered, tag="card"):
    """A card or another event to show."""

    card: CardDelivery


class DeliveredVerdict(Delivered, tag="verdict"):
    """The answer to this device's own decision."""

    verdict: Verdict


class DeliveredAddress(Delivered, tag="address"):
    """To the gateway of a device that holds no connection: where its push service finds it; None for not any more."""

    delivery_id: str
    address: AnyAddress | None


AnyDelivered = DeliveredCard | DeliveredVerdict | DeliveredAddress
