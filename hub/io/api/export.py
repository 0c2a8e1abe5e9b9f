"""Everything suggested, decided, executed and blocked, as a file: read and sent a page at a time."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC, datetime
from typing import Literal

from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from hub.contract.base import Message
from hub.domain.policy import Policy
from hub.domain.reports import Episode, EpisodesAfter
from hub.io.api.call import Call, Nothing
from hub.io.http.parts import ApiParts

PAGE_CARDS = 20
STEPS_MAX = 2_000
BEFORE_ALL = datetime.min.replace(tzinfo=UTC)
MEDIA_TYPES = {"jsonl": "application/x-ndjson", "csv": "text/csv"}
Form = Literal["jsonl", "csv"]
Write = Callable[[Episode, Policy], bytes]


class ExportQuery(Message):
    """Query of `GET /api/v1/export`: one JSON object for each suggestion, or one row of a table."""

    format: Form = "jsonl"


async def export(call: Call[Nothing, ExportQuery]) -> Response:
    """Download everything: each suggestion with its story and its runs (jsonl), or as a table (csv)."""
    parts, form = call.parts, call.query.format
    name = f"pulse-{parts.clock.now():%Y-%m-%d}.{form}"
    return Download(
        _pages(parts, form),
        media_type=MEDIA_TYPES[form],
        headers={"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"},
    )


class Download(StreamingResponse):
    """A stream that is not made at all for a request for the headers only."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        if scope["method"] == "HEAD":
            self.body_iterator = _nothing()
        await super().__call__(scope, receive, send)


async def _nothing() -> AsyncIterator[bytes]:
    yield b""


async def _pages(parts: ApiParts, form: Form) -> AsyncIterator[bytes]:
    """Yield the file; what is suggested while it is written may be in it."""
    from hub.io.api.export_rows import heading, line_of, row_of  # noqa: PLC0415  with `csv`, only for who exports

    policy = parts.hub_api.policy()
    write = line_of if form == "jsonl" else row_of
    if form == "csv":
        yield heading()
    at, card_id = BEFORE_ALL, ""
    while page := await parts.store.read(
        EpisodesAfter(user=parts.user, at=at, card_id=card_id, limit=PAGE_CARDS, steps_max=STEPS_MAX)
    ):
        yield await asyncio.to_thread(_written, write, page, policy)  # masking takes its time
        at, card_id = page[-1].card.created_at, page[-1].card.id


def _written(write: Write, page: Sequence[Episode], policy: Policy) -> bytes:
    return b"".join([write(episode, policy) for episode in page])
