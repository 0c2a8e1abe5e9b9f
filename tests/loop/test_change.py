"""Thinking on change: at once, only what is new, never alone, and not while somebody types unless it is urgent."""

from datetime import datetime, timedelta

import pytest
from msgspec.structs import replace

from hub.contract.api import TriggerAnswer
from hub.contract.events import PredictionNew
from hub.contract.surface import Presence
from hub.contract.words import Autonomy, Status, Verb
from hub.domain.drives import DriveRules
from hub.domain.moment import Change
from hub.domain.provenance import CalendarText, RepositoryText, TaskText
from hub.domain.readings import CalendarReading, GitReading, Reading
from hub.domain.requests import Pause, ReportPresence, SaveTask, Spoke, Trigger
from hub.domain.situation import Meeting, Module, NotSetUp, Repository
from hub.domain.storage import AddCard
from hub.loop.commands import AskTwin, Look
from hub.loop.events import Changed
from tests.fakes.world import DONE, World
from tests.loop.stage import HOUR, MINUTE, NOON, PHONE, a_card, a_policy, a_world, never, taken

SECOND = timedelta(seconds=1)
CLEAN = Repository(
    path="/home/me/gateway",
    name=RepositoryText("gateway"),
    branch=RepositoryText("main"),
    head="abc",
    head_at=NOON - MINUTE,
    last_test_run_at=NOON - HOUR,
    last_test_run_passed=True,
)


def see(world: World, *repositories: Repository) -> None:
    world.readings["git"] = Reading(sensor="git", at=NOON, body=GitReading(repositories=repositories))


def changed(*modules: str, repository: Repository = CLEAN) -> Repository:
    found = tuple(Module(path=RepositoryText(path), files=2) for path in modules)
    return replace(repository, changed_modules=found)


def failed(at: datetime, repository: Repository = CLEAN) -> Repository:
    return replace(repository, last_test_run_at=at, last_test_run_passed=False)


def shop(repository: Repository = CLEAN) -> Repository:
    return replace(repository, path="/home/me/shop", name=RepositoryText("shop"))


async def happen(world: World, change: Change, *, after: timedelta) -> None:
    """Let something change, and time pass; seconds count here, which the tick of half a minute would swallow."""
    await world.happen(Changed(change=change))
    end = world.now + after
    while world.now < end:
        await world.until(min(end, world.now + SECOND))


def kinds(world: World) -> list[str]:
    """Return what the cards that were shown are about, in order."""
    shown = {event.prediction.id for event in world.told(PredictionNew) if isinstance(event, PredictionNew)}
    added = (change.card for change in world.changes if isinstance(change, AddCard))
    return [card.proposal.kind for card in added if card.id in shown]


async def test_failed_tests_are_a_card_two_seconds_later_in_the_middle_of_work() -> None:
    world = await a_world()
    await world.ask(Spoke(at=NOON, source="agent"))
    see(world, failed(NOON))
    await happen(world, Change.TESTS, after=SECOND)
    assert kinds(world) == []
    await world.until(NOON + 2 * SECOND)
    assert kinds(world) == ["fix-tests"]
    assert world.autonomy.value == Autonomy.WATCHING


async def test_what_is_less_urgent_waits_until_the_person_pauses() -> None:
    world = await a_world()
    see(world, changed("tests"))
    await happen(world, Change.EDIT, after=SECOND)
    await happen(world, Change.GIT, after=5 * SECOND)
    assert kinds(world) == []
    await happen(world, Change.EDIT, after=179 * SECOND)
    assert kinds(world) == []
    await world.until(world.now + SECOND)
    assert kinds(world) == ["run-tests"]


async def test_constant_edits_cannot_starve_what_is_urgent() -> None:
    world = await a_world()
    see(world, failed(NOON))
    for _ in range(70):
        await happen(world, Change.EDIT, after=SECOND)
    assert kinds(world) == ["fix-tests"]


@pytest.mark.slow
async def test_what_was_there_before_is_not_brought_up_by_another_change() -> None:
    world = await a_world()
    see(world, changed("tests"), shop(changed("cart")))
    reply = await world.ask(Trigger())
    assert isinstance(reply, TriggerAnswer)
    assert kinds(world) == ["run-tests"]
    await happen(world, Change.GIT, after=MINUTE)
    assert kinds(world) == ["run-tests", "run-tests"], "the second was new at the look before, and had to wait"
    for card in await world.cards():
        taken(await world.answer(card, Verb.REJECT))
    for change in Change:
        await happen(world, change, after=MINUTE)
    assert kinds(world) == ["run-tests", "run-tests"]


async def test_the_first_look_shows_one_card_and_changes_do_not_bring_up_the_rest() -> None:
    world = await a_world()
    see(world, changed("tests"), shop(changed("cart")))
    await world.reopen()
    assert kinds(world) == ["run-tests"]
    await happen(world, Change.FILES, after=MINUTE)
    assert kinds(world) == ["run-tests"]


async def test_what_is_weighty_follows_the_one_card_of_the_first_look() -> None:
    world = await a_world()
    see(world, failed(NOON), shop(failed(NOON)))
    await world.reopen()
    assert kinds(world) == ["fix-tests"]
    await world.until(NOON + 10 * SECOND)
    assert kinds(world) == ["fix-tests", "fix-tests"]


async def test_two_new_matters_come_one_after_the_other() -> None:
    world = await a_world()
    see(world, failed(NOON), shop(failed(NOON)))
    await happen(world, Change.TESTS, after=10 * SECOND)
    assert kinds(world) == ["fix-tests", "fix-tests"]


async def test_what_is_weak_is_not_brought_up_by_a_change_but_by_asking() -> None:
    world = await a_world()
    branch = replace(CLEAN, unpushed=1, head_at=NOON - HOUR - MINUTE)
    see(world, branch)
    await happen(world, Change.GIT, after=MINUTE)
    assert kinds(world) == []
    await world.ask(Trigger())
    assert kinds(world) == ["push-work"]


async def test_who_comes_back_is_told_what_was_passed_over() -> None:
    world = await a_world(a_policy(drives=DriveRules(enabled=False)))
    await world.pair(PHONE)
    await world.ask(ReportPresence(sender=PHONE, presence=Presence(online=True, person_active_at=NOON)))
    see(world, changed("tests"), shop(changed("cart")))
    await world.reopen()
    await world.until(NOON + 29 * MINUTE)
    await world.ask(ReportPresence(sender=PHONE, presence=Presence(online=True, person_active_at=world.now)))
    await world.until(NOON + 29 * MINUTE + 5 * SECOND)
    assert kinds(world) == ["run-tests"]


async def test_a_meeting_comes_near_to_the_minute() -> None:
    world = await a_world()
    start = NOON + 77 * MINUTE
    meeting = Meeting(uid=CalendarText("m"), title=CalendarText("Review"), starts_at=start, ends_at=start + HOUR)
    world.readings["calendar"] = Reading(sensor="calendar", at=NOON, body=CalendarReading(meetings=(meeting,)))
    await happen(world, Change.FILES, after=MINUTE)
    assert kinds(world) == []
    await world.until(NOON + 17 * MINUTE - SECOND)
    assert kinds(world) == []
    await world.until(NOON + 18 * MINUTE)
    assert kinds(world) == ["prepare-meeting"]


async def test_a_task_that_is_soon_due_is_seen_when_half_of_its_time_is_over() -> None:
    world = await a_world()
    await world.ask(SaveTask(title=TaskText("Send the offer"), deadline=NOON + HOUR))
    await world.until(NOON + 29 * MINUTE)
    assert kinds(world) == []
    await world.until(NOON + 31 * MINUTE)
    assert kinds(world) == ["deadline"]


async def test_a_change_never_acts_by_itself_and_asks_no_model() -> None:
    world = await a_world(a_policy(autonomous=True, twin=True))
    asked: list[AskTwin] = []

    def note(question: AskTwin) -> None:
        asked.append(question)

    world.twin = note
    first = await a_card(world)
    taken(await world.answer(first, Verb.REJECT))
    await world.until(NOON + 20 * MINUTE)
    asked.clear()
    see(world, failed(world.now))
    await happen(world, Change.TESTS, after=5 * SECOND)
    assert kinds(world)[-1] == "fix-tests"
    assert asked == []
    assert world.jobs == []


async def test_a_pause_holds_for_changes() -> None:
    world = await a_world()
    await world.ask(Pause(reason="lunch"))
    see(world, failed(NOON))
    await happen(world, Change.TESTS, after=MINUTE)
    assert kinds(world) == []


async def test_a_change_during_a_cycle_is_thought_about_afterwards() -> None:
    world = await a_world()
    held: list[Look] = []

    def hold(command: object) -> bool:
        held.extend([command] if isinstance(command, Look) else [])
        return isinstance(command, Look) and len(held) == 1

    world.holding = hold
    await world.ask_unheard(Trigger())
    see(world, failed(NOON))
    await happen(world, Change.TESTS, after=30 * SECOND)
    assert len(held) == 1
    await world.until(NOON + 2 * MINUTE)
    assert kinds(world) == ["fix-tests"]


@pytest.mark.parametrize("number", [3])
async def test_after_so_many_cards_within_an_hour_only_what_is_urgent_is_said(number: int) -> None:
    policy = a_policy()
    world = await a_world(replace(policy, timing=replace(policy.timing, change_cards_per_hour_max=number)))
    for count in range(number + 2):
        see(world, changed(f"module{count}", repository=replace(CLEAN, path=f"/home/me/p{count}")))
        await happen(world, Change.GIT, after=MINUTE)
    assert kinds(world) == ["run-tests"] * number
    see(world, failed(world.now))
    await happen(world, Change.TESTS, after=5 * SECOND)
    assert kinds(world)[-1] == "fix-tests"


async def test_a_hint_works_right_after_a_trigger() -> None:
    world = await a_world()
    see(world, changed("tests"))
    assert (await world.ask(Trigger())) is not None
    reply = await world.ask(Trigger(hint="Write down what was decided"))
    assert isinstance(reply, TriggerAnswer)
    assert reply.triggered, reply.message
    again = await world.ask(Trigger(hint="Draw the graph of the packages"))
    assert isinstance(again, TriggerAnswer)
    assert again.triggered, again.message


async def test_tests_that_fail_again_after_they_passed_are_news() -> None:
    world = await a_world()
    for passed in (False, True, False):
        await world.until(world.now + 5 * MINUTE)
        see(world, replace(CLEAN, last_test_run_at=world.now, last_test_run_passed=passed))
        await happen(world, Change.TESTS, after=5 * SECOND)
        for card in await world.cards():
            if card.status is Status.PENDING:
                await world.answer(card, Verb.REJECT)
    assert kinds(world) == ["fix-tests", "fix-tests"]


async def test_what_is_under_way_is_not_brought_up_once_more_in_another_state() -> None:
    """While pip fills the environment that a yes had made, it still lacks what is being installed."""
    world = await a_world()
    world.results = never
    lacking = replace(CLEAN, last_test_run_at=None, last_test_run_passed=None)
    see(world, replace(lacking, set_up=NotSetUp(manifest="pyproject.toml", makes_environment=True)))
    await world.reopen()
    (card,) = await world.cards()
    taken(await world.answer(card, Verb.APPROVE))
    run = (await world.card(card.id)).execution_id or ""
    see(world, replace(lacking, set_up=NotSetUp(manifest="pyproject.toml", makes_environment=False)))
    await happen(world, Change.FILES, after=5 * MINUTE)
    assert kinds(world) == ["install-packages"]
    await world.finish(run, replace(DONE, exit_code=1))
    await world.ask(Trigger())
    assert kinds(world) == ["install-packages"] * 2, "once it has ended, and something is still missing"
