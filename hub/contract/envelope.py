"""The CloudEvents 1.0 envelope (structured JSON) around everything on MQTT, and the one codec for it."""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec

from hub.contract.base import Message
from hub.contract.errors import UserError

T = TypeVar("T")
PAYLOAD_BYTES_MAX = 262_144
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
"""The one way in which JSON can hold a NUL, at which programs that are not ours would end a text."""


class BadMessageError(UserError):
    """A message on the bus does not match the contract. It was dropped; nothing changed."""

    code = "bad-message"


class Envelope(Message, Generic[T], rename=None):
    """One CloudEvent; receivers drop repeats by `id`."""

    id: Annotated[str, msgspec.Meta(min_length=1, max_length=128)]
    source: Annotated[str, msgspec.Meta(min_length=1, max_length=256)]
    type: Annotated[str, msgspec.Meta(min_length=1, max_length=128)]
    time: Annotated[datetime, msgspec.Meta(tz=True)]
    data: T
    subject: str | None = None
    specversion: Literal["1.0"] = "1.0"
    datacontenttype: Literal["application/json"] = "application/json"


def has_nul(raw: bytes | msgspec.Raw) -> bool:
    """Return True if a text in this JSON has a NUL; no door of the hub's takes one."""
    return _NUL.search(memoryview(raw)) is not None


_encoder = msgspec.json.Encoder()


def encode(envelope: Envelope[T]) -> bytes:
    """Turn an envelope into the bytes of its MQTT payload."""
    return _encoder.encode(envelope)


def decode(payload: bytes, data_type: type[T], *, dec_hook: Callable[[type, Any], object] | None = None) -> Envelope[T]:
    """Read a payload whose data must be a `data_type`; `dec_hook` reads the types in it that JSON does not know.

    Raises:
        BadMessageError: too large, not JSON, or not of that shape; says where.
    """
    if len(payload) > PAYLOAD_BYTES_MAX:
        raise BadMessageError(f"{len(payload)} bytes; at most {PAYLOAD_BYTES_MAX} are read")
    try:
        return msgspec.json.decode(payload, type=Envelope[data_type], dec_hook=dec_hook)  # type: ignore[valid-type]  # the parameter is a type at run time
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadMessageError(str(error)) from error
