"""Needs in the loop: they wake by themselves, for what presses most, within the rails, and fall by what was done."""

import pytest
from msgspec.structs import replace

from hub.contract.words import Autonomy, Source, Status, Verb
from hub.domain.drives import BUILT_IN_DRIVES, Drive, DriveRules, Feedback, Want
from hub.domain.execution import RunResult
from hub.domain.moment import Change
from hub.domain.policy import Policy
from hub.domain.provenance import NoteText, RepositoryText, say
from hub.domain.readings import BrokenReading, DriveFilesReading, GitReading, Reading, SystemReading
from hub.domain.reports import Wakes
from hub.domain.requests import FeedbackTaken, Pause, Spoke, TakeFeedback
from hub.domain.situation import DriveItem, Repository, SystemLoad
from hub.loop.commands import Look
from hub.loop.drive_views import view_of
from hub.loop.events import Changed
from hub.when.drives import pressure_at
from tests.fakes.world import World, a_state
from tests.loop.stage import HOUR, MINUTE, NOON, PROFILES, a_policy, a_world, finish_proven, never, refused, taken

FAST = DriveRules(rate_per_min=0.1, spike=1.5, conversation_s=300.0)
CLEAN = Repository(
    path="/home/me/gateway",
    name=RepositoryText("gateway"),
    branch=RepositoryText("main"),
    head="abc",
    head_at=NOON - HOUR,
    upstream=RepositoryText("origin/main"),
    unpushed=0,
    behind=0,
)
AHEAD = replace(CLEAN, unpushed=3, head_at=NOON - 5 * HOUR)


def of_needs(rules: DriveRules = FAST) -> Policy:
    """A policy under which nothing but needs begins a cycle for a day."""
    policy = a_policy(drives=rules)
    return replace(policy, timing=replace(policy.timing, cycle_s=86_400.0, card_ttl_s=86_400.0))


def see(world: World, *repositories: Repository) -> None:
    world.readings["git"] = Reading(sensor="git", at=NOON, body=GitReading(repositories=repositories))


async def look(world: World) -> None:
    """Let a change make Pulse look around, while somebody is at the keyboard, so that nothing weak is said."""
    await world.happen(Changed(change=Change.EDIT))
    await world.until(world.now + 2 * MINUTE)


def drive(world: World, name: str = "unfinished") -> Drive:
    found = world.state.mind.drives.named(name)
    assert found is not None
    return found


def pressed(world: World, pressure: float, name: str = "unfinished") -> None:
    """Put pressure on a drive, as days of waiting would."""
    drives = world.state.mind.drives
    each = tuple(replace(one, pressure=pressure, at=world.now) if one.name == name else one for one in drives.drives)
    mind = replace(world.state.mind, drives=replace(drives, drives=each))
    world.state = replace(world.state, mind=mind)


async def wakes(world: World) -> list[tuple[str, str, str]]:
    found = await world.store.read(Wakes(user=world.state.user, limit=99))
    return [(one.rule, one.drive, one.ended) for one in reversed(found)]


async def a_need(rules: DriveRules = FAST) -> World:
    """A world in which commits wait to be pushed, as the first look found, and nothing was said of it."""
    world = await a_world(of_needs(rules))
    see(world, AHEAD)
    await look(world)
    assert drive(world).wants
    assert await world.cards() == ()
    return world


async def test_without_anything_open_nothing_ever_wakes() -> None:
    world = await a_world(of_needs())
    await world.until(NOON + 23 * HOUR, tick=HOUR)
    assert await wakes(world) == []
    assert all(one.pressure == 0.0 for one in world.state.mind.drives.drives)


async def test_a_need_wakes_by_itself_at_the_moment_that_was_computed() -> None:
    world = await a_need()
    await world.until(NOON + 7 * HOUR, tick=10 * HOUR)
    assert await wakes(world) == [("single", "unfinished", "card")]
    (card,) = await world.cards()
    assert card.proposal.kind == "push-work"


@pytest.mark.slow
async def test_what_was_brought_up_wakes_nobody_again_while_it_waits_for_an_answer() -> None:
    world = await a_world(replace(of_needs(), timing=replace(a_policy().timing, card_ttl_s=86_400.0)))
    see(world, AHEAD)
    await look(world)
    await world.until(NOON + 23 * HOUR)
    assert await wakes(world) == []
    assert [card.proposal.kind for card in await world.cards()] == ["push-work"]
    assert drive(world).pressure > 0


async def test_a_wake_is_about_what_presses_most() -> None:
    world = await a_need()
    load = SystemLoad(load_per_core=0.1, memory_used=0.1, disk_used=0.93)
    world.readings["system"] = Reading(sensor="system", at=NOON, body=SystemReading(load=load))
    await look(world)
    assert drive(world, "system").wants
    pressed(world, 8.0)
    await world.until(world.now + 10 * MINUTE)
    first = (await world.store.read(Wakes(user=world.state.user, limit=99)))[-1]
    assert (first.drive, first.card_id is not None) == ("unfinished", True)
    assert (await world.card(first.card_id or "")).proposal.kind == "push-work"


async def test_somebody_who_is_talking_is_left_alone() -> None:
    world = await a_need()
    await world.ask(Spoke(at=world.now, source="api"))
    pressed(world, 8.0)
    await world.until(world.now + 4 * MINUTE)
    assert await wakes(world) == []
    await world.until(world.now + 5 * MINUTE)
    assert await wakes(world) == [("total", "unfinished", "card")]


async def test_a_paused_pulse_is_not_woken() -> None:
    world = await a_need()
    await world.ask(Pause(reason="later"))
    pressed(world, 8.0)
    await world.until(world.now + HOUR)
    assert await wakes(world) == []
    assert world.autonomy is Autonomy.PAUSED


async def test_switched_off_nothing_presses() -> None:
    world = await a_world(of_needs(replace(FAST, enabled=False)))
    see(world, AHEAD)
    await look(world)
    assert world.state.mind.drives.drives == ()


async def test_work_that_was_proven_lets_the_pressure_fall() -> None:
    world = await a_need()
    pressed(world, 8.0)
    world.results = never
    await world.until(world.now + 10 * MINUTE)
    (card,) = await world.cards()
    before = pressure_at(drive(world), FAST, world.now)
    taken(await world.answer(card, Verb.APPROVE))
    await finish_proven(world, card)
    assert drive(world).pressure == pytest.approx(before * 0.3, rel=0.05)
    assert drive(world).wants == ()
    assert drive(world).addressed_at == world.now


async def test_work_that_was_only_handed_over_is_no_success() -> None:
    world = await a_need()
    pressed(world, 8.0)
    await world.until(world.now + 10 * MINUTE)
    (card,) = await world.cards()
    taken(await world.answer(card, Verb.APPROVE))
    assert (await world.card(card.id)).status is Status.EXECUTED
    assert drive(world).addressed_at is None


async def test_work_that_failed_leaves_it() -> None:
    world = await a_need()
    pressed(world, 8.0)
    world.results = lambda _job: RunResult(ended="exited", exit_code=1, output="no", detail="exit code 1")
    await world.until(world.now + 10 * MINUTE)
    (card,) = await world.cards()
    taken(await world.answer(card, Verb.APPROVE))
    assert pressure_at(drive(world), FAST, world.now) >= 8.0


async def test_a_report_counts_once_and_says_what_it_moved() -> None:
    world = await a_need()
    pressed(world, 6.0)
    report = TakeFeedback(feedback=Feedback(drives=("unfinished",), outcome="success", summary="Pushed", key="k1"))
    reply = await world.ask(report)
    assert isinstance(reply, FeedbackTaken)
    ((name, before, after),) = reply.decayed
    assert name == "unfinished"
    assert [before, after] == pytest.approx([6.0, 1.8])
    assert await world.ask(report) == FeedbackTaken(repeated=True)
    assert drive(world).pressure == pytest.approx(1.8)


@pytest.mark.parametrize("names", [(), ("nothing",), ("unfinished", "nothing")])
async def test_a_report_on_what_is_no_drive_is_refused_and_moves_nothing(names: tuple[str, ...]) -> None:
    world = await a_need()
    pressed(world, 6.0)
    reply = refused(await world.ask(TakeFeedback(feedback=Feedback(drives=names, outcome="success"))))
    assert (reply.code, reply.status) == ("unknown-drive", 422)
    assert drive(world).pressure == 6.0


async def test_what_a_sensor_cannot_see_goes_on_pressing() -> None:
    world = await a_need()
    pressed(world, 3.0)
    world.readings["git"] = Reading(sensor="git", at=NOON, body=BrokenReading(detail="git is gone"))
    await look(world)
    assert drive(world).wants
    assert pressure_at(drive(world), FAST, world.now) >= 3.0


async def test_pressure_and_what_was_brought_up_survive_a_restart() -> None:
    world = await a_need()
    pressed(world, 8.0)
    await world.until(world.now + 10 * MINUTE)
    before = drive(world)
    await world.reopen()
    assert drive(world).wants[0].brought_at == before.wants[0].brought_at
    assert pressure_at(drive(world), FAST, world.now) == pytest.approx(pressure_at(before, FAST, world.now), rel=0.01)
    await world.until(world.now + HOUR)
    assert len(await wakes(world)) == 1


async def test_the_turns_of_an_hour_are_a_limit() -> None:
    world = await a_need(replace(FAST, turns_per_hour_max=1, again_s=400.0))
    pressed(world, 8.0)
    await world.until(world.now + 50 * MINUTE)
    assert len(await wakes(world)) == 1


async def test_a_need_of_an_agent_with_no_idea_of_ours_wakes_and_finds_nothing() -> None:
    world = await a_need()
    told = Want(
        key="told", sensor="agent", strength=0.5, says=say("More tests"), since=world.now, until=NOON + 9 * HOUR
    )
    drives = world.state.mind.drives
    each = tuple(replace(one, wants=(told,), pressure=9.0) if one.name == "learning" else one for one in drives.drives)
    world.state = replace(world.state, mind=replace(world.state.mind, drives=replace(drives, drives=each)))
    await world.until(world.now + 20 * MINUTE)
    assert ("single", "learning", "nothing") in await wakes(world) or ("total", "learning", "nothing") in await wakes(
        world
    )
    assert all(card.proposal.source is not Source.ASK for card in await world.cards())


async def test_it_sleeps_until_the_crossing() -> None:
    world = await a_need()
    world.wake_at = None
    await world.until(world.now + MINUTE)
    assert world.wake_at is not None
    assert world.now + 30 * MINUTE < world.wake_at < world.now + HOUR


async def test_files_that_are_saved_without_a_pause_keep_no_need_for_ever() -> None:
    world = await a_need()
    await world.until(world.now + 10 * MINUTE)
    pressed(world, 8.0)
    began = world.now
    while world.now < began + 29 * MINUTE:
        await world.happen(Changed(change=Change.EDIT))
        await world.until(world.now + MINUTE)
    assert await wakes(world) == []
    while world.now < began + 35 * MINUTE:
        await world.happen(Changed(change=Change.EDIT))
        await world.until(world.now + MINUTE)
    assert await wakes(world) == [("total", "unfinished", "card")]


async def test_cards_that_came_unasked_leave_room_between_them() -> None:
    world = await a_need()
    changes = replace(world.state.changes, shown_at=(world.now,), busy_at=None)
    world.state = replace(world.state, changes=changes)
    pressed(world, 8.0)
    await world.until(world.now + 4 * MINUTE)
    assert await wakes(world) == []
    await world.until(world.now + 2 * MINUTE)
    assert await wakes(world) == [("total", "unfinished", "card")]


async def test_an_hour_that_has_had_enough_cards_has_no_more_by_need() -> None:
    world = await a_need()
    most = world.state.policy.timing.change_cards_per_hour_max
    changes = replace(world.state.changes, shown_at=(world.now,) * most, busy_at=None)
    world.state = replace(world.state, changes=changes)
    pressed(world, 8.0)
    await world.until(world.now + 55 * MINUTE)
    assert await wakes(world) == []
    await world.until(world.now + 10 * MINUTE)
    assert await wakes(world) == [("total", "unfinished", "card")]


async def test_it_says_what_presses_nothing_and_why() -> None:
    world = await a_world(replace(of_needs(), agents=()))
    item = DriveItem(kind="goals", path="/g.json", id=NoteText("g"), text=NoteText("Launch it"), weight=0.75)
    world.readings["drive-files"] = Reading(sensor="drive-files", at=NOON, body=DriveFilesReading(items=(item,)))
    world.readings["system"] = Reading(
        sensor="system",
        at=NOON,
        body=SystemReading(load=SystemLoad(load_per_core=0.1, memory_used=0.1, disk_used=0.97)),
    )
    await look(world)
    assert [one.says.text for one in drive(world, "system").wants] == ["See what fills the disk (97% used)"]
    assert world.state.idle == (("Take the next step towards the goal «Launch it»", "no-agent"),)
    (shown,) = view_of(world.state, world.now).idle
    assert shown.why == "no-agent"


async def test_the_drives_are_there_before_the_first_look() -> None:
    world = World(a_state(of_needs(), PROFILES), NOON)
    world.holding = lambda command: isinstance(command, Look)
    await world.open()
    assert world.state.cycle is not None
    assert {one.name for one in world.state.mind.drives.drives} == {name for name, _ in BUILT_IN_DRIVES}
