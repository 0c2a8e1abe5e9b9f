"""Where a fixed command runs, other words would change nothing: they are refused, and nobody is offered to give any."""

import pytest
from msgspec.structs import replace

from hub.contract.words import Source, Status, Verb
from hub.domain.execution import RunResult
from hub.domain.plan import AnyPlan, CannotPlan, Plan
from hub.domain.storage import ExecutionsOf, MoveCard
from hub.domain.suggestion import Card, Work
from tests.fakes.world import World
from tests.loop.stage import PHONE, a_card, a_question, a_world, handed, refused, taken

FIXED = Plan(playbook="run-tests", argv=("/usr/bin/make", "test"), folder="/home/me/shop")
READING = replace(FIXED, playbook="", argv=("/usr/bin/agent",), prompt="input")
FAILED = RunResult(ended="exited", exit_code=1, output="2 failed")


async def planned(plan: AnyPlan) -> tuple[World, Card]:
    world = await a_world()
    await world.pair(PHONE)
    world.plans = lambda _agent, _work: plan
    return world, await a_card(world)


async def test_other_words_for_a_fixed_command_are_refused_and_the_card_waits() -> None:
    world, card = await planned(FIXED)
    reply = refused(await world.answer(card, Verb.EDIT, prompt="Run only the quick tests"))
    assert (reply.code, reply.status) == ("not-editable", 409)
    assert reply.prediction is not None
    assert not reply.prediction.editable
    assert (await world.card(card.id), world.jobs) == (card, [])
    taken(await world.answer(card, Verb.APPROVE))
    assert [(job.prompt, job.plan) for job in world.jobs] == [(card.prompt, FIXED)]


@pytest.mark.parametrize(("plan", "offered"), [(FIXED, False), (READING, True)])
async def test_no_device_is_offered_what_would_be_refused(
    plan: Plan,
    offered: bool,  # noqa: FBT001  a column of the table
) -> None:
    world, _ = await planned(plan)
    delivery = handed(world, PHONE)
    assert (Verb.EDIT in delivery.verbs) is offered
    assert Verb.APPROVE in delivery.verbs


async def test_a_question_is_offered_no_other_words() -> None:
    world = await a_world()
    await world.pair(PHONE)
    assert (await a_question(world)).proposal.source is Source.ASK
    assert Verb.EDIT not in handed(world, PHONE).verbs


async def test_a_fixed_command_is_tried_again_as_it_is_or_not_at_all() -> None:
    world, card = await planned(FIXED)
    world.results = lambda _job: FAILED
    taken(await world.answer(card, Verb.APPROVE))
    failed = await world.card(card.id)
    more = f"{card.prompt}\n\nThe person adds: only the quick ones"
    assert refused(await world.answer(failed, Verb.RETRY, prompt=more)).code == "not-editable"
    assert await world.card(card.id) == failed
    assert failed.status is Status.FAILED
    taken(await world.answer(failed, Verb.RETRY, prompt=card.prompt))
    runs = await world.store.read(ExecutionsOf(user="me", card_id=card.id))
    assert len(runs) == 2


@pytest.mark.parametrize("plan", [None, CannotPlan(why="make was not found.")])
async def test_a_playbook_that_was_never_told_takes_no_other_words_either(plan: AnyPlan | None) -> None:
    world, card = await planned(FIXED)
    proposal = replace(card.proposal, work=Work(playbook="run-tests", workspace="/home/me/shop"))
    old = replace(card, version=2, plan=plan, proposal=proposal)
    await world.store.commit([(MoveCard(card=old, expect_version=1, expect_status=card.status),)])
    assert refused(await world.answer(old, Verb.EDIT, prompt="Run only the quick tests")).code == "not-editable"


async def test_an_agent_that_reads_no_prompt_is_a_fixed_command_too() -> None:
    world, card = await planned(replace(READING, prompt="none"))
    assert refused(await world.answer(card, Verb.EDIT, prompt="Something else")).code == "not-editable"
    assert world.jobs == []
