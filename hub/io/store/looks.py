"""Answers to what is asked only to be shown. A negative limit finds nothing."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from hub.contract.words import RunState, Status
from hub.domain.episode import Line, Step
from hub.domain.execution import Execution
from hub.domain.reports import (
    AnsweredForReason,
    AnsweredInChannel,
    BandTally,
    ChannelNow,
    ChannelsNow,
    CountPairs,
    DayTally,
    Episode,
    EpisodesAfter,
    PairsAfter,
    RunTally,
    SaidChance,
    SaidChances,
    SettledCards,
    Tallies,
    TalliesOf,
    TaughtLately,
)
from hub.domain.suggestion import Card
from hub.domain.teaching import Taught
from hub.io.store.codec import text_of
from hub.io.store.pair_looks import count_pairs, pairs_after
from hub.io.store.session import QuerySession

OPEN_STATES = (RunState.ACTIVE, RunState.QUEUED)
UNDER_WAY_MAX = 1_000
"""Executions under way that are looked at, the one that waits longest first."""


def tallies(query: TalliesOf, session: QuerySession) -> Tallies:
    """Count day by day, the newest first, as long as there are rows left to look at."""
    days = [(text_of(since), text_of(until)) for since, until in pairwise(query.bounds)]
    counting = _Counting(session, query.user, days, max(query.rows_max, 0))
    cards = tuple(
        DayTally(day=day, channel=channel, status=Status(status), autonomous=bool(alone), cards=count)
        for day, (channel, status, alone, count) in counting.rows("cards_of_day", count_at=3)
    )
    runs = tuple(
        RunTally(day=day, channel=channel, state=RunState(state), runs=count, cost_microusd=cost)
        for day, (channel, state, count, cost) in counting.rows("runs_of_day", count_at=2)
    )
    blocked = counting.numbers("blocked_of_day")
    return Tallies(
        cards=cards,
        bands=counting.bands(),
        runs=runs,
        blocked=blocked,
        truncated=counting.truncated,
    )


class _Counting:
    """Asks for one day after the other until a limit is reached."""

    def __init__(self, session: QuerySession, user: str, days: list[tuple[str, str]], rows_max: int) -> None:
        self._session = session
        self._user = user
        self._days = days
        self._rows_max = rows_max
        self.truncated = False

    def rows(self, name: str, *, count_at: int) -> list[tuple[int, Any]]:
        """Return grouped rows with their day, oldest first; column `count_at` says how many rows are in one."""
        found: list[list[tuple[int, Any]]] = []
        left = self._rows_max
        for day, (since, until) in self._newest_first():
            grouped = self._session.rows(name, user_id=self._user, since=since, until=until, limit=left)
            found.append([(day, row) for row in grouped])
            left -= sum(int(row[count_at] or 0) for row in grouped)
            if left <= 0:
                self.truncated = True
                break
        return [one for of_day in reversed(found) for one in of_day]

    def numbers(self, name: str) -> tuple[int, ...]:
        """Return one count for each day."""
        by_day = {day: int(row[0]) for day, row in self.rows(name, count_at=0)}
        return tuple(by_day.get(day, 0) for day in range(len(self._days)))

    def bands(self) -> tuple[BandTally, ...]:
        """Return the counts by confidence over all days."""
        if not self._days:
            return ()
        rows: list[Any] = self._session.rows(
            "cards_by_confidence",
            user_id=self._user,
            since=self._days[0][0],
            until=self._days[-1][1],
            limit=self._rows_max,
        )
        return tuple(
            BandTally(band=band, status=Status(status), autonomous=bool(alone), cards=count, confidence_sum=total)
            for band, status, alone, count, total in rows
        )

    def _newest_first(self) -> Iterator[tuple[int, tuple[str, str]]]:
        return reversed(list(enumerate(self._days)))


def said_chances(query: SaidChances, session: QuerySession) -> tuple[SaidChance, ...]:
    """Return what was said of answered suggestions, and what came."""
    since, until, limit = text_of(query.since), text_of(query.until), max(query.limit, 0)
    rows: list[Any] = session.rows("said_chances", user_id=query.user, since=since, until=until, limit=limit)
    return tuple(SaidChance(p=float(p), yes=Status(status) is not Status.REJECTED) for p, status in rows)


def settled_cards(query: SettledCards, session: QuerySession) -> tuple[Card, ...]:
    """Return the cards that were settled last."""
    return session.bodies(Card, "settled_cards", user_id=query.user, limit=max(query.limit, 0))


def answered_for_reason(query: AnsweredForReason, session: QuerySession) -> tuple[Card, ...]:
    """Return the answered cards of a reason."""
    limit = max(query.limit, 0)
    return session.bodies(Card, "answered_of_reason", user_id=query.user, reason_key=query.reason_key, limit=limit)


def answered_in_channel(query: AnsweredInChannel, session: QuerySession) -> tuple[Card, ...]:
    """Return the answered cards of a channel."""
    limit = max(query.limit, 0)
    return session.bodies(Card, "answered_of_channel", user_id=query.user, channel=query.channel, limit=limit)


def channels_now(query: ChannelsNow, session: QuerySession) -> tuple[ChannelNow, ...]:
    """Return how each channel is."""
    under_way = session.bodies(Execution, "open_executions", user_id=query.user, limit=UNDER_WAY_MAX)
    return tuple(_channel_now(session, query, channel, under_way) for channel in query.channels)


def _channel_now(
    session: QuerySession, query: ChannelsNow, channel: str, under_way: tuple[Execution, ...]
) -> ChannelNow:
    user, since = query.user, query.since
    mine = [run for state in OPEN_STATES for run in under_way if (run.channel, run.state) == (channel, state)]
    run = mine[0] if mine else session.body(Execution, "last_run_of_channel", user_id=user, channel=channel)
    ((runs, cost, tokens),) = session.rows("runs_of_channel", user_id=user, channel=channel, since=text_of(since))
    return ChannelNow(
        channel=channel,
        run=run,
        line=None if run is None else _last_line(session, user, run),
        runs=int(runs or 0),
        cost_microusd=int(cost or 0),
        tokens=None if tokens is None else int(tokens),
    )


def _last_line(session: QuerySession, user: str, run: Execution) -> Line | None:
    """Return the last line, unless it belongs to an earlier attempt at the same card."""
    step = session.body(Step, "last_line", user_id=user, prediction_id=run.card_id)
    line = step.body if step is not None and isinstance(step.body, Line) else None
    return line if line is not None and line.execution_id == run.id else None


def episodes_after(query: EpisodesAfter, session: QuerySession) -> tuple[Episode, ...]:
    """Return a page of whole episodes."""
    at, limit = text_of(query.at), max(query.limit, 0)
    rows = session.rows("cards_after", user_id=query.user, at=at, id=query.card_id, limit=limit)
    return tuple(_episode(session, session.value(Card, query.user, body), max(query.steps_max, 0)) for (body,) in rows)


def _episode(session: QuerySession, card: Card, steps_max: int) -> Episode:
    return Episode(
        card=card,
        steps=session.bodies(Step, "steps_of", prediction_id=card.id, user_id=card.user, limit=steps_max),
        runs=session.bodies(Execution, "executions_of", prediction_id=card.id, user_id=card.user),
    )


def taught_lately(query: TaughtLately, session: QuerySession) -> tuple[Taught, ...]:
    """Return what the latest answers taught, oldest first."""
    newest = session.bodies(Taught, "taught_lately", user_id=query.user, limit=max(query.limit, 0))
    return tuple(reversed(newest))


ANSWERS: dict[type, Callable[[Any, QuerySession], object]] = {
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
