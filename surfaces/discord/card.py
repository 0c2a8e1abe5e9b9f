"""One card as this surface knows it. Pure; only `story` changes it."""

from datetime import datetime
from typing import Literal

from hub.contract.api import Prediction
from hub.contract.base import Value
from hub.contract.surface import Loudness, Privacy
from hub.contract.words import Verb

LINES_KEPT_MAX = 200

Phase = Literal["open", "snoozed", "waiting", "running", "settled"]


class Card(Value):
    """A card, its place in its life, and the leave to answer it.

    `round` counts how often it was opened: each time it is shown anew, with no votes. `token` is good for `verbs`.
    """

    prediction: Prediction
    opened_at: datetime
    phase: Phase = "open"
    round: int = 0
    delivery_id: str = ""
    token: str = ""
    verbs: tuple[Verb, ...] = ()
    loudness: Loudness = "silent"
    privacy: Privacy = "full"
    autonomous: bool = False
    result: str = ""
    failure: str = ""
    run_id: str = ""
    refused: str = ""
    heard_at: datetime | None = None
    listed: bool = True
    """Whether it has a message of its own; a card that was never shown here has only a result."""

    @property
    def key(self) -> str:
        """The name of its message: another one each time it is opened."""
        return f"card:{self.id}:{self.round}"

    @property
    def hidden(self) -> bool:
        """Whether the channel is not to show what this is about."""
        return self.privacy != "full"

    @property
    def id(self) -> str:
        """The card's id."""
        return self.prediction.id

    @property
    def hash(self) -> str:
        """The hash of what is shown."""
        return self.prediction.card_hash


class Note(Value):
    """Something to say that is no card: a cost cap, a pause. Posted once, never changed."""

    delivery_id: str
    title: str
    text: str
    tone: Literal["plain", "warn", "bad", "good"]
    loudness: Loudness
    to_log: bool = False
