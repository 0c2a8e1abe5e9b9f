"""The day's digest: what is due, what is planned and what yesterday brought, told once, without any agent."""

from datetime import datetime, timedelta

from msgspec.structs import replace

from hub.contract.alone import DaySummary
from hub.contract.events import DigestReady
from hub.contract.topics import DeviceAddress
from hub.domain.provenance import CalendarText, TaskText
from hub.domain.readings import CalendarReading, Reading
from hub.domain.requests import GiveDigest, SaveTask, TaskSaved
from hub.domain.situation import Meeting
from tests.fakes.world import World, a_state, utc
from tests.loop.stage import HOUR, MINUTE, a_policy

PHONE = DeviceAddress(surface="terminal", device="local")
MORNING = utc(2026, 3, 3, 9)
EVE = MORNING - timedelta(hours=13)


def days(world: World) -> list[DaySummary]:
    told = [one for one in world.told(DigestReady) if isinstance(one, DigestReady)]
    return [one.day for one in told if one.day is not None]


def plan(world: World, *meetings: Meeting) -> None:
    world.readings["calendar"] = Reading(sensor="calendar", at=world.now, body=CalendarReading(meetings=meetings))


def meeting(title: str, at: datetime, lasts: timedelta = HOUR, *, all_day: bool = False) -> Meeting:
    text = CalendarText(title)
    return Meeting(uid=text, title=text, starts_at=at, ends_at=at + lasts, all_day=all_day)


async def at_eve() -> World:
    """The evening before, in UTC."""
    world = World(a_state(replace(a_policy(), zone="UTC")), EVE)
    await world.open()
    await world.pair(PHONE)
    return world


async def test_the_day_comes_in_the_morning_in_its_order_and_once() -> None:
    world = await at_eve()
    await world.ask(SaveTask(title=TaskText("Call the bank"), deadline=MORNING + 3 * HOUR))
    await world.ask(SaveTask(title=TaskText("The day after"), deadline=MORNING + 27 * HOUR))
    plan(world, meeting("Stand-up", MORNING + HOUR), meeting("Fair", MORNING - 9 * HOUR, 24 * HOUR, all_day=True))
    await world.until(MORNING + MINUTE)
    (told,) = days(world)
    assert [(one.kind, one.title, one.time) for one in told.entries] == [
        ("meeting", "Fair", ""),
        ("meeting", "Stand-up", "10:00"),
        ("task", "Call the bank", "12:00"),
        ("tomorrow", "The day after", "12:00"),
    ]
    await world.until(MORNING + 5 * HOUR)
    assert len(days(world)) == 1


async def test_a_day_without_anything_is_not_told() -> None:
    world = await at_eve()
    await world.until(MORNING + 10 * HOUR)
    assert days(world) == []


async def test_a_calendar_that_is_connected_later_brings_the_day_and_a_task_of_now_does_not() -> None:
    world = await at_eve()
    await world.until(MORNING + 2 * HOUR)
    await world.ask(SaveTask(title=TaskText("Call the bank"), deadline=MORNING + 5 * HOUR))
    await world.until(MORNING + 3 * HOUR)
    assert days(world) == []
    plan(world, meeting("Stand-up", MORNING + 6 * HOUR))
    await world.until(MORNING + 4 * HOUR)
    (told,) = days(world)
    assert [one.title for one in told.entries] == ["Stand-up"]


async def test_what_was_due_and_what_yesterday_brought() -> None:
    world = await at_eve()
    await world.ask(SaveTask(title=TaskText("Pay the rent"), deadline=world.now + HOUR))
    done = await world.ask(SaveTask(title=TaskText("Water the plants")))
    assert isinstance(done, TaskSaved)
    await world.ask(SaveTask(task_id=done.task.id, status="completed"))
    await world.until(MORNING + MINUTE)
    (told,) = days(world)
    assert [(one.kind, one.title) for one in told.entries] == [("overdue", "Pay the rent")]
    assert told.tasks == 1


async def test_it_waits_for_the_end_of_quiet_and_who_wants_no_digests_has_none() -> None:
    world = await at_eve()
    plan(world, meeting("Stand-up", MORNING + 6 * HOUR))
    world.state = replace(world.state, mind=replace(world.state.mind, dnd_until=MORNING + 2 * HOUR))
    await world.until(MORNING + HOUR)
    assert days(world) == []
    await world.until(MORNING + 2 * HOUR + MINUTE)
    assert len(days(world)) == 1
    policy = world.state.policy
    none = replace(policy, attention=replace(policy.attention, digest_times=()))
    world.state = replace(world.state, policy=none)
    await world.until(MORNING + 30 * HOUR)
    assert len(days(world)) == 1


async def test_who_asks_for_a_digest_is_told_the_day_again() -> None:
    world = await at_eve()
    plan(world, meeting("Stand-up", MORNING + 6 * HOUR))
    await world.until(MORNING + MINUTE)
    await world.ask(GiveDigest())
    assert len(days(world)) == 2


async def test_a_restart_tells_no_day_twice() -> None:
    world = await at_eve()
    plan(world, meeting("Stand-up", MORNING + 6 * HOUR))
    await world.until(MORNING + MINUTE)
    await world.reopen()
    await world.until(MORNING + 3 * HOUR)
    assert len(days(world)) == 1


async def test_it_comes_without_a_sound_in_the_middle_of_a_meeting() -> None:
    world = await at_eve()
    plan(world, meeting("Early call", MORNING - HOUR, 2 * HOUR), meeting("Stand-up", MORNING + 6 * HOUR))
    await world.until(MORNING + MINUTE)
    (told,) = days(world)
    assert [one.title for one in told.entries] == ["Early call", "Stand-up"]
    assert world.state.mind.spent.interruptions == 0
