"""Reading what a request brings: its body, bounded in size and time, and its query; both checked by their types."""

import re
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime, timedelta
from typing import TypeVar
from urllib.parse import parse_qsl

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.types import Scope

from hub.contract.base import Message
from hub.contract.envelope import has_nul
from hub.io.http.errors import (
    BadTimeError,
    InvalidBodyError,
    InvalidQueryError,
    MalformedJsonError,
    SlowBodyError,
    TooLargeError,
    WrongMediaTypeError,
)
from hub.io.http.validation_text import plainly

M = TypeVar("M", bound=Message)

DRAIN_BYTES_MAX = 1_048_576
"""A body that is too large is read on to here, and thrown away, so that its sender gets to read the answer."""
QUERY_FIELDS_MAX = 20
TIME_SPAN_MAX = timedelta(days=3_660)
"""Times further away than ten years are mistakes, and make arithmetic overflow."""
JSON_TYPE = re.compile(r"application/(json|[a-z0-9.+-]+\+json)\s*(;|$)", re.IGNORECASE)


def header_of(scope: Scope, name: bytes) -> str | None:
    """Return a request's header, the first of that name; `name` is in small letters, as the server gives all names."""
    for key, value in scope["headers"]:
        if key == name:
            return str(value, "latin-1")
    return None


async def read_body(
    request: Request, kind: type[M], *, within: AbstractAsyncContextManager[None], bytes_max: int, may_be_empty: bool
) -> M:
    """Return the body as a `kind`; `within` ends with a `TimeoutError` when that has taken too long.

    Raises:
        WrongMediaTypeError, TooLargeError, SlowBodyError, MalformedJsonError, InvalidBodyError: it is none.
    """
    raw = await _read(request, within, bytes_max) if _brings_body(request.scope) else b""
    if not raw.strip() and may_be_empty:
        return kind()
    content_type = header_of(request.scope, b"content-type") or ""
    if not JSON_TYPE.match(content_type):
        raise WrongMediaTypeError(
            f"The body was sent as {content_type or 'nothing at all'}.", fix="Send `Content-Type: application/json`."
        )
    return decode(raw, kind)


def decode(raw: bytes | msgspec.Raw, kind: type[M]) -> M:
    """Return JSON as a `kind`.

    Raises:
        MalformedJsonError, InvalidBodyError: it is none.
    """
    if has_nul(raw):
        raise InvalidBodyError("A text in it contains a NUL character.", fix="Send the text without it.")
    try:
        return msgspec.json.decode(raw, type=kind)
    except msgspec.ValidationError as error:
        raise InvalidBodyError(plainly(str(error)), fix="docs/contract has the schema.") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MalformedJsonError(str(error), fix="Send one JSON object.") from error


def read_query(raw: bytes, kind: type[M]) -> M:
    """Return the query string as a `kind`; each parameter at most once.

    Raises:
        InvalidQueryError: it is none.
    """
    try:
        if not raw:
            return msgspec.convert({}, type=kind)
        pairs = parse_qsl(
            raw.decode("ascii"),
            keep_blank_values=True,
            strict_parsing=True,
            errors="strict",
            max_num_fields=QUERY_FIELDS_MAX,
        )
        given = dict(pairs)
        if len(given) < len(pairs):
            raise InvalidQueryError("A query parameter was given twice.", fix="Give it once.")
        return msgspec.convert(given, type=kind, strict=False)
    except ValueError as error:  # msgspec's, the parser's and the decoder's own are all of this kind
        raise InvalidQueryError(plainly(str(error)), fix="docs/api.md lists the parameters.") from error


def sane_time(moment: datetime | None, now: datetime) -> datetime | None:
    """Return a time in UTC, if it is near enough to be meant.

    Raises:
        BadTimeError: it is more than ten years away.
    """
    if moment is None:
        return None
    if abs(moment.replace(tzinfo=UTC) - now) > TIME_SPAN_MAX:
        raise BadTimeError(f"{moment.isoformat()} is more than ten years away.", fix="Send an earlier time.")
    return moment.astimezone(UTC)


def _brings_body(scope: Scope) -> bool:
    """Return True if there is anything to wait for."""
    length = header_of(scope, b"content-length")
    return (length is not None and length != "0") or header_of(scope, b"transfer-encoding") is not None


async def _read(request: Request, within: AbstractAsyncContextManager[None], bytes_max: int) -> bytes:
    try:
        async with within:
            return await _collect(request, bytes_max)
    except TimeoutError:
        raise SlowBodyError("The body was not complete in time.", fix="Send it again.") from None
    except ClientDisconnect:
        raise SlowBodyError("The connection ended in the middle of the body.", fix="Send it again.") from None


async def _collect(request: Request, bytes_max: int) -> bytes:
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size <= bytes_max:
            chunks.append(chunk)
        elif size > DRAIN_BYTES_MAX:
            break
    if size > bytes_max:
        raise TooLargeError(f"The body has more than {bytes_max} bytes.", fix=f"Send at most {bytes_max} bytes.")
    return b"".join(chunks)
