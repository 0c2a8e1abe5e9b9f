"""What the gateway of one surface does with each message from the hub.

The hub repeats a delivery until it has a receipt. What was told before is told again; what cannot be taken now (no
room, addresses not known yet) gets no receipt and comes again.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from hub.contract import topics
from hub.contract.access import AddressList
from hub.contract.address import AnyAddress, ApnsAddress
from hub.contract.base import Value
from hub.contract.envelope import BadMessageError, Envelope, decode
from hub.contract.events import AnyEvent, ExecutionProgress, StatusChanged
from hub.contract.insight import SyncAnswer
from hub.contract.surface import AnyDelivered, DeliveredAddress, DeliveredCard, Privacy, Receipt
from surfaces.apns.activity import update_push
from surfaces.apns.alert import To
from surfaces.apns.board import Board
from surfaces.apns.budget import Hours
from surfaces.apns.carrier import Carrier, Parcel, World
from surfaces.apns.catalogue import words_for
from surfaces.apns.client import Client
from surfaces.apns.complication import controls_push
from surfaces.apns.memory import Memory
from surfaces.apns.push import Push
from surfaces.apns.render import WATCH, render_alert, render_beside
from surfaces.apns.says import Words, tag_of
from surfaces.apns.wrist import Scene, Wrists

ADDRESSES_MAX = 10_000
SHOWN_MAX = 10_000
LINES_MAX = 1_000
LINE_EVERY = timedelta(seconds=10)
"""A running execution's last line is shown no more often; Apple limits what a Live Activity may be sent."""
LINE_KEPT = timedelta(minutes=10)

Tell = Callable[[str, Receipt], bool]


class Setting(Value):
    """What the gateway of a surface is made with. `fail` is told when the settings make all sending pointless."""

    surface: str
    topic: str
    words: Mapping[str, Words]
    hours: Hours
    clock: Callable[[], datetime]
    draw: Callable[[], float]
    tell: Tell
    fail: Callable[[str], object]


class Gateway:
    """All phones, or all watches, of one person."""

    def __init__(self, setting: Setting, client: Client, memory: Memory) -> None:
        self._setting = setting
        self._client = client
        self._memory = memory
        self._board = Board()
        self._addresses: dict[str, ApnsAddress] = {}
        self._is_known = False
        self._privacy: dict[str, Privacy] = {}
        self._shown: OrderedDict[tuple[str, str], bool] = OrderedDict()
        self._line_at: OrderedDict[tuple[str, str], datetime] = OrderedDict()
        world = World(
            to=self._to,
            render=self._render,
            tell=self._report,
            fail=setting.fail,
            clock=setting.clock,
            draw=setting.draw,
        )
        self.carrier = Carrier(client, world)
        scene = Scene(
            to=self._to,
            face=self._board.face,
            privacy=self._privacy_of,
            tell=self._report,
            fail=setting.fail,
            clock=setting.clock,
            hours=setting.hours,
        )
        self.wrists = Wrists(client, memory, scene)

    def learn_addresses(self, known: AddressList) -> None:
        """Take over the hub's whole list."""
        before = dict(self._addresses)
        self._addresses.clear()
        for one in known.addresses[:ADDRESSES_MAX]:
            self._learn(one.device, one.address, before.get(one.device))
        self._is_known = True

    def learn_cards(self, known: SyncAnswer) -> None:
        """Take over what is open, for the faces."""
        self._board.start(known.status, known.open)
        self._touch_all()

    def hear(self, topic: str, payload: bytes) -> None:
        """Take one message from the hub; garbage is let go."""
        kind, _, rest = topic.removeprefix(f"{topics.ROOT}/").partition("/")[2].partition("/")
        try:
            match kind:
                case "state":
                    self._hear_event(decode(payload, StatusChanged).data)
                case "event":
                    event: Envelope[AnyEvent] = decode(payload, AnyEvent)  # type: ignore[arg-type]  # a union is a type to msgspec
                    self._hear_event(event.data)
                case "deliver":
                    said: Envelope[AnyDelivered] = decode(payload, AnyDelivered)  # type: ignore[arg-type]  # a union is a type to msgspec
                    self._take(rest.rpartition("/")[2], said)
        except BadMessageError:
            return

    def _hear_event(self, event: AnyEvent) -> None:
        if isinstance(event, ExecutionProgress):
            self._show_line(event)
            return
        before = self._board.state
        self._board.hear(event)
        self._touch_all()
        if self._board.state != before:
            self._reload_controls()

    def _reload_controls(self) -> None:
        """Let each control that shows the autonomous state read it anew; it changes seldom."""
        for device in list(self._addresses):
            to = self._to(device)
            push = controls_push(to, state=str(self._board.state), now=self._setting.clock()) if to else None
            if push is not None:
                self.carrier.take_beside(push, device)

    def _take(self, device: str, envelope: Envelope[AnyDelivered]) -> None:
        match envelope.data:
            case DeliveredCard(card=card):
                told = self._memory.told(card.delivery_id)
                if told is not None:
                    self._setting.tell(device, told)
                elif self._is_known and not self.carrier.has(card.delivery_id):
                    self._carry(Parcel(device=device, card=card, at=envelope.time))
            case DeliveredAddress(address=address):
                self._learn(device, address, self._addresses.get(device))
            case _:  # verdicts are for devices that hand in decisions here; apps do so over HTTPS
                return

    def _carry(self, parcel: Parcel) -> None:
        device, card = parcel.device, parcel.card
        self._privacy[device] = card.privacy
        self._board.grant(device, card)
        self._board.hear(card.event)
        to = self._to(device)
        if to is not None and self._is_for_face(parcel, to):
            self.wrists.owe(device, card.delivery_id)
            return
        if not self.carrier.take(parcel):
            return
        if to is not None:
            beside = render_beside(self._setting.surface, card, to, now=self._setting.clock())
            if beside is not None:
                self.carrier.take_beside(beside, device)
        if self._setting.surface == WATCH:
            self.wrists.touch(device)

    def _is_for_face(self, parcel: Parcel, to: To) -> bool:
        """Whether a delivery to a watch is told by its face alone; remembers which cards a watch was shown."""
        if self._setting.surface != WATCH or parcel.card.expires_at <= self._setting.clock():
            return False
        key = (parcel.device, tag_of(parcel.card.event))
        alone = self._render(parcel, to) is None
        if key not in self._shown or not alone:
            self._shown[key] = not alone
            if len(self._shown) > SHOWN_MAX:
                self._shown.popitem(last=False)
        return alone

    def _render(self, parcel: Parcel, to: To, bytes_max: int = 4_096) -> Push | None:
        key = (parcel.device, tag_of(parcel.card.event))
        return render_alert(
            self._setting.surface,
            parcel.card,
            to,
            was_shown=self._shown.get(key, True),
            at=parcel.at,
            now=self._setting.clock(),
            bytes_max=bytes_max,
        )

    def _show_line(self, event: ExecutionProgress) -> None:
        """Show a running execution's newest line on the Live Activities that there are for it."""
        now = self._setting.clock()
        for device in list(self._addresses):
            to, key = self._to(device), (device, event.execution_id)
            last = self._line_at.get(key)
            if to is None or (last is not None and now - last < LINE_EVERY):
                continue
            push = update_push(event, to, privacy=self._privacy_of(device), now=now, until=now + LINE_KEPT)
            if push is not None and self.carrier.take_beside(push, device):
                self._line_at[key] = now
                if len(self._line_at) > LINES_MAX:
                    self._line_at.popitem(last=False)

    def _learn(self, device: str, address: AnyAddress | None, before: ApnsAddress | None) -> None:
        if not isinstance(address, ApnsAddress):
            self._addresses.pop(device, None)
        elif device in self._addresses or len(self._addresses) < ADDRESSES_MAX:
            self._addresses[device] = address
            if address != before:
                for token in (address.token, address.widget_token, address.complication_token):
                    self._client.registered(token)
                self.wrists.forget(device)
        if self._setting.surface == WATCH:
            self.wrists.touch(device)

    def _touch_all(self) -> None:
        if self._setting.surface == WATCH:
            for device in list(self._addresses):
                self.wrists.touch(device)

    def _to(self, device: str) -> To | None:
        address = self._addresses.get(device)
        if address is None:
            return None
        words = words_for(address.lang, self._setting.words)
        topic = address.topic or self._setting.topic
        return To(address=address, topic=topic, words=words, pending=self._board.pending)

    def _privacy_of(self, device: str) -> Privacy:
        """How much a device may show; until it was told, nothing."""
        return self._privacy.get(device, "nothing")

    def _report(self, device: str, receipt: Receipt) -> None:
        """Tell the hub, and remember it for repeats."""
        self._memory.tell(device, receipt)
        if receipt.gone:
            self._addresses.pop(device, None)
        self._setting.tell(device, receipt)
