"""A command as the need: shown, run by the person's yes in person and by nothing else, and what comes of it."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from hub.contract.api import ConfigPatch
from hub.contract.permission import PermissionAnswer
from hub.contract.words import Risk, RunState, Status, TextSource, Verb
from hub.contract.world import AgentStatus
from hub.domain.execution import RunResult
from hub.domain.plan import AnyPlan, CannotPlan, Plan
from hub.domain.policy import Agent
from hub.domain.requests import Configure
from hub.domain.storage import AddExecution, MoveExecution, RecentCards
from hub.domain.suggestion import CHECK_COMMAND, Card, Work
from hub.loop.events import RunEnded
from hub.loop.world_commands import NO_FOLDER, NO_SHELL
from tests.fakes.world import DONE, World
from tests.loop.asking_sessions import lines_of, say
from tests.loop.spawned import at_work, spawn, spawned, trip
from tests.loop.stage import a_world, never, refused, taken
from tests.loop.supervised import FILE, Supervised, supervised

RUN, YES = "Run it and check", "Yes, it's done"
NEED, FOLDER = "exit 0: make test", "/srv/shop"
FAILED = RunResult(ended="exited", exit_code=2, output="collecting\n\ntest_cart FAILED\n1 failed, 3 passed\n")


def planned(agent: Agent, work: Work) -> AnyPlan:
    argv = (f"/usr/bin/{work.args[0]}", *work.args[1:]) if work.args else agent.argv
    return Plan(playbook=work.playbook or "", argv=argv, folder=work.workspace or "", prompt="none")


async def asked(need: str = NEED, folder: str = FOLDER) -> tuple[Supervised, Card]:
    """Return a world in which a session of the file says that it is done, and the question about it."""
    on = await supervised()
    on.world.plans = planned
    if folder:
        await on.append(f"[agent:start][abc] Book a flight | need: {need}\n[event:system][abc] folder {folder}\n")
        await on.append("[agent:active][abc] on it\n[agent:finish][abc] done, I think\n")
    else:
        await on.finish(need)
    (card,) = await on.asked()
    return on, card


def labels(card: Card) -> list[str]:
    assert card.permission is not None
    return [choice.label for choice in card.permission.questions[0].choices]


async def run_card(world: World) -> Card:
    return next(
        one for one in await world.store.read(RecentCards(user="me", limit=9)) if one.proposal.kind == CHECK_COMMAND
    )


async def test_it_is_offered_with_all_of_what_would_run_and_nothing_runs_before_a_yes() -> None:
    on, card = await asked()
    assert labels(card) == [YES, "Not yet", RUN]
    assert card.prompt.endswith("Pulse can run this to check: /usr/bin/make test, in /srv/shop.")
    assert card.plan == Plan(playbook=CHECK_COMMAND, argv=("/usr/bin/make", "test"), folder=FOLDER, prompt="none")
    assert not on.world.jobs


async def test_a_yes_in_person_runs_just_that_by_a_permit_and_exit_0_verifies() -> None:
    on, card = await asked()
    taken(await say(on.world, card, RUN))
    (job,) = on.world.jobs
    assert (job.agent.name, job.playbook, job.args, job.plan) == (
        "built-in",
        CHECK_COMMAND,
        ("make", "test"),
        card.plan,
    )
    (execution,) = [one.execution for one in on.world.changes if isinstance(one, AddExecution)]
    assert (execution.autonomous, execution.permit.plan) == (False, card.plan)
    session = on.session()
    assert (session.status, session.checked_by, session.checking) == (AgentStatus.VERIFIED, "proof", "")
    assert on.written == ["[agent:verified][abc] What it needs is there: “make test” ended with 0"]
    ran = await run_card(on.world)
    assert (ran.status, ran.proposal.risk, ran.proposal.quotes) == (
        Status.EXECUTED,
        Risk.HIGH,
        (TextSource.WORLD_LOG,),
    )
    assert not await on.asked()
    assert "system: checked by running: it ended with 0 (exited)" in lines_of(on.world)


async def test_another_exit_status_is_a_retry_that_says_the_last_lines() -> None:
    on, card = await asked()
    on.world.results = lambda _job: FAILED
    taken(await say(on.world, card, RUN))
    assert on.session().status is AgentStatus.RETRY
    (said,) = on.written
    assert said.endswith("“make test” ended with 2: collecting / test_cart FAILED / 1 failed, 3 passed")
    await on.again()
    assert len(on.world.jobs) == 1, "the next end takes a yes of its own"
    (again,) = await on.asked()
    assert labels(again)[-1] == RUN


@pytest.mark.parametrize("by_device", [False, True])
async def test_neither_a_token_nor_a_device_can_let_it_run(*, by_device: bool) -> None:
    on, card = await asked()
    answer = PermissionAnswer(answers={"session": (RUN,)})
    reply = await on.world.answer(card, Verb.APPROVE, permission=answer, by_device=by_device)
    assert refused(reply).code == "yes-of-your-own"
    assert not on.world.jobs
    assert (await on.world.card(card.id)).status is Status.PENDING
    taken(await say(on.world, card, RUN))
    assert len(on.world.jobs) == 1


async def test_two_answers_run_it_once() -> None:
    on, card = await asked()
    on.world.results = never
    taken(await say(on.world, card, RUN))
    for words in (YES, RUN):
        assert taken(await say(on.world, card, words)).repeated
    assert (len(on.world.jobs), on.session().status) == (1, AgentStatus.FINISH)


async def test_a_stop_holds_for_it() -> None:
    on, card = await asked()
    await on.world.ask(Configure(patch=ConfigPatch(emergency_stop=True), by="me"))
    refused(await say(on.world, card, RUN))
    assert not on.world.jobs
    assert (await on.world.card(card.id)).status is Status.PENDING


async def test_what_the_filter_blocks_stays_blocked_for_all_of_a_yes() -> None:
    on, card = await asked("exit 0: rm -rf /")
    assert refused(await say(on.world, card, RUN)).code == "rail-content"
    assert not on.world.jobs
    assert on.session().status is AgentStatus.FINISH
    taken(await say(on.world, card, YES))
    assert on.session().status is AgentStatus.VERIFIED


async def test_a_folder_that_is_another_by_now_is_asked_about_anew() -> None:
    on, card = await asked()
    await on.append("[event:system][abc] folder /home/evil\n")
    assert refused(await say(on.world, card, RUN)).code == "card-changed"
    assert not on.world.jobs


async def test_what_would_run_and_is_not_as_it_was_seen_is_not_run_and_asked_anew() -> None:
    on, card = await asked()
    assert isinstance(card.plan, Plan)
    now = replace(card.plan, argv=("/home/evil/make", "test"))
    on.world.plans = lambda _agent, _work: now
    on.world.results = lambda _job: RunResult(ended="changed", exit_code=None, output="", detail="changed", plan=now)
    taken(await say(on.world, card, RUN))
    assert (await run_card(on.world)).status is Status.CANCELLED
    assert on.session().status is AgentStatus.FINISH
    await on.world.until(on.world.now + timedelta(minutes=2))
    (again,) = await on.asked()
    assert again.id != card.id
    assert "/home/evil/make" in again.prompt


@pytest.mark.parametrize("ended", ["timeout", "stopped", "lost"])
async def test_a_run_that_says_nothing_is_put_to_the_person_and_not_offered_again(ended: str) -> None:
    on, card = await asked()
    on.world.results = lambda _job: RunResult(ended=ended, exit_code=None, output="")  # type: ignore[arg-type]  # by name
    taken(await say(on.world, card, RUN))
    assert on.session().status is AgentStatus.FINISH
    (again,) = await on.asked()
    assert labels(again) == [YES, "Not yet"]


async def test_a_session_that_goes_on_stops_its_run_and_what_comes_late_changes_nothing() -> None:
    on, card = await asked()
    on.world.results = never
    taken(await say(on.world, card, RUN))
    ran = await run_card(on.world)
    await on.append("[agent:failed][abc] lost it | need: help\n")
    assert (on.session().status, on.session().checking) == (AgentStatus.FAILED, "")
    await on.world.happen(RunEnded(execution_id=ran.execution_id or "", result=DONE))
    assert on.session().status is AgentStatus.FAILED


async def test_a_restart_runs_nothing_twice_and_asks_anew() -> None:
    on, card = await asked()
    on.world.results = never
    taken(await say(on.world, card, RUN))
    await on.world.reopen()
    assert len(on.world.jobs) == 1
    states = [one.execution.state for one in on.world.changes if isinstance(one, MoveExecution)]
    assert states[-1] is RunState.INTERRUPTED
    assert (await run_card(on.world)).status is Status.CANCELLED
    session = on.session()
    assert (session.status, session.checking) == (AgentStatus.FINISH, "")
    assert session.question is not None
    assert session.question.offered is not None


async def test_what_is_missing_elsewhere_decides_before_anything_is_run() -> None:
    on = await supervised()
    on.files = ["missing"]
    assert (await on.finish(f"{FILE}; exit 0: make test")).status is AgentStatus.RETRY
    assert not on.world.jobs


@pytest.mark.parametrize(
    ("need", "folder", "why"),
    [(NEED, "", NO_FOLDER), ("exit 0: make test && rm -rf ~", FOLDER, NO_SHELL)],
)
async def test_what_cannot_be_run_is_only_asked_about(need: str, folder: str, why: str) -> None:
    on, card = await asked(need, folder)
    assert labels(card) == [YES, "Not yet"]
    assert on.session().question is not None
    assert on.session().question.detail == why  # type: ignore[union-attr]  # looked at above


async def test_what_cannot_be_found_out_is_only_asked_about() -> None:
    on = await supervised()
    on.world.plans = lambda _agent, _work: CannotPlan(why="The program make was not found.")
    await on.append(f"[agent:start][abc] x | need: {NEED}\n[event:system][abc] folder {FOLDER}\n")
    await on.append("[agent:active][abc] on it\n[agent:finish][abc] done\n")
    (card,) = await on.asked()
    assert labels(card) == [YES, "Not yet"]
    assert "was not found" in card.proposal.reasoning


# A spawn's own command.


async def a_spawn_world() -> World:
    world = await a_world()
    world.plans = lambda agent, work: (
        planned(agent, work) if work.playbook else Plan(argv=agent.argv, folder=work.workspace or "", prompt="input")
    )
    return world


async def ends(world: World, proof: RunResult | None) -> None:
    card = next(one for one in await world.store.read(RecentCards(user="me", limit=9)) if one.try_of)
    await world.finish(card.execution_id or "", replace(DONE, output="did it", proof=proof))


async def test_a_spawns_card_shows_by_what_it_is_checked_and_the_yes_covers_that() -> None:
    world = await a_spawn_world()
    card = await spawned(world, need=NEED, folder=FOLDER)
    assert isinstance(card.plan, Plan)
    assert card.plan.then == Plan(playbook=CHECK_COMMAND, argv=("/usr/bin/make", "test"), folder=FOLDER, prompt="none")
    assert "Checked by running: /usr/bin/make test in shop." in card.proposal.reasoning
    assert card.proposal.need.command == ("make", "test")


async def test_a_try_whose_command_passed_is_verified_and_one_whose_did_not_tries_again() -> None:
    world = await a_spawn_world()
    await at_work(world, need=NEED, folder=FOLDER)
    assert world.jobs[-1].tester is not None
    await ends(world, FAILED)
    assert trip(world).status is AgentStatus.ACTIVE, "the yes to the card covers the next try"
    assert "“make test” ended with 2" in world.jobs[-1].prompt
    await ends(world, DONE)
    assert (trip(world).status, trip(world).checked_by) == (AgentStatus.VERIFIED, "proof")
    assert not [one for one in await world.cards() if one.session]


async def test_what_was_not_run_after_a_try_is_asked_about() -> None:
    world = await a_spawn_world()
    await at_work(world, need=NEED, folder=FOLDER)
    await ends(world, RunResult(ended="changed", exit_code=None, output="", detail="Makefile"))
    assert trip(world).status is AgentStatus.FINISH
    (card,) = [one for one in await world.cards() if one.session]
    assert labels(card)[-1] == RUN


async def test_a_spawn_without_a_folder_runs_no_command() -> None:
    world = await a_spawn_world()
    card = await spawned(world, need=NEED)
    assert card.proposal.need.command == ()
    assert isinstance(card.plan, Plan)
    assert card.plan.then is None


async def test_a_command_that_the_filter_blocks_is_not_ordered() -> None:
    world = await a_spawn_world()
    assert refused(await spawn(world, need="exit 0: rm -rf /", folder=FOLDER)).code == "rail-content"
    assert not world.jobs
