"""Failures that are over: the same ended well since, by whose hand it may be."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from hub.contract.events import PredictionSettled
from hub.contract.words import AFTER_FAILURE, Status, Verb
from hub.contract.world import AgentStatus
from hub.domain.moment import Change
from hub.domain.plan import Plan
from hub.domain.provenance import TranscriptText
from hub.domain.readings import Reading, ShellReading
from hub.domain.situation import FinishedCommand
from hub.domain.storage import MoveCard
from hub.domain.suggestion import Card
from hub.loop.draft import Draft
from hub.loop.events import Facts, Stamped, Ticked
from hub.loop.mended import clear_proven
from tests.fakes.world import World
from tests.loop.stage import HOUR, MINUTE, a_world, never, refused, taken
from tests.loop.test_change import CLEAN, changed, failed, happen, see
from tests.loop.test_failed import BROKEN, a_failure

COMMAND = Plan(playbook="run-tests", argv=("/home/me/gateway/.venv/bin/pytest", "-q"), folder=CLEAN.path, prompt="none")


async def failed_tests(world: World) -> Card:
    """Have the tests run by a card, and fail."""
    see(world, changed("tests"))
    await happen(world, Change.GIT, after=5 * MINUTE)
    (card,) = await world.cards()
    world.results = never
    taken(await world.answer(card, Verb.APPROVE))
    card = await world.card(card.id)
    await world.finish(card.execution_id or "", BROKEN)
    card = await world.card(card.id)
    assert (card.status, card.mended_at) == (Status.FAILED, None)
    return card


async def with_plan(world: World, card: Card) -> Card:
    planned = replace(card, plan=COMMAND, version=card.version + 1)
    move = MoveCard(card=planned, expect_version=card.version, expect_status=card.status)
    await world.store.commit([(move,)])
    return planned


def ran(world: World, command: str, *, folder: str = CLEAN.path, status: int = 0) -> None:
    at = world.now
    done = FinishedCommand(at=at, folder=folder, command=TranscriptText(command), status=status, seconds=40)
    world.readings["commands"] = Reading(sensor="commands", at=at, body=ShellReading(commands=(done,)))


def draft_of(world: World, *failures: Card) -> Draft:
    return Draft(world.state, Stamped(at=world.now, event=Ticked(), seed="s", facts=Facts(failed=failures)))


async def test_the_persons_own_green_run_ends_a_failure_everywhere() -> None:
    world = await a_world()
    card = await failed_tests(world)
    green = world.now + MINUTE
    await world.until(green)
    see(world, replace(CLEAN, last_test_run_at=green))
    await happen(world, Change.TESTS, after=5 * MINUTE)
    mended = await world.card(card.id)
    assert (mended.status, mended.mended_at) == (Status.FAILED, green)
    told = [one.prediction for one in world.told(PredictionSettled) if isinstance(one, PredictionSettled)][-1]
    assert (told.id, told.mended_at, told.offers) == (card.id, green, ())
    session = world.state.world.sessions[card.id]
    assert (session.status, session.checked_by) == (AgentStatus.VERIFIED, "proof")
    await happen(world, Change.TESTS, after=HOUR)
    assert (await world.card(card.id)).version == mended.version, "it is said once"


async def test_a_run_from_before_a_red_one_and_one_elsewhere_end_nothing() -> None:
    world = await a_world()
    card = await failed_tests(world)
    before = (card.ended_at or world.now) - timedelta(seconds=1)
    for seen in (
        replace(CLEAN, last_test_run_at=before),
        failed(world.now + MINUTE),
        replace(CLEAN, path="/home/me/b"),
    ):
        see(world, seen)
        await happen(world, Change.TESTS, after=5 * MINUTE)
        assert (await world.card(card.id)).mended_at is None


@pytest.mark.parametrize(
    ("command", "folder", "status", "is_over"),
    [
        ("pytest -q", CLEAN.path, 0, True),
        (".venv/bin/pytest -q", CLEAN.path, 0, True),
        ("pytest -q", CLEAN.path, 1, False),
        ("pytest -q tests/one.py", CLEAN.path, 0, False),
        ("pytest -q", "/home/me/other", 0, False),
        ("pytest -q 'x", CLEAN.path, 0, False),
    ],
)
async def test_the_same_command_at_the_persons_shell_ends_it(
    command: str, folder: str, status: int, *, is_over: bool
) -> None:
    world = await a_world()
    card = await with_plan(world, await failed_tests(world))
    await world.until(world.now + MINUTE)
    ran(world, command, folder=folder, status=status)
    await happen(world, Change.TESTS, after=5 * MINUTE)
    assert ((await world.card(card.id)).mended_at is not None) is is_over


async def test_a_run_of_pulses_own_that_proves_the_same_ends_it() -> None:
    world = await a_world()
    failure = await with_plan(world, await failed_tests(world))
    other = replace(await a_failure(world), plan=replace(COMMAND, argv=("make",)))
    draft = draft_of(world, failure, other)
    clear_proven(draft, replace(failure, id="pred_later", status=Status.EXECUTED))
    (change,) = [one for one in draft.changes if isinstance(one, MoveCard)]
    assert (change.card.id, change.card.mended_at) == (failure.id, world.now)


async def test_an_agents_work_is_not_over_because_the_same_words_went_well_once() -> None:
    world = await a_world()
    failure = await a_failure(world)
    draft = draft_of(world, failure)
    clear_proven(draft, replace(failure, id="pred_later", status=Status.EXECUTED))
    assert draft.changes == []


@pytest.mark.parametrize("verb", AFTER_FAILURE)
async def test_there_is_nothing_left_to_say_to_it(verb: Verb) -> None:
    world = await a_world()
    card = await failed_tests(world)
    await world.until(world.now + MINUTE)
    see(world, replace(CLEAN, last_test_run_at=world.now))
    await happen(world, Change.TESTS, after=5 * MINUTE)
    reply = refused(await world.answer(await world.card(card.id), verb, attempt=1))
    assert reply.code == "nothing-failed"
