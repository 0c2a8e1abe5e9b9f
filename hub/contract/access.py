"""Who may talk to Pulse: devices with their way to the broker, and API clients with their tokens."""

from typing import Annotated, Literal

from msgspec import Meta

from hub.contract.api import Aware, Count, Word
from hub.contract.base import Message

Scope = Literal["read", "answer", "ask", "admin"]
"""What a token allows: look, answer and steer, ask a person, and change settings, devices and tokens."""

Name = Annotated[str, Meta(min_length=1, max_length=80)]


class DeviceRequest(Message):
    """Body of `POST /api/v1/devices`: pair a device; `profile` names one of the device profiles."""

    surface: Word
    device: Word
    profile: Word


class LoginAnswer(Message):
    """How a paired device reaches the broker. The password is told this once and kept only as a hash."""

    url: str
    username: str
    password: str
    client_id: str
    user: str
    surface: str
    device: str


class DeviceView(Message):
    """One paired device."""

    surface: str
    device: str
    profile: str
    online: bool
    person_active_at: Aware | None = None


class DeviceList(Message):
    """The answer of `GET /api/v1/devices`."""

    devices: tuple[DeviceView, ...]
    count: Count


class TokenRequest(Message):
    """Body of `POST /api/v1/tokens`: a token of its own for one more client."""

    name: Name
    scopes: Annotated[tuple[Scope, ...], Meta(min_length=1, max_length=4)]


class TokenView(Message):
    """One API client, without its token."""

    id: str
    name: str
    scopes: tuple[str, ...]
    created_at: Aware


class TokenAnswer(Message):
    """A new token. It is shown this once and kept only as a hash."""

    token: str
    client: TokenView


class TokenList(Message):
    """The answer of `GET /api/v1/tokens`."""

    tokens: tuple[TokenView, ...]
    count: Count
