"""ntfy as one device: cards go to one topic, answers come back on another."""

from functools import partial
from pathlib import Path

from hub.contract.surface import Privacy, Verdict
from hub.contract.topics import DeviceAddress
from hub.contract.words import HumanInput
from hub.kit.gateway.carrier import Outside
from hub.kit.gateway.device import AnswerLink, DeviceSurface, OnlyPlace
from hub.kit.gateway.outcome import Outcome
from hub.kit.gateway.parcel import Parcel
from hub.kit.phrase_files import phrases
from surfaces.ntfy.render import NtfyPush, Replies, refusal, render
from surfaces.ntfy.server import Ntfy
from surfaces.ntfy.settings import Config

TEXT_BYTES_MAX = 2_400
"""Of the 4,096 the buttons take the rest: three with their addresses."""


class NtfySurface(DeviceSurface[NtfyPush]):
    """`seen` is what its topic may be told: everything where strangers are kept out, else what the settings say."""

    sizes = (TEXT_BYTES_MAX, 1_200, 400)
    in_flight_max = 2

    def __init__(
        self,
        own_address: DeviceAddress,
        link: AnswerLink,
        folder: Path | None,
        outside: Outside,
        *,
        config: Config,
        server: Ntfy,
        reply_topic: str,
        page: str = "",
    ) -> None:
        super().__init__(own_address, link, folder, outside)
        self._config = config
        self._server = server
        self._page = page
        self._words = phrases(config.language)
        self._replies = Replies(url=config.server.rstrip("/"), topic=reply_topic)
        self.seen: Privacy = config.on_open_topic

    async def listen(self) -> None:
        """Hear answers until cancelled; each new connection checks again whether strangers may read the topic."""
        await self._server.open()
        try:
            await self._server.hear(self.hear_reply, partial(self.trouble.say, "hearing"), self._look_who_may_read)
        finally:
            await self._server.close()

    async def _look_who_may_read(self) -> None:
        self.seen = self._config.on_open_topic if await self._server.is_open() else "full"

    def render(self, parcel: Parcel, address: OnlyPlace, bytes_max: int) -> NtfyPush | None:  # noqa: ARG002  there is one place
        """Make the message."""
        return render(
            parcel.card,
            self.offers,
            self._words,
            self.own_address,
            replies=self._replies,
            seen=self.seen,
            bytes_max=bytes_max,
            page=self._page,
        )

    async def send(self, address: OnlyPlace, push: NtfyPush) -> Outcome:  # noqa: ARG002  there is one place
        """Try once."""
        return await self._server.publish(push)

    def hear_reply(self, text: str) -> None:
        """Take what was written to the reply topic: a name that we gave out, or nothing."""
        self.press(text, HumanInput.TAP)

    def hear_verdict(self, verdict: Verdict) -> None:
        """Say why an answer did not count."""
        if not verdict.accepted and self.seen == "full":
            card = verdict.prediction
            self.spawn(self._tell(refusal(verdict.message, card.id if card else verdict.decision_id)))

    async def _tell(self, push: NtfyPush) -> None:
        """Tell once; whether it arrives matters to nothing that is decided."""
        await self._server.publish(push)
