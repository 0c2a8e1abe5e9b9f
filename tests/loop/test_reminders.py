"""Reminders: at the moment of a task its card asks whether it is done, without any agent."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from hub.contract.events import PredictionExpired, PredictionNew
from hub.contract.permission import PermissionAnswer
from hub.contract.words import Status, Verb
from hub.domain.provenance import TaskText
from hub.domain.requests import RemoveTask, SaveTask, TaskSaved
from hub.domain.situation import Task
from hub.domain.storage import TaskById
from hub.domain.suggestion import Card
from hub.loop.commands import Look
from hub.loop.reminders import DONE, IN_AN_HOUR, KIND, OPEN_MAX, QUESTION_ID, TOMORROW
from tests.fakes.world import World
from tests.loop.stage import HOUR, MINUTE, a_world, taken

AT = timedelta(hours=2)
A_MOMENT = timedelta(seconds=30)


async def kept(world: World, title: str = "Call the bank", after: timedelta = AT) -> Task:
    saved = await world.ask(SaveTask(title=TaskText(title), deadline=world.now + after, in_person=True))
    assert isinstance(saved, TaskSaved)
    return saved.task


async def stored(world: World, task: Task) -> Task | None:
    return await world.store.read(TaskById(user=world.state.user, task_id=task.id))


async def reminders(world: World) -> list[Card]:
    return [card for card in await world.cards() if card.proposal.kind == KIND]


async def the_reminder(world: World, after: timedelta = AT) -> Card:
    await world.until(world.now + after + A_MOMENT)
    (card,) = [card for card in await reminders(world) if card.status is Status.PENDING]
    return card


async def say(world: World, card: Card, choice: str) -> None:
    said = PermissionAnswer(answers={QUESTION_ID: (choice,)})
    taken(await world.answer(card, Verb.APPROVE, permission=said))


async def test_a_task_comes_up_at_its_moment_and_not_before() -> None:
    world = await a_world()
    task = await kept(world)
    await world.until(world.now + AT - MINUTE)
    assert await reminders(world) == []
    card = await the_reminder(world, MINUTE)
    assert task.deadline is not None
    assert card.created_at - task.deadline <= A_MOMENT
    assert card.permission is not None
    assert "Call the bank" in card.permission.questions[0].text
    told = [one for one in world.told(PredictionNew) if isinstance(one, PredictionNew)]
    assert card.id in {one.prediction.id for one in told}
    await world.until(world.now + 2 * HOUR)
    assert len(await reminders(world)) == 1, "a moment is said once"


async def test_done_ticks_the_task_off() -> None:
    world = await a_world()
    task = await kept(world)
    card = await the_reminder(world)
    await say(world, card, DONE.text)
    assert (found := await stored(world, task)) is not None
    assert found.status == "completed"
    card = await world.card(card.id)
    assert (card.status, card.outcome) == (Status.CONFIRMED, "Done: your task is marked as completed.")
    assert card.outcome_worded is not None
    assert card.outcome_worded.code == "remind.is_done"


@pytest.mark.parametrize(("choice", "after"), [(IN_AN_HOUR.text, HOUR), (TOMORROW.text, 24 * HOUR)])
async def test_later_moves_the_moment_and_it_comes_again(choice: str, after: timedelta) -> None:
    world = await a_world()
    task = await kept(world)
    card = await the_reminder(world)
    await say(world, card, choice)
    moved = await stored(world, task)
    assert moved is not None
    assert moved.deadline is not None
    assert task.deadline is not None
    assert timedelta() <= moved.deadline - (task.deadline + after) <= A_MOMENT
    await world.until(moved.deadline + A_MOMENT)
    again = [one for one in await reminders(world) if one.status is Status.PENDING]
    assert [one.task_id for one in again] == [task.id]


async def test_what_is_done_moved_or_removed_elsewhere_takes_its_card_back() -> None:
    world = await a_world()
    done, moved, removed = [await kept(world, title) for title in ("one", "two", "three")]
    await world.until(world.now + AT + A_MOMENT)
    found = await reminders(world)
    assert len(found) == 3
    await world.ask(SaveTask(task_id=done.id, status="completed"))
    await world.ask(SaveTask(task_id=moved.id, deadline=world.now + 5 * HOUR))
    await world.ask(RemoveTask(task_id=removed.id))
    await world.until(world.now + 10 * MINUTE)
    assert {(await world.card(one.id)).status for one in found} == {Status.EXPIRED}
    over = {one.card_id for one in world.told(PredictionExpired) if isinstance(one, PredictionExpired)}
    assert {one.id for one in found} <= over


async def test_a_restart_forgets_no_reminder_and_says_none_twice() -> None:
    world = await a_world()
    await kept(world)
    await world.reopen()
    card = await the_reminder(world)
    await world.reopen()
    await world.until(world.now + 2 * HOUR)
    assert [one.id for one in await reminders(world)] == [card.id]


async def test_in_quiet_hours_it_is_told_at_their_end() -> None:
    world = await a_world()
    policy = world.state.policy
    world.state = replace(world.state, mind=replace(world.state.mind, dnd_until=world.now + 4 * HOUR))
    await kept(world)
    card = await the_reminder(world)
    assert card.held is not None
    world.state = replace(world.state, policy=policy)
    await world.until(world.now + 3 * HOUR)
    (told,) = await reminders(world)
    assert told.held is None


async def test_so_many_come_at_once_and_the_next_as_these_are_answered() -> None:
    world = await a_world()
    for number in range(OPEN_MAX + 2):
        await kept(world, f"task {number}")
    await world.until(world.now + AT + A_MOMENT)
    first = await reminders(world)
    assert len(first) == OPEN_MAX
    for card in first:
        await say(world, card, DONE.text)
    await world.until(world.now + 45 * MINUTE)
    assert len(await reminders(world)) == 2


async def test_one_that_is_taken_back_makes_room_for_the_next_at_once() -> None:
    world = await a_world()
    tasks = [await kept(world, f"task {number}") for number in range(OPEN_MAX + 1)]
    await world.until(world.now + AT + A_MOMENT)
    first = await reminders(world)
    assert len(first) == OPEN_MAX
    await world.ask(RemoveTask(task_id=first[0].task_id))
    while (await world.card(first[0].id)).status is Status.PENDING:
        await world.until(world.now + A_MOMENT)
    assert {card.task_id for card in await reminders(world)} == {task.id for task in tasks} - {first[0].task_id}


async def test_an_answer_to_a_task_that_is_gone_says_so() -> None:
    world = await a_world()
    task = await kept(world)
    card = await the_reminder(world)
    world.holding = lambda command: isinstance(command, Look)
    await world.ask(RemoveTask(task_id=task.id))
    await say(world, card, DONE.text)
    after = await world.card(card.id)
    assert after.outcome == "This task no longer exists."
