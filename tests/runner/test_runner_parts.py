"""The small parts of the shell, each by itself: alarm, feed, inbox, lines, status board."""

import asyncio
from datetime import timedelta

import msgspec
import pytest
from msgspec.structs import replace

from hub.contract.api import CrossPollStatus
from hub.contract.events import Paused, Resumed, StatusChanged
from hub.domain.requests import Withdraw
from hub.loop.events import Event, Progressed, RequestArrived, RunEnded, StartDue, Ticked
from hub.loop.views import status_of
from hub.ports import Numbered
from hub.runner import AgentRuns
from hub.runner.alarm import TICK_S, Alarm
from hub.runner.feed import KEPT_EVENTS_MAX, LiveFeed
from hub.runner.inbox import BATCH_EVENTS_MAX, Inbox, Item, card_of
from hub.runner.runs import LINES_PER_FLUSH_MAX, ProgressLines
from hub.runner.status_publisher import StatusBoard
from tests.fakes.bus import FakeBus
from tests.fakes.bus import Inbox as Heard
from tests.fakes.clock import VirtualClock, let_others
from tests.fakes.world import World, a_state
from tests.loop.stage import NOON, a_policy, running

SECOND = timedelta(seconds=1)


class Ringing:
    """An alarm that writes down when it rang."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.alarm = Alarm(self.clock, self._tick)
        self.rang: list[float] = []
        self.again: timedelta | None = None
        self._start = self.clock.now()

    async def _tick(self) -> None:
        self.rang.append((self.clock.now() - self._start).total_seconds())
        if self.again is not None:
            again, self.again = self.again, None
            self.alarm.set(self.clock.now() + again)
            self.clock.jump(2 * again)

    async def run(self, seconds: float) -> list[float]:
        task = asyncio.ensure_future(self.alarm.run())
        await self.clock.let_pass(timedelta(seconds=seconds))
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return self.rang


async def test_the_alarm_rings_every_half_minute() -> None:
    assert await Ringing().run(100) == [TICK_S, 2 * TICK_S, 3 * TICK_S]


async def test_the_alarm_rings_earlier_when_something_is_due_and_never_later() -> None:
    ringing = Ringing()
    ringing.alarm.set(NOON + 10 * SECOND)
    ringing.alarm.set(NOON + 20 * SECOND)
    ringing.alarm.set(NOON + 600 * SECOND)
    assert await ringing.run(45) == [10, 40]


async def test_the_alarm_heeds_what_is_set_while_it_sleeps() -> None:
    ringing = Ringing()
    task = asyncio.ensure_future(ringing.alarm.run())
    await ringing.clock.let_pass(5 * SECOND)
    ringing.alarm.set(NOON + 6 * SECOND)
    await ringing.clock.let_pass(2 * SECOND)
    assert ringing.rang == [6]
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_a_moment_that_passed_while_the_alarm_was_busy_is_not_missed() -> None:
    ringing = Ringing()
    ringing.again = SECOND
    assert await ringing.run(TICK_S + 5) == [TICK_S, TICK_S + 2]


async def test_a_clock_that_is_set_back_does_not_ring_at_once() -> None:
    ringing = Ringing()
    task = asyncio.ensure_future(ringing.alarm.run())
    await let_others()
    ringing.clock.jump(timedelta(hours=-1))
    await ringing.clock.let_pass(timedelta(minutes=10))
    assert ringing.rang == []
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def test_the_feed_numbers_and_replays() -> None:
    feed = LiveFeed()
    heard: list[Numbered] = []
    feed.add(heard.append)
    for number in range(5):
        feed.tell(Paused(reason=str(number)))
    feed.remove(heard.append)
    feed.tell(Resumed())
    assert [one.seq for one in heard] == [1, 2, 3, 4, 5]
    assert [one.seq for one in feed.since(3) or ()] == [4, 5, 6]
    assert feed.since(6) == ()
    assert feed.seq == 6


def test_the_feed_says_when_it_has_forgotten_or_was_never_there() -> None:
    feed = LiveFeed()
    assert feed.since(0) == ()
    assert feed.since(7) is None
    for _ in range(KEPT_EVENTS_MAX + 10):
        feed.tell(Resumed())
    assert feed.since(9) is None
    assert len(feed.since(10) or ()) == KEPT_EVENTS_MAX


async def test_a_batch_holds_nothing_twice_and_keeps_the_order() -> None:
    inbox = Inbox()
    subjects = ["a", "b", "a", "c"]
    for name in subjects:
        inbox.put(Item(RequestArrived(request=Withdraw(card_id=name))))
    inbox.put(Item(Ticked()))
    inbox.put(Item(StartDue(execution_id="exec_a_1")))
    batches = [await inbox.take() for _ in range(4)]
    assert [len(batch) for batch in batches] == [2, 2, 1, 1]
    assert isinstance(batches[2][0].event, Ticked)
    assert len(inbox) == 0


async def test_a_batch_is_bounded() -> None:
    inbox = Inbox()
    for number in range(BATCH_EVENTS_MAX + 1):
        inbox.put(Item(RequestArrived(request=Withdraw(card_id=str(number)))))
    assert len(await inbox.take()) == BATCH_EVENTS_MAX
    assert len(inbox) == 1


def test_an_execution_names_its_card() -> None:
    assert card_of("exec_abc_12") == "pred_abc"
    assert card_of("exec_ask_a_b_1") == "pred_ask_a_b"


async def test_lines_are_posted_in_batches_and_a_flood_is_counted() -> None:
    posted: list[Event] = []
    lines = ProgressLines("pred_1", "exec_1_1", posted.append)
    for number in range(LINES_PER_FLUSH_MAX + 7):
        lines.add(str(number))
    lines.flush()
    lines.add("last")
    lines.flush()
    lines.flush()
    first, second = posted
    assert isinstance(first, Progressed)
    assert isinstance(second, Progressed)
    assert (first.first, len(first.lines), first.lines[-1]) == (
        1,
        LINES_PER_FLUSH_MAX + 1,
        "(7 more lines are not shown)",
    )
    assert (second.first, second.lines) == (LINES_PER_FLUSH_MAX + 2, ("last",))


async def test_an_agent_of_a_kind_that_nothing_runs_ends_at_once() -> None:
    world = World(a_state(a_policy()), NOON)
    await world.open()
    await running(world)
    posted: list[Event] = []
    AgentRuns({}).start("pred_1", world.jobs[0], posted.append)
    event = posted[0]
    assert isinstance(event, RunEnded)
    assert (event.result.ended, event.result.cost_microusd) == ("failed-to-start", 0)


class Shown:
    """A board, and the status that it is told of."""

    def __init__(self) -> None:
        self.bus, self.feed, self.heard = FakeBus(), LiveFeed(), Heard()
        self.status: CrossPollStatus = status_of(a_state(a_policy()), NOON)
        self.board = StatusBoard(self.bus, VirtualClock(), self.feed, "me", lambda: self.status)
        self.told: list[object] = []
        self._changed = asyncio.Event()
        self.feed.add(self._hear)

    def _hear(self, numbered: Numbered) -> None:
        self.told.append(numbered.event)
        self._changed.set()

    async def wait(self) -> None:
        async with asyncio.timeout(30):
            await self._changed.wait()
        self._changed.clear()
        await let_others()

    def retained(self) -> int:
        return int(msgspec.json.decode(self.bus.broker.retained["pulse/v1/me/state"])["data"]["status"]["pending"])


@pytest.mark.slow
async def test_many_changes_are_shown_once_and_the_latest_wins() -> None:
    shown = Shown()
    for pending in range(10):
        shown.status = replace(shown.status, pending=pending)
        shown.board.refresh()
    await shown.wait()
    assert shown.told == [StatusChanged(status=shown.status)]
    assert shown.retained() == 9
    assert len(shown.bus.broker.published) == 1
    await shown.board.close()


@pytest.mark.slow
async def test_a_status_that_the_broker_missed_is_shown_again() -> None:
    shown = Shown()
    shown.bus.broker.online = False
    shown.board.refresh()
    await shown.wait()
    assert shown.bus.broker.published == []
    listener = FakeBus(shown.bus.broker, "listener")
    await listener.listen(["pulse/v1/me/state"], shown.heard)
    shown.bus.broker.online = True
    shown.board.again_if_unseen()
    await shown.heard.wait_count(1)
    assert len(shown.told) == 1
    await shown.board.close()
    await listener.close()


async def test_a_closed_board_shows_nothing_more() -> None:
    shown = Shown()
    shown.board.refresh()
    await shown.board.close()
    await let_others()
    assert shown.bus.broker.published == []
