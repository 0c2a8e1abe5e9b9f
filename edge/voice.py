"""The shell around the turn table: what the hub says and what the ear hears goes in, what is to be done is done.

Everything happens on one asyncio loop, one happening after the other. Nothing of what was heard is stored or sent but
the answer itself.
"""

import uuid
from collections.abc import Callable
from datetime import datetime, time, timedelta
from typing import Protocol

from msgspec.structs import replace

from edge.deliveries import happenings, is_verified_anew, verdict_text
from edge.speech import saying
from edge.speech.turn import (
    Answer,
    AnyAct,
    AnyHappened,
    CardCame,
    Hush,
    Judged,
    Listen,
    Manner,
    Play,
    Report,
    Speak,
    Turn,
    Verified,
)
from edge.speech.turns import step
from hub.contract.api import CrossPollStatus
from hub.contract.base import Value
from hub.contract.surface import CardDelivery, Decision, DeliveredCard, DeliveredVerdict, Receipt, Verdict
from hub.contract.words import DeliveryState, HumanInput, Verb
from hub.kit import cards
from hub.kit.bounded import BoundedMap
from hub.kit.cards import CardProjection
from hub.kit.digests import cards_of
from hub.kit.mqtt.reading import read_delivered

EVENING, MORNING = time(19), time(8)
SNOOZE_MINUTES = 10
SENT_MAX = 100
REPORTED_MAX = 1_000
CARDS_MAX = 200


class Hub(Protocol):
    """The way to the hub."""

    def is_new(self, event_id: str) -> bool:
        """Say whether an id comes for the first time."""

    def send_receipt(self, receipt: Receipt) -> bool:
        """Send a receipt."""

    def answer(self, decision: Decision) -> bool:
        """Hand in an answer; False when it has to wait."""

    def judged(self, decision_id: str) -> Decision | None:
        """Forget an answer that was judged."""

    def awaits(self, card_id: str) -> bool:
        """Say whether an answer to that card waits for the hub's verdict."""


class Talks(Protocol):
    """The voice itself."""

    def play(self, chime: str) -> None:
        """Play an earcon."""

    def say(self, number: int, text: str) -> None:
        """Say a text."""

    def hush(self) -> None:
        """Be silent."""


class Sent(Value):
    """An answer on its way; `number` is the turn table's, `said` what was answered to a question, in words."""

    number: int
    verb: Verb
    minutes: int
    said: str = ""


class Voice:
    """One conversation."""

    def __init__(
        self, hub: Hub, talker: Talks, listen: Callable[[bool], None], manner: Manner, now: Callable[[], datetime]
    ) -> None:
        """Begin idle. `listen` opens and closes the ear; `now` is the time in the person's zone."""
        self._hub = hub
        self._talker = talker
        self._listen = listen
        self._manner = manner
        self._now = now
        self._sent: BoundedMap[str, Sent] = BoundedMap(SENT_MAX)
        self._reported: BoundedMap[str, Receipt] = BoundedMap(REPORTED_MAX)
        self._cards: BoundedMap[str, CardProjection] = BoundedMap(CARDS_MAX)
        self._status: CrossPollStatus | None = None
        self.turn = Turn()

    def tell(self, event: AnyHappened) -> None:
        """Let one thing happen, and do what follows."""
        self.turn, acts = step(self.turn, self._manner, event)
        for act in acts:
            self._do(act)

    def take(self, payload: bytes) -> None:
        """Take one message from the hub; garbage is let go, and a repeat is only acknowledged again."""
        envelope = read_delivered(payload)
        if envelope is None:
            return
        delivered = envelope.data
        if isinstance(delivered, DeliveredVerdict):
            self._judged(delivered.verdict)
        elif isinstance(delivered, DeliveredCard):
            if self._hub.is_new(envelope.id):
                self._take_card(delivered.card, envelope.time)
            elif (again := self._reported.get(delivered.card.delivery_id)) is not None:
                self._hub.send_receipt(again)

    def hear_status(self, status: CrossPollStatus) -> None:
        """Take how the hub is now; the first status after a start is nothing new."""
        before, self._status = self._status, status
        if before is not None and is_verified_anew(before, status):
            self.tell(Verified())

    def _take_card(self, delivery: CardDelivery, at: datetime) -> None:
        """Let a delivery happen, unless a newer one came before it.

        A card whose answer is on its way to the hub is not asked about again.
        """
        self._report(Report(delivery_id=delivery.delivery_id, state=DeliveryState.ACCEPTED))
        card_id = cards.card_id_of(delivery.event)
        before = self._cards.get(card_id)
        card = cards.take(before, delivery, at, CardProjection)
        if card is not None:
            if card is before:
                return
            self._cards[card_id] = card
        for event in happenings(delivery, card, self._manner.sentences):
            if not (isinstance(event, CardCame) and self._hub.awaits(card_id)):
                self.tell(event)
        for one in cards_of(delivery):  # a digest is read item by item
            self._take_card(replace(one, loudness=delivery.loudness), at)

    def _judged(self, verdict: Verdict) -> None:
        self._hub.judged(verdict.decision_id)
        sent = self._sent.pop(verdict.decision_id, None)
        verb = None if sent is None else sent.verb
        text = verdict_text(verdict, verb, self._manner.sentences, minutes=0 if sent is None else sent.minutes)
        if verdict.accepted and sent is not None and sent.said:
            text = saying.outcome("answered_with", "answer", sent.said, self._manner.sentences)
        self.tell(
            Judged(decision=self.turn.decision if sent is None else sent.number, accepted=verdict.accepted, text=text)
        )

    def _do(self, act: AnyAct) -> None:
        match act:
            case Speak():
                self._talker.say(act.number, act.text)
            case Play():
                self._talker.play(act.chime)
            case Hush():
                self._talker.hush()
            case Listen():
                self._listen(act.on)
            case Answer():
                self._answer(act)
            case Report():
                self._report(act)

    def _report(self, act: Report) -> None:
        receipt = Receipt(delivery_id=act.delivery_id, state=act.state, at=self._now())
        self._reported[act.delivery_id] = receipt
        self._hub.send_receipt(receipt)

    def _answer(self, act: Answer) -> None:
        identity = uuid.uuid4().hex
        minutes = (act.minutes or SNOOZE_MINUTES) if act.verb is Verb.SNOOZE and not act.moment else 0
        self._sent[identity] = Sent(number=act.number, verb=act.verb, minutes=minutes, said=act.said)
        if not self._hub.answer(self._decision(identity, act)) and act.verb is not Verb.STOP:
            self.tell(Judged(decision=act.number, accepted=True, text=self._manner.sentences.say("kept")))

    def _decision(self, identity: str, act: Answer) -> Decision:
        card_id, card_hash = _bound(act.delivery)
        return Decision(
            decision_id=identity,
            card_id=card_id,
            verb=act.verb,
            card_hash=card_hash,
            token=act.delivery.token,
            human_input=HumanInput.SPEECH,
            at=self._now(),
            prompt=act.prompt,
            until=until(act, self._now()) if act.verb is Verb.SNOOZE else None,
            permission=act.permission,
            shown="whole" if act.is_whole else "",
        )


def until(act: Answer, now: datetime) -> datetime:
    """Return when a card that was snoozed is to come back; `now` is in the person's time zone."""
    today = now.date()
    if act.moment == "tonight":
        evening = datetime.combine(today, EVENING, tzinfo=now.tzinfo)
        return evening if evening > now else now + timedelta(hours=2)
    if act.moment == "tomorrow":
        return datetime.combine(today + timedelta(days=1), MORNING, tzinfo=now.tzinfo)
    return now + timedelta(minutes=act.minutes or SNOOZE_MINUTES)


def _bound(delivery: CardDelivery) -> tuple[str, str]:
    """Return the card that a delivery is about, and the hash of what was read aloud."""
    prediction = getattr(delivery.event, "prediction", None)
    if prediction is None:
        raise TypeError(type(delivery.event).__name__)
    return prediction.id, prediction.card_hash
