"""From what a message should be and what is known of it, to the one next thing to do. Pure.

Nothing is retried as such: when a step fails, what is known stays as it was, and the same step comes out again (with
the same nonce, so that Discord itself drops a repeat). So after any outage the channel converges to the truth: what is
missing is posted, what is old is edited, what is too much is removed.
"""

import hashlib
from typing import Literal

from hub.contract.base import Value
from surfaces.discord.limits import NONCE_CHARS_MAX, Rendered

Place = Literal["bridge", "status", "log"]


class Wanted(Value):
    """What one message should be. `own` are our own reactions on it; `thread` the name of its thread, if it has one."""

    key: str
    rendered: Rendered
    born: str
    place: Place = "bridge"
    own: tuple[str, ...] = ()
    reply_to: str = ""
    silent: bool = False
    thread: str = ""
    fixed: bool = False
    """Whether it is said once and never changed."""
    face: str = ""
    """Changes with what must be seen at once; a tally alone may wait a moment."""
    delivery_id: str = ""
    item_ids: tuple[str, ...] = ()
    """The deliveries of the single cards that a message of several shows."""


class Known(Value):
    """What is known of a message that is there. An empty `digest` means that its looks are not known."""

    message_id: str
    digest: str = ""
    own: frozenset[str] = frozenset()
    threaded: bool = False
    face: str = ""


class Post(Value):
    """Send a new message. The nonce makes a repeat harmless."""

    wanted: Wanted
    nonce: str


class Edit(Value):
    """Change a message in place."""

    message_id: str
    rendered: Rendered


class React(Value):
    """Put our own reaction below a message, or take it away."""

    message_id: str
    emoji: str
    add: bool = True


class Open(Value):
    """Open the thread of a message."""

    message_id: str
    name: str


Step = Post | Edit | React | Open


def next_step(wanted: Wanted, known: Known | None, posts: int) -> Step | None:
    """Return what is to be done next; None when the message is as it should be.

    `posts` counts how often the message was posted and lost again: each needs a nonce of its own.
    """
    if known is None:
        return Post(wanted=wanted, nonce=nonce(wanted, posts))
    if known.digest != wanted.rendered.digest and not wanted.fixed:
        return Edit(message_id=known.message_id, rendered=wanted.rendered)
    for emoji in wanted.own:
        if emoji not in known.own:
            return React(message_id=known.message_id, emoji=emoji)
    for emoji in sorted(known.own - set(wanted.own)):
        return React(message_id=known.message_id, emoji=emoji, add=False)
    if wanted.thread and not known.threaded:
        return Open(message_id=known.message_id, name=wanted.thread)
    return None


def nonce(wanted: Wanted, posts: int) -> str:
    """Return the same nonce for every try to post the same message."""
    text = f"{wanted.key}|{wanted.born}|{posts}"
    return hashlib.sha256(text.encode()).hexdigest()[:NONCE_CHARS_MAX]
