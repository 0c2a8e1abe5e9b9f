"""The other end of the link: a hub with nothing but cards, where the first answer wins."""

import asyncio
from collections.abc import Callable
from datetime import timedelta

from msgspec.structs import replace

from hub.contract import topics
from hub.contract.api import AnswerReply, AskReply, CrossPollStatus, Prediction, Settlement, TriggerAnswer
from hub.contract.base import Message
from hub.contract.control import PredictionList
from hub.contract.envelope import Envelope, encode
from hub.contract.events import (
    AnyEvent,
    ExecutionFailed,
    ExecutionProgress,
    ExecutionStarted,
    PredictionExecuted,
    PredictionNew,
    PredictionReturned,
    PredictionSettled,
    PredictionSnoozed,
    StatusChanged,
)
from hub.contract.surface import CardDelivery, Decision, DeliveredCard, DeliveredVerdict, Privacy, Receipt, Verdict
from hub.contract.topics import Address
from hub.contract.words import Autonomy, DeliveryState, HumanInput, Risk, Source, Status, Verb
from hub.errors import PulseError
from hub.kit.hub_api import Door, NotRunningError
from hub.kit.mqtt.device import Heard, Item, LinkChanged
from surfaces.discord.hubdoor import HubDoor
from surfaces.discord.send import now
from tests.surfaces.shown import status

USER = "me"
DEVICE = Address(surface="discord", device="bridge")
OPEN = (Verb.APPROVE, Verb.REJECT, Verb.SNOOZE, Verb.EDIT)
STATUS = status(pending=1)


def a_card(card_id: str, prompt: str = "Run the tests", **more: object) -> Prediction:
    at = now()
    made = Prediction(
        id=card_id,
        prompt=prompt,
        target_agent="playbook",
        target_channel="koji-core",
        confidence=0.84,
        reasoning="Two test files changed since the last run.",
        created_at=at,
        status=Status.PENDING,
        source=Source.TWIN,
        expires_at=at + timedelta(hours=8),
        risk=Risk.LOW,
        card_hash="0123456789abcdef0123456789abcdef",
        cost_estimate_usd=0.05,
    )
    return replace(made, **more)


class SmallHub(HubDoor):
    """Cards, first answer wins, deliveries over the real codec. `down` is a hub that is not there."""

    def __init__(self) -> None:
        super().__init__(Door(api="http://127.0.0.1:1", token="t"), "bridge")
        self.cards_there: dict[str, Prediction] = {}
        self.handed_in: list[Decision] = []
        self.taken: list[Decision] = []
        self.receipts: dict[str, DeliveryState] = {}
        self.deliveries: dict[str, str] = {}
        self.refusal = ""
        self.privacy: Privacy = "full"
        self.deaf = 0
        self.down = False
        self.commands: list[str] = []
        self.take: Callable[[Item], None] = lambda _item: None
        self.changed: Callable[[], object] = lambda: None
        self._seen: set[str] = set()
        self._keys: dict[str, str] = {}
        self._count = 0

    # What the surface sees of the link.

    def is_new(self, event_id: str) -> bool:
        fresh = event_id not in self._seen
        self._seen.add(event_id)
        return fresh

    def send_receipt(self, receipt: Receipt) -> bool:
        self.receipts[receipt.delivery_id] = receipt.state
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

    def forget_what_was_seen(self) -> None:
        """A new surface process has seen nothing."""
        self._seen.clear()

    # What happens in the hub.

    def come_up(self) -> None:
        """The link is there: hand over every open card, as the hub does for a device that came online."""
        self.down = False
        self.take(LinkChanged(state="up", note="", broker="small"))
        self._publish(topics.state(USER), "crosspoll.status", StatusChanged(status=STATUS))
        for card in self.cards_there.values():
            if card.status is Status.PENDING:
                self.deliver(PredictionNew(prediction=card), card, OPEN)

    def go_down(self) -> None:
        self.down = True
        self.take(LinkChanged(state="lost", note="gone", broker="small"))

    def show(self, card: Prediction) -> Prediction:
        self.cards_there[card.id] = card
        self.deliver(PredictionNew(prediction=card), card, OPEN)
        return card

    def answer_elsewhere(self, card_id: str, verb: Verb, by: str = "me", where: str = "phone/me") -> None:
        surface, device = where.split("/")
        at = now()
        settled = Settlement(verb=verb, by=by, surface=surface, device=device, human_input=HumanInput.TAP, at=at)
        self._settle(self.cards_there[card_id], settled)

    def give_back(self, card_id: str) -> None:
        card = replace(self.cards_there[card_id], status=Status.PENDING, settled=None, returned_at=now())
        self.cards_there[card_id] = card
        self.deliver(PredictionReturned(prediction=card, reason="undone"), card, OPEN)

    def run(self, card_id: str, *, autonomous: bool = False) -> None:
        card = replace(self.cards_there[card_id], status=Status.CONFIRMED, execution_id=f"run-{card_id}")
        self.cards_there[card_id] = card
        event = ExecutionStarted(prediction=card, execution_id=f"run-{card_id}", autonomous=autonomous)
        self.deliver(event, card, (Verb.STOP,))

    def say(self, card_id: str, number: int, line: str) -> None:
        event = ExecutionProgress(prediction_id=card_id, execution_id=f"run-{card_id}", number=number, line=line)
        self._publish(topics.event(USER, "execution.progress"), "execution.progress", event)

    def finish(self, card_id: str, result: str) -> None:
        card = replace(self.cards_there[card_id], status=Status.EXECUTED)
        self.cards_there[card_id] = card
        event = PredictionExecuted(prediction_id=card_id, task_id="t1", result=result, prediction=card)
        self.deliver(event, card, (Verb.UNDO,), loudness="notify")

    def break_down(self, card_id: str, error: str) -> None:
        card = replace(self.cards_there[card_id], status=Status.FAILED)
        self.cards_there[card_id] = card
        run_id = card.execution_id or "run"
        event = ExecutionFailed(prediction_id=card_id, execution_id=run_id, kind="failed", error=error, prediction=card)
        self.deliver(event, card, (Verb.RETRY,), loudness="alert")

    def deliver(
        self, event: AnyEvent, card: Prediction | None = None, verbs: tuple[Verb, ...] = (), loudness: str = "notify"
    ) -> str:
        delivery_id = f"dlv_{len(self.deliveries) + 1}"
        delivery = CardDelivery(
            delivery_id=delivery_id,
            event=event,
            privacy=self.privacy,
            loudness=loudness,  # type: ignore[arg-type]  # a test names one of the words
            verbs=verbs,
            token=f"token-{card.id}" if card and verbs else "",
            expires_at=now() + timedelta(hours=1),
        )
        self.deliveries[delivery_id] = card.id if card else ""
        self._publish(topics.deliver(USER, DEVICE), "deliver", DeliveredCard(card=delivery), delivery_id)
        return delivery_id

    def _decide(self, decision: Decision) -> None:
        card = self.cards_there[decision.prediction_id]
        if self.refusal:
            self._verdict(decision, accepted=False, code="refused", message=self.refusal)
        elif self._keys.get(card.id) == decision.decision_id:
            self._verdict(decision, accepted=True, code="repeated", message="Already done.")
        elif card.status is not Status.PENDING and decision.verb not in {Verb.UNDO, Verb.STOP, Verb.RETRY}:
            who = card.settled.by if card.settled else "somebody"
            self._verdict(decision, accepted=False, code="already-settled", message=f"{who} was first.")
        elif decision.token != f"token-{card.id}" or decision.card_hash != card.card_hash:
            self._verdict(decision, accepted=False, code="bad-token", message="No valid token.")
        else:
            self.taken.append(decision)
            self._keys[card.id] = decision.decision_id
            self._carry_out(decision, card)
            self._verdict(decision, accepted=True, code="taken", message="Taken.")

    def _carry_out(self, decision: Decision, card: Prediction) -> None:
        if decision.verb is Verb.UNDO:
            self.give_back(card.id)
            return
        settled = Settlement(
            verb=decision.verb,
            by=decision.by,
            surface="discord",
            device="bridge",
            human_input=decision.human_input,
            at=now(),
            reason=decision.reason,
        )
        self._settle(replace(card, prompt=decision.prompt or card.prompt), settled)

    def _settle(self, card: Prediction, settled: Settlement) -> None:
        if settled.verb is Verb.SNOOZE:
            snoozed = replace(card, snoozed_until=now() + timedelta(hours=1))
            self.cards_there[card.id] = snoozed
            self.deliver(PredictionSnoozed(prediction=snoozed), snoozed)
            return
        status = Status.REJECTED if settled.verb is Verb.REJECT else Status.CONFIRMED
        done = replace(card, status=status, settled=settled)
        self.cards_there[card.id] = done
        self.deliver(PredictionSettled(prediction=done), done, (Verb.UNDO,), loudness="silent")

    def _verdict(self, decision: Decision, *, accepted: bool, code: str, message: str) -> None:
        verdict = Verdict(
            decision_id=decision.decision_id,
            accepted=accepted,
            code=code,
            message=message,
            prediction=self.cards_there[decision.prediction_id],
        )
        self._publish(topics.deliver(USER, DEVICE), "deliver", DeliveredVerdict(verdict=verdict))
        self.changed()

    def _publish(self, topic: str, kind: str, data: Message, message_id: str = "") -> None:
        if self.down:
            return
        self._count += 1
        envelope = Envelope(id=message_id or f"m{self._count}", source="pulse/hub", type=kind, time=now(), data=data)
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

    async def propose(self, prompt: str) -> TriggerAnswer:
        self.commands.append(f"propose {prompt}")
        return TriggerAnswer(triggered=True, prediction=None, target_channel=None, message="Proposed.", status=STATUS)

    async def answer(self, verb: Verb, card_id: str, key: str) -> AnswerReply:
        self.commands.append(f"{verb} {card_id} {key}")
        return AnswerReply(prediction=self.cards_there[card_id], message="Undone.")
