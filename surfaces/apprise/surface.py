"""Apprise as one device that only tells. Each service is told once, also where another one has to be tried again."""

from pathlib import Path
from typing import Protocol

from hub.contract.topics import DeviceAddress
from hub.kit.bounded import BoundedMap
from hub.kit.gateway.carrier import Outside
from hub.kit.gateway.device import AnswerLink, DeviceSurface, OnlyPlace
from hub.kit.gateway.outcome import Accepted, Outcome, RetryLater
from hub.kit.gateway.parcel import Parcel
from hub.kit.phrase_files import phrases
from surfaces.apprise.render import TextPush, render
from surfaces.apprise.settings import Config

TEXT_CHARS_MAX = 2_000
TOLD_MAX = 1_000
TO_MEND = "Check that its address is still valid; `pulse apprise setup` takes others."


class AnyServices(Protocol):
    """What is needed of the services."""

    def __len__(self) -> int:
        """How many there are."""

    async def tell(self, number: int, push: TextPush) -> bool:
        """Tell one of them; False where it did not take it."""


class AppriseSurface(DeviceSurface[TextPush]):
    """All services of one person."""

    sizes = (TEXT_CHARS_MAX,)
    in_flight_max = 2

    def __init__(
        self,
        own_address: DeviceAddress,
        link: AnswerLink,
        folder: Path | None,
        outside: Outside,
        *,
        config: Config,
        services: AnyServices,
    ) -> None:
        super().__init__(own_address, link, folder, outside)
        self._config = config
        self._services = services
        self._words = phrases(config.language)
        self._told: BoundedMap[str, frozenset[int]] = BoundedMap(TOLD_MAX)

    def render(self, parcel: Parcel, address: OnlyPlace, bytes_max: int) -> TextPush | None:  # noqa: ARG002  there is one place
        """Make the text."""
        return render(parcel.card, self._words, self.own_address, page=self._config.page, chars_max=bytes_max)

    async def send(self, address: OnlyPlace, push: TextPush) -> Outcome:  # noqa: ARG002  there is one place
        """Try each service that was not told yet."""
        for number in range(len(self._services)):
            told = self._told.get(push.delivery_id, frozenset())
            if number not in told and await self._services.tell(number, push):
                self._told[push.delivery_id] = told | {number}
        told = self._told.get(push.delivery_id, frozenset())
        missing = [str(number + 1) for number in range(len(self._services)) if number not in told]
        why = f"Apprise's service number {', '.join(missing)} of {len(self._services)} did not take it"
        return RetryLater(why=why, fix=TO_MEND) if missing else Accepted()
