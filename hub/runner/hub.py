"""The asyncio shell around the pure loop: a bounded inbox, one transaction per batch, one branch per command."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import date, datetime, timedelta
from functools import partial

from msgspec.structs import replace

from hub.contract.api import CrossPollStatus, HealthPart
from hub.contract.errors import BusyError, PulseError
from hub.contract.words import Status
from hub.domain.mind import interruptions_on
from hub.domain.policy import Policy
from hub.domain.requests import Refused, Reply, Request
from hub.domain.storage import (
    AddCard,
    Change,
    CommitOutcome,
    Committed,
    DeleteSent,
    MoveCard,
    ReleaseLeases,
    SaveMind,
    Send,
    Unwritten,
)
from hub.kit.tasks import BackgroundTasks
from hub.loop import Next, State, commands, step
from hub.loop.events import (
    CycleBroke,
    Event,
    Opened,
    RequestArrived,
    Resolved,
    RunEnded,
    SensorsRead,
    Stamped,
    StartDue,
    Ticked,
    TwinAnswered,
    WorldRead,
)
from hub.loop.views import status_of
from hub.ports import Bus, Clock, Store
from hub.runner.alarm import Alarm
from hub.runner.card_cache import CardCache, moves
from hub.runner.emergency import Arming, Emergency, stops
from hub.runner.facts import read_facts, read_opened
from hub.runner.feed import LiveFeed
from hub.runner.fixes import BUG_FIX, LOST, LOST_FIX, STORE_FIX
from hub.runner.habit_trainer import HabitTrainer
from hub.runner.inbox import Inbox, Item, card_id_of
from hub.runner.model_trainer import ModelTrainer
from hub.runner.outbox import Outbox
from hub.runner.own_health import own_health
from hub.runner.process_watcher import ProcessWatcher
from hub.runner.runs import AgentRuns
from hub.runner.sensor_reader import SensorReader
from hub.runner.status_publisher import StatusBoard
from hub.runner.waiters import Waiters
from hub.runner.world_keeper import WorldKeeper

REOPEN_S = 1.0
TRIES_MAX = 5
"""How often an event is decided again because another hub was faster."""
CLOSE_S_MAX = 1.0
log = logging.getLogger(__name__)


class Hub:
    """Runs the loop. Everything that changes state goes through `submit` or `post`, one event after the other."""

    def __init__(  # noqa: PLR0913  the parts of a hub, by name
        self,
        state: State,
        *,
        store: Store,
        bus: Bus,
        clock: Clock,
        sensor_reader: SensorReader,
        runs: AgentRuns,
        trainer: HabitTrainer,
        models: ModelTrainer | None = None,
        processes: ProcessWatcher | None = None,
        world: WorldKeeper | None = None,
        new_seed: Callable[[], str],
        arming: Arming,
    ) -> None:
        self.feed = LiveFeed()
        self._state = state
        self._store, self._bus, self._clock = store, bus, clock
        self._sensor_reader, self._runs, self._trainer = sensor_reader, runs, trainer
        self._models, self._world, self._processes = models, world, processes
        self._new_seed = new_seed
        self._inbox = Inbox()
        self._card_cache = CardCache(store, state.user)
        self._outbox = Outbox(store, bus, clock)
        self._board = StatusBoard(bus, clock, self.feed, state.user, self.status)
        self.emergency = Emergency(arming, runs, self.post, self._board.refresh)
        self._alarm = Alarm(clock, self._tick)
        self._waiting = Waiters()
        self._tasks = BackgroundTasks(partial(self._report, where="a part of the hub ended"))
        self._kept: list[Item] = []
        self._bug = self._trouble = ""

    # The way in.

    async def start(self) -> None:
        """Take up what was stored and begin."""
        opened = await read_opened(self._store, self._clock, self._state.user)
        self._tasks.spawn(self._work(self.emergency.opened(opened, self._clock.now())))
        self._tasks.spawn(self._alarm.run())

    async def submit(self, request: Request) -> Reply:
        """Return the loop's reply once all that follows from it is durable."""
        return await self._answered(lambda name: RequestArrived(request=request, reply_to=name))

    async def take_in(self, read: WorldRead) -> Reply:
        """Return the loop's reply to lines of the world log once what comes of them is durable."""
        return await self._answered(lambda name: replace(read, reply_to=name))

    async def _answered(self, named: Callable[[str], RequestArrived | WorldRead]) -> Reply:
        name, waiter = self._waiting.add()
        event = named(name)
        if stops(event):
            self.emergency.press()
        try:
            self._inbox.put(Item(event, waiter), own=isinstance(event, WorldRead))
            return await waiter
        finally:
            self._waiting.remove(name)

    def post(self, event: Event) -> None:
        """Queue an event that nobody waits for."""
        self._inbox.put(Item(event), own=True)

    def status(self) -> CrossPollStatus:
        """Return the autonomous state and budgets as they are now."""
        return status_of(self.state(), self._clock.now())

    def now(self) -> datetime:
        """Return the present moment."""
        return self._clock.now()

    def policy(self) -> Policy:
        """Return the rules as they run now."""
        return self._state.policy

    def interruptions_on(self, day: date) -> int:
        """Return how many interruptions that day had."""
        return interruptions_on(self._state.mind, day.isoformat())

    def state(self) -> State:
        """Return the loop's state (a value; it cannot be changed)."""
        return self.emergency.over(self._state)

    def health(self) -> tuple[HealthPart, ...]:
        """Return the health of every part."""
        return (
            self._store.health(),
            *own_health(self._bus.health(), self._bug or self._trouble),
            *self._sensor_reader.health(self.policy()),
            *self._runs.health(),
            self._trainer.health(),
            *(part.health() for part in (self._world, self._processes) if part is not None),
        )

    async def close(self) -> None:
        """Stop: nothing more is taken; agents are ended, and the next start reports them as interrupted."""
        await self._tasks.close()
        await self._board.close()
        await self._runs.close()
        await self._sensor_reader.close()
        await self._outbox.close(CLOSE_S_MAX)
        self._waiting.close()

    # One turn: read what is needed, step, commit, act.

    async def _work(self, opened: Opened) -> None:
        await self._take([Item(opened)])
        while self._state.mind.started_at is None:  # the disk refused; an emergency stop must not be forgotten
            await self._clock.sleep_until(self._clock.now() + timedelta(seconds=REOPEN_S))
            await self._take([Item(opened)])
        while True:
            await self._take(await self._inbox.take())

    async def _take(self, batch: Sequence[Item]) -> None:
        try:
            await self._turn(batch)
        except PulseError as error:  # the store could not even be read
            log.error("a batch of %d events was not taken: %s", len(batch), error.code)  # noqa: TRY400  expected
            self._trouble = f"{error.code}: {error.detail}"
            self._fail(batch, Refused(code=error.code, status=error.status, detail=error.detail, fix=error.fix))
        except Exception as bug:  # noqa: BLE001  in health and log, and whoever waits is told
            self._fail(batch, self._report(bug, "a bug in the shell"))
        else:
            self._trouble = ""

    async def _turn(self, batch: Sequence[Item]) -> None:
        events = [item.event for item in batch]
        facts = await read_facts(self._store, self._clock, self._state, events, self._card_cache)
        stamped = [
            Stamped(at=self._clock.now(), seed=self._new_seed(), event=item.event, facts=fact)
            for item, fact in zip(batch, facts, strict=True)
        ]
        before, presses = self.state(), self.emergency.presses
        steps = self._steps(before, stamped)
        outcomes = await self._commit([one.changes for one in steps])
        if all(isinstance(outcome, Committed) for outcome in outcomes):
            self._state = steps[-1].state
            for item in batch:
                self._settle(item, presses)
            for one in steps:
                self._act(one)
            return
        await self._mend(batch, stamped, steps, outcomes)

    async def _commit(self, transactions: Sequence[tuple[Change, ...]]) -> tuple[CommitOutcome, ...]:
        """Commit what is to be written; a step without changes has nothing to lose."""
        written = [changes for changes in transactions if changes]
        if written and (done := self._outbox.acknowledged()):
            written.append((DeleteSent(ids=done),))
        outcomes = iter(await self._store.commit(written) if written else ())
        return tuple(next(outcomes) if changes else Committed() for changes in transactions)

    async def _mend(
        self,
        batch: Sequence[Item],
        stamped: Sequence[Stamped],
        steps: Sequence[Next],
        outcomes: Sequence[CommitOutcome],
    ) -> None:
        """Some transactions of a batch were not written: act on those that were, and tell the others."""
        for item, one, done, outcome in zip(batch, stamped, steps, outcomes, strict=True):
            if isinstance(outcome, Committed):
                self._state = self._state_after(one, done)
                self._act(done)
            elif isinstance(outcome, Unwritten):
                self._fail([item], Refused(code=outcome.code, status=507, detail=outcome.detail, fix=STORE_FIX))
            else:
                self._retry(item)
        if any(isinstance(outcome, Committed) for outcome in outcomes):
            await self._store.commit([(SaveMind(user=self._state.user, mind=self._state.mind),)])

    def _state_after(self, stamped: Stamped, done: Next) -> State:
        """Return the state that belongs to a written step when one before it in its batch was not written.

        Steps are pure, so stepping again gives it. If the unwritten step mattered to this one, what was written
        counts, and the other's bookings stay in the state: the rails then count too much, never too little.
        """
        again = self._step(self._state, stamped)
        return again.state if moves(again.changes) == moves(done.changes) else done.state

    def _retry(self, item: Item) -> None:
        """Another hub was faster: look at the card as it is now and decide again, after what already waits."""
        self._card_cache.forget(card_id_of(item.event))
        item.tries += 1
        if item.tries >= TRIES_MAX:
            self._fail([item], Refused(code=BusyError.code, status=BusyError.status, detail=LOST, fix=LOST_FIX))
        elif item.waiter is None or not item.waiter.done():
            self._inbox.put(item, own=True)

    def _act(self, done: Next) -> None:
        self._card_cache.keep(done.changes)
        self._wake_for(done.changes)
        self._outbox.send([change.message for change in done.changes if isinstance(change, Send)])
        if any(isinstance(change, ReleaseLeases) for change in done.changes):
            self._tasks.spawn(self._claim())
        for command in done.commands:
            self._do(command)

    def _wake_for(self, changes: Sequence[Change]) -> None:
        """Tick when a card that was just written expires or comes back."""
        for change in changes:
            if isinstance(change, AddCard | MoveCard) and change.card.status is Status.PENDING:
                card = change.card
                self._alarm.set(min(card.expires_at, card.snoozed_until or card.expires_at))

    def _do(self, command: commands.Command) -> None:  # noqa: C901, PLR0912  one branch per command is the point
        match command:
            case commands.TakeBack(request=request):
                self.post(RequestArrived(request=request))
            case commands.Respond(to=to, reply=reply):
                self._waiting.answer(to, reply)
            case commands.Tell(event=event):
                self.feed.tell(event)
            case commands.Mention():
                self._outbox.mention(command)
            case commands.ShowStatus():
                self._board.refresh()
            case commands.Look(cycle_id=cycle_id):
                self._tasks.spawn(
                    self._think(cycle_id, lambda: self._sensor_reader.look(cycle_id, self._state, self.post))
                )
            case commands.AskTwin(cycle_id=cycle_id):
                self._tasks.spawn(
                    self._think(cycle_id, lambda: self._sensor_reader.ask_twin(command, self._state, self.post))
                )
            case commands.AskWhetherToWake() | commands.ProveFinish() | commands.JudgeFinish():
                self._tasks.spawn(self._sensor_reader.find_out(command, self.post))
            case commands.Resolve():
                self._tasks.spawn(self._think(command.cycle_id, lambda: self._runs.resolve(command, self.post)))
            case commands.Train(before=before):
                self._tasks.spawn(self._trainer.train(before, self.post))
            case commands.TrainModel() | commands.StopTraining() if self._models is not None:
                self._models.do(command, self.post)
            case commands.LookAtProcesses() | commands.EndStrays() if self._processes is not None:
                self._processes.do(command, self.post)
            case commands.Start(execution_id=execution_id):
                self.post(StartDue(execution_id=execution_id))
            case commands.Run(card_id=card_id, job=job):
                self.emergency.begin(card_id, job)
            case commands.Stop(execution_id=execution_id):
                self._runs.stop(execution_id)
            case commands.WakeAt(at=at):
                self._alarm.set(at)
            case commands.WriteWorld() if self._world is not None:
                self._world.lines_wait()

    def _steps(self, state: State, stamped: Sequence[Stamped]) -> list[Next]:
        steps: list[Next] = []
        for one in stamped:
            steps.append(self._step(steps[-1].state if steps else state, one))
        return steps

    def _step(self, state: State, stamped: Stamped) -> Next:
        """Step; an event that cannot be taken is refused by itself and changes nothing.

        A step is pure, so even a bug in it leaves the state as it was: it is reported in health and log, the one who
        asked is told, and the events of everybody else go on.
        """
        try:
            return step(state, stamped)
        except PulseError as error:
            refused = Refused(code=error.code, status=error.status, detail=error.detail, fix=error.fix)
        except Exception as bug:  # noqa: BLE001  a bug, which is reported in three places
            refused = self._report(bug, "a bug in the loop")
        to = stamped.event.reply_to if isinstance(stamped.event, RequestArrived | WorldRead) else ""
        return Next(state=state, changes=(), commands=(commands.Respond(to=to, reply=refused),))

    async def _think(self, cycle_id: str, work: Callable[[], Awaitable[None]]) -> None:
        """Look or ask for a cycle; whatever becomes of that, the cycle ends."""
        try:
            await work()
        except PulseError as error:
            self.post(CycleBroke(cycle_id=cycle_id, why=error.detail))
        except Exception as bug:  # noqa: BLE001  in health and log, and the cycle ends
            self.post(CycleBroke(cycle_id=cycle_id, why=self._report(bug, "a bug while looking around").detail))

    # Failures, and the rest.

    def _report(self, bug: BaseException, where: str) -> Refused:
        log.error(where, exc_info=bug)
        self._bug = f"{type(bug).__name__}: {bug}"
        return Refused(code=PulseError.code, status=PulseError.status, detail=self._bug, fix=BUG_FIX)

    def _fail(self, batch: Sequence[Item], refused: Refused) -> None:
        """These were not taken: whoever waits is told, and what must not be lost is kept for the next tick."""
        for item in batch:
            self.emergency.missed(item.event)
            outcome: Reply = self.emergency.told(refused, self.status()) if stops(item.event) else refused
            if item.waiter is not None and not item.waiter.done():
                item.waiter.set_result(outcome)
            elif isinstance(item.event, StartDue | RunEnded):
                self._kept.append(item)
            elif isinstance(item.event, SensorsRead | TwinAnswered | Resolved):
                self._break_off(item.event.cycle_id, refused)

    def _settle(self, item: Item, presses: int) -> None:
        """A stop or a lift is stored: the file follows, and whoever lifts is told if that fails."""
        refused = self.emergency.settle(item.event, presses)
        if refused is not None and item.waiter is not None and not item.waiter.done():
            item.waiter.set_result(refused)

    def _break_off(self, cycle_id: str, refused: Refused) -> None:
        """What a cycle found could not be written: whoever asked for it is told why, and the next one can begin."""
        cycle = self._state.cycle
        if cycle is not None and cycle.id == cycle_id:
            self._waiting.answer(cycle.reply_to, refused)
        self.post(CycleBroke(cycle_id=cycle_id, why=refused.detail))

    async def _tick(self) -> None:
        self.emergency.tick()
        kept, self._kept = self._kept, []
        for item in kept:
            item.tries = 0
            self._inbox.put(item, own=True)
        self.post(Ticked())
        await self._claim()
        self._board.again_if_unseen()

    async def _claim(self) -> None:
        try:
            await self._outbox.claim()
        except PulseError as error:  # nothing must die of a disk that will come back
            self._trouble = f"{error.code}: {error.detail}"
