"""The other end of the link: the stand-in for the hub, reached over the real codec and a connection that can fail."""

import asyncio
import itertools
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from hub.contract import topics
from hub.contract.api import AnswerReply, AskReply, CrossPollStatus, Prediction, TaskView, TriggerAnswer
from hub.contract.base import Message
from hub.contract.control import PredictionList
from hub.contract.envelope import Envelope, encode
from hub.contract.errors import PulseError
from hub.contract.events import ExecutionProgress, StatusChanged
from hub.contract.mentions import MentionsSeen
from hub.contract.surface import AnyDelivered, Decision, Receipt
from hub.contract.topics import DeviceAddress
from hub.contract.words import Autonomy, DeliveryState, Source, Status, Verb
from hub.kit.hub_api import HubAddress, NotRunningError
from hub.kit.mqtt.device import Heard, Item, LinkChanged
from surfaces.discord.hub_client import HubClient
from surfaces.discord.message_sync import now
from tests.fakes.hub import StandInHub
from tests.surfaces.shown import prediction, status

USER = "me"
DEVICE = DeviceAddress(surface="discord", device="bridge")
STATUS = status(pending=1)


def a_card(card_id: str, prompt: str = "Run the tests", **more: object) -> Prediction:
    fields: dict[str, object] = {
        "target_channel": "koji-core",
        "confidence": 0.84,
        "confidence_learnt": True,
        "reasoning": "Two test files changed since the last run.",
        "card_hash": "0123456789abcdef0123456789abcdef",
        "snoozes_left": 3,
    }
    lasts = timedelta(hours=8)
    return prediction(prompt, card_id=card_id, created_at=now(), lasts=lasts, **{**fields, **more})


class SmallHub(StandInHub, HubClient):
    """Deliveries over the real codec. `down` is a hub that is not running, `deaf` how many answers it does not hear."""

    def __init__(self) -> None:
        StandInHub.__init__(self, DEVICE, now)
        HubClient.__init__(self, HubAddress(api="http://127.0.0.1:1", token="t"), "bridge")
        self.hand = self._hand
        self.handed_in: list[Decision] = []
        self.receipts: dict[str, DeliveryState] = {}
        self.whole_receipts: dict[str, Receipt] = {}
        self.mentions_seen: list[MentionsSeen] = []
        self.deaf = 0
        self.down = False
        self.commands: list[str] = []
        self.take: Callable[[Item], None] = lambda _item: None
        self.changed: Callable[[], object] = lambda: None
        self._seen: set[str] = set()
        self._numbers = itertools.count(1)

    # What the surface sees of the link.

    def is_new(self, event_id: str) -> bool:
        fresh = event_id not in self._seen
        self._seen.add(event_id)
        return fresh

    def send_receipt(self, receipt: Receipt) -> bool:
        self.receipts[receipt.delivery_id] = receipt.state
        self.whole_receipts[receipt.delivery_id] = receipt
        self.changed()
        return not self.down

    def send_decision(self, decision: Decision) -> bool:
        if self.down:
            return False
        self.handed_in.append(decision)
        if self.deaf > 0:
            self.deaf -= 1
            return True
        asyncio.get_running_loop().call_soon(self._decide, decision)
        return True

    def send_mentions(self, seen: MentionsSeen) -> bool:
        self.mentions_seen.append(seen)
        self.changed()
        return not self.down

    def forget_what_was_seen(self) -> None:
        """A new surface process has seen nothing."""
        self._seen.clear()

    # What happens in the hub.

    def come_up(self) -> None:
        """The link is there: hand over every open card, as the hub does for a device that came online."""
        self.down = False
        self.take(LinkChanged(state="up", note="", broker="small"))
        self._publish(topics.state(USER), "crosspoll.status", StatusChanged(status=STATUS))
        self.show_open()

    def go_down(self) -> None:
        self.down = True
        self.take(LinkChanged(state="lost", note="gone", broker="small"))

    def say(self, card_id: str, number: int, line: str) -> None:
        event = ExecutionProgress(card_id=card_id, execution_id=f"run-{card_id}", number=number, line=line)
        self._publish(topics.event(USER, "execution.progress"), "execution.progress", event)

    def _decide(self, decision: Decision) -> None:
        self.decide(decision)
        self.changed()

    def _hand(self, delivered: AnyDelivered, message_id: str) -> None:
        self._publish(topics.deliver(USER, DEVICE), "deliver", delivered, message_id)

    def _publish(self, topic: str, kind: str, data: Message, message_id: str = "") -> None:
        if not self.down:
            message_id = message_id or f"m{next(self._numbers)}"
            envelope = Envelope(id=message_id, source="pulse/hub", type=kind, time=now(), data=data)
            self.take(Heard(topic=topic, payload=encode(envelope)))

    # What the surface asks over HTTP.

    def _there(self) -> None:
        if self.down:
            raise NotRunningError

    async def told(self, card_id: str) -> Prediction | None:
        self._there()
        return self.cards_there.get(card_id)

    async def status(self) -> CrossPollStatus:
        self._there()
        return STATUS

    async def cards(self) -> PredictionList:
        found = tuple(card for card in self.cards_there.values() if card.status is Status.PENDING)
        return PredictionList(predictions=found, count=len(found))

    async def pause(self, reason: str) -> CrossPollStatus:
        self.commands.append(f"pause {reason}")
        return replace(STATUS, state=Autonomy.PAUSED)

    async def resume(self) -> CrossPollStatus:
        self.commands.append("resume")
        return STATUS

    async def kill(self) -> None:
        if self.refusal:
            raise PulseError(self.refusal)
        self.commands.append("kill")

    async def ask(self, question: str, key: str) -> AskReply:
        self.commands.append(f"ask {question} {key}")
        card = self.show(a_card("asked", question, source=Source.ASK))
        return AskReply(prediction=card, answered=False, approved=False)

    async def keep(self, sentence: str) -> TaskView:
        self.commands.append(f"keep {sentence}")
        at = datetime(2030, 1, 31, 10, tzinfo=UTC)
        made = {"status": "queued", "channel": None, "notes": "", "stale": False, "created_at": at, "updated_at": at}
        return TaskView(id="task_1", title=sentence, deadline=at, **made)  # type: ignore[arg-type]  # by name

    async def drop(self, task_id: str) -> None:
        self.commands.append(f"drop {task_id}")

    async def propose(self, prompt: str) -> TriggerAnswer:
        self.commands.append(f"propose {prompt}")
        return TriggerAnswer(triggered=True, prediction=None, target_channel=None, message="Proposed.", status=STATUS)

    async def answer(self, verb: Verb, card_id: str, key: str) -> AnswerReply:
        self.commands.append(f"{verb} {card_id} {key}")
        return AnswerReply(prediction=self.cards_there[card_id], message="Undone.")
