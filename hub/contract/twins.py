"""Asking models over the API: a test call, and chats in the form of the services that they are compatible with."""

from typing import Annotated, Literal

from msgspec import Meta

from hub.contract.api import Count, Dollars
from hub.contract.base import HubMessage, Message

CHAT_CHARS_MAX = 24_000
CHAT_MESSAGES_MAX = 32
CHAT_TOKENS_MAX = 600


class TwinTestRequest(Message):
    """Body of `POST /api/v1/twin/test`: which model to try; empty for all."""

    name: Annotated[str, Meta(max_length=64)] = ""


class TwinTestView(HubMessage):
    """What came of a small real call to one model; `name` is that of the settings, `model` the service's."""

    name: str
    model: str
    ok: bool
    detail: str
    cost_usd: Dollars


class TwinTestAnswer(HubMessage):
    """The answer of `POST /api/v1/twin/test`."""

    tests: tuple[TwinTestView, ...]


class ServeMessage(Message, rename="lower"):
    """One message of a chat."""

    role: Literal["system", "user", "assistant"]
    content: Annotated[str, Meta(max_length=CHAT_CHARS_MAX)]


class ServeRequest(Message, rename="lower"):
    """Body of `POST /api/v1/twin/serve` (CROSSPOLL 2.3), in OpenAI's form; `model` is a service's name or its model."""

    messages: Annotated[tuple[ServeMessage, ...], Meta(min_length=1, max_length=CHAT_MESSAGES_MAX)]
    model: Annotated[str, Meta(max_length=200)] = ""
    temperature: Annotated[float, Meta(ge=0, le=2)] = 0.3
    max_tokens: Annotated[int, Meta(ge=1, le=CHAT_TOKENS_MAX)] = 200


class ServeChoice(HubMessage, rename="lower"):
    """What the model said."""

    index: Count
    message: ServeMessage
    finish_reason: str = "stop"


class ServeUsage(HubMessage, rename="lower"):
    """What was booked."""

    prompt_tokens: Count
    completion_tokens: Count
    total_tokens: Count


class ServeAnswer(HubMessage, rename="lower"):
    """The answer of `POST /api/v1/twin/serve`, in OpenAI's form."""

    id: str
    model: str
    choices: tuple[ServeChoice, ...]
    created: Count
    object: str = "chat.completion"
    usage: ServeUsage | None = None
