"""Transactions: all or nothing, each on its own, in order."""

import asyncio

import pytest

from hub.contract.words import Status
from hub.domain.storage import AddCard, CardById, Committed, CountOpen, Lost, OutboxDepth, StepsOf
from hub.io.store.errors import StoreClosedError
from hub.ports import Store
from tests.conformance.store.conftest import Sure
from tests.conformance.store.samples import ANNA, NOON, card, moved, send, step


async def test_nothing_to_write_is_fine(store: Store) -> None:
    assert await store.commit([]) == ()
    assert await store.commit([()]) == (Committed(),)


async def test_a_lost_expectation_takes_back_its_whole_transaction(store: Store) -> None:
    outcome = await store.commit([(AddCard(card=card()), step(), send("m1"), send("m1"))])
    assert outcome == (Lost(what="send m1"),)
    assert await store.read(CardById(user=ANNA, card_id="c1")) is None
    assert await store.read(OutboxDepth()) == 0


async def test_a_lost_transaction_leaves_its_neighbours_alone(store: Store) -> None:
    outcomes = await store.commit(
        [(AddCard(card=card("a")),), (AddCard(card=card("b")), AddCard(card=card("a"))), (AddCard(card=card("b")),)]
    )
    assert outcomes == (Committed(), Lost(what="add-card a"), Committed())
    assert await store.read(CountOpen(user=ANNA)) == 2


async def test_a_transaction_sees_what_came_before_it_in_the_same_commit(store: Store) -> None:
    first, second = moved(card(), Status.CONFIRMED), moved(card(), Status.REJECTED)
    outcomes = await store.commit([(AddCard(card=card()),), (first,), (second,)])
    assert outcomes == (Committed(), Committed(), Lost(what="move-card c1", card=first.card))


async def test_a_lost_move_shows_the_card_as_it_is_after_the_taking_back(store: Store, write: Sure) -> None:
    await write(AddCard(card=card()))
    move = moved(card(), Status.CONFIRMED)
    assert await store.commit([(move, moved(card(), Status.REJECTED))]) == (Lost(what="move-card c1", card=card()),)


async def test_what_was_committed_is_seen_at_once(store: Store) -> None:
    for number in range(50):
        await store.commit([(AddCard(card=card(f"c{number}")),)])
        assert await store.read(CountOpen(user=ANNA)) == number + 1


async def test_many_callers_at_once_all_get_their_own_outcome(store: Store) -> None:
    commits = [store.commit([(AddCard(card=card(f"c{n // 2}", created=n)),)]) for n in range(200)]
    outcomes = await asyncio.gather(*commits)
    assert [outcome[0] for outcome in outcomes] == [
        Committed() if n % 2 == 0 else Lost(what=f"add-card c{n // 2}") for n in range(200)
    ]


async def test_a_caller_that_goes_away_does_not_take_its_write_along(store: Store) -> None:
    task = asyncio.create_task(store.commit([(AddCard(card=card()),)]))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await store.commit([(AddCard(card=card("c2")),)])
    assert await store.read(CardById(user=ANNA, card_id="c1")) == card()


async def test_a_step_before_its_card_is_lost(store: Store) -> None:
    outcome = await store.commit([(step(), AddCard(card=card()))])
    assert outcome == (Lost(what="add-step c1"),)
    assert await store.read(StepsOf(user=ANNA, card_id="c1", limit=9)) == ()


async def test_a_healthy_store_says_so(store: Store, write: Sure) -> None:
    await write(AddCard(card=card()))
    assert store.health().name == "store"
    assert store.health().status == "ok"


async def test_a_closed_store_refuses_everything(store: Store) -> None:
    await store.close()
    await store.close()
    assert store.health().status == "down"
    with pytest.raises(StoreClosedError):
        await store.commit([(AddCard(card=card()),)])
    with pytest.raises(StoreClosedError):
        await store.read(OutboxDepth())
    with pytest.raises(StoreClosedError):
        await store.claim(now=NOON, lease_s=1, limit=1)


async def test_closing_finishes_what_was_accepted(store: Store) -> None:
    commits = [asyncio.create_task(store.commit([(AddCard(card=card(f"c{n}")),)])) for n in range(20)]
    await asyncio.sleep(0)
    await store.close()
    assert [await commit for commit in commits] == [(Committed(),)] * len(commits)
