"""Questions by others: idempotent by key, bounded, withdrawn, expired, and held by the kill switch."""

from hub.contract.api import ConfigPatch
from hub.contract.events import PredictionExpired, PredictionNew, PredictionSettled
from hub.contract.words import Badge, Risk, Status, Verb
from hub.domain.requests import Ask, Configure, Withdraw
from hub.domain.storage import ExecutionsOf
from tests.loop.stage import DISCORD, MINUTE, NOON, a_card, a_policy, a_question, a_world, refused, taken

ASK = Ask(key="deploy-7", asker="script", question="May I?", details="Because.", risk=Risk.HIGH, timeout_s=600)


async def test_a_question_is_a_card_and_its_key_makes_it_one_card() -> None:
    world = await a_world()
    first, again = taken(await world.ask(ASK)), taken(await world.ask(ASK))
    assert (first.repeated, again.repeated) == (False, True)
    assert first.prediction == again.prediction
    assert len(await world.cards()) == len(world.told(PredictionNew)) == world.state.open_count == 1


async def test_a_repeated_key_finds_the_answer_that_was_given() -> None:
    world = await a_world()
    card = await a_question(world, "k")
    taken(await world.answer(card, Verb.REJECT))
    again = taken(await world.ask(Ask(**{name: getattr(ASK, name) for name in ASK.__struct_fields__} | {"key": "k"})))
    assert again.repeated
    assert again.prediction.status is Status.REJECTED


async def test_an_approved_question_runs_nothing() -> None:
    world = await a_world()
    card = await a_question(world)
    taken(await world.answer(card, Verb.APPROVE))
    after = await world.card(card.id)
    assert (after.status, after.execution_id, world.jobs) == (Status.CONFIRMED, None, [])
    assert await world.store.read(ExecutionsOf(user="me", card_id=card.id)) == ()
    assert world.state.mind.ledger.spending.minutes == ()
    assert refused(await world.answer(card, Verb.UNDO)).code == "too-late-to-undo"


async def test_a_question_is_not_reworded() -> None:
    world = await a_world()
    card = await a_question(world)
    assert refused(await world.answer(card, Verb.EDIT, prompt="May I not?")).code == "not-editable"
    assert (await world.card(card.id)).status is Status.PENDING


async def test_a_risky_question_is_marked_and_not_approved_by_a_double_tap() -> None:
    world = await a_world()
    await world.pair(DISCORD)
    reply = taken(await world.ask(ASK))
    assert reply.prediction.badges == (Badge.RISKY,)


async def test_a_question_expires_after_its_own_time() -> None:
    world = await a_world()
    card = await a_question(world, timeout_s=600)
    await world.until(NOON + 10 * MINUTE)
    assert (await world.card(card.id)).status is Status.EXPIRED
    assert len(world.told(PredictionExpired)) == 1
    assert refused(await world.answer(card, Verb.APPROVE)).code == "expired"


async def test_whoever_asked_may_take_it_back() -> None:
    world = await a_world()
    card = await a_question(world)
    assert taken(await world.ask(Withdraw(card_id=card.id))).prediction.status is Status.CANCELLED
    assert world.state.open_count == 0
    assert len(world.told(PredictionSettled)) == 1
    assert refused(await world.answer(card, Verb.APPROVE)).code == "already-settled"
    assert refused(await world.ask(Withdraw(card_id=card.id))).code == "already-settled"


async def test_only_a_question_can_be_taken_back() -> None:
    world = await a_world()
    card = await a_card(world)
    for card_id in (card.id, "pred_none"):
        assert refused(await world.ask(Withdraw(card_id=card_id))).code == "unknown-card"
    assert (await world.card(card.id)) == card


async def test_the_kill_switch_holds_for_questions_too() -> None:
    for patch in (ConfigPatch(enabled=False), ConfigPatch(emergency_stop=True)):
        world = await a_world()
        card = await a_question(world)
        await world.ask(Configure(patch=patch, by="me"))
        assert refused(await world.answer(card, Verb.APPROVE)).code == "rail-kill"
        assert (await world.card(card.id)).status is Status.PENDING
        taken(await world.answer(card, Verb.REJECT))


async def test_too_many_open_questions_are_refused() -> None:
    world = await a_world(a_policy(pending_max=2))
    cards = [await a_question(world, f"q{number}") for number in range(2)]
    reply = refused(await world.ask(ASK))
    assert (reply.code, reply.status) == ("too-many-open", 429)
    assert taken(await world.ask(Ask(**{name: getattr(ASK, name) for name in ASK.__struct_fields__} | {"key": "q1"})))
    await world.answer(cards[0], Verb.REJECT)
    taken(await world.ask(ASK))
