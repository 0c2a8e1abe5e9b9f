"""The shell around the pure parts: one asyncio loop that hears the link and the keyboard, paints, and reports."""

import asyncio
import contextlib
import os
import signal
import sys
from datetime import datetime, tzinfo
from functools import partial
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from msgspec.structs import replace

from hub.contract import topics
from hub.contract.envelope import Envelope
from hub.contract.events import ExecutionProgress, StatusChanged
from hub.contract.surface import AnyDelivered, Decision, DeliveredCard, Receipt
from hub.contract.topics import DeviceAddress, is_segment
from hub.contract.words import DeliveryState
from hub.kit.bounded import BoundedSet
from hub.kit.called import called_as
from hub.kit.hub_api import HubAddress, NotPairedError, ask_hub, pair
from hub.kit.mqtt.device import DeviceLink, Heard, Item, LinkChanged
from hub.kit.mqtt.reading import read, read_delivered
from hub.kit.tasks import end_all
from surfaces.terminal import plain
from surfaces.terminal.keyboard import decode as decode_keys
from surfaces.terminal.keys import press
from surfaces.terminal.render import render
from surfaces.terminal.screen import Screen, wants_colour
from surfaces.terminal.story import hear, hear_link, hear_progress, hear_status, next_change, pass_time
from surfaces.terminal.view import Intent, Quit, Report, Ring, View

SURFACE = "terminal"
READ_BYTES = 65_536
ESCAPE_S = 0.05
"""After this long, a lone escape byte was the key itself."""
REPORTED_MAX = 10_000
NAMES_MAX = 9


class Watch:
    """One watching terminal, from its first picture to its last."""

    def __init__(self, link: DeviceLink, login_user: str, device: str) -> None:
        self._link = link
        self._user = login_user
        self._view = View(device=device, command=called_as())
        self._zone = local_zone()
        self._reported: BoundedSet[tuple[str, str]] = BoundedSet(REPORTED_MAX)
        self._handed_in: BoundedSet[str] = BoundedSet(REPORTED_MAX)
        self._quit = asyncio.Event()
        self._changed = asyncio.Event()
        self._pending_keys = b""

    async def run_screen(self, screen: Screen) -> None:
        """Show the screen until a person leaves."""
        loop = asyncio.get_running_loop()
        loop.add_reader(sys.stdin.fileno(), self._read_keys, screen)
        loop.add_signal_handler(signal.SIGWINCH, self._resized, screen)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self._quit.set)
        hearing = asyncio.create_task(self._hear(screen))
        painting = asyncio.create_task(self._paint(screen))
        leaving = asyncio.create_task(self._quit.wait())
        try:
            done, _ = await asyncio.wait({hearing, painting, leaving}, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            loop.remove_reader(sys.stdin.fileno())
            await end_all((hearing, painting, leaving))

    async def run_plain(self) -> None:
        """Print a line for each thing that happens: for pipes and logs. Nothing can be answered there."""
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, self._quit.set)
        hearing = asyncio.create_task(self._hear_plain())
        leaving = asyncio.create_task(self._quit.wait())
        done, pending = await asyncio.wait({hearing, leaving}, return_when=asyncio.FIRST_COMPLETED)
        await end_all(pending)
        for task in done:
            task.result()

    async def _hear(self, screen: Screen) -> None:
        async for item in self._link.items():
            self._view, intents = self._take(item)
            self._do(intents, screen)
            self._changed.set()

    async def _hear_plain(self) -> None:
        async for item in self._link.items():
            if isinstance(item, Heard):
                self._print(item)
            else:
                print(plain.link_line(item.state, item.broker, item.note), flush=True)  # noqa: T201  this is its output

    def _print(self, item: Heard) -> None:
        delivered = self._delivered(item)
        if delivered is not None and isinstance(delivered.data, DeliveredCard):
            card = delivered.data.card
            text = plain.event_line(card.event, self._now())
            if text:
                print(text, flush=True)  # noqa: T201  this is its output
            self._report(Report(delivery_id=card.delivery_id, state=DeliveryState.SHOWN))

    def _take(self, item: Item) -> tuple[View, tuple[Intent, ...]]:
        """Fold one item into the view; garbage is let go."""
        now = self._now()
        if isinstance(item, LinkChanged):
            return hear_link(self._view, item.state, item.note, item.broker), ()
        delivered = self._delivered(item)
        if delivered is not None:
            return hear(self._view, delivered.data, delivered.time, now)
        if item.topic == topics.state(self._user):
            status = read(item.payload, StatusChanged)
            return (hear_status(self._view, status.data.status) if status else self._view), ()
        progress = read(item.payload, ExecutionProgress)
        return (hear_progress(self._view, progress.data, progress.time, now) if progress else self._view), ()

    def _delivered(self, item: Heard) -> Envelope[AnyDelivered] | None:
        """Read a delivery to this device; a repeat is only acknowledged again."""
        if not item.topic.startswith(f"{topics.ROOT}/{self._user}/deliver/"):
            return None
        envelope = read_delivered(item.payload)
        if envelope is None or self._link.is_new(envelope.id):
            return envelope
        if isinstance(envelope.data, DeliveredCard):
            self._repeat(envelope.data.card.delivery_id)
        return None

    def _repeat(self, delivery_id: str) -> None:
        """The hub did not get our receipt: say again what was said last."""
        states = [state for (reported, state) in self._reported if reported == delivery_id]
        if states:
            self._send_receipt(delivery_id, DeliveryState(states[-1]))

    def _do(self, intents: tuple[Intent, ...], screen: Screen) -> None:
        for intent in intents:
            match intent:
                case Decision():
                    self._send(intent)
                case Report():
                    self._report(intent)
                case Ring():
                    screen.ring()
                case Quit():
                    self._quit.set()

    def _send(self, decision: Decision) -> None:
        again = not self._handed_in.add(decision.decision_id)
        if not self._link.send_decision(decision, again=again):
            self._view = hear_link(self._view, "lost", "your answer is sent when it is back")

    def _report(self, report: Report) -> None:
        """Send a receipt, once for each state."""
        if self._reported.add((report.delivery_id, report.state.value)):
            self._send_receipt(report.delivery_id, report.state)

    def _send_receipt(self, delivery_id: str, state: DeliveryState) -> None:
        self._link.send_receipt(Receipt(delivery_id=delivery_id, state=state, at=self._now()))

    async def _paint(self, screen: Screen) -> None:
        """Paint when something changed, and when the picture would change by itself; never otherwise."""
        while True:
            self._changed.clear()
            now = self._now()
            self._view, intents = pass_time(self._view, now)
            self._do(intents, screen)
            columns, rows = screen.size()
            picture = render(self._view, columns, rows, now)
            self._view = replace(self._view, clipped=picture.clipped, page_rows=picture.page_rows)
            screen.paint(picture)
            for delivery_id in picture.drawn:
                self._report(Report(delivery_id=delivery_id, state=DeliveryState.SHOWN))
            due = next_change(self._view, self._now())
            wait_s = None if due is None else max(0.0, (due - self._now()).total_seconds())
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await self._changed.wait()

    def _read_keys(self, screen: Screen) -> None:
        try:
            data = os.read(sys.stdin.fileno(), READ_BYTES)
        except OSError:
            data = b""
        if not data:  # the terminal is gone
            self._quit.set()
            return
        self._press_all(screen, self._pending_keys + data, final=False)
        if self._pending_keys:
            asyncio.get_running_loop().call_later(ESCAPE_S, self._flush_keys, screen)

    def _flush_keys(self, screen: Screen) -> None:
        self._press_all(screen, self._pending_keys, final=True)

    def _press_all(self, screen: Screen, data: bytes, *, final: bool) -> None:
        keys, self._pending_keys = decode_keys(data, final=final)
        for key in keys:
            self._view, intents = press(self._view, key, self._now())
            self._do(intents, screen)
        self._changed.set()

    def _resized(self, screen: Screen) -> None:
        screen.forget()
        self._changed.set()

    def _now(self) -> datetime:
        return datetime.now(self._zone)


async def watch(hub: HubAddress, name: str) -> None:
    """Pair, connect, and show until a person leaves.

    Raises:
        NotRunningError: Pulse is not running.
        NotPairedError: it does not take this device.
    """
    address = DeviceAddress(surface=SURFACE, device=free_name(hub, name))
    pairing = partial(pair, hub, address, SURFACE)
    login = pairing()
    also = (topics.state(login.user), topics.event(login.user, "execution.progress"))
    async with DeviceLink(login, also=also, pair_again=pairing) as link:
        watching = Watch(link, login.user, address.device)
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            await watching.run_plain()
            return
        screen = Screen(colour=wants_colour())
        with screen.taken():
            await watching.run_screen(screen)


class DeviceSeen(msgspec.Struct):
    """What is needed of `GET /api/v1/devices`."""

    surface: str
    device: str
    online: bool = False


class DevicesSeen(msgspec.Struct):
    """What is needed of `GET /api/v1/devices`."""

    devices: list[DeviceSeen]


def free_name(hub: HubAddress, wanted: str) -> str:
    """Return the name, or with a number where a terminal of that name is watching already."""
    if not is_segment(wanted):
        raise NotPairedError(f"{wanted!r} is not a valid device name.", fix="Use letters, digits, _ and - only.")
    document = ask_hub(hub, "GET", "/api/v1/devices")
    devices = msgspec.json.decode(document, type=DevicesSeen).devices
    taken = {one.device for one in devices if one.surface == SURFACE and one.online}
    names = [wanted, *(f"{wanted}-{number}" for number in range(2, NAMES_MAX + 1))]
    return next((name for name in names if name not in taken), names[-1])


def local_zone() -> tzinfo:
    """Return the person's time zone: the hub's setting if we were told, else this machine's."""
    with contextlib.suppress(ZoneInfoNotFoundError, ValueError):
        return ZoneInfo(os.environ.get("PULSE_ZONE", ""))
    here = datetime.now().astimezone().tzinfo
    if here is None:
        raise TypeError
    return here
