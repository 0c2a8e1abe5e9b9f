"""A push message as the service worker gets it: the declarative form, which Safari shows by itself, for all browsers.

`web_push: 8030` marks the form. `app_badge` stands at the top, where the specification has it, and in the notification,
where deployed senders and browsers have it.
"""

from datetime import datetime

from msgspec import UNSET, UnsetType

from hub.contract.base import Value
from hub.contract.surface import Loudness
from hub.contract.words import Risk, Verb

DECLARATIVE = 8030


class NotificationChoice(Value):
    """An answer that a button gives to a card's one question, by the question's id.

    `title` is what the button says where that is not the label: the hub's own choices, in the browser's language.
    """

    question: str
    label: str
    title: str | UnsetType = UNSET


class NotificationData(Value, rename="camel"):
    """What the service worker needs beside what is shown. `at` orders two messages about one card.

    `asks` is there where an agent asks a question, `choices` where its buttons can answer it; none of `verbs` does.
    """

    delivery_id: str
    event: str
    card_id: str
    card_hash: str
    token: str
    verbs: tuple[Verb, ...]
    risk: Risk
    loudness: Loudness
    expires_at: datetime
    at: datetime
    lang: str
    asks: bool | UnsetType = UNSET
    choices: tuple[NotificationChoice, ...] | UnsetType = UNSET


class Notification(Value, rename={"is_silent": "silent", "direction": "dir"}):
    """What is shown, in the words of the Notifications API."""

    title: str
    body: str
    lang: str
    is_silent: bool
    tag: str
    navigate: str
    data: NotificationData
    direction: str = "auto"
    app_badge: int | UnsetType = UNSET


class Payload(Value):
    """The whole message."""

    notification: Notification
    web_push: int = DECLARATIVE
    mutable: bool = True
    app_badge: int | UnsetType = UNSET
