"""Many answers at once: exactly one wins, and nothing runs twice; also against another hub on the same store."""

import asyncio
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from hub.contract.api import AnswerReply
from hub.contract.words import Status, Verb
from hub.domain.requests import Refused
from hub.domain.storage import Change, CommitOutcome, ExecutionsOf, MoveCard
from hub.domain.suggestion import Card
from hub.runner.hub import TRIES_MAX
from tests.fakes.store import MemoryStore
from tests.loop.stage import a_policy
from tests.runner.running_hub import House, an_answer, is_new, living

SURFACES = ("phone", "watch", "discord", "web", "glasses")
VERBS = (Verb.APPROVE, Verb.REJECT)


async def race(house: House, card: Card, answers: int) -> None:
    requests = [an_answer(card, VERBS[n % 2], SURFACES[n % 5]) for n in range(answers)]
    replies = await asyncio.gather(*map(house.hub.submit, requests))
    assert sum(map(is_new, replies)) == 1
    for reply in replies:
        assert isinstance(reply, AnswerReply) or (isinstance(reply, Refused) and reply.code == "already-settled")
    await house.settle()
    runs = await house.store.read(ExecutionsOf(user="me", card_id=card.id))
    settled = (await house.stored(card.id)).settled
    assert settled is not None
    assert len(runs) == (1 if settled.verb is Verb.APPROVE else 0)
    assert sum(job.execution_id in {run.id for run in runs} for job in house.agent.jobs) == len(runs)


@pytest.mark.slow
async def test_one_card_and_many_answers_at_once() -> None:
    async with living(House()) as house:
        for number in range(5):
            await race(house, await house.card(f"Work {number}"), 40)


@pytest.mark.slow
async def test_two_thousand_races() -> None:
    policy = a_policy(pending_max=5_000, rejections_to_pause=1_000_000)
    caps = replace(policy.caps, hour_microusd=10**12, day_microusd=10**12, month_microusd=10**12)
    async with living(House(replace(policy, caps=caps))) as house:
        for number in range(100):
            await race(house, await house.card(f"Work {number}"), 20)


@pytest.mark.slow
async def test_many_cards_answered_at_once_are_all_taken() -> None:
    async with living(House()) as house:
        cards = [await house.card(f"Work {number}") for number in range(20)]
        replies = await asyncio.gather(*(house.answer(card, Verb.REJECT) for card in cards))
        assert all(map(is_new, replies))
        assert house.hub.status().pending == 0


class Rival(MemoryStore):
    """A store on which another hub is faster, as often as it is told: it changes the card in between."""

    def __init__(self) -> None:
        super().__init__()
        self.times = 0
        self.status = Status.PENDING
        self._card: Card | None = None

    def meddle(self, card: Card, times: int, status: Status = Status.PENDING) -> None:
        self._card, self.times, self.status = card, times, status

    async def commit(self, transactions: Sequence[tuple[Change, ...]]) -> tuple[CommitOutcome, ...]:
        before = self._card
        moved = {one.card.id for each in transactions for one in each if isinstance(one, MoveCard)}
        if before is not None and self.times > 0 and before.id in moved:
            self.times -= 1
            self._card = replace(before, version=before.version + 1, status=self.status, outcome=f"rival {self.times}")
            stolen = MoveCard(card=self._card, expect_version=before.version, expect_status=before.status)
            await super().commit([(stolen,)])
        return await super().commit(transactions)


async def test_what_was_lost_to_another_hub_is_decided_again() -> None:
    store = Rival()
    async with living(House(store=store)) as house:
        card = await house.card()
        store.meddle(card, 2)
        assert is_new(await house.answer(card, Verb.REJECT))
        after = await house.stored(card.id)
        assert (after.status, after.version, after.outcome) == (Status.REJECTED, 4, "rival 0")
        assert house.hub.status().pending == 0


async def test_another_hub_that_settles_the_card_wins() -> None:
    store = Rival()
    async with living(House(store=store)) as house:
        card = await house.card()
        before = house.hub.state().mind
        store.meddle(card, 1, Status.CANCELLED)
        reply = await house.answer(card, Verb.APPROVE)
        assert isinstance(reply, Refused)
        assert reply.code == "already-settled"
        assert house.hub.state().mind == before
        assert house.agent.jobs == []


@pytest.mark.slow
async def test_a_tick_that_finds_a_card_already_settled_goes_on() -> None:
    store = Rival()
    async with living(House(store=store)) as house:
        cards = [await house.card(f"Work {number}") for number in range(3)]
        store.meddle(cards[1], 1, Status.CANCELLED)
        await house.clock.let_pass(cards[0].expires_at - house.clock.now())
        await house.tick()
        expected = [Status.EXPIRED, Status.CANCELLED, Status.EXPIRED]
        assert [(await house.stored(card.id)).status for card in cards] == expected


async def test_a_batch_with_a_lost_one_keeps_the_others() -> None:
    store = Rival()
    async with living(House(store=store)) as house:
        cards = [await house.card(f"Work {number}") for number in range(6)]
        store.meddle(cards[2], 1)
        replies = await asyncio.gather(*(house.answer(card, Verb.APPROVE) for card in cards))
        assert all(map(is_new, replies))
        await house.settle()
        assert sorted(job.prompt for job in house.agent.jobs) == [f"Work {number}" for number in range(6)]
        assert house.hub.state().mind.ledger.decisions == 6
        assert house.hub.state().mind.ledger.spending.day_microusd == 6 * 50_000


async def test_one_who_always_loses_is_told_so_in_the_end() -> None:
    store = Rival()
    async with living(House(store=store)) as house:
        card = await house.card()
        store.meddle(card, 1_000)
        reply = await house.answer(card, Verb.REJECT)
        assert isinstance(reply, Refused)
        assert (reply.code, reply.status) == ("busy", 503)
        assert store.times == 1_000 - TRIES_MAX
        store.times = 0
        assert is_new(await house.answer(await house.stored(card.id), Verb.REJECT))
