"""What a chat hears, whoever it came from; only the paired person in the paired room is listened to. Pure."""

from hub.contract.base import Value

START = "/start"
"""What a bot's Start button writes, with more behind it where a link brought the person there: not their words."""


class Sender(Value):
    """Where something was done, and by whom, as the chat itself vouches for it."""

    room: str
    person: str


class Pressed(Value):
    """Somebody pressed a choice below a message, or reacted with its sign (then `choice` is empty).

    `event_id` is the chat's own name for this one press; `binding` what the choice was bound to, empty where the chat
    carries none. `words` are what was written into a field of the message.
    """

    sender: Sender
    event_id: str
    message_id: str
    choice: str = ""
    sign: str = ""
    binding: str = ""


class Wrote(Value):
    """Somebody wrote something, in answer to a message where `reply_to` names one."""

    sender: Sender
    event_id: str
    text: str
    reply_to: str = ""


class Relayed(Value):
    """Somebody passed on what was not, or not only, written by them: forwarded, sent by another app, or with a quote.

    It has no text, so that nothing can take it for theirs.
    """

    sender: Sender
    event_id: str


ChatHeard = Pressed | Wrote | Relayed
