"""The real loop under a virtual clock: each step as the shell takes it, with nothing kept and nothing run.

What is slow elsewhere (looking, finding out what would run, running, training) comes back at once; time passes only
from one event, answer or tick to the next. Between two events that are further apart than `IDLE_MAX`, Pulse would
think about the same again and again: the clock jumps.
"""

import heapq
from collections import deque
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Protocol

from hub.contract.words import HumanInput, Status, Verb
from hub.domain.delivery import Device
from hub.domain.execution import Execution, RunResult
from hub.domain.plan import Plan
from hub.domain.storage import AddCard, AddExecution, MoveCard, MoveExecution
from hub.domain.suggestion import Answer, Card
from hub.domain.teaching import Taught
from hub.lab.replay.recorded_work import RecordedWork
from hub.lab.replay.trace import TraceEvent
from hub.learn.yes import fit
from hub.loop import State, step
from hub.loop.commands import Command, Look, Resolve, Run, Start, Stop, Train, WakeAt
from hub.loop.events import (
    Changed,
    Event,
    Facts,
    Opened,
    RequestArrived,
    Resolved,
    RunEnded,
    SensorsRead,
    Stamped,
    StartDue,
    Ticked,
    YesModelArrived,
)
from hub.what import keys_open

IDLE_MAX = timedelta(hours=12)
TRAINED_MAX = 5_000
DONE = RunResult(ended="exited", exit_code=0, output="24 passed in 1.2s")
"""Each run ends well: what is measured is asking, not doing."""


class Onlooker(Protocol):
    """Who looks on: the scripted person, and whoever counts."""

    def made(self, rehearsal: "Rehearsal", card: Card) -> None:
        """Take note that there is a card; whether the person is told of it now is another matter."""

    def told(self, rehearsal: "Rehearsal", card: Card, *, is_heard: bool) -> None:
        """Take note that the person is told of a card, heard or silently."""

    def interrupted(self, rehearsal: "Rehearsal") -> None:
        """Take note of an interruption; one may tell of several cards."""


class Rehearsal:
    """One person's Pulse, through one trace."""

    def __init__(self, state: State, trace: Iterable[TraceEvent], onlooker: Onlooker) -> None:
        self.state = state
        self._onlooker = onlooker
        self._workplace = RecordedWork()
        self._cards: dict[str, Card] = {}
        self._open: dict[str, Card] = {}
        self._executions: dict[str, Execution] = {}
        self._taught: dict[str, Taught] = {}
        self._queue: deque[Event] = deque()
        self._trace = deque(trace)
        self.now = self._trace[0].at
        self._answers: list[tuple[datetime, int, str, Verb]] = []
        self._wake_at: datetime | None = None
        self._seeds = 0
        self.told_at_once = 0
        """How many cards the latest step told of."""

    def play(self) -> None:
        """Go through the trace, from its first event to `IDLE_MAX` after its last."""
        device = Device(user=self.state.user, surface="terminal", device="replay", profile="none")
        # Where no device is paired nobody is interrupted, so the trace would cost no attention.
        self._happen(Opened(mind=None, known=(), devices=(device,), executions=(), open_count=0))
        last = self.now
        while self._trace:
            event = self._trace.popleft()
            self._pass(min(event.at, last + IDLE_MAX))
            last = self.now = max(self.now, event.at)
            self._happen(Changed(change=self._workplace.take(event)))
        self._pass(last + IDLE_MAX)

    def answer(self, card: Card, verb: Verb, after: timedelta) -> None:
        """Have the person answer a card in a while, if it is still open then."""
        heapq.heappush(self._answers, (self.now + after, len(self._cards), card.id, verb))

    def _pass(self, until: datetime) -> None:
        """Let time pass, with what it brings: answers, and the ticks that the loop asked for."""
        while True:
            answer_at = self._answers[0][0] if self._answers else None
            moments = [at for at in (answer_at, self._wake_at) if at is not None and at <= until]
            if not moments:
                self.now = max(self.now, until)
                return
            self.now = max(self.now, min(moments))
            if answer_at is not None and answer_at <= self.now:
                _, _, card_id, verb = heapq.heappop(self._answers)
                self._answer(card_id, verb)
            else:
                self._wake_at = None
                self._happen(Ticked())

    def _answer(self, card_id: str, verb: Verb) -> None:
        card = self._open.get(card_id)
        if card is None:
            return
        said = Answer(
            key=f"{card_id} {verb}",
            card_id=card_id,
            verb=verb,
            by=self.state.user,
            surface="terminal",
            device="replay",
            human_input=HumanInput.KEY,
            card_hash=card.card_hash,
            in_person=True,
        )
        self._happen(RequestArrived(request=said))

    def _happen(self, event: Event) -> None:
        """Take an event, and everything that follows from it at once."""
        self._queue.append(event)
        while self._queue:
            self._turn(self._queue.popleft())

    def _turn(self, event: Event) -> None:
        self._seeds += 1
        stamped = Stamped(at=self.now, seed=f"r{self._seeds:06d}", event=event, facts=self._facts(event))
        before = self.state.mind.spent
        done = step(self.state, stamped)
        self.state = done.state
        after = self.state.mind.spent
        is_heard = after != before
        if is_heard:
            self._onlooker.interrupted(self)
        self.told_at_once = sum(isinstance(one, AddCard | MoveCard) and self._is_told(one.card) for one in done.changes)
        for change in done.changes:
            if isinstance(change, AddCard):
                self._keep(change.card)
                self._onlooker.made(self, change.card)
                self._tell(change.card, is_heard=is_heard)
            elif isinstance(change, MoveCard):
                is_told = self._is_told(change.card)
                self._keep(change.card)
                if is_told:
                    self._tell(change.card, is_heard=is_heard)
            elif isinstance(change, AddExecution | MoveExecution):
                self._executions[change.execution.id] = change.execution
            elif isinstance(change, Taught):
                self._taught[change.card_id] = change
        for command in done.commands:
            self._do(command)

    def _is_told(self, card: Card) -> bool:
        """Return True if this change tells of a card: it is new, or was held, and is not held now."""
        was = self._cards.get(card.id)
        return card.held is None and card.status is Status.PENDING and (was is None or was.held is not None)

    def _tell(self, card: Card, *, is_heard: bool) -> None:
        if card.id in self._open and card.held is None:
            self._onlooker.told(self, card, is_heard=is_heard)

    def _keep(self, card: Card) -> None:
        self._cards[card.id] = card
        if card.status is Status.PENDING:
            self._open[card.id] = card
            self._wake(min(card.expires_at, card.snoozed_until or card.expires_at))
        else:
            self._open.pop(card.id, None)

    def _do(self, command: Command) -> None:
        match command:
            case Look(cycle_id=cycle_id):
                readings = self._workplace.readings(self.now, self.state.mind.last_message_at)
                self._queue.append(SensorsRead(cycle_id=cycle_id, readings=readings))
            case Resolve(cycle_id=cycle_id, work=work):
                plan = Plan(playbook=work.playbook or "", folder=work.workspace or "")
                self._queue.append(Resolved(cycle_id=cycle_id, plan=plan))
            case Start(execution_id=execution_id):
                self._queue.append(StartDue(execution_id=execution_id))
            case Run(job=job):
                result = DONE if job.tester is None else RunResult(ended="exited", exit_code=0, output="", proof=DONE)
                self._queue.append(RunEnded(execution_id=job.execution_id, result=result))
            case Stop(execution_id=execution_id):
                ended = RunResult(ended="stopped", exit_code=None, output="")
                self._queue.append(RunEnded(execution_id=execution_id, result=ended))
            case Train(before=before):
                rows = [row for row in self._taught.values() if row.at < before][-TRAINED_MAX:]
                self._queue.append(YesModelArrived(before=before, model=fit(rows)))
            case WakeAt(at=at):
                self._wake(at)
            case _:  # what is said to somebody, and nobody is there
                pass

    def _wake(self, at: datetime) -> None:
        self._wake_at = at if self._wake_at is None else min(self._wake_at, at)

    def _facts(self, event: Event) -> Facts:
        match event:
            case RequestArrived(request=Answer() as answer):
                return Facts(card=self._cards.get(answer.card_id))
            case Ticked():
                due = tuple(card for card in self._open.values() if _due_at(card) <= self.now)
                following = min(map(_due_at, self._open.values()), default=None)
                held = tuple(card for card in self._open.values() if card.held is not None)
                return Facts(due=due, held=held, next_due=following, open_count=len(self._open))
            case SensorsRead() | Resolved():
                cards = tuple(reversed(self._open.values()))
                return Facts(open_cards=cards, open_keys=keys_open(cards), open_count=len(cards))
            case StartDue(execution_id=execution_id) | RunEnded(execution_id=execution_id):
                execution = self._executions.get(execution_id)
                card = None if execution is None else self._cards.get(execution.card_id)
                return Facts(card=card, execution=execution)
            case _:
                return Facts()


def _due_at(card: Card) -> datetime:
    return min(card.expires_at, card.snoozed_until or card.expires_at)
