"""How the store in memory answers what is asked only to be shown."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import datetime
from itertools import pairwise
from typing import Any, TypeVar

from hub.contract.words import RunState, Source, Status
from hub.domain.episode import Line
from hub.domain.execution import Execution
from hub.domain.reports import (
    BANDS,
    AnsweredForReason,
    AnsweredInChannel,
    BandTally,
    ChannelNow,
    ChannelsNow,
    CountPairs,
    DayTally,
    Episode,
    EpisodesAfter,
    PairCount,
    PairsAfter,
    RunTally,
    SaidChance,
    SaidChances,
    SettledCards,
    StoredPair,
    Tallies,
    TalliesOf,
    TaughtLately,
)
from hub.domain.suggestion import Card
from hub.domain.teaching import Taught
from tests.fakes.store_tables import Tables

T = TypeVar("T")

ANSWERED = frozenset({Status.CONFIRMED, Status.EXECUTED, Status.FAILED, Status.REJECTED})


def _cards(tables: Tables, user: str) -> list[Card]:
    return [card for card in tables.cards.values() if card.user == user]


def _runs(tables: Tables, user: str) -> list[Execution]:
    return [run for run in tables.executions.values() if run.user == user]


def tallies(query: TalliesOf, tables: Tables) -> Tallies:
    """Count the newest rows of each kind."""
    cards, full = _newest(
        query,
        (card for card in _cards(tables, query.user) if card.proposal.source is not Source.ASK),
        lambda card: card.created_at,
    )
    runs, full_of_runs = _newest(query, _runs(tables, query.user), lambda run: run.queued_at)
    blocked = (entry for entry in tables.log.values() if entry.user == query.user and entry.blocked)
    blocks, full_of_blocks = _newest(query, blocked, lambda entry: entry.at)
    return Tallies(
        cards=_day_tallies(cards),
        bands=_band_tallies([card for _, card in cards]),
        runs=_run_tallies(runs),
        blocked=_numbers(query, blocks),
        truncated=full or full_of_runs or full_of_blocks,
    )


def _newest(query: TalliesOf, rows: Iterable[T], moment: Callable[[T], datetime]) -> tuple[list[tuple[int, T]], bool]:
    """Return the newest rows inside the bounds, each with its day."""
    bounds = query.bounds
    inside = [row for row in rows if len(bounds) > 1 and bounds[0] <= moment(row) < bounds[-1]]
    newest = sorted(inside, key=moment, reverse=True)[: max(query.rows_max, 0)]
    full = len(bounds) > 1 and len(newest) == max(query.rows_max, 0)
    return [(bisect_right(bounds, moment(row)) - 1, row) for row in newest], full


def _numbers(query: TalliesOf, rows: list[tuple[int, Any]]) -> tuple[int, ...]:
    found = Counter(day for day, _ in rows)
    return tuple(found[day] for day, _ in enumerate(pairwise(query.bounds)))


def _day_tallies(rows: list[tuple[int, Card]]) -> tuple[DayTally, ...]:
    found = Counter((day, card.proposal.channel, card.status, card.autonomous) for day, card in rows)
    return tuple(
        DayTally(day=day, channel=channel, status=status, autonomous=alone, cards=count)
        for (day, channel, status, alone), count in sorted(found.items())
    )


def _band_tallies(cards: list[Card]) -> tuple[BandTally, ...]:
    found: dict[tuple[int, Status, bool], list[float]] = {}
    for card in cards:
        band = min(BANDS - 1, int(card.proposal.confidence * BANDS))
        found.setdefault((band, card.status, card.autonomous), []).append(card.proposal.confidence)
    return tuple(
        BandTally(band=band, status=status, autonomous=alone, cards=len(all_), confidence_sum=sum(all_))
        for (band, status, alone), all_ in sorted(found.items())
    )


def _run_tallies(rows: list[tuple[int, Execution]]) -> tuple[RunTally, ...]:
    found: dict[tuple[int, str, RunState], list[int]] = {}
    for day, run in rows:
        found.setdefault((day, run.channel, run.state), []).append(run.cost_microusd)
    return tuple(
        RunTally(day=day, channel=channel, state=state, runs=len(costs), cost_microusd=sum(costs))
        for (day, channel, state), costs in sorted(found.items())
    )


def said_chances(query: SaidChances, tables: Tables) -> tuple[SaidChance, ...]:
    """Return what was said of answered suggestions, and what came."""
    inside = (card for card in _cards(tables, query.user) if query.since <= card.created_at < query.until)
    answered = (card for card in inside if card.status in ANSWERED and not (card.autonomous or card.undone))
    mine = [card for card in answered if card.proposal.source is not Source.ASK]
    newest = sorted(mine, key=lambda card: (card.created_at, card.id), reverse=True)
    said = ((card.estimate, card.status is not Status.REJECTED) for card in newest)
    return _first([SaidChance(p=one.p, yes=yes) for one, yes in said if one is not None and one.is_learnt], query.limit)


def settled_cards(query: SettledCards, tables: Tables) -> tuple[Card, ...]:
    """Return the cards that were settled last."""

    def settled_at(card: Card) -> datetime:
        return card.settled_at or (card.expires_at if card.status is Status.EXPIRED else card.created_at)

    settled = [card for card in _cards(tables, query.user) if card.status is not Status.PENDING]
    return _first(sorted(settled, key=lambda card: (settled_at(card), card.id), reverse=True), query.limit)


def _answered(tables: Tables, user: str) -> list[Card]:
    answered = [card for card in _cards(tables, user) if card.status in ANSWERED and not card.autonomous]
    return sorted(answered, key=lambda card: (card.created_at, card.id), reverse=True)


def answered_for_reason(query: AnsweredForReason, tables: Tables) -> tuple[Card, ...]:
    """Return the answered cards of a reason."""
    cards = (card for card in _answered(tables, query.user) if card.proposal.reason_key == query.reason_key)
    return _first(cards, query.limit)


def answered_in_channel(query: AnsweredInChannel, tables: Tables) -> tuple[Card, ...]:
    """Return the answered cards of a channel."""
    cards = (card for card in _answered(tables, query.user) if card.proposal.channel == query.channel)
    return _first(cards, query.limit)


def channels_now(query: ChannelsNow, tables: Tables) -> tuple[ChannelNow, ...]:
    """Return how each channel is."""
    return tuple(_channel_now(query, tables, channel) for channel in query.channels)


def _channel_now(query: ChannelsNow, tables: Tables, channel: str) -> ChannelNow:
    runs = sorted(
        (run for run in _runs(tables, query.user) if run.channel == channel), key=lambda run: (run.queued_at, run.id)
    )
    under_way = [run for state in (RunState.ACTIVE, RunState.QUEUED) for run in runs if run.state is state]
    run = under_way[0] if under_way else runs[-1] if runs else None
    counted = [run for run in runs if run.queued_at >= query.since]
    return ChannelNow(
        channel=channel,
        run=run,
        line=None if run is None else _last_line(tables, run),
        runs=len(counted),
        cost_microusd=sum(run.cost_microusd for run in counted),
        tokens=sum(tokens) if (tokens := _reported(counted)) else None,
    )


def _reported(runs: list[Execution]) -> list[int]:
    return [run.result.tokens for run in runs if run.result is not None and run.result.tokens is not None]


def _last_line(tables: Tables, run: Execution) -> Line | None:
    lines = [step.body for step in tables.steps.get(run.card_id, ()) if isinstance(step.body, Line)]
    return lines[-1] if lines and lines[-1].execution_id == run.id else None


def episodes_after(query: EpisodesAfter, tables: Tables) -> tuple[Episode, ...]:
    """Return a page of whole episodes."""
    cards = sorted(_cards(tables, query.user), key=lambda card: (card.created_at, card.id))
    later = (card for card in cards if (card.created_at, card.id) > (query.at, query.card_id))
    return tuple(_episode(query, tables, card) for card in _first(later, query.limit))


def _episode(query: EpisodesAfter, tables: Tables, card: Card) -> Episode:
    runs = (run for run in _runs(tables, query.user) if run.card_id == card.id)
    return Episode(
        card=card,
        steps=_first(tables.steps.get(card.id, ()), query.steps_max),
        runs=tuple(sorted(runs, key=lambda run: run.attempt)),
    )


def pairs_after(query: PairsAfter, tables: Tables) -> tuple[StoredPair, ...]:
    """Return a page of pairs."""
    mine = (one for _, one in sorted(tables.pairs.items()) if one.pair.user == query.user)
    return _first((one for one in mine if one.number > query.after), query.limit)


def count_pairs(query: CountPairs, tables: Tables) -> PairCount:
    """Count pairs."""
    mine = [one for one in tables.pairs.values() if one.pair.user == query.user]
    new = [one.pair.created_at for one in mine if one.exported_at is None]
    last = max((one.number for one in mine), default=0)
    return PairCount(total=len(mine), new=len(new), last=last, new_since=min(new, default=None))


def _first(values: Iterable[T], limit: int) -> tuple[T, ...]:
    return tuple(values)[: max(limit, 0)]


def taught_lately(query: TaughtLately, tables: Tables) -> tuple[Taught, ...]:
    """Return what the latest answers taught, oldest first."""
    mine = (taught for taught in tables.taught.values() if taught.user == query.user)
    newest = sorted(mine, key=lambda taught: (taught.at, taught.card_id), reverse=True)
    return tuple(reversed(_first(newest, query.limit)))


ANSWERS: dict[type, Callable[[Any, Tables], object]] = {
    TalliesOf: tallies,
    SaidChances: said_chances,
    SettledCards: settled_cards,
    AnsweredForReason: answered_for_reason,
    AnsweredInChannel: answered_in_channel,
    ChannelsNow: channels_now,
    EpisodesAfter: episodes_after,
    PairsAfter: pairs_after,
    CountPairs: count_pairs,
    TaughtLately: taught_lately,
}
