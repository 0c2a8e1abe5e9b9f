"""What one connection to the gateway has open: each of its questions is a card for as long as it waits there.

Whoever answers first has answered: the gateway takes one answer and tells everybody. When the connection ends, all
that is open is taken back, for nobody could be answered; the next one finds again what still waits.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol

from hub.contract.base import Value
from hub.contract.control import PermissionReply
from hub.contract.permission import OverRequest
from hub.contract.words import Status
from hub.io.attached.attachment import AsksPerson, Attachment
from hub.io.attached.openclaw.asked import (
    APPROVALS,
    QUESTION,
    GatewayAsk,
    How,
    ask_of,
    asked_in,
    call_for,
    over_in,
    request_of,
)
from hub.io.attached.openclaw.connection import CallRefused, GatewayEvent
from hub.io.attached.openclaw.kept_device import AGENT
from hub.kit.hub_client import HubSaysNo
from hub.kit.loose_json import LooseJson, objects_of

OPEN_MAX = 100
ASKED_AGAIN_MAX = 5
"""A question that was taken back when a connection ended is asked again so often at most."""
LIST_EVERY_S = 60.0
"""The gateway leaves events out for a slow client, so what waits is looked up now and then."""
LISTS = {
    **{kind: (f"{kind}.approval.list", "") for kind in APPROVALS},
    QUESTION: ("question.list", "questions"),
}
"""How what waits is listed, by kind, and under which name the list stands in the reply."""
log = logging.getLogger(__name__)


class GatewayCalls(Protocol):
    """What is needed of the connection to the gateway."""

    async def call(self, method: str, params: dict[str, object]) -> LooseJson | list[object] | CallRefused:
        """Call a method."""


class OpenCard(Value):
    """A question of the gateway's that the person has before them."""

    ask: GatewayAsk
    task: "asyncio.Task[None]"


class OpenClawAttachment(Attachment):
    """The state of one connection; it is handed every event in its order, and never waits while it is."""

    def __init__(self, gateway: GatewayCalls, hub: AsksPerson, *, now_ms: Callable[[], int]) -> None:
        """Make it for one connection; `now_ms` is the time in milliseconds since 1970."""
        super().__init__()
        self._gateway = gateway
        self._hub = hub
        self._now_ms = now_ms
        self._open: dict[str, OpenCard] = {}

    async def look(self) -> None:
        """Ask what waits already and is not known, and take back what waits no more."""
        known, waiting = set(self._open), set[str]()
        for kind, (method, name) in LISTS.items():
            found = await self._gateway.call(method, {})
            if isinstance(found, CallRefused):
                log.warning("OpenClaw does not list what waits (%s): %s", method, found.why)
                return
            listed = objects_of(found if isinstance(found, dict) else {name: found}, name)
            for one in listed:
                ask = ask_of(kind, one)
                if ask is not None:
                    waiting.add(ask.id)
                    self._begin(ask)
        for ask_id in known - waiting:
            self._end(ask_id, "ended")

    def take(self, told: GatewayEvent) -> None:
        """Take one event."""
        over = over_in(told.event, told.payload)
        if over is not None:
            self._end(*over)
            return
        ask = asked_in(told.event, told.payload)
        if ask is not None:
            self._begin(ask)

    def _begin(self, ask: GatewayAsk) -> None:
        if ask.id not in self._open and len(self._open) < OPEN_MAX:
            self._open[ask.id] = OpenCard(ask=ask, task=self.do(self._put(ask)))

    def _end(self, ask_id: str, how: How) -> None:
        card = self._open.pop(ask_id, None)  # ours are not there any more when the gateway tells of them
        if card is not None:
            self.do(self._over(card, how))

    async def _put(self, ask: GatewayAsk) -> None:
        try:
            reply = await self._ask(ask)
            call = None if reply is None else call_for(ask, reply)
            if call is not None and self._open.pop(ask.id, None) is not None:
                said = await self._gateway.call(call.method, call.params)
                if isinstance(said, CallRefused) or (isinstance(said, dict) and said.get("applied") is False):
                    log.warning("OpenClaw had been answered already: %s", ask.id)
        finally:
            card = self._open.get(ask.id)
            if card is not None and card.task is asyncio.current_task():
                del self._open[ask.id]

    async def _ask(self, ask: GatewayAsk) -> PermissionReply | None:
        for again in range(ASKED_AGAIN_MAX):
            request = request_of(ask, self._now_ms(), f"{ask.id}-{again}")
            if request is None:
                return None
            reply = await self._hub.ask(request)
            if isinstance(reply, HubSaysNo):
                log.warning("OpenClaw asks its own clients alone: %s", reply.code)
                return None
            if reply.prediction.status is not Status.CANCELLED:
                return reply
        return None

    async def _over(self, card: OpenCard, how: How) -> None:
        """Take back what was answered elsewhere, and say so."""
        await self._hub.over(OverRequest(agent=AGENT, session=card.ask.session, call=card.ask.id, how=how))
        card.task.cancel()
