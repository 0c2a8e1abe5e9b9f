"""From a post to what Matrix shows: HTML in which every text shows as itself, and plain text beside it. Pure.

There are no buttons: each choice has a sign to react with, and the message lists what each of them says.
"""

import html
from typing import Any

from hub.kit.chat.post import ChatPost, PostPart

ROOM_CHARS, MOST_CHARS = 1_200, 1_900
"""An event is 64 KiB at most; a changed text is in it four times, and a character takes up to five bytes."""
_WRITTEN = {
    "title": "<p><strong>{}</strong></p>",
    "text": "<p>{}</p>",
    "code": "<pre><code>{}</code></pre>",
    "diff": '<pre><code class="language-diff">{}</code></pre>',
    "quote": "<blockquote>{}</blockquote>",
    "note": "<p><em>{}</em></p>",
}
Body = dict[str, Any]


def message(post: ChatPost, person: str = "") -> Body:
    """Return the content of a message; `person` is mentioned by one that calls, and nobody ever by its text."""
    listed = [f"{choice.sign} {choice.label}" for choice in post.choices]
    signs = f"<p>{'<br>'.join(html.escape(line, quote=False) for line in listed)}</p>" if listed else ""
    return {
        "msgtype": "m.text",
        "body": "\n".join((*(part.text for part in post.parts), *listed)),
        "format": "org.matrix.custom.html",
        "formatted_body": "".join(map(_part, post.parts)) + signs,
        "m.mentions": {"user_ids": [person]} if person and post.calls else {},
    }


def edited(message_id: str, post: ChatPost) -> Body:
    """Return the content of the event that changes a message."""
    new = message(post)
    relation = {"rel_type": "m.replace", "event_id": message_id}
    return {**new, "body": f"* {new['body']}", "m.new_content": new, "m.relates_to": relation}


def _part(part: PostPart) -> str:
    text = html.escape(part.text, quote=False)
    return _WRITTEN[part.kind].format(text if part.kind in {"code", "diff"} else text.replace("\n", "<br>"))
