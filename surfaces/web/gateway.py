"""All browsers of one person: how a delivery looks there, the one request that hands it over, the count on the icon."""

from collections.abc import Mapping

from hub.contract.address import WebPushAddress
from hub.contract.envelope import Envelope
from hub.contract.events import AnyEvent, StatusChanged
from hub.kit.gateway.carrier import Outside
from hub.kit.gateway.gateway import Gateway
from hub.kit.gateway.outcome import Outcome
from hub.kit.gateway.parcel import Parcel
from hub.kit.gateway.waiting import WaitingCount
from hub.kit.phrasebook import Phrases, in_language
from surfaces.web.render import PLAIN_BYTES_MAX, Push, Reader, render
from surfaces.web.send import Sender


class WebGateway(Gateway[WebPushAddress, Push]):
    """Its state is what the hub said last; everything else is on its way."""

    address_type = WebPushAddress
    sizes = (PLAIN_BYTES_MAX, 2_800, 2_000, 1_200)
    in_flight_max = 20

    def __init__(self, outside: Outside, sender: Sender, words: Mapping[str, Phrases]) -> None:
        super().__init__(outside)
        self._sender = sender
        self._words = words
        self._pending = WaitingCount()

    def service_of(self, address: WebPushAddress) -> str:
        """Return its host; a name is enough, whether it is allowed is not judged here."""
        return address.endpoint.partition("://")[2].partition("/")[0].lower()

    def render(self, parcel: Parcel, address: WebPushAddress, bytes_max: int) -> Push | None:
        """Make the message in the browser's language."""
        self._pending.hear(parcel.card.pending, parcel.at)
        words = in_language(address.lang, self._words)
        reader = Reader(origin=address.origin, words=words, device=parcel.device, pending=self._pending.count)
        return render(parcel.card, reader, at=parcel.at, now=self.outside.clock(), bytes_max=bytes_max)

    async def send(self, address: WebPushAddress, push: Push) -> Outcome:
        """Try once."""
        return await self._sender.send(address, push)

    def hear_event(self, heard: Envelope[AnyEvent]) -> None:
        """Keep how many cards wait."""
        if isinstance(heard.data, StatusChanged):
            self._pending.hear(heard.data.status.pending, heard.time)
