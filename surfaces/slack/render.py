"""From a post to Slack's blocks: rich text, in which every text shows as itself, and buttons. Pure."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from hub.kit.chat.post import ChatPost, Choice, PostPart, button_data
from hub.kit.text import cut

ROOM_CHARS, MOST_CHARS = 1_600, 3_000
BLOCKS_MAX, BUTTONS_MAX, BUTTON_CHARS_MAX = 50, 25, 75
"""Slack's own limits: blocks of a message, elements of one row, characters on a button."""
NOTICE_CHARS_MAX = 300
_STYLES: dict[str, dict[str, bool]] = {"title": {"bold": True}, "note": {"italic": True}}
_SECTION = "rich_text_section"
_WRAPPERS = {"code": "rich_text_preformatted", "diff": "rich_text_preformatted", "quote": "rich_text_quote"}
_TONES = {"yes": "primary", "no": "danger"}
_ESCAPED = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
Body = dict[str, Any]


def message(post: ChatPost) -> Body:
    """Return a message's blocks, and the text that stands in a notification."""
    texts = [{"type": "rich_text", "elements": list(_elements(post.parts))}] if post.parts else []
    rows = [{"type": "actions", "elements": [_button(one, post.binding) for one in row]} for row in post.rows if row]
    return {
        "text": plain(cut("\n".join(part.text for part in post.parts), NOTICE_CHARS_MAX)),
        "blocks": [*texts, *rows],
        "link_names": False,
        "parse": "none",
    }


def plain(text: str) -> str:
    """Return a text as Slack's markup shows it: no link, no mention."""
    return text.translate(_ESCAPED)


def _elements(parts: Iterable[PostPart]) -> Iterator[Body]:
    """Lines that follow each other are one section, for Slack breaks no line between two."""
    for wrapper, group in groupby(parts, key=lambda part: _WRAPPERS.get(part.kind, _SECTION)):
        if wrapper == _SECTION:
            *lines, last = group
            yield {"type": wrapper, "elements": [*(_text(one, end="\n") for one in lines), _text(last)]}
        else:
            yield from ({"type": wrapper, "elements": [_text(part)]} for part in group)


def _text(part: PostPart, end: str = "") -> Body:
    text: Body = {"type": "text", "text": f"{part.text}{end}" or " "}
    return {**text, "style": _STYLES[part.kind]} if part.kind in _STYLES else text


def _button(choice: Choice, binding: str) -> Body:
    label = cut(f"{choice.sign} {choice.label}", BUTTON_CHARS_MAX)
    button: Body = {
        "type": "button",
        "text": {"type": "plain_text", "text": label, "emoji": False},
        "action_id": choice.id,
        "value": button_data(choice, binding),
    }
    return {**button, "style": _TONES[choice.tone]} if choice.tone in _TONES else button
