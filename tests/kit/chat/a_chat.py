"""A chat between the stand-in for the hub and a person: the real process between them, over the real codec."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

from hub.contract import topics
from hub.contract.api import Prediction, TaskView
from hub.contract.effects import Effect
from hub.contract.envelope import Envelope, encode
from hub.contract.permission import (
    Act,
    AgentQuestion,
    Permission,
    PermissionMark,
    PermissionOption,
    QuestionChoice,
)
from hub.contract.surface import AnyDelivered, Decision, Receipt
from hub.contract.topics import DeviceAddress
from hub.contract.words import DeliveryState, Source
from hub.kit.chat.card import ChatCard
from hub.kit.chat.heard import ChatHeard, Pressed, Relayed, Sender, Wrote
from hub.kit.chat.post import ChatPost
from hub.kit.chat.service import ChatService, Posted
from hub.kit.chat.serving import ChatPlace, ChatSurface
from hub.kit.chat.tasks import ChatTasks
from hub.kit.chat.writing import ChatWriter, card_post
from hub.kit.gateway.outcome import Accepted, Gone, Outcome
from hub.kit.hub_api import NotPairedError, NotRunningError
from hub.kit.mqtt.device import DeviceLink, Heard, Item, LinkChanged
from hub.kit.phrase_files import phrases
from hub.kit.trouble import ServiceTrouble
from tests.fakes.hub import StandInHub
from tests.surfaces.shown import OPEN_VERBS, prediction

DEVICE = DeviceAddress(surface="chat", device="chat")
OWNER = Sender(room="42", person="42")
WAIT_S = 30.0


def now() -> datetime:
    return datetime.now(UTC)


def a_card(card_id: str = "card_1", prompt: str = "Run the tests", **more: object) -> Prediction:
    return prediction(prompt, card_id=card_id, created_at=now(), lasts=timedelta(hours=8), snoozes_left=3, **more)


def a_task(sentence: str, **fields: object) -> TaskView:
    made = {
        "status": "queued",
        "channel": None,
        "deadline": None,
        "notes": "",
        "created_at": now(),
        "updated_at": now(),
    }
    return TaskView(id="task_1", title=sentence, stale=False, **(made | fields))  # type: ignore[arg-type]  # by name


def asking(card_id: str = "card_1", **fields: object) -> Prediction:
    """A card of an agent that asks for leave, by default to delete a folder."""
    text = "cd shop && rm -rf build"
    given: dict[str, object] = {
        "agent": "claude-code",
        "tool": "Bash",
        "act": Act.COMMAND,
        "text": text,
        "target": "build",
        "folder": "/home/anna/shop",
        "effects": (Effect.DELETES,),
        "marks": (PermissionMark(start=11, end=len(text), effect=Effect.DELETES),),
        "editable": True,
    }
    permission = Permission(**(given | fields))  # type: ignore[arg-type]  # the test names fields of Permission
    return a_card(card_id, permission.text or "It asks.", source=Source.ASK, permission=permission)


def questions(*asked: AgentQuestion) -> Prediction:
    return asking(act=Act.QUESTION, text="", target="", effects=(), marks=(), questions=asked)


def a_question(question_id: str = "q1", *labels: str, several: bool = False, own_words: bool = True) -> AgentQuestion:
    choices = tuple(QuestionChoice(label=label, description=f"About {label}.") for label in labels)
    return AgentQuestion(
        id=question_id, text=f"Which {question_id}?", choices=choices, several=several, own_words=own_words
    )


def the_largest(sign: str, writer: ChatWriter) -> ChatPost:
    """Write a card with all that one can have, each as long as it may be."""
    labels = tuple(QuestionChoice(label=f"{place}{sign * 190}", description=sign * 2_000) for place in range(20))
    asked = AgentQuestion(id="q", text=sign * 2_000, choices=labels, several=True)
    card = asking(
        act=Act.COMMAND,
        text=sign * 16_384,
        target=sign * 4_096,
        folder="/" + sign * 4_000,
        reason=sign * 2_000,
        unusual=(sign * 2_000,) * 9,
        marks=(),
        left_out=2**40,
        options=tuple(PermissionOption(id=f"o{place}", label=f"{place}{sign * 190}") for place in range(12)),
        questions=(asked,),
    )
    return card_post(ChatCard(prediction=card, opened_at=now(), verbs=OPEN_VERBS, refused=sign * 900), writer)


ALWAYS = PermissionOption(id="always", label="Always in shop")
NEVER = PermissionOption(id="never", label="Not this session", refuses=True)


class PaperChat:
    """A chat on paper: its messages, and what the person does next."""

    def __init__(self) -> None:
        self.messages: dict[str, ChatPost] = {}
        self.health: list[tuple[str, str]] = []
        self.trouble = ServiceTrouble("It goes on.", lambda why, fix="": self.health.append((why, fix)))
        self.told: list[str] = []
        self.fails: list[Outcome] = []
        self.tells = asyncio.Event()
        self.tells.set()
        self.telling = 0
        self.said_to_be_there = asyncio.Event()
        self.said_to_be_there.set()
        self.changed: Callable[[], None] = lambda: None
        self._numbers = itertools.count(100)
        self._heard: asyncio.Queue[ChatHeard] = asyncio.Queue()

    async def post(self, key: str, post: ChatPost) -> Posted | Outcome:
        assert key
        if self.fails:
            return self.fails.pop(0)
        message_id = str(next(self._numbers))
        self.messages[message_id] = post
        self.changed()
        await self.said_to_be_there.wait()
        return Posted(message_id=message_id)

    async def edit(self, message_id: str, post: ChatPost) -> Outcome:
        if message_id not in self.messages:
            return Gone()
        self.messages[message_id] = post
        self.changed()
        return Accepted()

    async def heard(self) -> AsyncIterator[ChatHeard]:
        while True:
            yield await self._heard.get()

    async def tell(self, heard: ChatHeard, text: str) -> None:
        assert heard.event_id
        if heard.sender != OWNER:
            self.telling += 1
            await self.tells.wait()
        self.told.append(text)
        self.changed()

    def press(self, message_id: str, choice: str, *, by: Sender = OWNER, binding: str | None = None) -> None:
        bound = self.messages[message_id].binding if binding is None else binding
        event = Pressed(
            sender=by, event_id=f"e{next(self._numbers)}", message_id=message_id, choice=choice, binding=bound
        )
        self._heard.put_nowait(event)

    def write(self, text: str, reply_to: str = "", *, by: Sender = OWNER) -> None:
        event = Wrote(sender=by, event_id=f"e{next(self._numbers)}", text=text, reply_to=reply_to)
        self._heard.put_nowait(event)

    def relay(self, *, by: Sender = OWNER) -> None:
        self._heard.put_nowait(Relayed(sender=by, event_id=f"e{next(self._numbers)}"))

    def last(self) -> tuple[str, ChatPost]:
        message_id = max(self.messages, key=int)
        return message_id, self.messages[message_id]


class ChatScene(StandInHub):
    """The hub's side of the link, and the wait for whatever changes."""

    def __init__(self) -> None:
        super().__init__(DEVICE, now)
        self.hand = self._hand
        self.receipts: dict[str, DeliveryState] = {}
        self.whole_receipts: dict[str, Receipt] = {}
        self.handed_in: list[Decision] = []
        self.asked: list[str] = []
        self.down = False
        self.surface: ChatSurface | None = None
        self.tasks: dict[str, TaskView] = {}
        self.read_as: Callable[[str], TaskView] = a_task
        self._changed = asyncio.Event()
        self._seen: set[str] = set()

    def is_new(self, event_id: str) -> bool:
        fresh = event_id not in self._seen
        self._seen.add(event_id)
        return fresh

    def send_receipt(self, receipt: Receipt) -> bool:
        self.receipts[receipt.delivery_id] = receipt.state
        self.whole_receipts[receipt.delivery_id] = receipt
        self.changed()
        return not self.down

    def send_decision(self, decision: Decision, *, again: bool = False) -> bool:
        if self.down:
            return False
        self.handed_in.append(decision)
        asyncio.get_running_loop().call_soon(self._decide, decision)
        return not again or True

    def told_of(self, card_id: str) -> Prediction | None:
        self.asked.append(card_id)
        return self.cards_there.get(card_id)

    def keep(self, sentence: str) -> TaskView:
        if self.down:
            raise NotRunningError
        task = self.read_as(sentence)
        self.tasks[task.id] = task
        return task

    def drop(self, task_id: str) -> None:
        if self.tasks.pop(task_id, None) is None:
            raise NotPairedError("There is no such task.", refusal="unknown-task")

    async def items(self) -> AsyncIterator[Item]:
        yield LinkChanged(state="up", note="", broker="paper")
        await asyncio.Event().wait()

    def changed(self) -> None:
        self._changed.set()

    async def until(self, true: Callable[[], bool]) -> None:
        async with asyncio.timeout(WAIT_S):
            while not true():
                self._changed.clear()
                await self._changed.wait()

    def _decide(self, decision: Decision) -> None:
        self.decide(decision)
        self.changed()

    def _hand(self, delivered: AnyDelivered, message_id: str) -> None:
        if self.surface is not None:
            envelope = Envelope(id=message_id, source="pulse/hub", type="deliver", time=now(), data=delivered)
            self.surface.take(Heard(topic=topics.deliver("me", DEVICE), payload=encode(envelope)))


@contextlib.asynccontextmanager
async def chatting(
    scene: ChatScene, service: ChatService, folder: Path, *, owner: Sender = OWNER, room: int = 1_600
) -> AsyncIterator[None]:
    """Run the process between the scene and a chat until the block ends."""
    place = ChatPlace(surface="chat", device="chat", paired=owner, folder=str(folder))
    writer = ChatWriter(words=phrases(), zone=UTC, room=room, most=4_000)
    tasks = ChatTasks(keep=scene.keep, drop=scene.drop)
    surface = ChatSurface(place, writer, service, cast("DeviceLink", scene), scene.told_of, tasks=tasks, now=now)
    scene.surface = surface
    works = surface.works()
    try:
        yield
    finally:
        scene.surface = None
        for work in works:
            work.cancel()
        ended = await asyncio.gather(*works, return_exceptions=True)
        bugs = [one for one in ended if isinstance(one, Exception)]
        if bugs:
            raise bugs[0]
