"""An open card is judged again by the next cycle that may act, with what is true then; an answer in between wins."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from hub.contract.api import ConfigPatch
from hub.contract.events import ExecutionStarted
from hub.contract.words import MoveReason, Status, Verb
from hub.domain.judgement import Ledger
from hub.domain.mind import Mind
from hub.domain.moment import Change
from hub.domain.plan import DefiningFile, Plan
from hub.domain.provenance import RepositoryText
from hub.domain.readings import GitReading, Reading
from hub.domain.requests import Configure, Spoke, Trigger
from hub.domain.situation import Module, Repository
from hub.domain.storage import SaveMind, StepsOf
from hub.domain.suggestion import Card, Work
from hub.loop.commands import Command, Resolve
from hub.loop.decide_again import decide_again
from hub.loop.events import Changed, Resolved
from tests.fakes.agent import allowed, consent
from tests.fakes.world import World, a_state
from tests.loop.stage import HOUR, MINUTE, NOON, PHONE, PROFILES, a_policy, handed, refused, taken

GATEWAY = "/home/me/gateway"
WORK = Work(playbook="run-tests", workspace=GATEWAY)
BEGUN = NOON + 5 * MINUTE
NEXT = NOON + 61 * MINUTE
"""The first half-hourly cycle after half an hour of silence is over."""


def reading(*modules: str) -> Reading:
    repository = Repository(
        path=GATEWAY,
        name=RepositoryText("gateway"),
        branch=RepositoryText("main"),
        head="abc",
        head_at=NOON - MINUTE,
        changed_modules=tuple(Module(path=RepositoryText(module), files=2) for module in modules),
        last_test_run_at=NOON - HOUR,
        last_test_run_passed=False,
        playbooks=("run-tests",),
    )
    return Reading(sensor="git", at=NOON, body=GitReading(repositories=(repository,)))


async def an_open_card(*, is_allowed: bool = True) -> tuple[World, Card]:
    """Something changed: a card, which no look of that kind ever runs; then the person falls silent."""
    policy = a_policy(autonomous=True)
    agent = policy.playbook_agent
    alone = (allowed("run-tests", agent, WORK),) if is_allowed else ()
    ledger = Ledger(
        decisions=40,
        seen_combos=(f"start>koji-core>{agent.name}",),
        known_plans=(consent("run-tests", agent, WORK),),
        standing=alone,
    )
    world = World(a_state(policy, PROFILES), NOON)
    await world.store.commit([(SaveMind(user="me", mind=Mind(ledger=ledger)),)])
    await world.open()
    await world.pair(PHONE)
    await world.until(BEGUN)
    world.readings["git"] = reading("src", "tests", "docs", "web")
    await world.happen(Changed(change=Change.GIT))
    await world.until(BEGUN + MINUTE)
    (card,) = await world.cards()
    assert world.jobs == []
    await world.ask(Spoke(at=BEGUN + MINUTE, source="api"))
    return world, card


@pytest.mark.slow
async def test_it_runs_alone_in_the_next_cycle() -> None:
    world, card = await an_open_card()
    await world.until(NEXT)
    assert [job.prompt for job in world.jobs] == [card.prompt]
    ran = await world.card(card.id)
    assert (ran.status, ran.autonomous, ran.attempts) == (Status.EXECUTED, True, 1)
    steps = await world.store.read(StepsOf(user=card.user, card_id=card.id, limit=99))
    again = decide_again(steps)
    assert {one.room for one in again} == {"what", "may", "where"}
    assert all(one.same for one in again), "what ran alone can be decided again from what was kept"
    assert [move.card.status_reason for move in world.moves if move.card.id == card.id] == [
        MoveReason.AUTO_APPROVED,
        MoveReason.VERIFIED,
    ]
    assert len([event for event in world.told(ExecutionStarted) if getattr(event, "autonomous", False)]) == 1
    assert await world.cards() == ()
    assert [one.runs for one in world.state.mind.ledger.standing] == [1]


@pytest.mark.slow
async def test_without_a_standing_yes_it_stays_a_card_and_is_made_once() -> None:
    world, card = await an_open_card(is_allowed=False)
    await world.until(NEXT + HOUR)
    assert world.jobs == []
    assert [one.id for one in await world.cards()] == [card.id]


async def snooze(world: World, card: Card) -> None:
    taken(await world.answer(card, Verb.SNOOZE, until=world.now + 10 * MINUTE))


async def dismiss_and_undo(world: World, card: Card) -> None:
    taken(await world.answer(card, Verb.REJECT))
    taken(await world.answer(await world.card(card.id), Verb.UNDO))


async def another_command(world: World, card: Card) -> None:
    del card
    world.plans = lambda _agent, _work: Plan(playbook="run-tests", argv=("curl",), folder=GATEWAY)


async def another_file(world: World, card: Card) -> None:
    before = card.plan
    assert isinstance(before, Plan)
    planted = replace(before, defined_by=(DefiningFile(path="Makefile", sha256="00"),))
    world.plans = lambda _agent, _work: planted


async def more_changes(world: World, card: Card) -> None:
    del card
    world.readings["git"] = reading("src", "tests", "docs", "web", "more")


async def not_alone(world: World, card: Card) -> None:
    del card
    await world.ask(Configure(patch=ConfigPatch(autonomous=False), by="me"))


async def do_not_disturb(world: World, card: Card) -> None:
    del card
    await world.ask(Configure(patch=ConfigPatch(dnd_until=NOON + 9 * HOUR), by="me"))


async def three_rejections(world: World, card: Card) -> None:
    del card
    ledger = replace(world.state.mind.ledger, rejections_in_row=3)
    world.state = replace(world.state, mind=replace(world.state.mind, ledger=ledger))


async def at_work(world: World, card: Card) -> None:
    del card
    for minute in range(10, 60, 10):
        await world.until(NOON + minute * MINUTE)
        await world.ask(Spoke(at=world.now, source="api"))


async def the_sensor_is_blind(world: World, card: Card) -> None:
    del card
    world.readings.clear()


HINDRANCES = (
    snooze,
    dismiss_and_undo,
    another_command,
    another_file,
    more_changes,
    not_alone,
    do_not_disturb,
    three_rejections,
    at_work,
    the_sensor_is_blind,
)


@pytest.mark.parametrize("hindrance", HINDRANCES)
async def test_what_keeps_it_a_card(hindrance) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001  one of the above
    world, card = await an_open_card()
    await hindrance(world, card)
    await world.until(NEXT)
    assert world.jobs == []
    assert (await world.card(card.id)).status is Status.PENDING


async def test_what_a_person_asked_for_waits_for_them() -> None:
    world, card = await an_open_card()
    taken(await world.answer(card, Verb.REJECT))
    world.readings["git"] = reading("src", "tests", "docs", "web", "more")
    await world.ask(Trigger(force=True))
    (mine,) = await world.cards()
    assert mine.trigger == "manual"
    await world.until(NEXT)
    assert world.jobs == []


async def resolving() -> tuple[World, Card, str]:
    """The cycle has chosen the open card, and waits to hear what would run."""
    world, card = await an_open_card()
    asked: list[Resolve] = []

    def hold(command: Command) -> bool:
        asked.extend([command] if isinstance(command, Resolve) else [])
        return isinstance(command, Resolve)

    world.holding = hold
    await world.until(NOON + 60 * MINUTE)
    assert world.state.cycle is not None
    assert world.state.cycle.again == card.id
    return world, card, asked[-1].cycle_id


async def resolved(world: World, cycle_id: str, card: Card) -> None:
    world.holding = lambda _command: False
    assert card.plan is not None
    await world.happen(Resolved(cycle_id=cycle_id, plan=card.plan))


async def test_it_runs_what_it_waited_for() -> None:
    world, card, cycle_id = await resolving()
    await resolved(world, cycle_id, card)
    assert (await world.card(card.id)).autonomous


@pytest.mark.parametrize(
    ("verb", "status", "jobs"),
    [(Verb.REJECT, Status.REJECTED, 0), (Verb.APPROVE, Status.EXECUTED, 1), (Verb.SNOOZE, Status.PENDING, 0)],
)
async def test_the_persons_answer_in_between_wins(verb: Verb, status: Status, jobs: int) -> None:
    world, card, cycle_id = await resolving()
    taken(await world.answer(card, verb))
    await resolved(world, cycle_id, card)
    after = await world.card(card.id)
    assert (after.status, after.autonomous) == (status, False)
    assert len(world.jobs) == jobs


async def test_an_answer_that_comes_after_it_is_told_so() -> None:
    world, card = await an_open_card()
    delivery = handed(world, PHONE)
    await world.until(NEXT)
    assert refused(await world.answer(card, Verb.REJECT)).code == "already-settled"
    await world.hand_in(delivery, PHONE, Verb.APPROVE, card.card_hash)
    assert len(world.jobs) == 1


async def test_when_it_may_not_run_after_all_the_cycle_goes_on() -> None:
    world, card, cycle_id = await resolving()
    ledger = replace(world.state.mind.ledger, standing=())
    world.state = replace(world.state, mind=replace(world.state.mind, ledger=ledger))
    await resolved(world, cycle_id, card)
    assert world.state.cycle is None
    assert world.jobs == []
    assert (await world.card(card.id)).status is Status.PENDING


@pytest.mark.slow
async def test_it_is_the_same_after_a_restart() -> None:
    world, card, _cycle_id = await resolving()
    world.holding = lambda _command: False
    await world.reopen()
    assert world.jobs == []
    await world.until(world.now + HOUR + timedelta(minutes=1))
    assert [job.prompt for job in world.jobs] == [card.prompt]
