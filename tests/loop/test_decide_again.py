import msgspec
import pytest
from msgspec.structs import replace

from hub.contract.words import Verb
from hub.domain.episode import Judged, Proposed, Step
from hub.domain.provenance import RepositoryText, decoded, encoded
from hub.domain.readings import GitReading, Reading
from hub.domain.situation import Module, Repository
from hub.domain.storage import RecentCards, StepsOf
from hub.domain.suggestion import Card
from hub.loop.decide_again import decide_again
from tests.fakes.world import World
from tests.loop.stage import HOUR, NOON, a_card, a_question, a_world

LIMIT = 100


def changed(*modules: str) -> Reading:
    shop = Repository(
        path="/home/me/shop",
        name=RepositoryText("shop"),
        branch=RepositoryText("main"),
        head="a1",
        head_at=NOON - HOUR,
        changed_modules=tuple(Module(path=RepositoryText(path), files=1) for path in modules),
        playbooks=("run-tests",),
    )
    return Reading(sensor="git", at=NOON, body=GitReading(repositories=(shop,)))


async def kept(world: World, card: Card) -> tuple[Step, ...]:
    """Return an episode as it comes back from a file."""
    steps = await world.store.read(StepsOf(user=world.state.user, card_id=card.id, limit=LIMIT))
    return msgspec.json.decode(msgspec.json.encode(steps, enc_hook=encoded), type=tuple[Step, ...], dec_hook=decoded)


async def answered(world: World, times: int) -> Card:
    """Have the tests suggested so often, with an answer each, and once more."""
    for number in range(times + 1):
        world.readings = {"git": changed(*(f"part{n}" for n in range(number + 1)))}
        await world.until(world.now + HOUR)
        (latest, *_) = await world.store.read(RecentCards(user=world.state.user, limit=1))
        if number < times:
            await world.answer(latest, Verb.APPROVE if number % 3 else Verb.REJECT)
    return latest


@pytest.mark.slow
async def test_what_was_learnt_is_kept_as_far_as_it_decided() -> None:
    world = await a_world()
    card = await answered(world, 9)
    assert card.proposal.likelihood is not None
    assert card.proposal.likelihood.is_learnt
    steps = await kept(world, card)
    assert [(one.room, one.same) for one in decide_again(steps)] == [("what", True), ("may", True), ("where", True)]


async def test_a_wish_is_chosen_again() -> None:
    world = await a_world()
    card = await a_card(world)
    await world.answer(card, Verb.APPROVE)
    again = decide_again(await kept(world, card))
    assert [(one.room, one.same) for one in again] == [("what", True), ("may", True), ("may", True)]


@pytest.mark.slow
async def test_another_model_or_another_rule_shows() -> None:
    world = await a_world()
    card = await answered(world, 9)
    steps = await kept(world, card)
    bodies = [step.body for step in steps]
    proposed = next(body for body in bodies if isinstance(body, Proposed))
    assert proposed.basis is not None
    forgetful = replace(proposed, basis=replace(proposed.basis, model=replace(proposed.basis.model, weights={})))
    judged = next(body for body in bodies if isinstance(body, Judged))
    other = replace(judged, ledger=replace(judged.ledger, emergency=True))
    tampered = [
        replace(step, body=forgetful if step.body is proposed else other if step.body is judged else step.body)
        for step in steps
    ]
    found = decide_again(tampered)
    assert [one.same for one in found] == [False, False, True]
    assert all((one.was == one.now) is one.same for one in found)


async def test_what_was_kept_before_is_not_guessed_at() -> None:
    world = await a_world()
    card = await a_card(world)
    steps = tuple(
        replace(step, body=replace(step.body, basis=None)) if isinstance(step.body, Proposed) else step
        for step in await kept(world, card)
    )
    assert [(one.room, one.same) for one in decide_again(steps)] == [("what", None), ("may", True)]
    question = await a_question(world)
    assert [one.room for one in decide_again(await kept(world, question))] in ([], ["may"])
