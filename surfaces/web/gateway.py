"""What the gateway does with each message from the hub: deliveries are carried, addresses kept, the count noted.

The hub repeats a delivery until it has a receipt. So nothing is remembered on disk, and a repeat is told again what was
told before. What cannot be taken now (no room, addresses not known yet) gets no receipt and comes again.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from datetime import datetime

from hub.contract import topics
from hub.contract.access import AddressList
from hub.contract.address import AnyAddress, WebPushAddress
from hub.contract.envelope import BadMessageError, Envelope, decode
from hub.contract.events import StatusChanged
from hub.contract.surface import AnyDelivered, DeliveredAddress, DeliveredCard, Receipt
from surfaces.web.carrier import Carrier, Parcel, World
from surfaces.web.catalogue import words_for
from surfaces.web.render import Push, Reader, render
from surfaces.web.says import Words
from surfaces.web.send import Sender

TOLD_MAX = 10_000
"""Receipts that are remembered, to say them again when the hub did not get them."""
ADDRESSES_MAX = 10_000

Tell = Callable[[str, Receipt], bool]


class Gateway:
    """All browsers of one person. Its state is what the hub said last; everything else is on its way."""

    def __init__(
        self,
        sender: Sender,
        tell: Tell,
        *,
        words: Mapping[str, Words],
        clock: Callable[[], datetime],
        draw: Callable[[], float],
    ) -> None:
        self._tell = tell
        self._words = words
        self._clock = clock
        self._addresses: dict[str, WebPushAddress] = {}
        self._is_known = False
        self._pending: int | None = None
        self._told: OrderedDict[str, Receipt] = OrderedDict()
        world = World(address_of=self._addresses.get, render=self._render, tell=self._report, clock=clock, draw=draw)
        self.carrier = Carrier(sender, world)

    def learn_addresses(self, known: AddressList) -> None:
        """Take over the hub's whole list."""
        self._addresses.clear()
        for one in known.addresses[:ADDRESSES_MAX]:
            self._learn_address(one.device, one.address)
        self._is_known = True

    def hear(self, topic: str, payload: bytes) -> None:
        """Take one message from the hub; garbage is let go."""
        kind, _, rest = topic.removeprefix(f"{topics.ROOT}/").partition("/")[2].partition("/")
        try:
            if kind == "state":
                self._pending = decode(payload, StatusChanged).data.status.pending
            elif kind == "deliver":
                envelope: Envelope[AnyDelivered] = decode(payload, AnyDelivered)  # type: ignore[arg-type]  # a union is a type to msgspec
                self._take(rest.rpartition("/")[2], envelope)
        except BadMessageError:
            return

    def _take(self, device: str, envelope: Envelope[AnyDelivered]) -> None:
        match envelope.data:
            case DeliveredCard(card=card):
                told = self._told.get(card.delivery_id)
                if told is not None:
                    self._tell(device, told)
                elif self._is_known:
                    self.carrier.take(Parcel(device=device, card=card, at=envelope.time))
            case DeliveredAddress(address=address):
                self._learn_address(device, address)
            case _:  # verdicts are for devices that hand in decisions here; browsers do so over HTTPS
                return

    def _learn_address(self, device: str, address: AnyAddress | None) -> None:
        if not isinstance(address, WebPushAddress):
            self._addresses.pop(device, None)
        elif device in self._addresses or len(self._addresses) < ADDRESSES_MAX:
            self._addresses[device] = address

    def _render(self, parcel: Parcel, address: WebPushAddress, bytes_max: int) -> Push | None:
        words = words_for(address.lang, self._words)
        reader = Reader(origin=address.origin, words=words, device=parcel.device, pending=self._pending)
        return render(parcel.card, reader, at=parcel.at, now=self._clock(), bytes_max=bytes_max)

    def _report(self, device: str, receipt: Receipt) -> None:
        """Tell the hub, and remember it for repeats."""
        self._told[receipt.delivery_id] = receipt
        if len(self._told) > TOLD_MAX:
            self._told.popitem(last=False)
        if receipt.gone:
            self._addresses.pop(device, None)
        self._tell(device, receipt)
