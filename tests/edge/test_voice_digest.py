"""Several suggestions on the glasses: what happened meanwhile, how many wait, then one after the other."""

from datetime import timedelta

from edge.speech.commands import Command, Word
from edge.speech.turn import Heard, Passed, Spoken
from edge.voice import Voice
from hub.contract.alone import AwaySummary
from hub.contract.events import DigestReady
from hub.contract.surface import CardDelivery, DigestItem, Loudness
from hub.contract.words import DeliveryState, Verb
from tests.edge.cards import NOW, OPEN_VERBS, prediction
from tests.edge.test_voice_held import handed, judged, voice

AWAY = AwaySummary(says="…", since=NOW - timedelta(hours=2), until=NOW, alone=2, approved=1)


def digest(*names: str, away: AwaySummary | None = None, loudness: Loudness = "notify") -> bytes:
    cards = tuple(prediction(name, prompt=f"Write note {name}") for name in names)
    items = tuple(
        DigestItem(delivery_id=f"d-{name}", card_id=name, verbs=OPEN_VERBS, token=f"token-{name}") for name in names
    )
    whole = CardDelivery(
        delivery_id="d-all",
        event=DigestReady(digest_id="dg", cards=cards, away=away),
        loudness=loudness,
        verbs=(),
        token="",
        expires_at=NOW + timedelta(hours=1),
        items=items,
    )
    return handed(whole, "e-all")


def spoken(one: Voice) -> None:
    one.tell(Spoken(number=one.turn.number))


def hear(one: Voice, word: Word) -> None:
    one.tell(Heard(command=Command(word=word)))


def test_it_says_what_happened_and_how_many_wait_and_reads_one_after_the_other() -> None:
    one, hub, talker = voice()
    one.take(digest("first", "second", away=AWAY))
    assert talker.said[-1] == (
        "While you were away, for two hours: two done on autopilot, one approved by you. "
        "Two things are waiting for you."
    )
    spoken(one)
    assert "Write note first" in talker.said[-1]
    spoken(one)
    hear(one, Word.SKIP)
    (sent,) = hub.answers
    assert (sent.card_id, sent.verb, sent.token) == ("first", Verb.REJECT, "token-first")
    one.take(judged(sent.decision_id, accepted=True))
    spoken(one)
    assert "Write note second" in talker.said[-1]


def test_only_what_was_read_is_said_to_have_been_shown_and_the_rest_stays_open() -> None:
    one, hub, _ = voice()
    one.take(digest("first", "second"))
    spoken(one)
    spoken(one)
    shown = [name for name, state in hub.receipts if state is DeliveryState.SHOWN]
    assert shown == ["d-all", "d-first"]
    for _ in range(2):  # silence is asked about once
        one.tell(Passed(seconds=60.0))
        spoken(one)
    assert hub.answers == []


def test_what_is_told_silently_is_said_to_who_asks() -> None:
    one, _, talker = voice()
    one.take(digest(away=AWAY, loudness="silent"))
    assert talker.said == []
    hear(one, Word.HAPPENED)
    assert talker.said[-1].startswith("While you were away")
