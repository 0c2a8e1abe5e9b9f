"""The JSON of our notifications, as Apple and the app read it. Keys outside `aps` are ours (CROSSPOLL 6.3)."""

from datetime import datetime
from typing import Literal

from msgspec import field

from hub.contract.base import Value
from hub.contract.words import Risk, Verb

Level = Literal["passive", "active", "time-sensitive"]
Haptic = Literal["", "notification", "success", "failure", "retry", "start", "stop", "click", "directionUp"]
"""What the watch plays (WKHapticType)."""


class Alert(Value, rename="kebab", omit_defaults=True):
    """What is shown: texts, or keys of texts that the app carries, never both."""

    title: str = ""
    subtitle: str = ""
    body: str = ""
    title_loc_key: str = ""
    title_loc_args: tuple[str, ...] = ()
    subtitle_loc_key: str = ""
    subtitle_loc_args: tuple[str, ...] = ()
    loc_key: str = ""
    loc_args: tuple[str, ...] = ()


class Aps(Value, rename="kebab", omit_defaults=True):
    """Apple's part of a notification."""

    alert: Alert
    badge: int | None = None
    sound: str = ""
    category: str = ""
    thread_id: str = ""
    interruption_level: Level | None = None
    relevance_score: float | None = None
    mutable_content: int = 0
    content_available: int = 0
    target_content_id: str = ""


class PayloadItem(Value, rename="camel", omit_defaults=True):
    """The leave to answer one card of a digest, in the order of the lines; `token` is good for `actions`."""

    card_id: str = field(name="predictionId")
    delivery_id: str
    card_hash: str
    expires_at: datetime
    risk: Risk
    actions: tuple[Verb, ...]
    token: str


class AlertPayload(Value, rename="camel", omit_defaults=True):
    """A whole notification. `at` orders two of them about one card; `token` is good for `actions`.

    Of a digest `items` are the cards that can be answered from it, the first of those that it lists. `question` is the
    id of the question that its buttons answer, `choices` the labels behind their numbers.
    """

    aps: Aps
    delivery_id: str
    event: str
    at: datetime
    expires_at: datetime
    card_id: str = field(name="predictionId", default="")
    target_channel: str = ""
    confidence: float | None = None
    risk: Risk | None = None
    card_hash: str = ""
    actions: tuple[Verb, ...] = ()
    token: str = ""
    haptic: Haptic = ""
    shortened: bool = False
    items: tuple[PayloadItem, ...] = ()
    question: str = ""
    choices: tuple[str, ...] = ()
