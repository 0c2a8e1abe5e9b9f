"""What the gateway of a surface does with each message from the hub: deliveries are carried, addresses kept.

The hub repeats a delivery until it has a receipt. What was told before is told again; what cannot be taken now (no
room, addresses not known yet) gets no receipt and comes again.
"""

from collections.abc import Sequence
from typing import Self

from hub.contract import topics
from hub.contract.access import AddressList
from hub.contract.address import AnyAddress
from hub.contract.envelope import Envelope
from hub.contract.events import AnyEvent
from hub.contract.insight import SyncAnswer
from hub.contract.surface import AnyDelivered, DeliveredAddress, DeliveredCard, Receipt
from hub.kit.gateway.carrier import A, Carrier, Outside, P, PushSurface
from hub.kit.gateway.parcel import Parcel
from hub.kit.gateway.receipts import Receipts
from hub.kit.mqtt.reading import read_delivered, read_event

ADDRESSES_MAX = 10_000


class Gateway(PushSurface[A, P]):
    """All devices of one surface. A surface derives its own from this: `render`, `send`, and what else it does.

    Use it as `async with Gateway(…)`; leaving ends what is under way, and the hub sends it again later.
    """

    address_type: type[A]
    """The addresses of this surface; a device with another one has none here."""
    follows_cards = False
    """Whether it shows more than deliveries: then it hears all events, and is told the open cards first."""

    def __init__(self, outside: Outside, receipts: Receipts | None = None) -> None:
        self.outside = outside
        self._receipts = receipts or Receipts()
        self._addresses: dict[str, A] = {}
        self._is_known = False
        carrying = Outside(tell=self.report, fail=outside.fail, clock=outside.clock, draw=outside.draw)
        self.carrier = Carrier(self, self.address_of, carrying)

    async def __aenter__(self) -> Self:
        """Nothing to prepare."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """End what is under way."""
        await self.close()

    async def close(self) -> None:
        """End what is under way."""
        await self.carrier.close()

    @property
    def devices(self) -> Sequence[str]:
        """The names of those that have an address."""
        return tuple(self._addresses)

    def address_of(self, device: str) -> A | None:
        """Return where a device is found; None where nobody knows."""
        return self._addresses.get(device)

    def learn_addresses(self, known: AddressList) -> None:
        """Take over the hub's whole list."""
        before = dict(self._addresses)
        self._addresses.clear()
        for one in known.addresses[:ADDRESSES_MAX]:
            self._learn(one.device, one.address, before.get(one.device))
        self._is_known = True

    def learn_cards(self, known: SyncAnswer) -> None:
        """Take over what is open, where it `follows_cards`."""

    def hear(self, topic: str, payload: bytes) -> None:
        """Take one message from the hub; garbage is let go."""
        kind, _, rest = topic.removeprefix(f"{topics.ROOT}/").partition("/")[2].partition("/")
        if kind == "deliver" and (said := read_delivered(payload)) is not None:
            self._take(rest.rpartition("/")[2], said)
        elif kind in {"state", "event"} and (heard := read_event(payload)) is not None:
            self.hear_event(heard)

    def hear_event(self, heard: Envelope[AnyEvent]) -> None:
        """Take what everybody is told; a surface that shows something of it says so in its own."""

    def carry(self, parcel: Parcel) -> None:
        """Take a delivery that was not told of yet; without room nothing is begun, and it comes again."""
        self.carrier.take(parcel)

    def learned(self, device: str, before: A | None) -> None:
        """Take note that a device's address came or went; `before` is the one that it had."""

    def report(self, device: str, receipt: Receipt) -> None:
        """Tell the hub, and remember it for repeats."""
        self._receipts.note(device, receipt)
        if receipt.gone:
            self._addresses.pop(device, None)
        self.outside.tell(device, receipt)

    def _take(self, device: str, envelope: Envelope[AnyDelivered]) -> None:
        match envelope.data:
            case DeliveredCard(card=card):
                told = self._receipts.told(card.delivery_id)
                if told is not None:
                    self.outside.tell(device, told)
                elif self._is_known and card.delivery_id not in self.carrier:
                    self.carry(Parcel(device=device, card=card, at=envelope.time))
            case DeliveredAddress(address=address):
                self._learn(device, address, self._addresses.get(device))
            case _:  # verdicts are for devices that hand in decisions here; these do so over HTTPS
                return

    def _learn(self, device: str, address: AnyAddress | None, before: A | None) -> None:
        if not isinstance(address, self.address_type):
            self._addresses.pop(device, None)
        elif device in self._addresses or len(self._addresses) < ADDRESSES_MAX:
            self._addresses[device] = address
        self.learned(device, before)
