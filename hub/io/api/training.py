"""Training pairs: how many there are, as a file, and the note that they were exported."""

from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Annotated, Literal

import msgspec
from msgspec import Meta
from starlette.responses import Response

from hub.contract.base import Message, Value
from hub.contract.training import ExportedRequest, ModelRequest, ModelView, PairNumber, TrainingView
from hub.domain.lessons import TrainingPair
from hub.domain.mind import Mind
from hub.domain.reports import CountPairs, PairsAfter, StoredPair
from hub.domain.requests import BackToModel, Noted, NoteModel, NotePairs, Refused, Request
from hub.domain.storage import MindOf
from hub.io.agents.twin_context import INSTRUCTION
from hub.io.api.call import Call, Nothing
from hub.io.api.export import Download
from hub.io.http.loop_requests import ask_loop
from hub.io.http.parts import ApiParts
from hub.kit.text import counted
from hub.learn.pairs import PAIRS_MIN, chat_row, dpo_row, due, preference_row

PAGE_PAIRS = 200
PairForm = Literal["dpo", "chat", "together"]
ROWS: dict[PairForm, Callable[[TrainingPair], Value]] = {
    "dpo": dpo_row,
    "chat": partial(chat_row, instruction=INSTRUCTION),
    "together": partial(preference_row, instruction=INSTRUCTION),
}
_encode = msgspec.json.Encoder().encode


class PairsQuery(Message):
    """Query of `GET /api/v1/training/pairs`: the rows' form; pairs up to a number only, those not exported yet only."""

    format: PairForm = "dpo"
    through: PairNumber | None = None
    new: Annotated[bool, Meta(description="Only pairs that were not exported yet.")] = False


async def training(call: Call[Nothing, Nothing]) -> TrainingView:
    """Return how many training pairs there are."""
    return await _view(call.parts)


async def pairs(call: Call[Nothing, PairsQuery]) -> Response | Refused:
    """Download training pairs, one JSON object a line (CROSSPOLL 7.3); refused while there are too few."""
    parts, query = call.parts, call.query
    if not parts.hub_api.policy().dpo_export:
        return _switched_off()
    count = await parts.store.read(CountPairs(user=parts.user))
    found = count.new if query.new else count.total
    if found < PAIRS_MIN:
        return _too_few(found, new=query.new)
    name = f"pulse-{query.format}-{parts.clock.now():%Y-%m-%d}.jsonl"
    return Download(
        _rows(parts, query),
        media_type="application/x-ndjson",
        headers={"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"},
    )


async def exported(call: Call[ExportedRequest, Nothing]) -> TrainingView | Refused:
    """Note that the pairs up to a number, and their cards, are in a file by now (`dpo_exported`)."""
    return await _changed(call.parts, NotePairs(through=call.body.through))


async def trained(call: Call[ModelRequest, Nothing]) -> TrainingView | Refused:
    """Note a model that has been trained, and use it from now on, unless told otherwise."""
    said = call.body
    return await _changed(call.parts, NoteModel(name=said.name, by=said.by, pairs=said.pairs, use=said.use))


async def back(call: Call[Nothing, Nothing]) -> TrainingView | Refused:
    """Go back to the previous model."""
    return await _changed(call.parts, BackToModel())


async def _changed(parts: ApiParts, request: Request) -> TrainingView | Refused:
    reply = await ask_loop(parts.hub_api, request, Noted)
    return reply if isinstance(reply, Refused) else await _view(parts)


async def _view(parts: ApiParts) -> TrainingView:
    count = await parts.store.read(CountPairs(user=parts.user))
    training = (await parts.store.read(MindOf(user=parts.user)) or Mind()).training
    last = training.last
    return TrainingView(
        pairs=count.total,
        new_pairs=count.new,
        new_since=count.new_since,
        last_pair=count.last,
        pairs_needed=PAIRS_MIN,
        export_enabled=parts.hub_api.policy().dpo_export,
        due=due(count.total, last, parts.clock.now()),
        model=training.active,
        models=tuple(ModelView(name=one.name, by=one.by, at=one.at, pairs=one.pairs) for one in training.models),
        last_training=None if last is None else last.at,
    )


async def _rows(parts: ApiParts, query: PairsQuery) -> AsyncIterator[bytes]:
    row, number = ROWS[query.format], 0
    while page := await parts.store.read(PairsAfter(user=parts.user, after=number, limit=PAGE_PAIRS)):
        wanted = [one for one in page if _is_wanted(one, query)]
        if wanted:
            yield b"".join(_encode(row(one.pair)) + b"\n" for one in wanted)
        number = page[-1].number


def _is_wanted(one: StoredPair, query: PairsQuery) -> bool:
    is_in_time = query.through is None or one.number <= query.through
    return is_in_time and not (query.new and one.exported_at is not None)


def _switched_off() -> Refused:
    return Refused(
        code="training-off",
        status=409,
        detail="Exporting training pairs is switched off.",
        fix="Write `export = true` under [training] in config.toml (`pulse config path`), then start Pulse again.",
    )


def _too_few(found: int, *, new: bool) -> Refused:
    there = f"{'is' if found == 1 else 'are'} {counted(found, 'new training pair' if new else 'training pair')}"
    return Refused(
        code="too-few-pairs",
        status=409,
        detail=f"There {there}, and a model needs at least {PAIRS_MIN} to learn from.",
        fix="Keep approving and dismissing suggestions; docs/training.md says what makes a pair.",
    )
