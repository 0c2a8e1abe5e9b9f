"""Requests that are alike are one message in a chat, which grows and shrinks in its place, with a way to each."""

from datetime import UTC

from msgspec.structs import replace

from hub.contract.api import Prediction
from hub.contract.events import DigestReady, PredictionSettled
from hub.contract.surface import CardDelivery, DigestItem
from hub.contract.words import Status, Verb
from hub.kit.chat.book import ChatBook
from hub.kit.chat.shown import ShownPosts
from hub.kit.chat.writing import ChatWriter
from hub.kit.phrase_files import phrases
from tests.kit.chat.a_chat import asking, now
from tests.surfaces.shown import OPEN_VERBS, delivery, settlement


def told(*cards: Prediction, number: int, alike: str = "kind") -> CardDelivery:
    items = tuple(
        DigestItem(delivery_id=f"dlv_{number}_{one.id}", card_id=one.id, verbs=OPEN_VERBS, token=f"t{number}")
        for one in cards
    )
    event = DigestReady(digest_id="alike_card_1", alike=alike, cards=cards)
    return delivery(event, delivery_id=f"dlv_{number}", verbs=(), token="", loudness="silent", items=items)


def texts(book: ChatBook, key: str) -> list[str]:
    post = book.wanted(key)
    assert post is not None
    return [part.text for part in post.parts]


def test_it_grows_in_its_place_and_says_what_kind_it_is() -> None:
    book = ChatBook(ChatWriter(words=phrases("en"), zone=UTC, room=2_000, most=4_000), ShownPosts())
    cards = [asking(f"card_{number}", text=f"rm -rf build{number}") for number in (1, 2, 3)]
    key = book.take(told(*cards[:2], number=1), now())
    assert book.take(told(*cards, number=2), now()) == key
    assert texts(book, key) == [
        "3 similar requests",
        "Claude wants to delete build in shop · deletes something",
        "1. rm -rf build1",
        "2. rm -rf build2",
        "3. rm -rf build3",
    ]
    post = book.wanted(key)
    assert post is not None
    assert [one.label for row in post.rows for one in row] == ["1", "2", "3"]
    known = book.card("card_2")
    assert known is not None
    assert known.token == "t2"
    ended = replace(cards[1], status=Status.REJECTED, settled=settlement(Verb.REJECT))
    settled = PredictionSettled(prediction=ended)
    book.take(delivery(settled, delivery_id="dlv_9", verbs=(), token=""), now())
    assert texts(book, key)[3].startswith("2. rm -rf build2 · ")


def test_other_digests_are_messages_of_their_own() -> None:
    book = ChatBook(ChatWriter(words=phrases("de"), zone=UTC, room=2_000, most=4_000), ShownPosts())
    card = asking("card_1")
    first, second = (book.take(told(card, number=number, alike=""), now()) for number in (1, 2))
    assert first != second
    assert texts(book, book.take(told(card, asking("card_2"), number=3), now()))[0] == "2 ähnliche Anfragen"
