"""On every surface: what was only handed over is not called done, and what is over is not called failed."""

from datetime import UTC, timedelta

import pytest
from msgspec.structs import replace

from edge.deliveries import happenings
from edge.phrase_files import sentences
from edge.speech.turn import Outcome
from hub.cli import draw
from hub.contract.api import Prediction
from hub.contract.events import PredictionExecuted
from hub.contract.runs import WorkResult
from hub.contract.surface import CardDelivery
from hub.contract.words import Status, Verb
from hub.kit.cards import CardProjection
from hub.kit.chat.card import ChatCard
from hub.kit.chat.writing import ChatWriter, end_post
from hub.kit.fates import Fate
from hub.kit.phrase_files import phrases
from surfaces.discord import render
from surfaces.discord.settings import Config
from surfaces.homeassistant.entities import ENDED
from surfaces.terminal import words
from surfaces.terminal.view import Shown
from tests.surfaces.shown import NOW, prediction, settlement

EN = phrases("en")
SAID = WorkResult(execution_id="x", ended="done", summary="worker finished", handed_over=True)
HANDED = prediction(status=Status.EXECUTED, result=SAID, outcome="worker finished")
FAILED = prediction(status=Status.FAILED, outcome="2 failed")
CARDS: dict[Fate, Prediction] = {
    "handed_over": HANDED,
    "mended": replace(FAILED, mended_at=NOW),
    "ignored": replace(FAILED, settled=settlement(Verb.IGNORE)),
}
each = pytest.mark.parametrize("fate", list(CARDS))
CONFIG = Config(guild_id="900000000000000009", owner="ann", voters=())


def chat_card(fate: Fate) -> ChatCard:
    return ChatCard(prediction=CARDS[fate], opened_at=NOW, phase="settled", run_id="x", run_end="", result="said")


@each
def test_in_a_chat(fate: Fate) -> None:
    post = end_post(chat_card(fate), ChatWriter(words=EN, zone=UTC, room=2_000, most=4_000))
    title = post.parts[0].text
    assert EN.title(fate) in title
    assert "❌" not in title


@each
def test_on_discord(fate: Fate) -> None:
    drawn = render.render_result(chat_card(fate), CONFIG)
    assert EN.title(fate) in drawn.embeds[0].title
    assert drawn.embeds[0].color != render.RED


@each
def test_in_the_terminal_and_on_the_command_line(fate: Fate) -> None:
    shown = Shown(prediction=CARDS[fate], opened_at=NOW, phase="settled", since=NOW, delivery_id="d")
    line, tone = words.state_line(shown, NOW + timedelta(seconds=1))
    assert (EN.say(fate) in line, tone == "bad") == (True, False)
    assert draw.outcome_line(CARDS[fate]).startswith(EN.say(fate))
    assert draw.FATE_TONES[fate] != "red"


@each
def test_for_home_assistant(fate: Fate) -> None:
    assert ENDED[fate] == fate


def test_aloud() -> None:
    event = PredictionExecuted(card_id="card_1", task_id="", result="worker finished", prediction=HANDED)
    delivery = CardDelivery(delivery_id="d", event=event, loudness="notify", verbs=(), token="", expires_at=NOW)
    card = CardProjection(prediction=HANDED, opened_at=NOW, phase="settled", run_end="done", result="worker finished")
    said = [one.text for one in happenings(delivery, card, sentences("en")) if isinstance(one, Outcome)]
    assert said == ["Handed over, not confirmed: worker finished."]
