"""What is asked only to be shown: figures by day, channels at present, answers like this one, whole episodes."""

from typing import Any

import pytest
from msgspec.structs import replace

from hub.contract.words import RunState, Source, Status
from hub.domain.execution import RunResult
from hub.domain.likelihood import Estimate, WhenTold
from hub.domain.reports import (
    AnsweredForReason,
    AnsweredInChannel,
    BandTally,
    ChannelNow,
    ChannelsNow,
    DayTally,
    Episode,
    EpisodesAfter,
    RunTally,
    SaidChance,
    SaidChances,
    SettledCards,
    Tallies,
    TalliesOf,
)
from hub.domain.storage import AddCard, AddExecution, Change, Committed, MoveExecution
from hub.domain.suggestion import Card
from hub.ports import Store
from tests.bench.habits import dice, offered
from tests.conformance.store.conftest import Sure
from tests.conformance.store.samples import (
    ANNA,
    BERT,
    NOON,
    after,
    card,
    line,
    log_entry,
    moved,
    proposal,
    run,
    step,
)

DAY = 100.0
BOUNDS = (NOON, after(DAY), after(2 * DAY))


def sure_of(confidence: float, id_: str, *, created: float = 0, status: Status = Status.PENDING) -> Card:
    return replace(card(id_, created=created, status=status), proposal=replace(proposal(), confidence=confidence))


def tallies_of(*, user: str = ANNA, rows_max: int = 99) -> TalliesOf:
    return TalliesOf(user=user, bounds=BOUNDS, rows_max=rows_max)


async def test_of_nothing_there_is_nothing_to_count(store: Store) -> None:
    nothing = Tallies(cards=(), bands=(), runs=(), blocked=(0, 0), truncated=False)
    assert await store.read(tallies_of()) == nothing
    no_days = Tallies(cards=(), bands=(), runs=(), blocked=(), truncated=False)
    assert await store.read(TalliesOf(user=ANNA, bounds=(), rows_max=9)) == no_days


async def test_suggestions_count_on_their_day_with_others_that_are_alike(store: Store, write: Sure) -> None:
    alone = replace(card("f", created=DAY, status=Status.EXECUTED), autonomous=True)
    asked = replace(card("g"), proposal=replace(proposal(), source=Source.ASK))
    others = [card("h", user=BERT), card("i", created=-0.000001), card("j", created=2 * DAY)]
    mine = [
        card("a"),
        card("b", created=DAY - 0.000001),
        card("c", status=Status.REJECTED),
        card("d", channel="garden"),
    ]
    cards = [*mine, card("e", created=DAY), alone, asked, *others]
    await write(*(AddCard(card=one) for one in cards))
    found = await store.read(tallies_of())

    def tally(day: int, status: Status, cards: int = 1, channel: str = "koji-core", *, alone: bool = False) -> DayTally:
        return DayTally(day=day, channel=channel, status=status, autonomous=alone, cards=cards)

    assert found.cards == (
        tally(0, Status.PENDING, channel="garden"),
        tally(0, Status.PENDING, 2),
        tally(0, Status.REJECTED),
        tally(1, Status.EXECUTED, alone=True),
        tally(1, Status.PENDING),
    )
    assert not found.truncated


async def test_a_card_that_moves_counts_as_what_it_became(store: Store, write: Sure) -> None:
    await write(AddCard(card=card()))
    await write(moved(card(), Status.REJECTED))
    assert [one.status for one in (await store.read(tallies_of())).cards] == [Status.REJECTED]


async def test_each_confidence_is_in_one_band_the_border_in_the_upper_one(store: Store, write: Sure) -> None:
    sure = (0.0, 0.25, 0.3, 0.75, 0.5, 0.5, 1.0)
    await write(*(AddCard(card=sure_of(one, f"c{n}")) for n, one in enumerate(sure)))
    found = (await store.read(tallies_of())).bands
    assert [(one.band, one.cards, one.confidence_sum) for one in found] == [
        (0, 1, 0.0),
        (2, 1, 0.25),
        (3, 1, 0.3),
        (5, 2, 1.0),
        (7, 1, 0.75),
        (9, 1, 1.0),
    ]
    assert found[0] == BandTally(band=0, status=Status.PENDING, autonomous=False, cards=1, confidence_sum=0.0)


async def test_executions_count_on_the_day_they_were_queued(store: Store, write: Sure) -> None:
    runs = [run("a", queued=DAY - 1), run("b", attempt=2, queued=DAY), run("c", attempt=3, queued=DAY + 1)]
    await write(AddCard(card=card()), *(AddExecution(execution=one) for one in runs))
    done = replace(runs[0], state=RunState.VERIFIED, cost_microusd=7, ended_at=after(DAY + 5))
    await write(MoveExecution(execution=done, expect_state=RunState.QUEUED))
    assert (await store.read(tallies_of())).runs == (
        RunTally(day=0, channel="koji-core", state=RunState.VERIFIED, runs=1, cost_microusd=7),
        RunTally(day=1, channel="koji-core", state=RunState.QUEUED, runs=2, cost_microusd=0),
    )


async def test_blocked_triggers_by_day(store: Store, write: Sure) -> None:
    ran = replace(log_entry(at=1), blocked=False)
    entries = [log_entry(at=1), log_entry(at=DAY), log_entry(at=DAY + 1), ran, log_entry(user=BERT)]
    await write(*(entry for entry in entries))
    assert (await store.read(tallies_of())).blocked == (1, 2)


@pytest.mark.parametrize(("rows_max", "counted"), [(0, 0), (2, 2), (3, 3), (4, 4), (5, 4)])
async def test_a_limit_keeps_the_newest_and_says_so(store: Store, write: Sure, rows_max: int, counted: int) -> None:
    await write(*(AddCard(card=card(f"c{n}", created=n * DAY / 2)) for n in range(4)))
    found = await store.read(tallies_of(rows_max=rows_max))
    assert sum(one.cards for one in found.cards) == sum(one.cards for one in found.bands) == counted
    assert found.truncated is (rows_max <= 4)
    assert all(one.day == 1 for one in found.cards) is (rows_max <= 2)


async def test_what_was_said_of_answered_suggestions_and_what_came(store: Store, write: Sure) -> None:
    about = offered(dice(1), 0)

    def said(id_: str, p: float, *, is_learnt: bool = True, **more: Any) -> Card:  # noqa: ANN401  any part of a card
        one = card(id_, **{"status": Status.EXECUTED, **more})
        likelihood = Estimate(about=about, p=p, low=0.0, high=1.0, is_learnt=is_learnt)
        return replace(one, proposal=replace(one.proposal, likelihood=likelihood))

    def told(one: Card, p: float) -> Card:
        estimate = Estimate(about=about, p=p, low=0.0, high=1.0, is_learnt=True)
        told_at = WhenTold(
            at=NOON, hour=12.0, weekday=0, silence_s=None, presence="here", happened="", estimate=estimate
        )
        return replace(one, when_told=told_at)

    asked = said("i", 0.9)
    cards = [
        told(said("a", 0.9, is_learnt=False), 0.25),  # what counts is what was said at the telling
        said("b", 0.5, status=Status.REJECTED, created=1),
        said("c", 0.75, status=Status.FAILED, created=2),
        said("d", 0.9, is_learnt=False),
        said("e", 0.9, status=Status.PENDING),
        replace(said("f", 0.9), autonomous=True),
        replace(said("g", 0.9), undone=True),
        card("h", status=Status.EXECUTED),
        replace(asked, proposal=replace(asked.proposal, source=Source.ASK)),
        said("j", 0.9, created=DAY),
        said("k", 0.9, user=BERT),
    ]
    await write(*(AddCard(card=one) for one in cards))
    query = SaidChances(user=ANNA, since=NOON, until=after(DAY), limit=9)
    newest = (SaidChance(p=0.75, yes=True), SaidChance(p=0.5, yes=False), SaidChance(p=0.25, yes=True))
    assert await store.read(query) == newest
    assert await store.read(replace(query, limit=1)) == newest[:1]
    assert await store.read(replace(query, limit=-1)) == ()


async def test_the_latest_settled_cards_first(store: Store, write: Sure) -> None:
    late = replace(card("a", status=Status.REJECTED, created=-50), settled_at=after(20))
    early = replace(card("b", status=Status.EXECUTED, created=5), settled_at=after(10))
    expired = card("c", status=Status.EXPIRED, created=-90, expires=15)
    withdrawn = card("d", status=Status.CANCELLED, created=1)
    await write(*(AddCard(card=one) for one in (early, late, expired, withdrawn, card("e"), card("f", user=BERT))))
    assert await store.read(SettledCards(user=ANNA, limit=9)) == (late, expired, early, withdrawn)
    assert await store.read(SettledCards(user=ANNA, limit=1)) == (late,)
    assert await store.read(SettledCards(user=ANNA, limit=-1)) == ()


async def test_answers_of_a_reason_and_of_a_channel(store: Store, write: Sure) -> None:
    alone = replace(card("d", status=Status.EXECUTED), autonomous=True)
    elsewhere = card("e", status=Status.FAILED, channel="garden", created=3)
    other = card("f", status=Status.CONFIRMED, created=2)
    other = replace(other, proposal=replace(other.proposal, reason_key="stale"))
    cards = [card("a", status=Status.EXECUTED), card("b", status=Status.REJECTED, created=1), card("c"), alone]
    await write(*(AddCard(card=one) for one in (*cards, elsewhere, other, card("g", status=Status.EXPIRED))))
    for_reason = AnsweredForReason(user=ANNA, reason_key="tests:hub/store", limit=9)
    assert await store.read(for_reason) == (elsewhere, cards[1], cards[0])
    assert await store.read(replace(for_reason, limit=1)) == (elsewhere,)
    assert await store.read(replace(for_reason, user=BERT)) == ()
    in_channel = AnsweredInChannel(user=ANNA, channel="koji-core", limit=9)
    assert await store.read(in_channel) == (other, cards[1], cards[0])
    assert await store.read(replace(in_channel, limit=-1)) == ()


async def test_a_channel_shows_what_runs_before_what_waits_before_what_ended(store: Store, write: Sure) -> None:
    async def now() -> ChannelNow:
        return (await store.read(ChannelsNow(user=ANNA, channels=("koji-core",), since=after(2))))[0]

    async def shown() -> str:
        found = await now()
        return found.run.id if found.run else ""

    assert await now() == ChannelNow(channel="koji-core", run=None, line=None, runs=0, cost_microusd=0)
    ended = [
        run("a", attempt=1, queued=9, state=RunState.VERIFIED),
        run("b", attempt=2, queued=8, state=RunState.FAILED),
    ]
    await write(AddCard(card=card()), *(AddExecution(execution=one) for one in ended))
    assert await shown() == "a"
    await write(AddExecution(execution=run("c", attempt=3, queued=2)), AddExecution(execution=run("d", attempt=4)))
    assert await shown() == "d"
    await write(AddExecution(execution=run("e", attempt=5, queued=5, state=RunState.ACTIVE)))
    assert await shown() == "e"
    assert (await now()).runs == 4


async def test_what_a_channel_used_since_a_moment(store: Store, write: Sure) -> None:
    runs = [replace(run(f"x{n}", attempt=n, queued=n), cost_microusd=10**n) for n in (1, 2, 3)]
    await write(AddCard(card=card()), *(AddExecution(execution=one) for one in runs))
    garden, koji = await store.read(ChannelsNow(user=ANNA, channels=("garden", "koji-core"), since=after(2)))
    assert (garden.runs, koji.runs, koji.cost_microusd) == (0, 2, 1_100)
    assert (garden.tokens, koji.tokens) == (None, None)
    result = RunResult(ended="exited", exit_code=0, output="", tokens=3_200)
    ended = replace(runs[2], state=RunState.VERIFIED, result=result)
    assert await store.commit([(MoveExecution(execution=ended, expect_state=runs[2].state),)]) == (Committed(),)
    assert (await store.read(ChannelsNow(user=ANNA, channels=("koji-core",), since=after(2))))[0].tokens == 3_200


async def test_the_last_line_is_that_of_the_same_attempt(store: Store, write: Sure) -> None:
    changes: list[Change] = [line(1), line(2), step()]
    await write(AddCard(card=card()), AddExecution(execution=run()), *changes)
    query = ChannelsNow(user=ANNA, channels=("koji-core",), since=NOON)
    assert (await store.read(query))[0].line == line(2).body
    await write(AddExecution(execution=run("x2", attempt=2, state=RunState.ACTIVE)))
    assert (await store.read(query))[0].line is None


async def test_episodes_page_by_page_with_nothing_twice_and_nothing_missing(store: Store, write: Sure) -> None:
    cards = [card("b"), card("a"), card("c"), card("d", created=1)]
    more: list[Change] = [step("a"), line(1, "a"), AddExecution(execution=run(card_id="a"))]
    await write(*(AddCard(card=one) for one in cards), *more, AddCard(card=card("x", user=BERT)))
    first = EpisodesAfter(user=ANNA, at=after(-1), card_id="", limit=2, steps_max=9)
    page = await store.read(first)
    whole = Episode(card=card("a"), steps=(step("a"), line(1, "a")), runs=(run(card_id="a"),))
    assert page == (whole, Episode(card=card("b"), steps=(), runs=()))
    rest = await store.read(replace(first, at=page[-1].card.created_at, card_id="b", limit=9))
    assert [one.card.id for one in rest] == ["c", "d"]
    assert len((await store.read(replace(first, steps_max=1)))[0].steps) == 1
    assert await store.read(replace(first, limit=-1)) == ()
