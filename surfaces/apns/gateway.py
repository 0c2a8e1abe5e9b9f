"""All phones, or all watches, of one person: what they get beside the deliveries that every gateway carries."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hub.contract.address import ApnsAddress
from hub.contract.base import Value
from hub.contract.envelope import Envelope
from hub.contract.events import AnyEvent, ExecutionProgress
from hub.contract.insight import SyncAnswer
from hub.contract.surface import Privacy
from hub.kit.bounded import BoundedMap
from hub.kit.digests import cards_of
from hub.kit.gateway.carrier import Outside
from hub.kit.gateway.gateway import Gateway
from hub.kit.gateway.lanes import Lane, Lanes
from hub.kit.gateway.outcome import Doubtful, Outcome, RetryLater
from hub.kit.gateway.parcel import Parcel, subject_of
from hub.kit.gateway.receipts import Receipts
from hub.kit.phrasebook import in_language
from surfaces.apns.activity import update_push
from surfaces.apns.alert import To
from surfaces.apns.board import Board
from surfaces.apns.books import Books
from surfaces.apns.budget import Hours
from surfaces.apns.client import Client
from surfaces.apns.complication import controls_push
from surfaces.apns.push import PAYLOAD_BYTES_MAX, Push
from surfaces.apns.render import WATCH, render_alert, render_beside
from surfaces.apns.sentences import Strings
from surfaces.apns.wrist import Scene, Wrists

BESIDE_MAX = 1_000
BESIDE_TRIES_MAX = 5
SHOWN_MAX = 10_000
LINES_MAX = 1_000
LINE_EVERY = timedelta(seconds=10)
"""A running execution's last line is shown no more often; Apple limits what a Live Activity may be sent."""
LINE_KEPT = timedelta(minutes=10)


class Setting(Value):
    """What the gateway of a surface is made with; with a `folder`, what it told outlives the process."""

    surface: str
    topic: str
    words: Mapping[str, Strings]
    hours: Hours
    folder: Path | None = None
    face_drive: bool = False


class ApnsGateway(Gateway[ApnsAddress, Push]):
    """Carries notifications; beside them Live Activities and controls, which need no receipt."""

    address_type = ApnsAddress
    sizes = (PAYLOAD_BYTES_MAX, 3_000, 2_000, 1_200)
    in_flight_max = 500
    follows_cards = True

    def __init__(self, outside: Outside, setting: Setting, client: Client) -> None:
        super().__init__(outside, Receipts(setting.folder / "receipts.jsonl" if setting.folder else None))
        self.setting = setting
        self.client = client
        self.board = Board(names_drive=setting.face_drive)
        self._beside = Lanes(waiting_max=BESIDE_MAX)
        self._privacy: dict[str, Privacy] = {}
        self._line_at: BoundedMap[tuple[str, str], datetime] = BoundedMap(LINES_MAX)

    async def close(self) -> None:
        """End what is under way."""
        await super().close()
        await self._beside.close()

    def to(self, device: str) -> To | None:
        """Return whom a push for a device is made for; None without an address."""
        address = self.address_of(device)
        return None if address is None else self._to(address)

    def privacy_of(self, device: str) -> Privacy:
        """How much a device may show; until it was told, nothing."""
        return self._privacy.get(device, "nothing")

    def render(self, parcel: Parcel, address: ApnsAddress, bytes_max: int) -> Push | None:
        """Make the notification."""
        return render_alert(
            self.setting.surface,
            parcel.card,
            self._to(address),
            was_shown=self.was_shown(parcel),
            at=parcel.at,
            now=self.outside.clock(),
            bytes_max=bytes_max,
        )

    async def send(self, address: ApnsAddress, push: Push) -> Outcome:
        """Try once."""
        return await self.client.send(push, address.environment, address.registered_at)

    def was_shown(self, _parcel: Parcel) -> bool:
        """Say whether a notification about the same may be on the device."""
        return True

    def learn_cards(self, known: SyncAnswer) -> None:
        """Take over what is open, for the faces."""
        self.board.start(known.status, known.open, known.timestamp)

    def learned(self, device: str, before: ApnsAddress | None) -> None:
        """Give the tokens of a new registration a new chance."""
        address = self.address_of(device)
        if address is not None and address != before:
            for token in (address.token, address.widget_token, address.complication_token):
                self.client.registered(token)

    def hear_event(self, heard: Envelope[AnyEvent]) -> None:
        """Show what everybody is told: a running execution's newest line, and the state on controls."""
        if isinstance(heard.data, ExecutionProgress):
            self._show_line(heard.data)
            return
        before = self.board.state
        self.board.hear(heard.data, heard.time)
        if self.board.state != before:
            self._reload_controls()

    def carry(self, parcel: Parcel) -> None:
        """Carry the notification, and what goes beside it."""
        device, card = parcel.device, parcel.card
        self._privacy[device] = card.privacy
        self.board.count(card, parcel.at)
        self.board.grant(device, card)
        self.board.hear(card.event, parcel.at)
        to = self.to(device)
        if self.is_for_face(parcel) or not self.carrier.take(parcel) or to is None:
            return
        beside = render_beside(self.setting.surface, card, to, now=self.outside.clock())
        if beside is not None:
            self.send_beside(device, beside)

    def is_for_face(self, _parcel: Parcel) -> bool:
        """Say whether a delivery is told without a notification, and then see to it; a phone tells none so."""
        return False

    def send_beside(self, device: str, push: Push) -> bool:
        """Send what needs no receipt; False when there is no room."""
        name = f"{device}/{push.apns_id}"
        return self._beside.enter(name, name, lambda lane: self._send_beside(device, push, lane))

    async def _send_beside(self, device: str, push: Push, lane: Lane) -> None:
        expires_at = datetime.fromtimestamp(push.expiration, UTC)
        for tried in range(BESIDE_TRIES_MAX):
            address = self.address_of(device)
            if address is None:
                return
            async with self.carrier.slots_of(address):
                outcome = await self.send(address, push)
            if not isinstance(outcome, RetryLater | Doubtful) or (
                isinstance(outcome, Doubtful) and not push.is_repeatable
            ):
                return
            wait_s = self.carrier.wait_s(outcome, tried, expires_at)
            if wait_s is None:
                return
            await lane.pause(wait_s)

    def _to(self, address: ApnsAddress) -> To:
        words = in_language(address.lang, self.setting.words)
        topic = address.topic or self.setting.topic
        return To(address=address, topic=topic, words=words, pending=self.board.pending)

    def _reload_controls(self) -> None:
        """Let each control that shows the autonomous state read it anew; it changes seldom."""
        for device in self.devices:
            to = self.to(device)
            push = controls_push(to, state=str(self.board.state), now=self.outside.clock()) if to else None
            if push is not None:
                self.send_beside(device, push)

    def _show_line(self, event: ExecutionProgress) -> None:
        """Show a running execution's newest line on the Live Activities that there are for it."""
        now = self.outside.clock()
        for device in self.devices:
            to, key = self.to(device), (device, event.execution_id)
            last = self._line_at.get(key)
            if to is None or (last is not None and now - last < LINE_EVERY):
                continue
            push = update_push(event, to, privacy=self.privacy_of(device), now=now, until=now + LINE_KEPT)
            if push is not None and self.send_beside(device, push):
                self._line_at[key] = now


class WatchGateway(ApnsGateway):
    """Watches: what changes only the face is told by the face, within its budget."""

    def __init__(self, outside: Outside, setting: Setting, client: Client) -> None:
        super().__init__(outside, setting, client)
        self._shown: BoundedMap[tuple[str, str], bool] = BoundedMap(SHOWN_MAX)
        scene = Scene(
            to=self.to,
            face=self.board.face,
            privacy=self.privacy_of,
            tell=self.report,
            fail=outside.fail,
            clock=outside.clock,
            hours=setting.hours,
        )
        self._wrists = Wrists(client, Books(setting.folder / "faces.json" if setting.folder else None), scene)

    async def close(self) -> None:
        """End what is under way."""
        self._wrists.close()
        await super().close()

    def was_shown(self, parcel: Parcel) -> bool:
        """Say whether a notification about the same may be on the watch, so that it is replaced in place."""
        return self._shown.get(_key(parcel), True)

    def learn_cards(self, known: SyncAnswer) -> None:
        """Take over what is open, and show it."""
        super().learn_cards(known)
        self._touch_all()

    def learned(self, device: str, before: ApnsAddress | None) -> None:
        """Begin anew with a face that is reached in another way."""
        super().learned(device, before)
        address = self.address_of(device)
        if address is not None and address != before:
            self._wrists.forget(device)
        self._wrists.touch(device)

    def hear_event(self, heard: Envelope[AnyEvent]) -> None:
        """Show it on the faces too."""
        super().hear_event(heard)
        if not isinstance(heard.data, ExecutionProgress):
            self._touch_all()

    def carry(self, parcel: Parcel) -> None:
        """Carry the notification, or what changes only the face on it."""
        super().carry(parcel)
        self._wrists.touch(parcel.device)

    def is_for_face(self, parcel: Parcel) -> bool:
        """Leave to the face what it tells alone; remembers which cards a watch was shown."""
        address = self.address_of(parcel.device)
        if address is None or parcel.card.expires_at <= self.outside.clock():
            return False
        for one in cards_of(parcel.card):  # a digest showed it, so no notification of its own is there to be replaced
            self._shown[parcel.device, subject_of(one.event)] = False
        alone = self.render(parcel, address, PAYLOAD_BYTES_MAX) is None
        if _key(parcel) not in self._shown or not alone:
            self._shown[_key(parcel)] = not alone
        if alone:
            self._wrists.owe(parcel.device, parcel.card.delivery_id)
        return alone

    def _touch_all(self) -> None:
        for device in self.devices:
            self._wrists.touch(device)


def make_gateway(outside: Outside, setting: Setting, client: Client) -> ApnsGateway:
    """Make the gateway of a surface."""
    return (WatchGateway if setting.surface == WATCH else ApnsGateway)(outside, setting, client)


def _key(parcel: Parcel) -> tuple[str, str]:
    return parcel.device, subject_of(parcel.card.event)
