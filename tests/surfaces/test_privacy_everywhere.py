"""With privacy `nothing` no surface names the agent, the project or anything else of a card, before somebody asks."""

import json
from collections.abc import Iterator
from datetime import UTC, timedelta

import msgspec
import pytest
from msgspec.structs import replace

from hub.contract.address import ApnsAddress
from hub.contract.api import Prediction
from hub.contract.events import (
    AnyEvent,
    DigestReady,
    ExecutionFailed,
    ExecutionStarted,
    Paused,
    PredictionExecuted,
    PredictionNew,
    PredictionSettled,
)
from hub.contract.permission import Act, AgentQuestion, Permission, PermissionOption, QuestionChoice
from hub.contract.surface import CardDelivery
from hub.contract.topics import DeviceAddress
from hub.contract.words import Source, Status, Verb
from hub.kit.cards import take
from hub.kit.chat.book import ChatBook
from hub.kit.chat.post import ChatPost
from hub.kit.chat.shown import ShownPosts
from hub.kit.chat.writing import ChatWriter
from hub.kit.offered_answers import OfferedAnswers
from hub.kit.phrase_files import all_phrases, phrases
from surfaces.apns.alert import To
from surfaces.apns.board import Board
from surfaces.apns.complication import face_push
from surfaces.apns.render import render_alert, render_beside
from surfaces.apns.sentences import all_strings
from surfaces.apprise import render as apprise
from surfaces.discord.ballots import Ballots
from surfaces.discord.card_messages import CardMessages
from surfaces.discord.settings import Config
from surfaces.homeassistant import entities
from surfaces.homeassistant import render as home
from surfaces.homeassistant.entities import HomeCard
from surfaces.ntfy import render as ntfy
from surfaces.web import render as web
from tests.surfaces.shown import NOW, delivery, prediction, settlement

SECRETS = ("zorg", "quux", "sekrit")
"""What begins every word of a card that says whose or what it is: the agent, the project, and its own texts."""
EN = phrases("en")
HERE = DeviceAddress(surface="here", device="it")
AT = NOW + timedelta(seconds=1)
CHOICES = (QuestionChoice(label="sekrit one"), QuestionChoice(label="sekrit two"))


def a_card(**changes: object) -> Prediction:
    made = prediction(
        "sekrit prompt",
        target_agent="zorgbot",
        target_channel="quuxchan",
        repository="quuxproj",
        reasoning="sekrit reasoning",
        execution_id="run_1",
    )
    return replace(made, **changes)


def asked(**changes: object) -> Prediction:
    permission = Permission(
        agent="zorgbot",
        tool="Bash",
        act=Act.COMMAND,
        text="sekrit command",
        folder="/home/anna/quuxproj",
        reason="sekrit reason",
        options=(
            PermissionOption(id="o", label="sekrit yes"),
            PermissionOption(id="p", label="sekrit no", refuses=True),
        ),
    )
    return a_card(source=Source.ASK, permission=replace(permission, **changes))


def cards() -> dict[str, Prediction]:
    question = AgentQuestion(id="q", text="sekrit question", choices=CHOICES)
    return {
        "a suggestion": a_card(),
        "a request": asked(),
        "a question": asked(act=Act.QUESTION, text="", questions=(question,), options=()),
        "one that came back": a_card(outcome="sekrit outcome of zorgbot"),
    }


def events() -> Iterator[tuple[str, AnyEvent]]:
    for name, card in cards().items():
        yield name, PredictionNew(prediction=card)
        settled = replace(settlement(Verb.REJECT), reason="sekrit reason")
        over = replace(card, status=Status.REJECTED, settled=settled)
        yield f"{name}, dismissed", PredictionSettled(prediction=over)
        running = replace(card, status=Status.CONFIRMED, settled=settlement())
        yield f"{name}, running", ExecutionStarted(prediction=running, execution_id="run_1", autonomous=True)
        done = replace(card, status=Status.EXECUTED, outcome="sekrit outcome", settled=settlement())
        yield f"{name}, done", PredictionExecuted(card_id=card.id, task_id="t", result="sekrit", prediction=done)
        failed = replace(card, status=Status.FAILED, outcome="sekrit outcome", settled=settlement())
        yield (
            f"{name}, failed",
            ExecutionFailed(
                card_id=card.id, execution_id="run_1", kind="failed", error="sekrit error", prediction=failed
            ),
        )
    yield "several", DigestReady(digest_id="d", cards=(a_card(), replace(asked(), id="card_2")))
    yield "a pause", Paused(reason="sekrit reason of zorgbot")


def told(event: AnyEvent) -> CardDelivery:
    verbs = (Verb.APPROVE, Verb.REJECT, Verb.SNOOZE, Verb.EDIT, Verb.LESS, Verb.UNDO, Verb.STOP)
    return delivery(event, privacy="nothing", verbs=verbs)


EVENTS = dict(events())
each = pytest.mark.parametrize("event", list(EVENTS.values()), ids=list(EVENTS))


def named(shown: object) -> list[str]:
    text = shown if isinstance(shown, str) else json.dumps(msgspec.to_builtins(shown), ensure_ascii=False)
    return [word for word in SECRETS if word in text.lower()]


def first_then(event: AnyEvent) -> tuple[CardDelivery, ...]:
    """What a device was handed before: a card was open there."""
    card: Prediction | None = getattr(event, "prediction", None)
    if card is None or isinstance(event, PredictionNew):
        return (told(event),)
    return told(PredictionNew(prediction=replace(card, status=Status.PENDING, settled=None))), told(event)


@each
@pytest.mark.parametrize("language", ["en", "de"])
def test_chats(event: AnyEvent, language: str) -> None:
    writer = ChatWriter(words=phrases(language), zone=UTC, room=1_600, most=4_000)
    book = ChatBook(writer, ShownPosts())
    for place, one in enumerate(first_then(event)):
        book.take(one, NOW + timedelta(seconds=place))
    posts: list[ChatPost] = [post for key in book.dirty if (post := book.wanted(key)) is not None]
    assert named(posts) == []


@each
def test_discord(event: AnyEvent) -> None:
    config = Config(guild_id="900000000000000009", threads=True)
    messages = CardMessages(config, Ballots(config))
    for place, one in enumerate(first_then(event)):
        messages.hear(one, NOW + timedelta(seconds=place))
    wanted = [messages.wanted(key, AT) for key in messages.dirty]
    drawn = [(one.rendered, one.thread) for one in wanted if one is not None]
    assert named(drawn) == []


@each
def test_push_messages(event: AnyEvent) -> None:
    one = told(event)
    offers = OfferedAnswers(b"k" * 32)
    pushed = web.render(one, web.Reader(origin="https://x.example", words=EN), at=NOW, now=AT, bytes_max=3_993)
    assert pushed is None or named(pushed.body.decode()) == []
    replies = ntfy.Replies(url="https://ntfy.example", topic="t")
    to_ntfy = ntfy.render(one, offers, EN, HERE, replies=replies, seen="full", bytes_max=2_400)
    assert named(to_ntfy) == []
    assert named(apprise.render(one, EN, HERE, page="", chars_max=2_000)) == []
    assert named(home.render(one, offers, EN, HERE, 2_800)) == []


@each
@pytest.mark.parametrize("surface", ["phone", "watch"])
def test_apple(event: AnyEvent, surface: str) -> None:
    one, words = told(event), all_strings(all_phrases())["en"]
    address = ApnsAddress(token="ab" * 32, start_token="cd" * 32, widget_token="ef" * 32, categories=99)
    for strings in ("", words.version):
        to = To(address=replace(address, strings=strings), topic="org.example", words=words)
        alert = render_alert(surface, one, to, was_shown=True, at=NOW, now=AT, bytes_max=4_096)
        beside = render_beside(surface, one, to, now=AT)
        assert named([push.payload.decode() for push in (alert, beside) if push is not None]) == []
        board = Board(names_drive=True)
        board.grant("wrist", one)
        board.hear(event, NOW)
        face = face_push(board.face("wrist"), to, "complication", privacy="nothing", push_id="p", now=AT)
        assert named(face.payload.decode()) == []


@each
@pytest.mark.parametrize("trusted", [False, True])
def test_home_assistants_entities(event: AnyEvent, *, trusted: bool) -> None:
    one = told(event)
    card = take(None, one, NOW, HomeCard)
    if card is None:
        return
    shown = entities.Published(
        node="n", title="Pulse", waiting=(replace(card, delivery=one),), paused=False, trusted=trusted
    )
    offers = OfferedAnswers(b"k" * 32)
    notices = (entities.discovery(shown, offers, EN), *entities.states(shown, EN, HERE), entities.answered(card, shown))
    assert named([notice.payload.decode() for notice in notices]) == []
