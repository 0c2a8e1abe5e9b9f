"""The level 1 supervisor in the loop: abandoned sessions, time-outs and odd lines, under a virtual clock."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest
from msgspec.structs import replace

from hub.contract.api import ConfigPatch
from hub.contract.permission import PermissionAnswer
from hub.contract.surface import Receipt
from hub.contract.words import DeliveryState, Verb
from hub.contract.world import AgentStatus
from hub.domain.provenance import LogText, untrusted
from hub.domain.requests import Configure, ReportReceipt
from hub.domain.suggestion import Card
from hub.domain.world import AgentLine, SessionProcess, WorldEvent, WorldLine, WorldSession
from hub.domain.world_findings import LivingProcess, ProcessLook
from hub.domain.world_lines import process_words
from hub.domain.world_log_state import AddWorldLine
from hub.loop.events import WorldRead
from hub.loop.views import status_of
from hub.loop.world_cards import QUESTION_ID
from hub.loop.world_watch import AGAIN, LOOK_EVERY, SOON, TOLD_AT_ONCE
from hub.loop.world_words import GIVE_UP, KEEP_WAITING
from tests.fakes.world import World, surfaces, utc
from tests.loop.stage import DAY, HOUR, MINUTE, NOON, PHONE, WATCH, a_policy, a_world, handed

WORKER = SessionProcess(pid=4242, started=99)
ID = "abc123"
A_WHILE = timedelta(minutes=6)
"""After it a time-out that has passed is told: looks are a few minutes apart at most."""


def agent(status: AgentStatus, at: datetime, text: str = "so it is", session: str = ID) -> AgentLine:
    return AgentLine(at=at, status=status, session=session, text=LogText(text))


def named(process: SessionProcess, at: datetime, session: str = ID) -> WorldEvent:
    return WorldEvent(at=at, source="system", identifier=LogText(session), text=process_words(process))


async def read(world: World, *lines: WorldLine) -> None:
    await world.happen(WorldRead(lines=lines, cursor=b""))


async def began(world: World, *, process: SessionProcess | None = None, active: bool = True) -> None:
    lines: list[WorldLine] = [agent(AgentStatus.START, world.now, "Book a flight")]
    lines += [agent(AgentStatus.ACTIVE, world.now, "searching")] * active
    await read(world, *lines, *([named(process, world.now)] if process else []))


async def live(world: World, moment: datetime) -> None:
    """Let hours pass, with a tick when the loop asked for one, and some besides."""
    await world.until(moment, tick=5 * MINUTE)


def session(world: World, name: str = ID) -> WorldSession:
    return world.state.world.sessions[name]


async def asked(world: World) -> list[Card]:
    """Return the open questions about sessions."""
    return [card for card in await world.cards() if card.session]


async def answer(world: World, words: str) -> None:
    (card,) = await asked(world)
    said = PermissionAnswer(answers={QUESTION_ID: (words,)})
    await world.answer(card, Verb.APPROVE, permission=said, by_device=True)


def gone(*processes: SessionProcess) -> ProcessLook:
    return ProcessLook(gone=processes)


def log_of(world: World) -> list[str]:
    """Return what the hub wrote into the log."""
    lines = [change.out.line for change in world.changes if isinstance(change, AddWorldLine)]
    return [untrusted(one.text) for one in lines if isinstance(one, AgentLine | WorldEvent)]


def alerts(world: World) -> list[str]:
    return [one.kind for one in world.state.world.watch.alerts]


# The processes.


async def test_a_look_goes_out_soon_after_lines_came_in_and_every_few_minutes_from_then_on() -> None:
    world = await a_world()
    await world.until(NOON + HOUR)
    assert world.looks == []
    begun = world.now
    await began(world, process=WORKER)
    await read(world, agent(AgentStatus.ACTIVE, world.now), agent(AgentStatus.ACTIVE, world.now))
    await world.until(begun + 11 * MINUTE)
    assert [at - begun for at, _ in world.looks] == [SOON, SOON + LOOK_EVERY, SOON + 2 * LOOK_EVERY]
    assert {look.named for _, look in world.looks} == {(WORKER,)}


async def test_a_process_that_is_missed_in_two_looks_fails_its_session_and_the_person_is_asked() -> None:
    world = await a_world()
    await world.pair(PHONE)
    await began(world, process=WORKER)
    world.processes = lambda _named: gone(WORKER)
    await world.until(NOON + SOON)
    assert session(world).status is AgentStatus.ACTIVE
    await world.until(NOON + SOON + AGAIN)
    assert session(world).status is AgentStatus.FAILED
    (card,) = await asked(world)
    assert "process ended without reporting" in card.prompt
    assert "The process ended without reporting on the work." in log_of(world)
    assert alerts(world) == ["abandoned"]
    await world.until(NOON + HOUR)
    assert alerts(world) == ["abandoned"]


async def test_one_that_was_missed_once_and_is_there_again_is_well() -> None:
    world = await a_world()
    await began(world, process=WORKER)
    looks = iter([gone(WORKER), ProcessLook(), gone(WORKER), ProcessLook()])
    world.processes = lambda _named: next(looks, ProcessLook())
    await world.until(NOON + HOUR)
    assert session(world).status is AgentStatus.ACTIVE
    assert len(world.looks) > 4


async def test_who_said_that_it_is_done_and_ended_is_not_abandoned() -> None:
    world = await a_world()
    await began(world, process=WORKER)
    world.processes = lambda _named: gone(WORKER)
    await world.until(NOON + SOON)
    await read(world, agent(AgentStatus.FINISH, world.now, "booked"))
    await world.until(NOON + 10 * MINUTE)
    assert session(world).status is AgentStatus.FINISH
    assert alerts(world) == []


async def test_a_process_that_was_named_after_the_look_began_is_not_judged_by_it() -> None:
    world, other = await a_world(), SessionProcess(pid=4243, started=7)
    await began(world, process=WORKER)
    world.processes = lambda _named: gone(WORKER)
    await world.until(NOON + SOON)
    await read(world, named(other, world.now))
    await world.until(NOON + SOON + AGAIN)
    assert session(world).status is AgentStatus.ACTIVE


async def test_a_look_that_never_comes_back_is_made_again() -> None:
    world = await a_world()
    world.holding = lambda command: type(command).__name__ == "LookAtProcesses"
    await began(world, process=WORKER)
    await world.until(NOON + 10 * MINUTE)
    world.holding = lambda _command: False
    await world.until(NOON + 13 * MINUTE)
    assert world.looks


async def test_after_a_start_a_process_that_ended_meanwhile_is_missed_at_once() -> None:
    world = await a_world()
    await began(world, process=WORKER)
    await world.until(NOON + MINUTE)
    world.processes = lambda _named: gone(WORKER)
    await world.reopen()
    await world.until(world.now + MINUTE)
    assert session(world).status is AgentStatus.FAILED
    assert len(await asked(world)) == 1


async def test_when_all_processes_end_at_once_all_sessions_fail_a_part_at_each_look() -> None:
    world, count = await a_world(), 2 * TOLD_AT_ONCE + 1
    processes = [SessionProcess(pid=number + 1, started=7) for number in range(count)]
    lines: list[WorldLine] = []
    for number, process in enumerate(processes):
        name = f"s{number}"
        lines += [agent(AgentStatus.START, NOON, session=name), named(process, NOON, session=name)]
    await read(world, *lines)
    world.processes = lambda _named: gone(*processes)
    for at, told in ((SOON + AGAIN, TOLD_AT_ONCE), (SOON + 3 * AGAIN, count)):
        await world.until(NOON + at)
        assert sum(one.status is AgentStatus.FAILED for one in world.state.world.sessions.values()) == told


async def test_an_agent_without_a_session_is_told_once_and_left_alone() -> None:
    world = await a_world()
    await began(world)
    stray = LivingProcess(process=WORKER, begun_at=NOON)
    world.processes = lambda _named: ProcessLook(agents=(stray,))
    await world.until(NOON + HOUR)
    assert alerts(world) == ["stray-process"]
    assert [one for one in log_of(world) if "without a session" in one] == ["An agent is working without a session."]
    assert world.ended_runs == []
    assert await asked(world) == []


async def test_what_a_run_of_ours_left_behind_is_ended_unless_the_run_goes_on() -> None:
    world = await a_world()
    await began(world)
    world.state = replace(world.state, running=("exec_1_1",))
    agents = (
        LivingProcess(process=WORKER, begun_at=NOON, run="exec_1_1"),
        LivingProcess(process=SessionProcess(pid=7, started=7), begun_at=NOON, run="exec_2_1"),
    )
    world.processes = lambda _named: ProcessLook(agents=agents)
    await world.until(NOON + HOUR)
    assert world.ended_runs == ["exec_2_1"]
    assert alerts(world) == ["stray-process"]


# The clock.


async def in_status(world: World, status: AgentStatus) -> None:
    """Bring a session of the file to a status, now."""
    steps: dict[AgentStatus, Sequence[AgentStatus]] = {
        AgentStatus.START: (),
        AgentStatus.ACTIVE: (AgentStatus.ACTIVE,),
        AgentStatus.FINISH: (AgentStatus.ACTIVE, AgentStatus.FINISH),
        AgentStatus.RETRY: (AgentStatus.ACTIVE, AgentStatus.FINISH, AgentStatus.RETRY),
        AgentStatus.FAILED: (AgentStatus.FAILED,),
    }
    await read(world, *(agent(one, world.now) for one in (AgentStatus.START, *steps[status])))


@pytest.mark.parametrize(
    ("status", "after", "about"),
    [
        (AgentStatus.START, HOUR, "slow"),
        (AgentStatus.ACTIVE, 2 * HOUR, "slow"),
        (AgentStatus.RETRY, HOUR, "slow"),
        (AgentStatus.FINISH, HOUR, "done"),
        (AgentStatus.FAILED, DAY, "answer"),
    ],
)
async def test_a_session_that_stays_where_it_is_is_asked_about_in_time(
    status: AgentStatus, after: timedelta, about: str
) -> None:
    policy = a_policy()
    world = await a_world(replace(policy, timing=replace(policy.timing, quiet_start_hour=0, quiet_end_hour=0)))
    await in_status(world, status)
    await live(world, NOON + after - MINUTE)
    assert alerts(world) == []
    await live(world, NOON + after + A_WHILE)
    assert alerts(world) == ["overdue"]
    question = session(world).question
    assert question is not None
    assert question.about == about
    assert len(await asked(world)) == 1


async def test_an_answer_that_nothing_came_of_is_followed_up_again() -> None:
    world = await a_world()
    await in_status(world, AgentStatus.FAILED)
    log_state = world.state.world
    stuck = replace(session(world), answer=LogText("XKCD42"), answered_at=NOON)
    world.state = replace(world.state, world=replace(log_state, sessions={ID: stuck}))
    await live(world, NOON + HOUR + A_WHILE)
    assert session(world).status is AgentStatus.RETRY


async def test_a_silent_session_is_told_of_twice_and_then_fails_with_a_question() -> None:
    world = await a_world()
    await began(world)
    await live(world, NOON + 4 * HOUR + A_WHILE)
    assert alerts(world) == ["overdue", "overdue"]
    assert session(world).status is AgentStatus.ACTIVE
    await live(world, NOON + 8 * HOUR + 3 * A_WHILE)
    assert alerts(world) == ["overdue", "overdue", "given-up"]
    assert session(world).status is AgentStatus.FAILED
    (card,) = await asked(world)
    assert "no sign of life" in card.prompt


async def test_one_that_goes_on_speaking_does_not_fail_but_its_person_is_asked_again() -> None:
    world = await a_world()
    await began(world)
    while world.now < NOON + 9 * HOUR:
        await live(world, world.now + HOUR)
        await read(world, agent(AgentStatus.ACTIVE, world.now, "still searching"))
    assert session(world).status is AgentStatus.ACTIVE
    assert alerts(world) == ["overdue"] * 3


async def test_who_says_to_keep_waiting_is_asked_again_only_after_the_whole_time() -> None:
    world = await a_world()
    await began(world)
    await live(world, NOON + 2 * HOUR + A_WHILE)
    answered = world.now
    await answer(world, KEEP_WAITING.text)
    await live(world, answered + 2 * HOUR - MINUTE)
    assert alerts(world) == ["overdue"]
    await live(world, answered + 2 * HOUR + A_WHILE)
    assert alerts(world) == ["overdue", "overdue"]


@pytest.mark.slow
async def test_who_gives_it_up_ends_it() -> None:
    world = await a_world()
    await began(world)
    await live(world, NOON + 2 * HOUR + A_WHILE)
    await answer(world, GIVE_UP.text)
    assert session(world).left_at is not None
    await live(world, NOON + 3 * DAY)
    assert await asked(world) == []
    assert alerts(world) == ["overdue"]


async def test_after_a_day_without_an_answer_every_device_is_told_aloud() -> None:
    world = await a_world()
    quieter = replace(world.state.profiles["watch"], matrix={"new-high": "silent"})
    world.state = replace(world.state, profiles={**world.state.profiles, "watch": quieter})
    await world.pair(PHONE, WATCH)
    await in_status(world, AgentStatus.FAILED)
    cards = [one for one in world.deliveries if one[2].event.__class__.__name__ == "PredictionNew"]
    assert sorted(surfaces(cards)) == [("phone", "notify"), ("watch", "silent")]
    shown = Receipt(delivery_id=handed(world, PHONE).delivery_id, state=DeliveryState.SHOWN, at=world.now)
    await world.ask(ReportReceipt(sender=PHONE, receipt=shown))
    world.deliveries.clear()
    await live(world, NOON + DAY + A_WHILE)
    cards = [one for one in world.deliveries if one[2].event.__class__.__name__ == "PredictionNew"]
    assert sorted(surfaces(cards)) == [("phone", "alert"), ("watch", "notify")]


async def test_quiet_hours_hold_what_falls_due_and_then_it_comes() -> None:
    world = await a_world(now=utc(2026, 3, 10, 21, 30))
    policy = world.state.policy
    timing = replace(policy.timing, quiet_start_hour=22, quiet_end_hour=7)
    world.state = replace(world.state, policy=replace(policy, timing=timing))
    await in_status(world, AgentStatus.START)
    await live(world, utc(2026, 3, 11, 6, 59))
    assert alerts(world) == []
    await live(world, utc(2026, 3, 11, 7, 6))
    assert alerts(world) == ["overdue"]


async def test_do_not_disturb_holds_too() -> None:
    world = await a_world()
    await in_status(world, AgentStatus.START)
    await world.ask(Configure(patch=ConfigPatch(dnd_until=NOON + 5 * HOUR), by="me"))
    await live(world, NOON + 5 * HOUR - MINUTE)
    assert alerts(world) == []
    await live(world, NOON + 5 * HOUR + A_WHILE)
    assert alerts(world) == ["overdue"]


async def test_a_snoozed_question_is_not_asked_again_until_its_time() -> None:
    policy = a_policy()
    world = await a_world(replace(policy, timing=replace(policy.timing, quiet_start_hour=0, quiet_end_hour=0)))
    await in_status(world, AgentStatus.START)
    await live(world, NOON + HOUR + A_WHILE)
    (card,) = await asked(world)
    until = world.now + 3 * HOUR
    await world.answer(card, Verb.SNOOZE, until=until)
    (snoozed,) = [await world.card(card.id)]
    assert snoozed.snoozed_until is not None
    await live(world, snoozed.snoozed_until - MINUTE)
    assert alerts(world) == ["overdue"]
    await live(world, snoozed.snoozed_until + HOUR + A_WHILE)
    assert alerts(world) == ["overdue", "overdue"]


async def test_a_restart_tells_nothing_twice_and_forgets_nothing() -> None:
    world = await a_world()
    await began(world)
    await read(world, agent(AgentStatus.VERIFIED, world.now))
    await live(world, NOON + 2 * HOUR + A_WHILE)
    said = log_of(world)
    assert len([one for one in said if "was not possible" in one]) == 1
    for _ in range(3):
        await world.reopen()
        await live(world, world.now + 20 * MINUTE)
    assert alerts(world) == []
    assert log_of(world) == said
    assert len(await asked(world)) == 1
    await live(world, NOON + 4 * HOUR + A_WHILE)
    assert alerts(world) == ["overdue"]


# Odd lines.


async def test_a_time_that_cannot_be_and_a_status_that_cannot_follow_are_told_once_and_ask_nobody() -> None:
    world = await a_world()
    await began(world)
    for _ in range(5):
        await read(world, agent(AgentStatus.ACTIVE, NOON + 400 * DAY), agent(AgentStatus.VERIFIED, world.now))
        await live(world, world.now + 6 * MINUTE)
    assert sorted(alerts(world)) == ["odd-time", "refused-status"]
    status = status_of(world.state, world.now).world
    assert status is not None
    assert [(one.kind, one.session) for one in status.alerts] == [(kind, ID) for kind in alerts(world)]
    assert len(log_of(world)) == 2
    assert await asked(world) == []


async def test_nothing_is_looked_at_where_the_log_is_switched_off() -> None:
    world = await a_world()
    await began(world, process=WORKER)
    policy = world.state.policy
    world.state = replace(world.state, policy=replace(policy, world=replace(policy.world, enabled=False)))
    await live(world, NOON + 3 * HOUR)
    assert world.looks == []
