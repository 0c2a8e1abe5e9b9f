"""Ideas that agents hand in: `POST /api/v1/suggestions`."""

from typing import Annotated

from msgspec import Meta

from hub.contract.api import Key
from hub.contract.base import HubMessage, Message

IDEA_CHARS_MAX = 500


class SuggestionRequest(Message):
    """Body of `POST /api/v1/suggestions`: what the person might want done, as one could tell an agent to do it."""

    idea: Annotated[str, Meta(min_length=1, max_length=IDEA_CHARS_MAX, pattern=r"\S")]
    why: Annotated[str, Meta(max_length=IDEA_CHARS_MAX)] = ""
    asker: Annotated[str, Meta(min_length=1, max_length=64)] = "agent"
    idempotency_key: Key | None = None


class SuggestionAnswer(HubMessage):
    """The idea was taken, or had been; whether and when the person sees it is decided later."""

    id: str
    repeated: bool = False
