"""Training pairs come with the answer that completes them, and go with the one that is taken back."""

from collections.abc import Sequence

import pytest

from hub.contract.surface import Presence, Receipt
from hub.contract.words import DeliveryState, Status, Verb
from hub.domain.lessons import AddPair, DropPairs
from hub.domain.reports import PairsAfter
from hub.domain.requests import ReportPresence, ReportReceipt, Trigger
from hub.domain.storage import Change, CommitOutcome, DeliveriesOf, MoveCard
from hub.domain.suggestion import Card
from tests.fakes.world import World
from tests.loop.stage import HOUR, MINUTE, PHONE, a_question, a_world, running, taken

CODE, DOCS = "koji-core", "chronicle-hub"


async def suggested(world: World, prompt: str, channel: str) -> Card:
    reply = await world.ask(Trigger(hint=prompt, channel=channel, force=True))
    return await world.card(reply.prediction.id)  # type: ignore[union-attr]  # a trigger is answered with its card


async def pairs(world: World) -> list[tuple[str, str]]:
    stored = await world.store.read(PairsAfter(user="me", after=0, limit=99))
    return [(one.pair.chosen, one.pair.rejected) for one in stored]


async def two(world: World) -> tuple[Card, Card]:
    return await suggested(world, "Tidy up", CODE), await suggested(world, "Sum up", DOCS)


PAIR = ("Tidy up → koji-core", "Sum up → chronicle-hub")


async def test_the_answer_and_its_pair_are_one_transaction() -> None:
    world = await a_world()
    code, docs = await two(world)
    taken(await world.answer(docs, Verb.REJECT))
    assert await pairs(world) == []
    await world.until(world.now + 59 * MINUTE)
    commits = _commits(world)
    taken(await world.answer(code, Verb.APPROVE))
    (step,) = [one for one in commits if any(isinstance(change, AddPair) for change in one)]
    assert any(isinstance(change, MoveCard) and change.card.status is Status.CONFIRMED for change in step)
    assert await pairs(world) == [PAIR]


def _commits(world: World) -> list[tuple[Change, ...]]:
    """Every transaction from now on, as it is written."""
    written: list[tuple[Change, ...]] = []
    commit = world.store.commit

    async def keep(transactions: Sequence[tuple[Change, ...]]) -> tuple[CommitOutcome, ...]:
        written.extend(transactions)
        return await commit(transactions)

    world.store.commit = keep  # type: ignore[method-assign]  # what is written is looked at on its way
    return written


async def test_more_than_an_hour_apart_is_no_pair() -> None:
    world = await a_world()
    code, docs = await two(world)
    taken(await world.answer(docs, Verb.REJECT))
    await world.until(world.now + HOUR + MINUTE)
    taken(await world.answer(code, Verb.APPROVE))
    assert await pairs(world) == []


async def test_a_rejection_completes_the_pair_of_an_earlier_choice() -> None:
    world = await a_world()
    code, docs = await two(world)
    taken(await world.answer(code, Verb.APPROVE))
    taken(await world.answer(docs, Verb.REJECT))
    assert await pairs(world) == [PAIR]


async def test_the_same_answer_again_adds_no_pair() -> None:
    world = await a_world()
    code, docs = await two(world)
    taken(await world.answer(docs, Verb.REJECT))
    taken(await world.answer(code, Verb.APPROVE))
    taken(await world.answer(code, Verb.APPROVE))
    assert await pairs(world) == [PAIR]


async def test_an_undone_dismissal_takes_its_pairs_along_and_the_choice_finds_the_next() -> None:
    world = await a_world()
    code, docs = await two(world)
    other = await suggested(world, "Look around", "research")
    for one in (other, docs):
        taken(await world.answer(one, Verb.REJECT))
    taken(await world.answer(code, Verb.APPROVE))
    assert await pairs(world) == [PAIR]
    taken(await world.answer(docs, Verb.UNDO))
    assert await pairs(world) == [(PAIR[0], "Look around → research")]
    taken(await world.answer(other, Verb.UNDO))
    assert await pairs(world) == []


@pytest.mark.slow
async def test_finished_work_that_is_taken_back_was_no_choice() -> None:
    world = await a_world()
    code, docs = await two(world)
    taken(await world.answer(docs, Verb.REJECT))
    taken(await world.answer(code, Verb.APPROVE))
    done = await world.card(code.id)
    assert done.status is Status.EXECUTED
    await world.until(world.now + 5 * HOUR)  # long after what the loop remembers
    taken(await world.answer(done, Verb.UNDO))
    assert await pairs(world) == []


async def test_a_run_that_is_taken_back_was_no_choice() -> None:
    world = await a_world()
    docs = await suggested(world, "Sum up", DOCS)
    taken(await world.answer(docs, Verb.REJECT))
    code = await running(world)
    assert len(await pairs(world)) == 1
    taken(await world.answer(code, Verb.UNDO))
    assert await pairs(world) == []


async def test_an_edit_is_paired_with_itself() -> None:
    world = await a_world()
    code, docs = await two(world)
    taken(await world.answer(docs, Verb.REJECT))
    taken(await world.answer(code, Verb.EDIT, prompt="Tidy up the tests"))
    assert await pairs(world) == [("Tidy up the tests → koji-core", "Tidy up → koji-core")]
    stored = await world.store.read(PairsAfter(user="me", after=0, limit=9))
    assert stored[0].pair.context.startswith("Time: Tuesday 12:00")


@pytest.mark.slow
@pytest.mark.parametrize(("seen", "expected"), [(True, 1), (False, 0)])
async def test_an_expiry_counts_only_where_the_card_was_seen(seen: bool, expected: int) -> None:  # noqa: FBT001  a column
    world = await a_world()
    await world.pair(PHONE)
    docs = await suggested(world, "Sum up", DOCS)
    if seen:
        for entry in await world.store.read(DeliveriesOf(user="me", card_ids=(docs.id,))):
            shown = Receipt(delivery_id=entry.id, state=DeliveryState.SHOWN, at=world.now)
            await world.ask(ReportReceipt(sender=PHONE, receipt=shown))
        await world.ask(ReportPresence(sender=PHONE, presence=Presence(online=True, person_active_at=world.now)))
    await world.until(docs.expires_at + MINUTE)
    assert (await world.card(docs.id)).status is Status.EXPIRED
    code = await suggested(world, "Tidy up", CODE)
    taken(await world.answer(code, Verb.APPROVE))
    stored = await world.store.read(PairsAfter(user="me", after=0, limit=9))
    assert [one.pair.weight for one in stored] == [0.3] * expected


async def test_questions_of_others_and_snoozes_are_in_no_pair() -> None:
    world = await a_world()
    question = await a_question(world)
    code, docs = await two(world)
    taken(await world.answer(question, Verb.REJECT))
    taken(await world.answer(docs, Verb.SNOOZE))
    taken(await world.answer(code, Verb.APPROVE))
    assert await pairs(world) == []


async def test_what_waits_for_a_partner_outlives_a_restart() -> None:
    world = await a_world()
    code, docs = await two(world)
    taken(await world.answer(docs, Verb.REJECT))
    await world.reopen()
    taken(await world.answer(code, Verb.APPROVE))
    assert await pairs(world) == [PAIR]


async def test_another_answer_to_a_card_that_came_back_counts_alone() -> None:
    world = await a_world()
    code, docs = await two(world)
    taken(await world.answer(docs, Verb.REJECT))
    taken(await world.answer(docs, Verb.UNDO))
    taken(await world.answer(code, Verb.REJECT))
    taken(await world.answer(await world.card(docs.id), Verb.APPROVE))
    assert await pairs(world) == [(PAIR[1], PAIR[0])]
    assert any(isinstance(one, DropPairs) for one in world.changes)
