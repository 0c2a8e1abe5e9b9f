"""Home Assistant's own broker: our entities are told there, and what is pressed comes back. Everything is untrusted.

With a broker that the person does not trust, a press can only make Pulse more careful; `entities` says which.
"""

import asyncio
import contextlib
import logging
from typing import Protocol

from msgspec.structs import replace

from hub.contract.api import AskRequest
from hub.contract.errors import PulseError
from hub.contract.words import HumanInput, Risk
from hub.kit.hub_api import HubAddress, ask_hub
from hub.kit.mqtt.address import parse_url
from hub.kit.mqtt.connection import LinkOptions
from hub.kit.mqtt.link import MqttLink
from hub.kit.mqtt.messages import Delivery, LinkHealth, Notice
from hub.kit.text import several_lines
from surfaces.homeassistant.entities import (
    BIRTH_TOPIC,
    MODES,
    HomeCard,
    Published,
    answered,
    discovery,
    gone,
    reply_offer,
    states,
)
from surfaces.homeassistant.settings import Config
from surfaces.homeassistant.surface import SEE_BROKER, HomeSurface

COMMAND_BYTES_MAX = 4_096
ASK_CHARS_MAX = 1_000
ASKS_OPEN_MAX = 3
ASK_LASTS_S = 3_600
PAUSE_REASON = "paused in Home Assistant"
ASKER = "home-assistant"
log = logging.getLogger("pulse.homeassistant")


class HubRequests(Protocol):
    """What is asked of the hub beside answers; each may block, and raises `PulseError` where it is refused."""

    def pause(self) -> None:
        """Keep Pulse from acting by itself."""

    def resume(self) -> None:
        """Let Pulse act by itself again."""

    def ask(self, question: str) -> None:
        """Ask the person, on every surface."""


class HubOverHttp:
    """The real one."""

    def __init__(self, hub: HubAddress) -> None:
        self._hub = hub

    def pause(self) -> None:
        """Keep Pulse from acting by itself."""
        ask_hub(self._hub, "POST", "/api/v1/crosspoll/pause", {"reason": PAUSE_REASON})

    def resume(self) -> None:
        """Let Pulse act by itself again."""
        ask_hub(self._hub, "POST", "/api/v1/crosspoll/resume")

    def ask(self, question: str) -> None:
        """Ask the person, on every surface."""
        body = AskRequest(question=question, asker=ASKER, timeout_s=ASK_LASTS_S, risk=Risk.LOW)
        ask_hub(self._hub, "POST", "/api/v1/ask", body)


class HomeEntities:
    """The connection to that broker; `run` keeps it."""

    def __init__(self, surface: HomeSurface, requests: HubRequests, node: str, password: str) -> None:
        self._surface = surface
        self._requests = requests
        self._node = node
        config = surface.config
        address = replace(parse_url(config.broker), username=config.broker_user, password=password)
        options = LinkOptions(address=address, client_id=f"pulse-{node}", keep_session=False)
        self._where = address.shown
        surface.broker_trouble = f"Home Assistant's broker at {self._where} was not reached yet"
        self._link = MqttLink(
            options,
            will=lambda: gone(self._shown()),
            birth=self._greet,
            on_change=self._came_or_went,
            on_loss=lambda loss: self._is_wrong(loss.why),
        )

    async def run(self) -> None:
        """Serve until cancelled."""
        await self._link.listen((BIRTH_TOPIC, self._shown().topic("do/+")), self._take)
        self._surface.changed = self._changed
        self._link.start()
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            await self._link.close()

    def _shown(self) -> Published:
        config: Config = self._surface.config
        return Published(
            node=self._node,
            title="Pulse",
            waiting=self._surface.waiting,
            paused=self._surface.paused,
            trusted=config.trust_broker,
        )

    def _greet(self) -> tuple[Notice, ...]:
        shown, words = self._shown(), self._surface.words
        return (discovery(shown, self._surface.offers, words), *states(shown, words, self._surface.own_address))

    def _changed(self, over: HomeCard | None) -> None:
        notices = self._greet()
        for notice in notices if over is None else (*notices, answered(over, self._shown())):
            outcome = self._link.post(notice)
            if outcome is not None:
                outcome.add_done_callback(self._told)

    def _told(self, outcome: asyncio.Task[bool]) -> None:
        """A broker that takes what it is told and never says so may have thrown it away."""
        if not outcome.cancelled():
            self._is_wrong("" if outcome.result() else "does not acknowledge what it is told")

    def _came_or_went(self, health: LinkHealth) -> None:
        """Say all of it again at each beginning: only what is acknowledged shows that the broker works."""
        if health.connected:
            self._changed(None)

    def _is_wrong(self, what: str) -> None:
        """Note what keeps the entities from being shown; empty for nothing any more."""
        why = f"Home Assistant's broker at {self._where} {what}" if what else ""
        self._surface.broker_trouble = why
        self._surface.trouble.say("entities", why, SEE_BROKER, limits=bool(self._surface.config.phone))

    async def _take(self, delivery: Delivery) -> None:
        if len(delivery.payload) > COMMAND_BYTES_MAX:
            return
        text = delivery.payload.decode("utf-8", "replace")
        if delivery.topic == BIRTH_TOPIC:
            self._changed(None)
            return
        if delivery.retained:  # somebody pressed it at another time; a press is not kept
            return
        match delivery.topic.rpartition("/")[2]:
            case "answer":
                self._surface.press(text, HumanInput.TAP)
            case "reply" if name := reply_offer(self._shown(), self._surface.offers):
                self._surface.press(name, HumanInput.TAP, text)
            case "mode":
                await self._set_mode(text)
            case "ask":
                await self._ask(text)
            case _:
                return

    async def _set_mode(self, text: str) -> None:
        with contextlib.suppress(PulseError):  # what holds is shown again below
            if text == MODES[1]:
                await asyncio.to_thread(self._requests.pause)
            elif text == MODES[0] and self._surface.config.trust_broker:
                await asyncio.to_thread(self._requests.resume)
        self._changed(None)

    async def _ask(self, text: str) -> None:
        question = several_lines(text, ASK_CHARS_MAX)
        own = [card for card in self._surface.waiting if card.prediction.target_agent == ASKER]
        if not question or len(own) >= ASKS_OPEN_MAX:
            log.warning("a question from Home Assistant was not asked: it is empty, or too many wait already")
            return
        with contextlib.suppress(PulseError):  # the hub has a reason, and is the one to say it
            await asyncio.to_thread(self._requests.ask, question)
