"""The kill switch, at every level, blocks every path that leads to a Permit or to a start."""

from collections.abc import Awaitable, Callable

import pytest

from hub.contract.api import ConfigPatch
from hub.contract.words import Risk, Verb
from hub.domain.judgement import Ledger
from hub.domain.mind import Mind, Tally
from hub.domain.provenance import ModelText
from hub.domain.requests import Ask, Configure, Spoke, Trigger
from hub.domain.storage import AddExecution, SaveMind
from hub.domain.suggestion import Card, Guess, Work
from tests.fakes.agent import allowed, consent
from tests.fakes.world import World, a_state
from tests.loop.stage import MINUTE, NOON, PHONE, PROFILES, a_card, a_policy, a_world, handed, running
from tests.loop.test_cycle import OWN, TESTS, changed_tests
from tests.loop.test_devices import decision, hand_in

LEVELS: dict[str, ConfigPatch | None] = {
    "file": None,
    "runtime": ConfigPatch(enabled=False),
    "emergency": ConfigPatch(emergency_stop=True),
}


async def kill(world: World, level: str) -> None:
    patch = LEVELS[level]
    if patch is not None:
        await world.ask(Configure(patch=patch, by="me"))
        return
    off = a_policy(enabled=False)
    world.restart_with(off)
    await world.reopen()


async def approve(world: World, card: Card) -> None:
    await world.answer(card, Verb.APPROVE)


async def edit(world: World, card: Card) -> None:
    await world.answer(card, Verb.EDIT, prompt="Something else")


async def by_device(world: World, card: Card) -> None:
    await hand_in(world, decision(card, handed(world, PHONE).token))


async def undo_and_approve(world: World, card: Card) -> None:
    await world.answer(card, Verb.REJECT)
    await world.answer(card, Verb.UNDO)
    await world.answer(card, Verb.APPROVE)


async def trigger(world: World, card: Card) -> None:
    del card
    await world.ask(Trigger(hint="Do it", force=True))
    for one in await world.cards():
        await world.answer(one, Verb.APPROVE)


async def question(world: World, card: Card) -> None:
    del card
    await world.ask(Ask(key="k", asker="a", question="May I?", details="", risk=Risk.LOW, timeout_s=60))
    for one in await world.cards():
        await world.answer(one, Verb.APPROVE)


PATHS: tuple[Callable[[World, Card], Awaitable[None]], ...] = (
    approve,
    edit,
    by_device,
    undo_and_approve,
    trigger,
    question,
)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("path", PATHS)
async def test_no_path_leads_to_a_permit(path: Callable[[World, Card], Awaitable[None]], level: str) -> None:
    world = await a_world()
    await world.pair(PHONE)
    card = await a_card(world)
    await kill(world, level)
    await path(world, card)
    await world.until(world.now + MINUTE)
    assert not any(isinstance(change, AddExecution) for change in world.changes)
    assert world.jobs == []


@pytest.mark.parametrize("level", LEVELS)
async def test_nothing_that_waits_is_started(level: str) -> None:
    world = await a_world(running_max=1)
    first = await running(world, "First")
    await running(world, "Second")
    await kill(world, level)
    await world.finish(first.execution_id or "")
    await world.until(world.now + MINUTE)
    assert [job.prompt for job in world.jobs] == ["First"]


async def silent_for_half_an_hour(level: str | None) -> World:
    policy = a_policy(twin=True, autonomous=True)
    world = World(a_state(policy, PROFILES), NOON, readings={"git": changed_tests()})
    work = Work(playbook="run-tests", workspace="/home/me/gateway")
    seen = consent("run-tests", policy.playbook_agent, work)
    alone = allowed("run-tests", policy.playbook_agent, work)
    ledger = Ledger(decisions=40, seen_combos=("start>koji-core>built-in",), known_plans=(seen,), standing=(alone,))
    mind = Mind(ledger=ledger, tallies={"run-tests": Tally(approved=18)}, last_message_at=NOON)
    await world.store.commit([(SaveMind(user="me", mind=mind),)])
    world.readings = {}
    await world.open()
    world.readings = {"git": changed_tests()}
    await world.ask(Spoke(at=NOON, source="api"))
    if level is not None:
        await kill(world, level)
    world.guesses.append(
        Guess(prompt=ModelText(TESTS), channel="koji-core", confidence=1.0, reasoning=ModelText("r"), model="m")
    )
    await world.until(NOON + 40 * MINUTE)
    return world


async def test_without_a_kill_switch_it_acts_by_itself() -> None:
    world = await silent_for_half_an_hour(None)
    assert [job.prompt for job in world.jobs] == [OWN]


@pytest.mark.parametrize("level", LEVELS)
async def test_with_one_it_does_not(level: str) -> None:
    world = await silent_for_half_an_hour(level)
    assert world.jobs == []
