"""What would run is told with the card, bound to the answer, and looked at again before the start."""

import msgspec
import pytest
from msgspec.structs import replace

from hub.contract.events import PredictionReturned
from hub.contract.words import MoveReason, RunState, Status, Verb
from hub.domain.canonical import card_hash
from hub.domain.plan import AnyPlan, CannotPlan, DefiningFile, PinnedRef, Plan, difference
from hub.domain.storage import ExecutionsOf, MoveCard
from hub.domain.suggestion import Card
from hub.loop.answers import LOOKING
from tests.fakes.stopped import StoppedError
from tests.fakes.world import DONE, World
from tests.loop.stage import PHONE, a_card, a_world, handed, refused, taken

BEFORE = Plan(
    argv=("/usr/bin/make", "test"), folder="/home/me/shop", defined_by=(DefiningFile(path="Makefile", sha256="aa"),)
)
AFTER = replace(BEFORE, defined_by=(DefiningFile(path="Makefile", sha256="bb"),))


async def planned(plan: AnyPlan = BEFORE) -> tuple[World, Card]:
    world = await a_world()
    await world.pair(PHONE)
    world.plans = lambda _agent, _work: plan
    return world, await a_card(world)


def now_runs(world: World, plan: AnyPlan) -> None:
    world.plans = lambda _agent, _work: plan


async def test_a_card_tells_what_would_run_and_its_hash_stands_for_it() -> None:
    world, card = await planned()
    shown = handed(world, PHONE).event.prediction  # type: ignore[union-attr]  # a card's event
    assert card.plan == BEFORE
    assert shown.runs is not None
    assert (shown.runs.summary, shown.runs.folder) == ("/usr/bin/make test in shop", "/home/me/shop")
    proposal = card.proposal
    bound = card_hash(card.prompt, proposal.channel, proposal.work, proposal.need, AFTER)
    assert shown.card_hash != bound, "another Makefile is another card"


async def test_what_was_permitted_is_what_the_runner_is_given() -> None:
    world, card = await planned()
    taken(await world.answer(card, Verb.APPROVE))
    assert [job.plan for job in world.jobs] == [BEFORE]


async def test_a_change_after_the_look_runs_nothing_and_asks_again() -> None:
    world, card = await planned()
    spent = world.state.mind.ledger.spending.day_microusd
    now_runs(world, AFTER)
    taken(await world.answer(card, Verb.APPROVE))
    back = await world.card(card.id)
    assert world.jobs == []
    assert (back.status, back.plan, back.card_hash != card.card_hash) == (Status.PENDING, AFTER, True)
    assert world.moves[-1].card.status_reason is MoveReason.CHANGED
    assert back.outcome.endswith("has changed since you looked: Makefile")
    assert world.state.mind.ledger.spending.day_microusd == spent
    assert (world.state.running, world.state.open_count) == ((), 1)
    told = handed(world, PHONE, PredictionReturned).event
    assert isinstance(told, PredictionReturned)
    assert (told.reason, told.prediction.card_hash) == (back.outcome, back.card_hash)
    run = (await world.store.read(ExecutionsOf(user="me", card_id=card.id)))[0]
    assert (run.state, run.cost_microusd) == (RunState.STOPPED, 0)


async def test_an_answer_to_what_was_shown_before_is_refused_and_one_to_what_is_shown_now_runs() -> None:
    world, card = await planned()
    now_runs(world, AFTER)
    taken(await world.answer(card, Verb.APPROVE))
    assert refused(await world.answer(card, Verb.APPROVE)).code == "card-changed"
    assert world.jobs == []
    taken(await world.answer(await world.card(card.id), Verb.APPROVE))
    assert [job.plan for job in world.jobs] == [AFTER]
    assert (await world.card(card.id)).status is Status.EXECUTED


async def test_a_retry_of_what_changed_meanwhile_asks_again() -> None:
    world, card = await planned()
    world.results = lambda _job: replace(DONE, exit_code=1)
    taken(await world.answer(card, Verb.APPROVE))
    now_runs(world, AFTER)
    taken(await world.answer(await world.card(card.id), Verb.RETRY))
    back = await world.card(card.id)
    assert (len(world.jobs), back.status, back.plan) == (1, Status.PENDING, AFTER)


async def test_what_can_no_longer_be_told_does_not_run() -> None:
    world, card = await planned()
    now_runs(world, CannotPlan(why="make was not found."))
    taken(await world.answer(card, Verb.APPROVE))
    back = await world.card(card.id)
    assert (world.jobs, back.status) == ([], Status.PENDING)
    assert back.outcome.endswith("make was not found")


async def test_a_yes_to_what_cannot_run_has_it_looked_at_again() -> None:
    world, card = await planned(CannotPlan(why="make was not found."))
    offered = handed(world, PHONE).verbs
    assert {Verb.APPROVE, Verb.EDIT} & set(offered) == set()
    assert Verb.REJECT in offered
    said = taken(await world.answer(card, Verb.APPROVE))
    assert said.message == LOOKING
    back = await world.card(card.id)
    assert (world.jobs, back.status, back.outcome) == ([], Status.PENDING, "Nothing was run: make was not found.")
    now_runs(world, BEFORE)
    taken(await world.answer(back, Verb.APPROVE))
    found = await world.card(card.id)
    assert (world.jobs, found.status, found.plan) == ([], Status.PENDING, BEFORE), "it is shown before it runs"
    assert found.outcome == "Nothing was run: Pulse checked again, and this is what would run"
    assert Verb.APPROVE in handed(world, PHONE, PredictionReturned).verbs
    taken(await world.answer(found, Verb.APPROVE))
    assert [job.plan for job in world.jobs] == [BEFORE]


async def test_a_card_from_before_plans_were_told_is_shown_with_its_plan_first() -> None:
    world, card = await planned()
    old = replace(card, version=2, plan=None, card_hash="0" * 32)
    await world.store.commit([(MoveCard(card=old, expect_version=1, expect_status=card.status),)])
    taken(await world.answer(old, Verb.APPROVE))
    back = await world.card(card.id)
    assert (world.jobs, back.status, back.plan) == ([], Status.PENDING, BEFORE)
    taken(await world.answer(back, Verb.APPROVE))
    assert len(world.jobs) == 1


def test_a_plan_from_before_its_containment_was_kept_is_read_and_is_another_one() -> None:
    stored = {name: value for name, value in msgspec.to_builtins(BEFORE).items() if name != "containment"}
    read = msgspec.convert(stored, Plan)
    assert read == BEFORE
    assert difference(read, replace(BEFORE, containment="not sandboxed")) == "its sandbox"


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        (replace(BEFORE, playbook="run-tests"), "the agent"),
        (replace(BEFORE, argv=("/usr/bin/make", "all")), "the command"),
        (replace(BEFORE, folder="/home/me"), "the folder"),
        (replace(BEFORE, environment=("CI=1",)), "the names in its environment"),
        (replace(BEFORE, then=AFTER), "what runs after it"),
        (replace(BEFORE, unclear="A recipe runs a shell."), "what is unknown about it"),
        (replace(BEFORE, refs=(PinnedRef(name="refs/heads/main", commit="c1"),)), "refs/heads/main"),
        (AFTER, "Makefile"),
        (replace(BEFORE, defined_by=()), "Makefile (gone)"),
    ],
)
async def test_what_is_not_as_it_was_shown_does_not_run_and_is_named(changed: Plan, named: str) -> None:
    world, card = await planned()
    now_runs(world, changed)
    await world.answer(card, Verb.APPROVE)
    assert world.jobs == []
    assert (await world.card(card.id)).outcome.endswith(f"has changed since you looked: {named}")


async def test_a_changed_run_survives_a_kill_before_it_was_settled() -> None:
    world, card = await planned()
    now_runs(world, AFTER)
    world.stopping = (world.turns + 3, False)
    with pytest.raises(StoppedError):
        await world.answer(card, Verb.APPROVE)
    await world.reopen()
    assert world.jobs == []
    assert (await world.card(card.id)).status is Status.PENDING
