"""The whole loop in one thread under a virtual clock: the pure step, a store in memory, and a scripted outside.

It interprets commands as the shell does, but at once and in order, so that a test is a playbook: at this time that
happens, and these are the events and deliveries that follow.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from hub.contract.address import ApnsAddress
from hub.contract.events import AnyEvent
from hub.contract.permission import PermissionAnswer
from hub.contract.surface import CardDelivery, Decision, Presence, Verdict
from hub.contract.topics import DeviceAddress
from hub.contract.words import Autonomy, HumanInput, Verb
from hub.do import looked_again
from hub.domain.execution import Job, RunResult
from hub.domain.plan import AnyPlan
from hub.domain.policy import Agent, Policy
from hub.domain.provenance import ModelText
from hub.domain.readings import MessageReading, Reading, TaskReading
from hub.domain.reports import Wakes
from hub.domain.requests import (
    DeviceDecision,
    RegisterDevice,
    Reply,
    ReportPresence,
    Request,
    SetAddress,
)
from hub.domain.storage import (
    CardById,
    Change,
    Committed,
    CountOpen,
    CountOpenAsks,
    Devices,
    HeldCards,
    KnownReasons,
    MindOf,
    MoveCard,
    OpenCards,
    OpenExecutions,
    Send,
    StepsOf,
    Tasks,
)
from hub.domain.suggestion import Answer, Card, Guess, Work
from hub.domain.twin import TwinReply, TwinSaid
from hub.domain.world import SessionProcess, WorldLine
from hub.domain.world_findings import ProcessLook
from hub.domain.world_proof import ProofFinding
from hub.loop import State, step
from hub.loop.commands import (
    AskTwin,
    AskWhetherToWake,
    Command,
    EndStrays,
    JudgeFinish,
    Look,
    LookAtProcesses,
    ProveFinish,
    Resolve,
    Respond,
    Run,
    Start,
    Stop,
    TakeBack,
    Tell,
    WakeAt,
)
from hub.loop.draft import Draft, Next
from hub.loop.events import (
    WAKES_TAKEN_UP,
    Event,
    FinishJudged,
    FinishProven,
    Opened,
    ProcessesSeen,
    RequestArrived,
    Resolved,
    RunEnded,
    SensorsRead,
    Stamped,
    StartDue,
    Ticked,
    TwinAnswered,
    WakeJudged,
)
from hub.loop.habits import latest
from hub.runner.facts import read_facts, read_session_cards
from hub.runner.world_facts import opened_sessions
from tests.fakes.agent import a_plan
from tests.fakes.deliveries import delivered, verdicts
from tests.fakes.plans import planned
from tests.fakes.stopped import StoppedClock, StoppedError
from tests.fakes.store import MemoryStore

TICK = timedelta(seconds=30)
LIMIT = 200
APPS = frozenset({"phone", "watch"})
APP_ADDRESS = ApnsAddress(token="a1" * 32)
DONE = RunResult(ended="exited", exit_code=0, output="24 passed in 1.2s", detail="exit code 0")


class World:
    """One person, one hub, and everything that tests decide."""

    def __init__(self, state: State, now: datetime, *, readings: Mapping[str, Reading] | None = None) -> None:
        self.clock = StoppedClock(now)
        self.state = state
        self.store = MemoryStore()
        self.readings = dict(readings or {})
        self.guesses: deque[Guess | None] = deque()
        self.plans: Callable[[Agent, Work], AnyPlan] = a_plan
        self.twin: Callable[[AskTwin], Guess | None] = lambda _asked: self.guesses.popleft() if self.guesses else None
        self.model_price_microusd = 0
        self.questions: list[AskWhetherToWake] = []
        self.judge: Callable[[AskWhetherToWake], TwinSaid] = lambda _asked: TwinSaid(words=ModelText("YES, go on"))
        self.proofs: Callable[[ProveFinish], tuple[ProofFinding, ...]] = lambda _asked: ()
        """What is found of what a session needs; as long as no test says so, nobody can look."""
        self.log_lines: tuple[WorldLine, ...] = ()
        self.judged: list[JudgeFinish] = []
        self.verdict: Callable[[JudgeFinish], TwinSaid] = lambda _asked: TwinSaid(words=ModelText(""), wrong="no model")
        self.results: Callable[[Job], RunResult | None] = lambda _job: DONE
        self.events: list[tuple[datetime, AnyEvent]] = []
        self.deliveries: list[tuple[datetime, DeviceAddress, CardDelivery]] = []
        self.verdicts: list[tuple[DeviceAddress, Verdict]] = []
        self.jobs: list[Job] = []
        self.replies: dict[str, Reply] = {}
        self.processes: Callable[[tuple[SessionProcess, ...]], ProcessLook] = lambda _named: ProcessLook()
        self.looks: list[tuple[datetime, LookAtProcesses]] = []
        self.ended_runs: list[str] = []
        self.wake_at: datetime | None = None
        self.changes: list[Change] = []
        self.stopping: tuple[int, bool] | None = None
        """The turn in which the world stops, and whether its transaction is still written."""
        self.turns = 0
        self.holding: Callable[[Command], bool] = lambda _command: False
        """Which commands are not carried out; a test brings what comes back of them."""
        self._fresh = state
        self._queue: deque[Event] = deque()
        self._seeds = 0
        self._asked = 0

    @property
    def now(self) -> datetime:
        return self.clock.now()

    @property
    def moves(self) -> list[MoveCard]:
        """All moves of cards that were written, in order."""
        return [change for change in self.changes if isinstance(change, MoveCard)]

    @property
    def autonomy(self) -> Autonomy:
        return self.state.mind.autonomy.state

    async def open(self) -> None:
        """Start (or start again, after a stop at any moment)."""
        user = self.state.user
        open_runs = await self.store.read(OpenExecutions(user=user, limit=LIMIT))
        pairs = [(one, await self.store.read(CardById(user=user, card_id=one.card_id))) for one in open_runs]
        held = await self.store.read(HeldCards(user=user, limit=LIMIT))
        opened = Opened(
            mind=await self.store.read(MindOf(user=user)),
            known=await self.store.read(KnownReasons(user=user, limit=LIMIT)),
            devices=await self.store.read(Devices(user=user)),
            executions=tuple(pairs),
            open_count=await self.store.read(CountOpen(user=user)),
            open_asks=await self.store.read(CountOpenAsks(user=user)),
            taught=await self.store.read(latest(user)),
            held=len(held),
            sessions=await opened_sessions(self.store, user),
            session_cards=await read_session_cards(self.store, self.clock, user),
            wakes=await self.store.read(Wakes(user=user, limit=WAKES_TAKEN_UP)),
        )
        await self.happen(opened)

    async def reopen(self) -> None:
        """Stop at once, as by a kill -9, and start again with what was stored."""
        self.stopping = None
        self._queue.clear()
        self.state = self._fresh
        self.wake_at = None
        await self.open()

    def restart_with(self, policy: Policy) -> None:
        """Let the next `reopen` find other settings in the file."""
        self._fresh = replace(self._fresh, file_policy=policy, policy=policy)

    async def until(self, moment: datetime, tick: timedelta = TICK) -> None:
        """Let time pass, with a tick every half minute (or `tick`) and whenever the loop asked for one."""
        while self.now < moment:
            following = min(moment, self.now + tick)
            if self.wake_at is not None and self.now < self.wake_at < following:
                following = self.wake_at
            await self.clock.sleep_until(following)
            await self.happen(Ticked())

    async def ask(self, request: Request) -> Reply:
        """Hand in a request and return the reply."""
        self._asked += 1
        name = f"r{self._asked}"
        await self.happen(RequestArrived(request=request, reply_to=name))
        return self.replies[name]

    async def ask_unheard(self, request: Request) -> str:
        """Hand in a request whose reply may come later, or never; return its name in `replies`."""
        self._asked += 1
        name = f"r{self._asked}"
        await self.happen(RequestArrived(request=request, reply_to=name))
        return name

    async def answer(self, card: Card, verb: Verb, *, surface: str = "phone", **extra: object) -> Reply:
        """Answer a card, as the API would."""
        self._asked += 1
        answer = Answer(
            key=f"k{self._asked}",
            card_id=card.id,
            verb=verb,
            by="me",
            surface=surface,
            device="mine",
            human_input=HumanInput.TAP,
            card_hash=card.card_hash,
            **extra,  # type: ignore[arg-type]  # the test names fields of Answer
        )
        return await self.ask(answer)

    async def hand_in(
        self,
        delivery: CardDelivery,
        address: DeviceAddress,
        verb: Verb,
        card_hash: str,
        permission: PermissionAnswer | None = None,
    ) -> None:
        """Answer as a device does, with the token it was handed."""
        self._asked += 1
        decision = Decision(
            decision_id=f"d{self._asked}",
            card_id=getattr(delivery.event, "prediction").id,  # noqa: B009  only card events are handed in
            verb=verb,
            card_hash=card_hash,
            token=delivery.token,
            human_input=HumanInput.TAP,
            at=self.now,
            permission=permission,
        )
        await self.ask(DeviceDecision(sender=address, decision=decision))

    async def pair(self, *addresses: DeviceAddress) -> None:
        """Pair devices and have them come online; the profile is named like the surface. Apps register with APNs."""
        for address in addresses:
            await self.ask(RegisterDevice(address=address, profile=address.surface))
            if address.surface in APPS:
                await self.ask(SetAddress(address=address, push=APP_ADDRESS))
            await self.ask(ReportPresence(sender=address, presence=Presence(online=True)))

    async def happen(self, event: Event) -> None:
        """Take an event, and everything that follows from it at once."""
        self._queue.append(event)
        await self._drain()

    async def finish(self, execution_id: str, result: RunResult = DONE) -> None:
        """Let a running agent end."""
        await self.happen(RunEnded(execution_id=execution_id, result=result))

    async def cards(self) -> tuple[Card, ...]:
        """Return the open cards, newest first."""
        return await self.store.read(OpenCards(user=self.state.user, limit=LIMIT, now=self.now))

    async def card(self, card_id: str) -> Card:
        """Return a stored card."""
        card = await self.store.read(CardById(user=self.state.user, card_id=card_id))
        assert card is not None
        return card

    async def story(self, card_id: str) -> list[object]:
        """Return the bodies of an episode's steps."""
        steps = await self.store.read(StepsOf(user=self.state.user, card_id=card_id, limit=LIMIT))
        return [one.body for one in steps]

    def told(self, kind: type[AnyEvent]) -> list[AnyEvent]:
        """Return the events of one type, in order."""
        return [event for _, event in self.events if isinstance(event, kind)]

    async def _drain(self) -> None:
        while self._queue:
            await self._turn(self._queue.popleft())

    async def _turn(self, event: Event) -> None:
        facts = (await read_facts(self.store, self.clock, self.state, [event]))[0]
        self._seeds += 1
        stamped = Stamped(at=self.now, seed=f"s{self._seeds:05d}", event=event, facts=facts)
        await self._carry_out(step(self.state, stamped))

    async def add(self, work: Callable[[Draft], None]) -> None:
        """Let a part of the loop do something in a step of its own, before the event that leads to it is there."""
        self._seeds += 1
        draft = Draft(self.state, Stamped(at=self.now, seed=f"s{self._seeds:05d}", event=Ticked()))
        work(draft)
        await self._carry_out(draft.finish())
        await self._drain()

    async def _carry_out(self, done: Next) -> None:
        self.turns += 1
        stops = self.stopping is not None and self.turns >= self.stopping[0]
        if stops and not (self.stopping and self.stopping[1]):
            raise StoppedError
        if done.changes:
            outcomes = await self.store.commit([done.changes])
            assert outcomes == (Committed(),), outcomes
        self.changes += done.changes
        if stops:
            raise StoppedError
        self.state = done.state
        sent = [change.message for change in done.changes if isinstance(change, Send)]
        self.deliveries += [(self.now, *one) for one in delivered(sent)]
        self.verdicts += verdicts(sent)
        for command in done.commands:
            if not self.holding(command):
                await self._do(command)

    async def _do(self, command: Command) -> None:  # noqa: C901, PLR0912  one branch per command is the point
        match command:
            case TakeBack(request=request):
                self._queue.append(RequestArrived(request=request))
            case Respond(to=to, reply=reply):
                self.replies[to] = reply
            case Tell(event=event):
                self.events.append((self.now, event))
            case Look(cycle_id=cycle_id):
                await self._look(cycle_id)
            case AskWhetherToWake():
                self.questions.append(command)
                self._queue.append(WakeJudged(said=self.judge(command)))
            case ProveFinish(check_id=check_id, session=session):
                found = self.proofs(command)
                proven = FinishProven(check_id=check_id, session=session, found=found, lines=self.log_lines)
                self._queue.append(proven)
            case JudgeFinish(check_id=check_id, session=session, chat=chat):
                self.judged.append(command)
                answer, model = self.verdict(command), chat.service.name
                self._queue.append(FinishJudged(check_id=check_id, session=session, model=model, said=answer))
            case AskTwin(cycle_id=cycle_id):
                guess = self.twin(command)
                said = TwinReply(guesses=(guess,) if guess else (), cost_microusd=self.model_price_microusd)
                self._queue.append(TwinAnswered(cycle_id=cycle_id, reply=said))
            case Start(execution_id=execution_id):
                self._queue.append(StartDue(execution_id=execution_id))
            case Resolve(cycle_id=cycle_id, agent=agent, work=work, tester=tester, command=words):
                self._queue.append(Resolved(cycle_id=cycle_id, plan=planned(self.plans, agent, work, tester, words)))
            case Run(job=job):
                work = Work(playbook=job.playbook, workspace=job.workspace, args=job.args, resumes=job.resumes)
                result = looked_again(job, planned(self.plans, job.agent, work, job.tester, job.need.command))
                if result is None:
                    self.jobs.append(job)
                    result = self.results(job)
                if result is not None:
                    self._queue.append(RunEnded(execution_id=job.execution_id, result=result))
            case Stop(execution_id=execution_id):
                stopped = RunResult(ended="stopped", exit_code=None, output="", detail="stopped")
                self._queue.append(RunEnded(execution_id=execution_id, result=stopped))
            case LookAtProcesses(named=named):
                self.looks.append((self.now, command))
                self._queue.append(ProcessesSeen(look=self.processes(named)))
            case EndStrays(run=run):
                self.ended_runs.append(run)
            case WakeAt(at=at):
                self.wake_at = at

    async def _look(self, cycle_id: str) -> None:
        tasks = await self.store.read(Tasks(user=self.state.user, limit=LIMIT, open_only=True))
        messages = MessageReading(last_message_at=self.state.mind.last_message_at)
        found = {name: reading.body for name, reading in self.readings.items()}
        found |= {"tasks": TaskReading(tasks=tasks), "messages": messages}
        fresh = {name: Reading(sensor=name, at=self.now, body=body) for name, body in found.items()}
        self._queue.append(SensorsRead(cycle_id=cycle_id, readings=fresh))


def a_state(policy: Policy, profiles: Mapping[str, object] | None = None) -> State:
    """Return the state of a hub that has just been made."""
    return State(user="me", secret=b"s" * 32, file_policy=policy, policy=policy, profiles=dict(profiles or {}))  # type: ignore[arg-type]  # profiles by name


def utc(*parts: int) -> datetime:
    """Return a moment in UTC."""
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc,arg-type]  # year, month, day and so on


def surfaces(deliveries: Sequence[tuple[datetime, DeviceAddress, CardDelivery]]) -> list[tuple[str, str]]:
    """Return (surface, loudness) of each delivery."""
    return [(address.surface, delivery.loudness) for _, address, delivery in deliveries]
