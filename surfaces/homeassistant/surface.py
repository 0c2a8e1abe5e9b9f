"""Home Assistant as one device: cards go to a phone and to a voice, entities show what waits, answers come back."""

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from hub.contract.envelope import Envelope
from hub.contract.events import AnyEvent, StatusChanged
from hub.contract.surface import CardDelivery, Verdict
from hub.contract.topics import DeviceAddress
from hub.contract.words import HumanInput
from hub.kit.bounded import BoundedMap
from hub.kit.cards import card_id_of, take
from hub.kit.digests import cards_of
from hub.kit.gateway.carrier import Outside
from hub.kit.gateway.device import AnswerLink, DeviceSurface, OnlyPlace
from hub.kit.gateway.outcome import Accepted, Doubtful, Misconfigured, Outcome, RetryLater, Undeliverable
from hub.kit.gateway.parcel import Parcel
from hub.kit.phrase_files import phrases
from surfaces.homeassistant.entities import HomeCard, is_paused, last_of
from surfaces.homeassistant.render import ACTION, GROUP, PhonePush, render
from surfaces.homeassistant.settings import Config
from surfaces.homeassistant.socket import ASK_S_MAX, AWAY, PRESSED, Answered, HomeSocket, Json
from surfaces.homeassistant.voice import AT_HOME, SpokenQuestion, confirming, spoken

PHONE_BYTES_MAX = 2_800
"""Apple takes 4 KiB with everything around it."""
CARDS_MAX = 200
RETRY_S = 2.0
NO_SERVICE = frozenset({"not_found", "service_not_found"})
ENTITIES = "entities"
PICK_PHONE = "`pulse homeassistant setup` picks the phone again."
SEE_HOME = "Check that Home Assistant is running and reachable from here."
SEE_BROKER = "Check that it is running; `pulse homeassistant setup` asks for its address, user and password again."
log = logging.getLogger("pulse.homeassistant")


class HomeSurface(DeviceSurface[PhonePush]):
    """Everything but the connections themselves, which `app` opens."""

    sizes = (PHONE_BYTES_MAX, 1_600, 600)
    in_flight_max = 4

    def __init__(
        self,
        own_address: DeviceAddress,
        link: AnswerLink,
        folder: Path | None,
        outside: Outside,
        config: Config,
        *,
        page: str = "",
    ) -> None:
        super().__init__(own_address, link, folder, outside)
        self.config = config
        self._page = page
        self.words = phrases(config.language)
        self.socket: HomeSocket | None = None
        self.changed: Callable[[HomeCard | None], object] = lambda _card: None
        """Told of every change that the entities show, with the card that was just answered or is over."""
        self.broker_trouble = ""
        """What keeps the entities from being shown."""
        self.paused = False
        self.is_home = False
        self._user_id = config.user_id
        self._cards: BoundedMap[str, HomeCard] = BoundedMap(CARDS_MAX)
        self._asked_about = ""
        self._asking: asyncio.Task[None] | None = None

    @property
    def waiting(self) -> tuple[HomeCard, ...]:
        """The open cards, the one that came last standing last."""
        now = self.outside.clock()
        return last_of([card for card in self._cards.values() if card.prediction.expires_at > now])

    # What the hub says.

    def render(self, parcel: Parcel, address: OnlyPlace, bytes_max: int) -> PhonePush | None:  # noqa: ARG002  there is one place
        """Make the phone's notification."""
        return render(parcel.card, self.offers, self.words, self.own_address, bytes_max, page=self._page)

    async def send(self, address: OnlyPlace, push: PhonePush) -> Outcome:  # noqa: ARG002  there is one place
        """Call the phone's notify service; without a phone the entities and the voice are all there is."""
        if not self.config.phone:
            why = self.broker_trouble
            return RetryLater(why=why, fix=SEE_BROKER) if why else Accepted(detail=ENTITIES)
        return outcome_of(await self._called(push))

    def hear_event(self, heard: Envelope[AnyEvent]) -> None:
        """Keep whether Pulse may act by itself."""
        if isinstance(heard.data, StatusChanged) and self.paused != is_paused(heard.data.status):
            self.paused = is_paused(heard.data.status)
            self.changed(None)

    def hear_card(self, card: CardDelivery, at: datetime) -> None:
        """Take what becomes of each card, and ask aloud what may be."""
        for one in cards_of(card) or (card,):
            self._keep(one, at)
        question = spoken(card, self.offers, self.words)
        is_free = self._asking is None or self._asking.done()
        if question is not None and self.is_home and self.config.satellite and is_free:
            self._asked_about, self._asking = question.card_id, self.spawn(self._ask(question))

    def hear_verdict(self, verdict: Verdict) -> None:
        """Say on the phone why an answer did not count."""
        card = verdict.prediction
        if not verdict.accepted and self.config.phone and self.socket is not None:
            tag = f"{GROUP}-{card.id if card else verdict.decision_id}"
            self.spawn(self._notify(PhonePush(message=verdict.message, data={"tag": tag, "group": GROUP})))

    async def _notify(self, push: PhonePush) -> None:
        """Tell once; whether it arrives matters to nothing that is decided."""
        await self._called(push)

    async def _called(self, push: PhonePush) -> Answered:
        body = {"domain": "notify", "service": self.config.phone, "service_data": msgspec.to_builtins(push)}
        return AWAY if self.socket is None else await self.socket.call("call_service", **body)

    def _keep(self, delivery: CardDelivery, at: datetime) -> None:
        card_id = card_id_of(delivery.event)
        before = self._cards.get(card_id)
        known = take(before, delivery, at, HomeCard)
        if known is None or known is before:
            return
        known = msgspec.structs.replace(known, delivery=delivery)
        self._cards[card_id] = known
        is_answered = before is not None and before.phase == "open" and known.phase != "open"
        if is_answered and self._asking is not None and self._asked_about == card_id:
            self._asking.cancel()
        self.changed(known if is_answered else None)

    # What Home Assistant says.

    async def begin(self) -> None:
        """After each connection: learn whose token this is, and hear the phone's buttons and who is at home."""
        if self.socket is None:
            return
        if not self.config.user_id:
            said = await self.socket.call("auth/current_user")
            self._user_id = str(said.result.get("id", "")) if isinstance(said.result, dict) else ""
        await self.socket.listen("subscribe_events", self.hear_action, event_type=PRESSED)
        if self.config.person:
            trigger = {"platform": "state", "entity_id": self.config.person}
            await self.socket.listen("subscribe_trigger", self.hear_person, trigger=trigger)
            self._learn_states(await self.socket.call("get_states"))

    def hear_action(self, event: Json) -> None:
        """Take a button of the phone's, pressed by the person; anybody else's, and what we never offered, is let go."""
        data, context = event.get("data"), event.get("context")
        if not isinstance(data, dict) or not isinstance(context, dict):
            return
        action, reply = data.get("action"), data.get("reply_text", "")
        if not isinstance(action, str) or not action.startswith(ACTION):
            return
        if not self._user_id or context.get("user_id") != self._user_id:
            log.warning("a button was pressed by somebody else in Home Assistant: not taken")
            return
        self.press(action.removeprefix(ACTION), HumanInput.TAP, reply if isinstance(reply, str) else "")

    def hear_person(self, event: Json) -> None:
        """Take where the person is now."""
        match event:
            case {"variables": {"trigger": {"to_state": {"state": str(state)}}}}:
                self.is_home = state == AT_HOME
            case _:
                return

    def _learn_states(self, said: Answered) -> None:
        states: list[Any] = said.result if isinstance(said.result, list) else []
        mine = [one for one in states if isinstance(one, dict) and one.get("entity_id") == self.config.person]
        self.is_home = bool(mine) and mine[0].get("state") == AT_HOME

    # The voice.

    async def _ask(self, question: SpokenQuestion) -> None:
        """Ask aloud; silence, and what nobody understood, is no answer."""
        said = await self._asked(question)
        if said == question.answers[0]["id"] and question.wants_confirmation:
            said = await self._asked(confirming(question, self.words))
        if said:
            self.press(said, HumanInput.SPEECH)

    async def _asked(self, question: SpokenQuestion) -> str:
        if self.socket is None:
            return ""
        data = {"question": question.text, "answers": list(question.answers)}
        said = await self.socket.call(
            "call_service",
            ASK_S_MAX,
            domain="assist_satellite",
            service="ask_question",
            target={"entity_id": self.config.satellite},
            service_data=data,
            return_response=True,
        )
        match said.result:
            case {"response": {"id": str(name)}} if name in {one["id"] for one in question.answers}:
                return name
            case _:
                return ""


def outcome_of(said: Answered) -> Outcome:
    """Say what became of a call to the phone's service."""
    if said.ok:
        return Accepted()
    if said.code == AWAY.code:
        return RetryLater(why="Home Assistant does not answer", fix=SEE_HOME, after_s=RETRY_S)
    if said.code in NO_SERVICE:
        return Misconfigured(why="Home Assistant does not know this phone", fix=PICK_PHONE)
    if said.code == "timeout":
        return Doubtful(why="Home Assistant did not say")
    return Undeliverable(why=f"Home Assistant refused: {said.code}"[:100])
