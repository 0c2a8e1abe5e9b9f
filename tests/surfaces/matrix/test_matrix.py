"""Matrix: what is sent fits and means nothing by itself; what comes is read."""

import html
import json
from datetime import UTC

import pytest

from hub.kit.chat.heard import Pressed, Relayed, Sender, Wrote
from hub.kit.chat.post import ChatPost, Choice, PostPart
from hub.kit.chat.writing import ChatWriter
from hub.kit.gateway.outcome import Misconfigured, RetryLater, TooLarge, Undeliverable
from hub.kit.phrase_files import phrases
from surfaces.matrix.bot import MatrixRefusal, outcome_of, read_event
from surfaces.matrix.render import MOST_CHARS, ROOM_CHARS, edited, message
from tests.kit.chat.a_chat import the_largest

EVENT_BYTES_MAX = 65_536
ENVELOPE_BYTES_MAX = 2_000
"""What a server adds to it."""
ANNA = Sender(room="!r:home", person="@ana:home")


def event(kind: str, **content: object) -> dict[str, object]:
    return {"type": kind, "sender": "@ana:home", "event_id": "$e", "content": content}


@pytest.mark.parametrize("sign", ["a", "&", "🙂", '"', "\u202e"])
def test_the_largest_message_is_within_an_event(sign: str) -> None:
    writer = ChatWriter(words=phrases("de"), zone=UTC, room=ROOM_CHARS, most=MOST_CHARS)
    body = edited("$e", the_largest(sign, writer))
    assert len(json.dumps(body, ensure_ascii=False).encode()) <= EVENT_BYTES_MAX - ENVELOPE_BYTES_MAX


def test_a_text_shows_itself_and_names_nobody() -> None:
    hostile = "</code></pre><a href='https://x'>@room</a>"
    choice = Choice(id="a", label="Approve", sign="✅", tone="yes")
    body = message(ChatPost(parts=(PostPart(kind="code", text=hostile),), rows=((choice,),)))
    assert html.escape(hostile, quote=False) in body["formatted_body"]
    assert body["m.mentions"] == {}
    assert body["body"] == f"{hostile}\n✅ Approve"


def test_a_reaction_and_a_reply_are_read() -> None:
    reaction = event("m.reaction", **{"m.relates_to": {"rel_type": "m.annotation", "event_id": "$card", "key": "✅"}})
    assert read_event(reaction, "!r:home") == Pressed(sender=ANNA, event_id="$e", message_id="$card", sign="✅")
    reply = {"m.relates_to": {"m.in_reply_to": {"event_id": "$card"}}}
    said = event("m.room.message", msgtype="m.text", body="> <@pulse:home> Which?\n\nblue", **reply)
    assert read_event(said, "!r:home") == Wrote(sender=ANNA, event_id="$e", text="blue", reply_to="$card")


@pytest.mark.parametrize(
    "mark",
    ["m.forwarded", "moe.sable.message.forward", "m.per_message_profile", "com.beeper.per_message_profile"],
)
def test_what_is_marked_as_somebody_elses_is_nobodys_words(mark: str) -> None:
    said = event("m.room.message", msgtype="m.text", body="rm -rf src", **{mark: {"sender": "@mallory:home"}})
    assert read_event(said, "!r:home") == Relayed(sender=ANNA, event_id="$e")


def test_no_line_of_what_a_reply_answers_counts_as_the_reply() -> None:
    reply = {"m.relates_to": {"m.in_reply_to": {"event_id": "$card"}}}
    said = event("m.room.message", msgtype="m.text", body="> <@pulse:home> Which?\n>\n> 2\n\n1", **reply)
    assert read_event(said, "!r:home") == Wrote(sender=ANNA, event_id="$e", text="1", reply_to="$card")


@pytest.mark.parametrize(
    "other",
    [
        event("m.room.member", membership="join"),
        event("m.reaction"),
        event("m.room.message", msgtype="m.image", body="x"),
        event("m.room.message", msgtype="m.text", body="* x", **{"m.relates_to": {"rel_type": "m.replace"}}),
    ],
)
def test_everything_else_is_let_go(other: dict[str, object]) -> None:
    assert read_event(other, "!r:home") is None


@pytest.mark.parametrize(
    ("status", "code", "meant"),
    [
        (401, "M_UNKNOWN_TOKEN", Misconfigured),
        (429, "M_LIMIT_EXCEEDED", RetryLater),
        (403, "M_FORBIDDEN", RetryLater),
        (404, "M_NOT_FOUND", RetryLater),
        (413, "M_TOO_LARGE", TooLarge),
        (400, "M_BAD_JSON", Undeliverable),
        (502, "502", RetryLater),
    ],
)
def test_a_refusal_is_read(status: int, code: str, meant: type) -> None:
    assert isinstance(outcome_of(MatrixRefusal(status, code, 1.0)), meant)


@pytest.mark.parametrize("code", ["M_UNKNOWN_TOKEN", "M_FORBIDDEN", "M_NOT_FOUND"])
def test_what_keeps_the_bot_away_comes_with_what_helps(code: str) -> None:
    meant = outcome_of(MatrixRefusal(403, code, 0.0))
    assert isinstance(meant, Misconfigured | RetryLater)
    assert "pulse matrix setup" in meant.fix
