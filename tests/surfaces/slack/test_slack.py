"""Slack: what is sent fits, shows itself and means nothing; what comes is read, and only in a direct message."""

import json
import re
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest

from hub.kit.chat.heard import Pressed, Relayed, Sender, Wrote
from hub.kit.chat.post import ChatPost, Choice, PartKind, PostPart
from hub.kit.chat.writing import ChatWriter
from hub.kit.gateway.outcome import Doubtful, Gone, Misconfigured, RetryLater, TooLarge, Undeliverable
from hub.kit.phrase_files import phrases
from surfaces.slack.reading import as_written, read_envelope
from surfaces.slack.render import BLOCKS_MAX, BUTTON_CHARS_MAX, BUTTONS_MAX, MOST_CHARS, ROOM_CHARS, message
from surfaces.slack.web import SlackRefusal, outcome_of
from tests.kit.chat.a_chat import the_largest

NOW_S = 1_700_000_000.0
ANNA = Sender(room="T1/D1", person="U1")
VALUE_CHARS_MAX = 2_000
SAID: dict[str, object] = {
    "type": "message",
    "channel_type": "im",
    "channel": "D1",
    "user": "U1",
    "text": "yes",
    "ts": "1700000000.000100",
}


def wrote(**more: object) -> dict[str, object]:
    return {"type": "events_api", "payload": {"team_id": "T1", "event": {**SAID, **more}}}


def texts(body: dict[str, Any]) -> list[str]:
    shown = [one for block in body["blocks"] if block["type"] == "rich_text" for one in block["elements"]]
    return [text["text"] for one in shown for text in one["elements"]]


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("sign", ["a", "&", "🙂", "\u202e"])
def test_the_largest_card_is_within_the_limits(language: str, sign: str) -> None:
    writer = ChatWriter(words=phrases(language), zone=UTC, room=ROOM_CHARS, most=MOST_CHARS)
    body = message(the_largest(sign, writer))
    assert sum(map(len, texts(body))) <= MOST_CHARS
    assert len(body["blocks"]) <= BLOCKS_MAX
    rows = [block["elements"] for block in body["blocks"] if block["type"] == "actions"]
    assert rows
    assert max(map(len, rows)) <= BUTTONS_MAX
    buttons = [one for row in rows for one in row]
    assert max(len(one["text"]["text"]) for one in buttons) <= BUTTON_CHARS_MAX
    assert max(len(one["value"]) for one in buttons) <= VALUE_CHARS_MAX


def test_a_text_shows_itself_and_names_nobody() -> None:
    hostile = "<!channel> <https://x|fine> *b* `c` :tada:"
    choice = Choice(id="a", label=hostile, sign="✅", tone="yes")
    body = message(ChatPost(parts=(PostPart(kind="text", text=hostile),), rows=((choice,),), binding="b.0"))
    assert texts(body) == [hostile]
    assert body["text"].startswith("&lt;!channel&gt; &lt;https://x|fine&gt;")
    button = body["blocks"][1]["elements"][0]
    assert button["text"] == {"type": "plain_text", "text": f"✅ {hostile}", "emoji": False}
    assert (button["value"], button["style"]) == ("a|b.0", "primary")


def test_lines_are_lines_and_blocks_are_blocks() -> None:
    kinds: tuple[PartKind, ...] = ("title", "text", "code", "diff", "quote", "note")
    body = message(ChatPost(parts=tuple(PostPart(kind=kind, text=kind) for kind in kinds)))
    wrappers = [one["type"].removeprefix("rich_text_") for one in body["blocks"][0]["elements"]]
    assert wrappers == ["section", "preformatted", "preformatted", "quote", "section"]
    assert texts(body) == ["title\n", "text", "code", "diff", "quote", "note"]


def test_a_press_is_read_with_what_it_was_bound_to() -> None:
    action = {"action_id": "a", "value": "a|0123456789ab.0", "action_ts": "17.5"}
    payload = {
        "type": "block_actions",
        "user": {"id": "U1"},
        "team": {"id": "T1"},
        "container": {"type": "message", "message_ts": "16.1", "channel_id": "D1"},
        "actions": [action],
    }
    heard = read_envelope({"type": "interactive", "payload": payload}, NOW_S)
    bound = Pressed(sender=ANNA, event_id="17.5-16.1-a", message_id="16.1", choice="a", binding="0123456789ab.0")
    assert heard == bound
    in_a_grid = {**payload, "team": None, "user": {"id": "U1", "team_id": "T1"}}
    assert read_envelope({"type": "interactive", "payload": in_a_grid}, NOW_S) == bound


def test_words_are_read_with_the_thread_that_they_are_in() -> None:
    heard = read_envelope(wrote(thread_ts="1699999999.000001"), NOW_S)
    event_id = "1700000000.000100-D1"
    assert heard == Wrote(sender=ANNA, event_id=event_id, text="yes", reply_to="1699999999.000001")
    assert read_envelope(wrote(thread_ts=SAID["ts"]), NOW_S) == Wrote(sender=ANNA, event_id=event_id, text="yes")


@pytest.mark.parametrize(
    "mark",
    [
        {"attachments": [{"is_share": True, "is_msg_unfurl": True, "text": "rm -rf src"}]},
        {"attachments": [{"is_reply_unfurl": True}]},
        {"subtype": "message_share"},
        {"app_id": "A1"},
    ],
)
def test_what_is_forwarded_or_sent_by_another_app_is_nobodys_words(mark: dict[str, object]) -> None:
    assert read_envelope(wrote(**mark), NOW_S) == Relayed(sender=ANNA, event_id="1700000000.000100-D1")
    assert read_envelope(wrote(attachments=[]), NOW_S) == Wrote(
        sender=ANNA, event_id="1700000000.000100-D1", text="yes"
    )


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        ("curl <https://x.example/a?b=1&amp;c=2>", "curl https://x.example/a?b=1&c=2"),
        ("look at <http://x.example|x.example>", "look at x.example"),
        ("a &lt;b&gt; &amp;amp;", "a <b> &amp;"),
        ("```\nrm -rf dist\n```", "rm -rf dist"),
        ("`rm -rf dist`", "rm -rf dist"),
        ("run `a` and `b`", "run `a` and `b`"),
        ("<@U2> <!here>", "<@U2> <!here>"),
    ],
)
def test_words_come_as_they_were_typed(sent: str, meant: str) -> None:
    assert as_written(sent) == meant


@pytest.mark.parametrize(
    "envelope",
    [
        {},
        {"type": "slash_commands", "payload": {"command": "/pulse"}},
        {"type": "interactive", "payload": {"type": "view_submission"}},
        {"type": "interactive", "payload": {"type": "block_actions", "actions": []}},
        {"type": "interactive", "payload": [1]},
        {"type": "events_api", "payload": {"event": None}},
        wrote(channel_type="channel"),
        wrote(bot_id="B1"),
        wrote(subtype="message_changed"),
        wrote(ts="1699990000.000100"),
        wrote(ts="nonsense"),
        wrote(text=None),
    ],
)
def test_what_is_none_of_a_persons_own_doing_is_let_go(envelope: dict[str, object]) -> None:
    assert json.loads(json.dumps(envelope)) == envelope
    assert read_envelope(envelope, NOW_S) is None


@pytest.mark.parametrize(
    ("code", "meant"),
    [
        ("ratelimited", RetryLater),
        ("invalid_auth", Misconfigured),
        ("missing_scope", Misconfigured),
        ("message_not_found", Gone),
        ("edit_window_closed", Gone),
        ("channel_not_found", RetryLater),
        ("msg_too_long", TooLarge),
        ("internal_error", Doubtful),
        ("invalid_blocks", Undeliverable),
    ],
)
def test_a_refusal_is_read(code: str, meant: type) -> None:
    assert isinstance(outcome_of(SlackRefusal(code, 3.0)), meant)


@pytest.mark.parametrize(
    "code", ["account_inactive", "token_revoked", "channel_not_found", "not_in_channel", "is_archived"]
)
def test_what_keeps_the_app_away_comes_with_what_helps(code: str) -> None:
    meant = outcome_of(SlackRefusal(code, 3.0))
    assert isinstance(meant, Misconfigured | RetryLater)
    assert code in meant.why
    assert "pulse slack setup" in meant.fix


def test_the_manifest_to_paste_has_what_the_bot_needs() -> None:
    howto = (Path(__file__).parents[3] / "docs/howto/slack.md").read_text()
    found = re.search(r"```json\n(.+?)```", howto, re.DOTALL)
    assert found is not None
    manifest = json.loads(found[1])
    assert manifest["oauth_config"]["scopes"] == {"bot": ["chat:write", "im:history"]}
    assert manifest["settings"]["event_subscriptions"] == {"bot_events": ["message.im"]}
    assert manifest["settings"]["socket_mode_enabled"]
    assert manifest["settings"]["interactivity"]["is_enabled"]
    assert manifest["features"]["app_home"]["messages_tab_read_only_enabled"] is False
