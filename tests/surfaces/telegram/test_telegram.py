"""Telegram: what is sent fits, shows itself and means nothing; what comes is read, and only in a private chat."""

import html
import re
from datetime import UTC

import pytest

from hub.contract.words import Verb
from hub.kit.chat.heard import Pressed, Relayed, Sender, Wrote
from hub.kit.chat.post import ChatPost, PostPart
from hub.kit.chat.writing import ChatWriter
from hub.kit.gateway.outcome import Accepted, Gone, Misconfigured, RetryLater, TooLarge, Undeliverable
from hub.kit.phrase_files import phrases
from hub.kit.text import utf16_units
from surfaces.telegram.bot import outcome_of, read_update
from surfaces.telegram.render import ROOM_UNITS, TEXT_UNITS_MAX, message
from tests.kit.chat.a_chat import the_largest

DATA_BYTES_MAX = 64
"""What a button may carry, as Telegram takes it."""
VERBS = (Verb.APPROVE, Verb.REJECT, Verb.SNOOZE, Verb.EDIT)
NOW_S = 1_000_000.0
ANNA = {"id": 42, "is_bot": False}
CHAT = {"id": 42, "type": "private"}


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("sign", ["a", "&", "🙂", "\u202e"])
def test_the_largest_card_is_within_the_limits(language: str, sign: str) -> None:
    body = message(
        the_largest(
            sign, ChatWriter(words=phrases(language), zone=UTC, room=ROOM_UNITS, most=TEXT_UNITS_MAX, size=utf16_units)
        )
    )
    seen = html.unescape(re.sub(r"<[^>]+>", "", body["text"]))
    assert utf16_units(seen) <= TEXT_UNITS_MAX
    data = [one["callback_data"] for row in body["reply_markup"]["inline_keyboard"] for one in row]
    assert data
    assert max(len(one.encode()) for one in data) <= DATA_BYTES_MAX
    assert len(data) <= 100


def test_a_text_shows_itself_and_means_nothing() -> None:
    hostile = "</pre><a href='tg://user?id=1'>@all</a> & *x*"
    body = message(ChatPost(parts=(PostPart(kind="code", text=hostile),)))
    assert body["text"] == f"<pre>{html.escape(hostile, quote=False)}</pre>"
    assert body["link_preview_options"] == {"is_disabled": True}


def test_a_press_is_read_with_what_it_was_bound_to() -> None:
    press = {"id": "77", "from": ANNA, "data": "a|0123456789ab.0", "message": {"message_id": 5, "chat": CHAT}}
    heard = read_update({"update_id": 1, "callback_query": press}, NOW_S)
    sender = Sender(room="42", person="42")
    assert heard == Pressed(sender=sender, event_id="77", message_id="5", choice="a", binding="0123456789ab.0")


def test_words_are_read_with_what_they_answer_unless_they_are_old() -> None:
    said = {"message_id": 9, "from": ANNA, "chat": CHAT, "text": "yes", "reply_to_message": {"message_id": 5}}
    heard = read_update({"update_id": 1, "message": {**said, "date": NOW_S}}, NOW_S)
    sender = Sender(room="42", person="42")
    assert heard == Wrote(sender=sender, event_id="1-9", text="yes", reply_to="5")
    assert read_update({"update_id": 1, "message": {**said, "date": NOW_S - 3_600}}, NOW_S) is None


@pytest.mark.parametrize(
    "mark",
    [
        {"forward_origin": {"type": "hidden_user", "sender_user_name": "Mallory"}},
        {"forward_date": 1},
        {"forward_sender_name": "Mallory"},
        {"is_automatic_forward": True},
        {"via_bot": {"id": 7, "is_bot": True}},
        {"sender_business_bot": {"id": 7, "is_bot": True}},
        {"guest_bot_caller_user": {"id": 7}},
        {"sender_chat": {"id": -100, "type": "channel"}},
        {"external_reply": {"origin": {"type": "channel"}}},
        {"quote": {"text": "rm -rf src", "position": 0}},
        {"reply_to_story": {"id": 1}},
    ],
)
def test_what_somebody_else_wrote_is_nobodys_words(mark: dict[str, object]) -> None:
    said = {"message_id": 9, "from": ANNA, "chat": CHAT, "text": "rm -rf src", "date": NOW_S, **mark}
    heard = read_update({"update_id": 1, "message": said}, NOW_S)
    assert heard == Relayed(sender=Sender(room="42", person="42"), event_id="1-9")


def test_a_reply_may_quote_the_message_that_it_answers() -> None:
    about = {"reply_to_message": {"message_id": 5}, "quote": {"text": "Which colour?", "position": 0}}
    said = {"message_id": 9, "from": ANNA, "chat": CHAT, "text": "blue", "date": NOW_S, **about}
    sender = Sender(room="42", person="42")
    assert read_update({"update_id": 1, "message": said}, NOW_S) == Wrote(
        sender=sender, event_id="1-9", text="blue", reply_to="5"
    )


@pytest.mark.parametrize(
    "update",
    [
        {},
        {"message": {"message_id": 1, "from": ANNA, "chat": {"id": -5, "type": "group"}, "text": "x", "date": NOW_S}},
        {"message": {"message_id": 1, "from": {"id": 42, "is_bot": True}, "chat": CHAT, "text": "x", "date": NOW_S}},
        {"message": {"message_id": 1, "from": ANNA, "chat": CHAT, "sticker": {}}},
        {"callback_query": {"id": "1", "from": ANNA, "message": {"chat": {"id": -5, "type": "supergroup"}}}},
    ],
)
def test_what_is_none_of_a_persons_own_chat_is_let_go(update: dict[str, object]) -> None:
    assert read_update(update, NOW_S) is None


@pytest.mark.parametrize(
    ("status", "why", "meant"),
    [
        (400, "Bad Request: message is not modified: …", Accepted),
        (400, "Bad Request: message to edit not found", Gone),
        (400, "Bad Request: message is too long", TooLarge),
        (400, "Bad Request: can't parse entities", Undeliverable),
        (401, "Unauthorized", Misconfigured),
        (403, "Forbidden: bot was blocked by the user", RetryLater),
        (403, "Forbidden: user is deactivated", RetryLater),
        (400, "Bad Request: chat not found", RetryLater),
        (429, "Too Many Requests: retry after 3", RetryLater),
        (502, "", RetryLater),
    ],
)
def test_a_refusal_is_read(status: int, why: str, meant: type) -> None:
    assert isinstance(outcome_of(status, why, 3.0), meant)


@pytest.mark.parametrize(
    ("status", "why"),
    [(401, "Unauthorized"), (403, "Forbidden: bot was blocked"), (400, "Bad Request: chat not found")],
)
def test_what_keeps_the_bot_away_comes_with_what_helps(status: int, why: str) -> None:
    meant = outcome_of(status, why, 0.0)
    assert isinstance(meant, Misconfigured | RetryLater)
    assert meant.fix.endswith(".")
    assert not meant.why.endswith(".")
