"""What comes over Socket Mode, as what somebody did in a direct message with the app. Pure."""

import html
import re
from collections.abc import Mapping
from typing import Any

from hub.kit.chat.heard import ChatHeard, Pressed, Relayed, Sender, Wrote
from hub.kit.chat.post import read_button_data

OLD_S = 600.0
"""Slack repeats for an hour what nobody took; a message written longer ago is no answer any more."""
SENT = frozenset({None, "message_share"})
"""What kinds of message somebody sends by themselves: one that has no kind, and one that shares another."""
_LINK = re.compile(r"<(?P<target>(?:https?|mailto|tel):[^<>|]*)(?:\|(?P<label>[^<>]*))?>")
_FENCED = re.compile(r"```\n?(?P<block>[^`]+?)\n?```|`(?P<line>[^`\n]+)`")
Fields = Mapping[str, Any]


def room_of(team_id: str, channel_id: str) -> str:
    """Return one name for a channel of a workspace."""
    return f"{team_id}/{channel_id}"


def read_envelope(envelope: Fields, now_s: float) -> ChatHeard | None:
    """Read what somebody did; None for everything else."""
    payload = _fields(envelope.get("payload"))
    match envelope.get("type"):
        case "interactive":
            return _pressed(payload)
        case "events_api":
            return _wrote(payload, now_s)
        case _:
            return None


def _pressed(payload: Fields) -> Pressed | None:
    shown, person = _fields(payload.get("container")), _fields(payload.get("user"))
    actions = payload.get("actions")
    if payload.get("type") != "block_actions" or not isinstance(actions, list) or not actions:
        return None
    action, message_id = _fields(actions[0]), str(shown.get("message_ts", ""))
    choice, binding = read_button_data(str(action.get("value", "")))
    team_id = _fields(payload.get("team")).get("id") or person.get("team_id", "")
    room = room_of(str(team_id), str(shown.get("channel_id", "")))
    return Pressed(
        sender=Sender(room=room, person=str(person.get("id", ""))),
        event_id=f"{action.get('action_ts', '')}-{message_id}-{choice}",
        message_id=message_id,
        choice=choice,
        binding=binding,
    )


def _wrote(payload: Fields, now_s: float) -> Wrote | Relayed | None:
    event = _fields(payload.get("event"))
    is_sent = event.get("type") == "message" and event.get("channel_type") == "im"
    written_at, text = str(event.get("ts", "")), event.get("text")
    if not is_sent or event.get("subtype") not in SENT or event.get("bot_id") or _is_old(written_at, now_s):
        return None
    room = room_of(str(payload.get("team_id", "")), str(event.get("channel", "")))
    sender = Sender(room=room, person=str(event.get("user", "")))
    event_id = f"{written_at}-{event.get('channel', '')}"
    # A person's own message has no attachment when it comes: a link's preview is added later, by another event.
    if event.get("subtype") or event.get("attachments") or event.get("app_id"):
        return Relayed(sender=sender, event_id=event_id)
    if not isinstance(text, str):
        return None
    thread = str(event.get("thread_ts", ""))
    return Wrote(
        sender=sender, event_id=event_id, text=as_written(text), reply_to=thread if thread != written_at else ""
    )


def as_written(text: str) -> str:
    """Return what a person wrote, without Slack's marks around addresses, and without a fence around all of it."""
    bare = _LINK.sub(lambda found: found["label"] or found["target"], text).strip()
    fenced = _FENCED.fullmatch(bare)
    return html.unescape((fenced["block"] or fenced["line"]) if fenced else bare)


def _is_old(written_at: str, now_s: float) -> bool:
    try:
        return now_s - float(written_at) > OLD_S
    except ValueError:
        return True


def _fields(value: object) -> Fields:
    return value if isinstance(value, dict) else {}
