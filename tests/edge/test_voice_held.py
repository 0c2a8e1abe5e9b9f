"""What is held: silent cards, cards that come again, glasses without sound, and what the shell tells the hub."""

from datetime import timedelta

import msgspec
import pytest

from edge.speech.commands import Command, Word
from edge.speech.turn import AnyAct, AnyHappened, CardCame, Heard, Hush, Listen, Speak, Spoken, Turn, Worn
from edge.speech.turns import step
from edge.voice import Voice
from hub.contract.envelope import Envelope, encode
from hub.contract.surface import CardDelivery, Decision, DeliveredCard, DeliveredVerdict, Receipt, Verdict
from hub.contract.words import DeliveryState, Risk, Verb
from hub.contract.world_api import WorldStatus
from tests.edge.cards import NOW, delivery, manner
from tests.surfaces.shown import status

HOW = manner()


def told(turn: Turn, *events: AnyHappened) -> tuple[Turn, tuple[AnyAct, ...]]:
    acts: tuple[AnyAct, ...] = ()
    for event in events:
        turn, acts = step(turn, HOW, event)
    return turn, acts


def silent(name: str = "one") -> CardDelivery:
    return delivery(name, loudness="silent")


def test_a_silent_card_is_not_read_aloud() -> None:
    turn, acts = told(Turn(), CardCame(delivery=silent()))
    assert (turn.phase, acts, turn.waiting) == ("idle", (), (silent(),))
    turn, _ = told(turn, CardCame(delivery=delivery("loud")), Spoken(number=1))
    assert turn.card == delivery("loud")
    turn, acts = told(turn, Worn(on=False), Worn(on=True))
    assert turn.card == delivery("loud")


def test_asked_for_it_is_read() -> None:
    turn, _ = told(Turn(), CardCame(delivery=silent()))
    turn, acts = told(turn, heard(Word.WAITING))
    assert any(isinstance(act, Speak) and act.text == "Waiting: 1." for act in acts)
    turn, acts = told(turn, Spoken(number=turn.number))
    assert turn.card == delivery("one")
    assert any(isinstance(act, Speak) and "Run tests" in act.text for act in acts)


def heard(word: Word) -> AnyHappened:
    return Heard(command=Command(word=word))


def test_a_card_that_is_handed_again_silently_stays_as_loud_as_it_was() -> None:
    turn, _ = told(Turn(), CardCame(delivery=delivery("first")), CardCame(delivery=delivery("second")))
    again = msgspec.structs.replace(silent("second"), token="newer")
    turn, _ = told(turn, CardCame(delivery=again))
    assert turn.waiting == (msgspec.structs.replace(again, loudness="notify"),)


def test_why_there_is_no_sound_is_said_where_that_can_be_heard() -> None:
    turn, _ = told(Turn(), CardCame(delivery=delivery()), Spoken(number=1))
    turn, acts = told(turn, Worn(on=False, text="The microphone is gone."))
    assert acts[:2] == (Hush(), Listen(on=False))
    assert isinstance(acts[2], Speak)
    turn, _ = told(turn, CardCame(delivery=delivery("urgent", loudness="alert")))
    turn, _ = told(turn, Spoken(number=turn.number))
    assert (turn.phase, turn.card) == ("idle", None)
    turn, _ = told(turn, Worn(on=True))
    assert turn.card == delivery()


class Hub:
    """Keeps what it is told; nothing is ever on its way to anybody."""

    def __init__(self, *, is_up: bool) -> None:
        self.is_up = is_up
        self.receipts: list[tuple[str, DeliveryState]] = []
        self.answers: list[Decision] = []
        self._seen: set[str] = set()

    def is_new(self, event_id: str) -> bool:
        new = event_id not in self._seen
        self._seen.add(event_id)
        return new

    def send_receipt(self, receipt: Receipt) -> bool:
        self.receipts.append((receipt.delivery_id, receipt.state))
        return self.is_up

    def answer(self, decision: Decision) -> bool:
        self.answers.append(decision)
        return self.is_up

    def judged(self, decision_id: str) -> Decision | None:
        found = next((one for one in self.answers if one.decision_id == decision_id), None)
        if found is not None:
            self.answers.remove(found)
        return found

    def awaits(self, card_id: str) -> bool:
        return any(one.card_id == card_id for one in self.answers)


class Silent:
    """Says nothing, and remembers what it should have said."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.chimes: list[str] = []

    def play(self, chime: str) -> None:
        self.chimes.append(chime)

    def say(self, number: int, text: str) -> None:
        assert number
        self.said.append(text)

    def hush(self) -> None:
        """Is silent anyway."""


def voice(*, is_up: bool = True) -> tuple[Voice, Hub, Silent]:
    hub, talker = Hub(is_up=is_up), Silent()
    return Voice(hub, talker, lambda _on: None, HOW, lambda: NOW), hub, talker


def handed(card: CardDelivery, event_id: str) -> bytes:
    body = DeliveredCard(card=card)
    return encode(Envelope(id=event_id, source="pulse/hub", type="deliver", time=NOW, data=body))


def judged(decision_id: str, *, accepted: bool) -> bytes:
    body = DeliveredVerdict(
        verdict=Verdict(decision_id=decision_id, accepted=accepted, code="x", message="It has expired.")
    )
    return encode(Envelope(id=f"v-{decision_id}", source="pulse/hub", type="deliver", time=NOW, data=body))


def approve(one: Voice) -> None:
    one.tell(Spoken(number=one.turn.number))
    one.tell(heard(Word.APPROVE))


def test_a_delivery_is_accepted_when_it_comes_and_shown_when_it_was_heard() -> None:
    one, hub, _ = voice()
    one.take(handed(delivery(), "e1"))
    one.take(handed(delivery(), "e1"))  # the hub did not hear our receipt
    assert hub.receipts == [("d-one", DeliveryState.ACCEPTED)] * 2
    one.tell(Spoken(number=1))
    assert hub.receipts[-1] == ("d-one", DeliveryState.SHOWN)


def test_an_answer_without_a_connection_is_kept_said_and_not_asked_again() -> None:
    one, hub, talker = voice(is_up=False)
    one.take(handed(delivery(), "e1"))
    approve(one)
    assert talker.said[-1].startswith("There is no connection.")
    [kept] = hub.answers
    assert kept.at == NOW
    one.tell(Spoken(number=one.turn.number))
    again = msgspec.structs.replace(delivery(), delivery_id="d-again")
    one.take(handed(again, "e2"))  # back: the hub hands out what it still takes for open
    assert (one.turn.phase, one.turn.waiting) == ("idle", ())
    assert hub.receipts[-1] == ("d-again", DeliveryState.ACCEPTED)
    one.take(judged(kept.decision_id, accepted=False))
    assert talker.said[-1] == "That did not count. It has expired"
    assert hub.answers == []


def test_garbage_from_the_hub_is_let_go() -> None:
    one, hub, talker = voice()
    for payload in (b"", b"{}", b"\xff" * 10, handed(delivery(), "e1")[:-5]):
        one.take(payload)
    assert (hub.receipts, talker.said) == ([], [])


@pytest.mark.parametrize(
    ("prompt", "said", "offers"),
    [
        ("very long " * 1_000, "There is more. Say 'details'.", "approve"),
        ("対象のモジュールのテストを実行する", "I cannot read aloud", ""),
        ("Тесты для изменённых модулей", "I cannot read aloud", ""),
        ("🤖 ✅ 🚀", "I cannot read aloud", ""),
        ("\u202eEvil\u200b text", "Evil", "approve"),
    ],
)
def test_a_card_of_any_kind_is_said_or_shown_and_never_approved_unheard(prompt: str, said: str, offers: str) -> None:
    one, hub, talker = voice()
    one.take(handed(delivery(prompt=prompt), "e1"))
    assert said in talker.said[-1]
    assert (offers in talker.said[-1]) or not offers
    if "Evil" in prompt:
        return
    approve(one)
    assert hub.answers == []
    approve(one)  # after the details, of which there is still too much, or which cannot be read either
    assert [answer.verb for answer in hub.answers if answer.verb is Verb.APPROVE] == []


def test_a_medium_card_needs_its_confirmation_offline_too() -> None:
    one, hub, _ = voice(is_up=False)
    one.take(handed(delivery(risk=Risk.MEDIUM), "e1"))
    approve(one)
    assert hub.answers == []
    one.tell(Spoken(number=one.turn.number))
    one.tell(heard(Word.CONFIRM))
    assert [answer.verb for answer in hub.answers] == [Verb.APPROVE]
    assert hub.answers[0].at == NOW


def test_the_first_status_after_a_start_is_nothing_new() -> None:
    one, _, talker = voice()
    verified = status(world=WorldStatus(active=0, pending=0, failed=0, verified_at=NOW))
    one.hear_status(verified)
    one.hear_status(verified)
    assert talker.chimes == []
    one.hear_status(status(world=WorldStatus(active=0, pending=0, failed=0, verified_at=NOW + timedelta(seconds=1))))
    assert talker.chimes == ["verified"]
