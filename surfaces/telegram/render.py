"""From a post to what Telegram's API takes: its HTML, in which every text shows as itself, and buttons below. Pure."""

import html
from typing import Any

from hub.kit.chat.post import ChatPost, Choice, PostPart, button_data

TEXT_UNITS_MAX = 4_096
PLACEHOLDER_CHARS_MAX = 64
ROOM_UNITS = 1_600
"""For a card's own text; what stands aside is cut where all of it together is too much."""
_WRITTEN = {
    "title": "<b>{}</b>",
    "text": "{}",
    "code": "<pre>{}</pre>",
    "diff": '<pre><code class="language-diff">{}</code></pre>',
    "quote": "<blockquote>{}</blockquote>",
    "note": "<i>{}</i>",
}
Body = dict[str, Any]


def message(post: ChatPost) -> Body:
    """Return the text and the buttons of a message."""
    body: Body = {
        "text": "\n".join(_part(part) for part in post.parts),
        "parse_mode": "HTML",
        "link_preview_options": {"is_disabled": True},
    }
    if post.takes_words:
        placeholder = post.takes_words[:PLACEHOLDER_CHARS_MAX]
        body["reply_markup"] = {"force_reply": True, "input_field_placeholder": placeholder}
    else:
        rows = [[_button(choice, post.binding) for choice in row] for row in post.rows]
        body["reply_markup"] = {"inline_keyboard": rows}
    return body


def _part(part: PostPart) -> str:
    return _WRITTEN[part.kind].format(html.escape(part.text, quote=False))


def _button(choice: Choice, binding: str) -> dict[str, str]:
    return {"text": f"{choice.sign} {choice.label}", "callback_data": button_data(choice, binding)}
