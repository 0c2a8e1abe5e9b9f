"""Looking at suggestions: the open ones, all of them, one of them, and its whole episode."""

from collections.abc import Iterable
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from hub.contract.api import COUNT_MAX, Aware, PredictAnswer, Prediction, Word
from hub.contract.base import Message
from hub.contract.control import PredictionList
from hub.contract.rerun import ReplayAnswer
from hub.contract.story import WhyAnswer
from hub.contract.topics import is_segment
from hub.contract.words import RunState, Status
from hub.domain.canonical import visible
from hub.domain.requests import Refused
from hub.domain.storage import (
    CardById,
    DeliveriesOf,
    ExecutionById,
    ExecutionsOf,
    OpenCards,
    OpenExecutions,
    RecentCards,
    StepsOf,
)
from hub.domain.suggestion import Card
from hub.io.api.call import Call, Nothing
from hub.io.api.look_first import note_alone, note_list, shell_at
from hub.io.http.bodies import sane_time
from hub.io.http.parts import ApiParts
from hub.loop.asks import ASK_CHANNEL
from hub.loop.decide_again import decide_again
from hub.loop.refusals import unknown_card, unknown_channel
from hub.loop.views import prediction_of

PAGE_MAX = 200
STEPS_MAX = 2_000
OPEN_RUNS_MAX = 1_000
LATEST = "latest"
StatusWord = Literal["pending", "confirmed", "approved", "rejected", "expired", "cancelled", "executed", "failed"]


class PredictQuery(Message):
    """Query of `GET /api/v1/twin/predict`."""

    count: Annotated[int, Meta(ge=1, le=COUNT_MAX)] = 3
    channel: Word | None = None


class ListQuery(Message):
    """Query of `GET /api/v1/predictions`; `approved` is read as `confirmed`."""

    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = 50
    before: Aware | None = None
    status: StatusWord | None = None
    search: Annotated[str, Meta(max_length=200)] = ""


class OneQuery(Message):
    """Query of `GET /api/v1/predictions/{id}`: whether a person looks at it, at their terminal."""

    look: bool = False


async def predict(call: Call[Nothing, PredictQuery]) -> PredictAnswer | Refused:
    """Return open suggestions, newest first (CROSSPOLL 8.1)."""
    parts, query, now = call.parts, call.query, call.parts.clock.now()
    open_cards = OpenCards(user=parts.user, limit=query.count, now=now, channel=query.channel)
    cards = await parts.store.read(open_cards)
    known = (*(one.name for one in parts.hub_api.policy().channels), ASK_CHANNEL)
    if query.channel is not None and not cards and query.channel not in known:
        return unknown_channel(query.channel, known)
    predictions = views(parts, cards)
    note_list(call, predictions)
    return PredictAnswer(
        predictions=predictions, count=len(predictions), timestamp=now, cross_poll_status=parts.hub_api.status()
    )


async def predictions(call: Call[Nothing, ListQuery]) -> PredictionList:
    """Return suggestions of any status, newest first, a page at a time."""
    parts, query = call.parts, call.query
    status = Status(query.status) if query.status else None
    wanted = RecentCards(
        user=parts.user,
        limit=query.limit,
        before=sane_time(query.before, parts.clock.now()),
        status=status,
        search=query.search,
    )
    cards = await parts.store.read(wanted)
    states = await _running(parts) if any(card.status is Status.CONFIRMED for card in cards) else {}
    return PredictionList(
        predictions=views(parts, cards, states),
        count=len(cards),
        next_before=cards[-1].created_at if len(cards) == query.limit else None,
    )


async def prediction(call: Call[Nothing, OneQuery]) -> Prediction | Refused:
    """Return one suggestion; `latest` is the one that was shown last by itself at the terminal that asks."""
    card_id = call.path["id"]
    if card_id == LATEST:
        shell = shell_at(call)
        card_id = card_id if shell is None else call.to.terminals.shown.at(shell).alone
    card = await find(call.parts, card_id)
    if card is None:
        return unknown_card(call.path["id"])
    shown = await view(call.parts, card)
    if call.query.look:
        note_alone(call, shown)
    return shown


async def why(call: Call[Nothing, Nothing]) -> WhyAnswer | Refused:
    """Return the whole episode of a suggestion in plain words."""
    from hub.io.api.story import tell_story  # noqa: PLC0415  only for who wonders why

    parts, card_id = call.parts, call.path["id"]
    card = await find(parts, card_id)
    if card is None:
        return unknown_card(card_id)
    steps = await parts.store.read(StepsOf(user=parts.user, card_id=card_id, limit=STEPS_MAX))
    deliveries = await parts.store.read(DeliveriesOf(user=parts.user, card_ids=(card_id,)))
    executions = await parts.store.read(ExecutionsOf(user=parts.user, card_id=card_id))
    shown = await view(parts, card)
    note_alone(call, shown)
    return WhyAnswer(
        prediction=shown,
        status=parts.hub_api.status(),
        steps=tell_story(card, steps, deliveries, executions),
    )


async def replay(call: Call[Nothing, Nothing]) -> ReplayAnswer | Refused:
    """Make a suggestion's decisions again from what was kept with them, and say whether they come out the same."""
    parts, card_id = call.parts, call.path["id"]
    if await find(parts, card_id) is None:
        return unknown_card(card_id)
    steps = await parts.store.read(StepsOf(user=parts.user, card_id=card_id, limit=STEPS_MAX))
    again = decide_again(steps)
    decisions = tuple(replace(one, was=visible(one.was), now=visible(one.now)) for one in again)
    return ReplayAnswer(id=card_id, same=all(one.same is not False for one in again), decisions=decisions)


async def find(parts: ApiParts, card_id: str) -> Card | None:
    """Return a card, or None."""
    return await parts.store.read(CardById(user=parts.user, card_id=card_id)) if is_segment(card_id) else None


async def view(parts: ApiParts, card: Card) -> Prediction:
    """Return a card as everybody outside sees it, with the state of its execution."""
    state = None
    if card.execution_id is not None:
        execution = await parts.store.read(ExecutionById(user=parts.user, execution_id=card.execution_id))
        state = execution.state if execution else None
    return prediction_of(card, parts.hub_api.policy(), state)


def views(parts: ApiParts, cards: Iterable[Card], states: dict[str, RunState] | None = None) -> tuple[Prediction, ...]:
    """Return several cards as everybody outside sees them; `states` are those of executions, by id."""
    policy, known = parts.hub_api.policy(), states or {}
    return tuple(prediction_of(card, policy, known.get(card.execution_id or "")) for card in cards)


async def _running(parts: ApiParts) -> dict[str, RunState]:
    executions = await parts.store.read(OpenExecutions(user=parts.user, limit=OPEN_RUNS_MAX))
    return {execution.id: execution.state for execution in executions}
