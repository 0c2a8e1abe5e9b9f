"""Between values and columns: times as sortable text, bodies as JSON that was read back once before it is written."""

from datetime import UTC, datetime
from functools import cache
from typing import Final, TypeVar

import msgspec

from hub.contract.base import Value
from hub.domain.provenance import decoded, encoded
from hub.io.store.errors import BrokenChangeError, StoreDamagedError

V = TypeVar("V", bound=Value)

END_OF_TIME: Final = "9999-12-31T23:59:59.999999Z"
"""Sorts after every stored time."""

_UTC_CHARS: Final = len("+00:00")
_ENCODER: Final = msgspec.json.Encoder(enc_hook=encoded)


@cache
def _decoder(kind: type[V]) -> msgspec.json.Decoder[V]:
    return msgspec.json.Decoder(kind, dec_hook=decoded)


def text_of(moment: datetime) -> str:
    """Write a time as `YYYY-MM-DDTHH:MM:SS.ffffffZ` in UTC: of one width, so that text order is time order.

    Raises:
        BrokenChangeError: the time has no zone.
    """
    if moment.tzinfo is None:
        raise BrokenChangeError(f"a time without a zone: {moment.isoformat()}")
    utc = moment if moment.tzinfo is UTC else moment.astimezone(UTC)
    return utc.isoformat(timespec="microseconds")[:-_UTC_CHARS] + "Z"


def maybe_text_of(moment: datetime | None) -> str | None:
    """Write a time, or None."""
    return None if moment is None else text_of(moment)


def moment_of(text: str) -> datetime:
    """Read back what `text_of` wrote."""
    return datetime.fromisoformat(text)


def maybe_moment_of(text: str | None) -> datetime | None:
    """Read back what `maybe_text_of` wrote."""
    return None if text is None else moment_of(text)


def body_of(value: Value) -> str:
    """Encode a whole value as JSON.

    Raises:
        BrokenChangeError: it could not be read back (a NaN or infinity, which JSON has not; half a character).
    """
    try:
        body = _ENCODER.encode(value)
        _decoder(type(value)).decode(body)
    except (msgspec.MsgspecError, UnicodeError, TypeError) as error:
        raise BrokenChangeError(f"{type(value).__name__} cannot be stored: {error}") from error
    return body.decode()


def value_of(kind: type[V], body: str) -> V:
    """Decode a stored body.

    Raises:
        StoreDamagedError: it is not what this version of Pulse writes.
    """
    decoder: msgspec.json.Decoder[V] = _decoder(kind)
    try:
        return decoder.decode(body)
    except msgspec.MsgspecError as error:
        raise StoreDamagedError(
            f"A stored {kind.__name__} is unreadable ({error}).", fix="Stop Pulse and put a backup in its place."
        ) from error


def list_of(ids: tuple[str, ...]) -> str:
    """Return ids as the one value that SQL takes them as."""
    return msgspec.json.encode(ids).decode()
