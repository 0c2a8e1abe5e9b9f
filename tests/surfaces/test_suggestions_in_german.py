"""A suggestion reads the same on every surface that speaks German, and runs what the hub worded."""

from datetime import UTC

import msgspec
import pytest
from msgspec.structs import replace

from edge.phrase_files import sentences
from edge.speech import saying
from hub.contract.api import Prediction
from hub.contract.events import PredictionExecuted, PredictionNew
from hub.contract.phrasing import Phrasing
from hub.contract.topics import DeviceAddress
from hub.contract.words import Status, Verb
from hub.io.api.shown_text import is_text_of
from hub.kit.chat.book import ChatBook
from hub.kit.chat.shown import ShownPosts
from hub.kit.chat.writing import ChatWriter
from hub.kit.phrase_files import all_phrases, phrases
from hub.kit.phrasebook import sentence_code
from hub.kit.pushed_text import pushed_text
from hub.kit.wordings import card_in, event_in
from surfaces.web.render import PLAIN_BYTES_MAX, Reader, render
from tests.surfaces.shown import NOW, OPEN_VERBS, delivery, prediction

DEVICE = DeviceAddress(surface="ntfy", device="phone")
TITLE, WHY = "Find out why CI fails, and fix it", "The last CI result is a failure"
GERMAN, GERMAN_WHY = "Herausfinden, warum CI fehlschlägt, und es beheben", "CI ist zuletzt fehlgeschlagen"


def a_card() -> Prediction:
    return prediction(
        prompt=TITLE,
        reasoning=WHY,
        prompt_worded=Phrasing(code=sentence_code("Find out why CI{of} fails, and fix it"), values={"of": ""}),
        reasoning_worded=Phrasing(code=sentence_code("The last CI result{branch} is a failure"), values={"branch": ""}),
    )


def test_an_edit_begins_with_what_would_run() -> None:
    card = card_in(a_card(), phrases("de"))
    assert (card.prompt, card.reasoning, card.edit_text) == (GERMAN, GERMAN_WHY, TITLE)
    assert card_in(card, phrases("de")) == card
    english = card_in(a_card(), phrases("en"))
    assert (english.prompt, english.reasoning, english.edit_text) == (TITLE, WHY, "")


def test_a_notification_is_german() -> None:
    said = pushed_text(delivery(PredictionNew(prediction=a_card())), phrases("de"), DEVICE)
    assert said is not None
    assert GERMAN in said.body
    assert TITLE not in said.body


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_press_beside_a_browsers_notification_counts_in_its_language(language: str) -> None:
    event = delivery(PredictionNew(prediction=a_card()))
    reader = Reader(origin="http://localhost:1", words=phrases(language))
    push = render(event, reader, at=NOW, now=NOW, bytes_max=PLAIN_BYTES_MAX)
    assert push is not None
    shown = msgspec.json.decode(push.body)["notification"]["body"]
    assert (GERMAN in shown) is (language == "de")
    assert is_text_of(a_card(), shown, all_phrases())
    assert not is_text_of(a_card(), shown.replace(shown[:4], "Look"), all_phrases())


def test_a_chat_is_german() -> None:
    writer = ChatWriter(words=phrases("de"), zone=UTC, room=2_000, most=4_000)
    book = ChatBook(writer, ShownPosts())
    post = book.wanted(book.take(delivery(PredictionNew(prediction=a_card())), NOW))
    assert post is not None
    texts = [part.text for part in post.parts]
    assert GERMAN in texts
    assert GERMAN_WHY in texts
    card = book.card("card_1")
    assert card is not None
    assert card.prediction.edit_text == TITLE


@pytest.mark.parametrize(("language", "title", "why"), [("de", GERMAN, GERMAN_WHY), ("en", TITLE, WHY)])
def test_glasses_speak_their_language(language: str, title: str, why: str) -> None:
    words = sentences(language)
    assert title in saying.card(a_card(), OPEN_VERBS, words, "full").text
    assert why in saying.details(a_card(), OPEN_VERBS, words).text
    assert title in saying.read_back(a_card(), Verb.APPROVE, words)


def test_what_came_of_a_run_is_german_in_notifications_and_chats() -> None:
    said = Phrasing(code=sentence_code("{count} passed"), values={"count": "3"})
    done = replace(a_card(), status=Status.EXECUTED, outcome="3 passed", outcome_worded=said)
    event = PredictionExecuted(card_id=done.id, task_id="", result="3 passed", prediction=done)
    shown = event_in(event, phrases("de"))
    assert isinstance(shown, PredictionExecuted)
    assert (shown.result, shown.prediction.outcome) == ("3 bestanden", "3 bestanden")
    other = event_in(replace(event, result="other words"), phrases("de"))
    assert isinstance(other, PredictionExecuted)
    assert other.result == "other words"
