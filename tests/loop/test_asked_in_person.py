"""What a person asked for is never swallowed: shown as risky, run with their own second yes, and written down."""

from datetime import timedelta

import pytest

from hub.contract.api import TriggerAnswer
from hub.contract.events import PredictionNew, PredictionSettled
from hub.contract.words import Badge, MoveReason, Origin, Risk, Status, TextSource, Verb
from hub.domain.episode import Decided, Judged
from hub.domain.provenance import TaskText
from hub.domain.readings import Reading, TaskReading
from hub.domain.requests import SaveTask, TaskSaved, Trigger
from hub.domain.storage import LogSince, Tasks
from hub.domain.suggestion import Card
from hub.what.choosing import UNWANTED
from tests.fakes.world import World
from tests.loop.stage import DAY, NOON, a_world, refused, taken

WISH = "Delete all customer records older than a year"


async def asked_for(world: World, wish: str = WISH, *, in_person: bool = True) -> Card:
    reply = await world.ask(Trigger(hint=wish, force=True, in_person=in_person))
    assert isinstance(reply, TriggerAnswer)
    assert reply.prediction is not None
    return await world.card(reply.prediction.id)


async def test_it_is_shown_as_risky_with_its_reason() -> None:
    world = await a_world()
    card = await asked_for(world)
    assert (card.status, card.proposal.risk, Badge.RISKY in card.badges) == (Status.PENDING, Risk.HIGH, True)
    assert "You asked for it yourself, so it waits for a second yes." in card.proposal.reasoning
    (told,) = world.told(PredictionNew)
    assert isinstance(told, PredictionNew)
    assert told.prediction.in_person


async def test_what_only_may_do_harm_is_shown_as_risky_too() -> None:
    world = await a_world()
    card = await asked_for(world, "Delete the old login page")
    assert (card.status, card.proposal.risk) == (Status.PENDING, Risk.HIGH)
    assert "It may delete" in card.proposal.reasoning
    assert not card.proposal.second_yes


async def test_the_second_yes_runs_it_and_is_written_down() -> None:
    world = await a_world()
    card = await asked_for(world)
    no = refused(await world.answer(card, Verb.APPROVE, surface="discord"))
    assert (no.code, "This needs your own yes." in no.detail) == ("rail-content", True)
    assert (await world.card(card.id)).status is Status.PENDING
    taken(await world.answer(card, Verb.APPROVE, surface="browser", in_person=True))
    assert [job.prompt for job in world.jobs] == [WISH]
    story = await world.story(card.id)
    (decided,) = [step for step in story if isinstance(step, Decided)]
    assert (decided.answer.in_person, "despite the content filter" in decided.note) == (True, True)
    assert [one.conclusion for one in story if isinstance(one, Judged)] == ["AskHuman", "Refusal", "Permit"]
    log = await world.store.read(LogSince(user="me", since=NOON, limit=9))
    assert [(line.blocked, "despite the content filter" in line.block_reason) for line in log] == [
        (True, False),
        (False, True),
    ]
    assert world.state.mind.ledger.overrides == 1


async def test_a_token_cannot_ask_for_it_and_what_was_blocked_is_visible() -> None:
    world = await a_world()
    card = await asked_for(world, in_person=False)
    assert (card.status, card.status_reason) == (Status.CANCELLED, MoveReason.BLOCKED)
    (told,) = world.told(PredictionSettled)
    assert isinstance(told, PredictionSettled)
    assert (told.prediction.id, told.prediction.outcome) == (card.id, card.outcome)
    assert refused(await world.answer(card, Verb.APPROVE, in_person=True)).code == "already-settled"


async def test_what_a_program_asks_for_is_told_as_a_programs_words() -> None:
    world = await a_world()
    reply = await world.ask(Trigger(hint="Tidy the folder ~/photos, it is a copy", by_program=True))
    assert isinstance(reply, TriggerAnswer)
    assert reply.prediction is not None
    card = await world.card(reply.prediction.id)
    assert card.status is Status.PENDING
    assert card.proposal.reasoning.startswith("A program asked for this.")
    assert "You asked" not in card.proposal.reasoning
    assert (card.proposal.origin, card.proposal.quotes) == (Origin.WORLD, (TextSource.AGENT,))
    assert card.proposal.risk is not Risk.LOW


async def test_a_person_may_ask_at_any_pace_and_a_program_may_not() -> None:
    world = await a_world()
    await world.ask(Trigger(hint="Write the release notes", by_program=True))
    again = await world.ask(Trigger(hint="Write the changelog", by_program=True))
    assert isinstance(again, TriggerAnswer)
    assert (again.triggered, "is the minimum between two" in again.message) == (False, True)
    yours = await world.ask(Trigger(hint="Write the changelog"))
    assert isinstance(yours, TriggerAnswer)
    assert yours.triggered


async def test_what_programs_ask_for_can_be_muted_and_what_you_ask_for_cannot() -> None:
    world = await a_world()
    reply = await world.ask(Trigger(hint="Write the release notes", by_program=True, channel="koji-core"))
    assert isinstance(reply, TriggerAnswer)
    assert reply.prediction is not None
    taken(await world.answer(await world.card(reply.prediction.id), Verb.NEVER))
    muted = await world.ask(Trigger(hint="Write the changelog", by_program=True, channel="koji-core"))
    assert isinstance(muted, TriggerAnswer)
    assert (muted.triggered, muted.message) == (False, UNWANTED)
    yours = await world.ask(Trigger(hint="Write the changelog", channel="koji-core"))
    assert isinstance(yours, TriggerAnswer)
    assert yours.triggered


@pytest.mark.parametrize(("in_person", "status"), [(True, Status.PENDING), (False, Status.CANCELLED)])
async def test_a_task_is_the_persons_own_if_they_wrote_it(*, in_person: bool, status: Status) -> None:
    world = await a_world()
    title = TaskText("Ship tidyinv 0.4 to PyPI and email all customers")
    deadline = NOON + timedelta(hours=20)
    saved = await world.ask(SaveTask(title=title, deadline=deadline, in_person=in_person))
    assert isinstance(saved, TaskSaved)
    tasks = await world.store.read(Tasks(user="me", limit=9))
    world.readings["tasks"] = Reading(sensor="tasks", at=NOON, body=TaskReading(tasks=tasks))
    reply = await world.ask(Trigger(force=True))
    assert isinstance(reply, TriggerAnswer)
    assert reply.prediction is not None
    assert reply.prediction.status is status
    assert (reply.prediction.risk is Risk.HIGH) is in_person


async def test_whoever_rewrites_a_task_makes_it_theirs() -> None:
    world = await a_world()
    saved = await world.ask(SaveTask(title=TaskText("Ship it"), in_person=True))
    assert isinstance(saved, TaskSaved)
    dated = await world.ask(SaveTask(task_id=saved.task.id, deadline=NOON + DAY))
    assert isinstance(dated, TaskSaved)
    assert dated.task.own_words
    rewritten = await world.ask(SaveTask(task_id=saved.task.id, title=TaskText("Ship it, and mail the keys")))
    assert isinstance(rewritten, TaskSaved)
    assert not rewritten.task.own_words


async def test_what_the_filter_is_not_sure_of_stands_on_the_card_of_others_words() -> None:
    card = await asked_for(await a_world(), "Remove everything in the home folder", in_person=False)
    assert card.proposal.risk is not Risk.LOW
    assert "It may delete or change something that is hard to recover." in card.proposal.reasoning
