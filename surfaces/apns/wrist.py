"""Keeps each watch's face fresh within its budget: changes are gathered, and the newest state is what is sent.

A delivery that is nothing but a change of the face is told to the hub once a push that shows it was taken.
"""

import asyncio
from collections.abc import Callable
from datetime import datetime

from msgspec.structs import replace

from hub.contract.address import fingerprint
from hub.contract.base import Value
from hub.contract.surface import Privacy, Receipt
from hub.contract.words import DeliveryState
from hub.kit.gateway.outcome import Accepted, Gone, Misconfigured, Outcome, Quarantined
from surfaces.apns.alert import To
from surfaces.apns.books import Books
from surfaces.apns.budget import Book, Hours, Plan, assumed, plan, plan_background, spend
from surfaces.apns.client import Client
from surfaces.apns.complication import face_push, way_of
from surfaces.apns.face import Face, looks
from surfaces.apns.push import apns_id

OWED_MAX = 1_000
WAIT_S_MIN = 0.05
"""Changes of the same moment are one push."""


class Scene(Value):
    """What the keeper needs of its surroundings; `clock` tells the person's own time."""

    to: Callable[[str], To | None]
    face: Callable[[str], Face]
    privacy: Callable[[str], Privacy]
    tell: Callable[[str, Receipt], object]
    fail: Callable[[str], object]
    clock: Callable[[], datetime]
    hours: Hours


class _Wrist:
    """One watch: what it shows, what it is owed, and when it is refreshed next."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.shown: tuple[object, ...] | None = None
        self.owed: set[str] = set()
        self.timer: asyncio.TimerHandle | None = None
        self.task: asyncio.Task[None] | None = None
        self.dead: set[str] = set()


class Wrists:
    """All watches of one person; `close` ends it."""

    def __init__(self, client: Client, books: Books, scene: Scene) -> None:
        self._client = client
        self._kept = books
        self._scene = scene
        self._wrists: dict[str, _Wrist] = {}
        self._loop = asyncio.get_running_loop()

    def close(self) -> None:
        """Send nothing more."""
        for wrist in self._wrists.values():
            if wrist.timer is not None:
                wrist.timer.cancel()
            if wrist.task is not None:
                wrist.task.cancel()

    def owe(self, device: str, delivery_id: str) -> None:
        """Remember that a delivery is told by the face alone."""
        wrist = self._wrist(device)
        if len(wrist.owed) < OWED_MAX:
            wrist.owed.add(delivery_id)
        self.touch(device)

    def touch(self, device: str) -> None:
        """Look whether a face must be refreshed, and see to it."""
        wrist, to = self._wrist(device), self._scene.to(device)
        if to is None:
            self._pay(device, wrist, DeliveryState.UNKNOWN, "no address")
            return
        if wrist.task is not None or wrist.timer is not None:
            return
        if self._looks(device, to) == wrist.shown:
            self._pay(device, wrist, DeliveryState.ACCEPTED, "the face shows it")
            return
        now = self._scene.clock()
        wait_s = (self._plan(wrist, to, now).at - now).total_seconds()
        wrist.timer = self._loop.call_later(max(WAIT_S_MIN, wait_s), self._due, device)

    def forget(self, device: str) -> None:
        """A device is not reached any more, or in another way: begin anew with it."""
        wrist = self._wrists.get(device)
        if wrist is not None:
            wrist.shown, wrist.dead = None, set()

    def _wrist(self, device: str) -> _Wrist:
        if device not in self._wrists:
            now = self._scene.clock()
            self._wrists[device] = _Wrist(self._kept.book(device) or assumed(self._scene.hours, now))
        return self._wrists[device]

    def _looks(self, device: str, to: To) -> tuple[object, ...]:
        now, privacy = self._scene.clock(), self._scene.privacy(device)
        return looks(self._scene.face(device), to.words.phrases, privacy=privacy, now=now)

    def _plan(self, wrist: _Wrist, to: To, now: datetime) -> Plan:
        has_budget = way_of(self._alive(wrist, to), may_spend=True) != "background"
        return plan(wrist.book, self._scene.hours, now) if has_budget else plan_background(wrist.book, now)

    def _alive(self, wrist: _Wrist, to: To) -> To:
        """Leave out the face tokens that APNs has ended; the hub hears of them with the next registration."""
        address = to.address
        widget = "" if address.widget_token in wrist.dead else address.widget_token
        older = "" if address.complication_token in wrist.dead else address.complication_token
        return replace(to, address=replace(address, widget_token=widget, complication_token=older))

    def _due(self, device: str) -> None:
        wrist = self._wrist(device)
        wrist.timer = None
        wrist.task = self._loop.create_task(self._refresh(device, wrist))
        wrist.task.add_done_callback(lambda _: self._refreshed(device, wrist))

    def _refreshed(self, device: str, wrist: _Wrist) -> None:
        done, wrist.task = wrist.task, None
        if done is None or done.cancelled():
            return
        if (error := done.exception()) is not None:
            self._loop.call_exception_handler({"message": "a face's refresh ended in a bug", "exception": error})
            return
        self.touch(device)

    async def _refresh(self, device: str, wrist: _Wrist) -> None:
        """Send the face as it is now, if its time has come; what it costs is noted before it is sent."""
        to, now = self._scene.to(device), self._scene.clock()
        if to is None:
            return
        alive, planned = self._alive(wrist, to), self._plan(wrist, to, now)
        if planned.at > now:
            return
        wrist.book = spend(wrist.book, planned, now)
        self._kept.spend(device, wrist.book)
        look = self._looks(device, to)
        owed = frozenset(wrist.owed)
        way = way_of(alive, may_spend=planned.pays == "budget")
        push_id = apns_id(f"{device}-{now.isoformat()}", "face")
        privacy = self._scene.privacy(device)
        push = face_push(self._scene.face(device), alive, way, privacy=privacy, push_id=push_id, now=now)
        outcome = await self._client.send(push, to.address.environment, to.address.registered_at)
        self._note(device, wrist, to, push.token, outcome)
        if isinstance(outcome, Accepted):
            wrist.shown = look
            self._pay(device, wrist, DeliveryState.ACCEPTED, f"{way}, {outcome.detail}", only=owed)

    def _note(self, device: str, wrist: _Wrist, to: To, token: str, outcome: Outcome) -> None:
        is_main = token == to.address.token
        match outcome:
            case Gone() if is_main:
                self._pay(device, wrist, DeliveryState.DEAD, "gone", gone=fingerprint(to.address))
            case Gone() | Quarantined() if not is_main:
                wrist.dead.add(token)
            case Quarantined(why=why, fix=fix):
                detail = f"set aside until the app registers again: {why}"
                self._pay(device, wrist, DeliveryState.UNKNOWN, detail, trouble=why, fix=fix)
            case Misconfigured(why=why, stops_all=True):
                self._scene.fail(why)

    def _pay(
        self,
        device: str,
        wrist: _Wrist,
        state: DeliveryState,
        detail: str,
        *,
        gone: str = "",
        trouble: str = "",
        fix: str = "",
        only: frozenset[str] | None = None,
    ) -> None:
        """Tell what became of the deliveries that the face shows."""
        now = self._scene.clock()
        paid = wrist.owed if only is None else wrist.owed & only
        wrist.owed = wrist.owed - paid
        for delivery_id in paid:
            receipt = Receipt(
                delivery_id=delivery_id, state=state, at=now, detail=detail, gone=gone, trouble=trouble, fix=fix
            )
            self._scene.tell(device, receipt)
