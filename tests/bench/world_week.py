"""A week of work in the world log, as it goes wrong: agents crash, hang, never begin, wait, and speak late.

Beside them somebody forges lines, the hub is stopped and started, and one person answers in their waking hours, most of
the time. Everything follows from a seed; nothing waits. What a session comes to is judged by `outcome`: none may be
left that nobody works on, nobody was asked about and nobody will be.
"""

import heapq
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import count
from random import Random
from typing import Literal

from hub.contract.errors import PulseError
from hub.contract.permission import PermissionAnswer
from hub.contract.words import Status, Verb
from hub.contract.world import AgentStatus
from hub.domain.provenance import LogText, untrusted
from hub.domain.requests import Request
from hub.domain.storage import Change, CommitOutcome
from hub.domain.suggestion import Card
from hub.domain.world import AgentLine, SessionProcess, WorldEvent, WorldLine, WorldSession
from hub.domain.world_findings import LivingProcess, ProcessLook
from hub.domain.world_lines import process_words
from hub.domain.world_log_state import AddWorldLine
from hub.domain.world_queries import WorldSessionsByIds
from hub.domain.world_requests import SayWorld
from hub.domain.world_states import may_follow
from hub.loop.events import WorldRead
from hub.loop.world_cards import QUESTION_ID
from hub.loop.world_words import GIVE_UP, IS_DONE, KEEP_WAITING, NOT_YET
from hub.verify.world_timeouts import overdue_at
from tests.fakes.store import MemoryStore
from tests.fakes.world import World, a_state
from tests.loop.stage import DAY, HOUR, MINUTE, NOON, PROFILES, a_policy

Kind = Literal["done", "crash", "crash-unnamed", "hang", "never", "stuck", "chatter", "deaf", "late"]
KINDS: dict[Kind, int] = {
    "done": 45,
    "crash": 12,
    "crash-unnamed": 8,
    "hang": 5,
    "never": 5,
    "stuck": 10,
    "chatter": 2,
    "deaf": 5,
    "late": 8,
}
"""How many of a hundred end so. `deaf` is sent back and never tries again; `late` lines come hours after they say."""
Outcome = Literal["verified", "left", "asked", "asked-again", "at-work", "lost"]
OVER_WIRE = 0.3
"""Share of the sessions that speak over the wire, with a token of their own."""
CHECKED = 0.85
"""Share of what is done that something can prove; the person is asked about the rest."""
FORGED_PER_HOUR = 6
WAKING = range(8, 22)
ANSWERS = 0.6
"""The chance that the person answers an open question within ten minutes in their waking hours."""
NEVER_ANSWERED = 0.004
TEN_MINUTES = 10 * MINUTE
RESTART_EVERY = 11 * HOUR
ABANDONED = "The process ended without reporting on the work."
FIRST = NOON.replace(hour=8)


class ShortStore(MemoryStore):
    """The store in memory, but for what is over and nobody asks for: a week of it would be read again and again."""

    async def commit(self, transactions: Sequence[tuple[Change, ...]]) -> tuple[CommitOutcome, ...]:
        outcomes = await super().commit(transactions)
        tables = self._tables
        for table in (tables.outbox, tables.steps):
            table.clear()
        for card in [one for one in tables.cards.values() if one.status is not Status.PENDING]:
            del tables.cards[card.id]
        return outcomes


class Week:
    """One hub, its sessions, their processes and one person."""

    def __init__(self, seed: int, sessions: int, span: timedelta = 7 * DAY) -> None:
        self.world = World(a_state(a_policy(), PROFILES), FIRST)
        self.world.store = ShortStore()
        self.sessions, self.span = sessions, span
        self.falsely_failed: list[str] = []
        self.restarts = self.answers = self.forged = 0
        self._random = Random(seed)  # noqa: S311  a simulation
        self._due: list[tuple[datetime, int, WorldLine, str]] = []
        self._numbers = count()
        self._kinds: dict[str, Kind] = {}
        self._resumed: set[str] = set()
        self._alive: dict[str, SessionProcess] = {}
        self._dies: dict[str, datetime] = {}
        self._works: dict[str, tuple[datetime, datetime]] = {}
        self._renamed: set[str] = set()
        self._seen_changes = 0
        self._unread: list[str] = []

    async def run(self, after: timedelta = 2 * DAY + HOUR) -> Counter[Outcome]:
        """Live through the week, and on to an hour by day some days later; return what the sessions came to."""
        world, end = self.world, FIRST + self.span + after
        world.processes = self._look
        for number in range(self.sessions):
            self._script(f"s{number}", FIRST + self.span * self._random.random())
        await world.open()
        down_at = FIRST + RESTART_EVERY
        while world.now < end:
            await self._minute()
            if world.now >= down_at:
                down_at = world.now + RESTART_EVERY
                await self._restart()
        return Counter([outcome(one, world.now) for one in await self.ended()])

    async def ended(self) -> list[WorldSession]:
        """Return all sessions as they are stored; those of which no line was ever taken are missing."""
        names = tuple(self._kinds)
        stored = await self.world.store.read(WorldSessionsByIds(user="me", ids=names))
        return [stored[name] for name in names if name in stored]

    # What agents do.

    def _script(self, name: str, at: datetime) -> None:
        kind = self._random.choices(tuple(KINDS), tuple(KINDS.values()))[0]
        self._kinds[name] = kind
        wire = f"client-{name}" if kind != "late" and self._random.random() < OVER_WIRE else ""
        self._say(at, AgentLine(at=at, status=AgentStatus.START, session=name, text=LogText("Do it")), wire)
        if kind == "never":
            return
        if kind != "crash-unnamed":
            self._alive[name] = process = SessionProcess(pid=1_000 + next(self._numbers), started=int(at.timestamp()))
            event = WorldEvent(at=at, source="system", identifier=LogText(name), text=process_words(process))
            self._say(at, event, wire)
        self._work(name, kind, at, wire)

    def _work(self, name: str, kind: Kind, at: datetime, wire: str) -> None:
        late = self._random.random() * 8 * HOUR if kind == "late" else timedelta()
        ends = at + timedelta(minutes=self._random.uniform(2, 90))
        self._works[name] = at, ends
        steps = self._random.randint(1, 4)
        for step in range(steps):
            self._status(at + (ends - at) * step / steps, AgentStatus.ACTIVE, name, wire, late)
        if kind == "chatter":
            for hour in range(1, 50):
                self._status(at + hour * HOUR, AgentStatus.ACTIVE, name, wire)
        elif kind in {"done", "deaf", "late"}:
            self._status(ends, AgentStatus.FINISH, name, wire, late)
            self._check(name, ends + late, AgentStatus.RETRY if kind == "deaf" else AgentStatus.VERIFIED)
        elif kind == "stuck":
            self._status(ends, AgentStatus.FAILED, name, wire)
        if kind != "hang":
            self._dies[name] = ends + 2 * MINUTE + (late if kind == "late" else timedelta())

    def _check(self, name: str, at: datetime, found: AgentStatus) -> None:
        """Whoever checks is Pulse itself: it speaks for sessions of the wire, too."""
        if found is AgentStatus.RETRY or self._random.random() < CHECKED:
            self._status(at + 3 * MINUTE, found, name, "hub")

    def _status(self, at: datetime, status: AgentStatus, name: str, wire: str, late: timedelta = timedelta()) -> None:
        need = LogText("a password") if status is AgentStatus.FAILED else LogText("")
        line = AgentLine(at=at, status=status, session=name, text=LogText(f"{status} it is"), need=need)
        self._say(at + late, line, wire)

    def _say(self, at: datetime, line: WorldLine, wire: str) -> None:
        heapq.heappush(self._due, (at, next(self._numbers), line, wire))

    # What happens in a minute.

    async def _minute(self) -> None:
        world = self.world
        await world.until(world.now + MINUTE, tick=MINUTE)
        await self._speak()
        if self._random.random() < FORGED_PER_HOUR / 60:
            await self._read([self._a_forgery()])
            self.forged += 1
        self._note_own_lines()
        self._resume()
        if world.now.minute % 10 == 0 and world.now.hour in WAKING:
            await self._answer()

    async def _speak(self) -> None:
        """Take in what was said by now: lines of the file together, each line of the wire by itself."""
        read: list[WorldLine] = []
        while self._due and self._due[0][0] <= self.world.now:
            _, _, line, wire = heapq.heappop(self._due)
            if isinstance(line, AgentLine | WorldEvent) and wire:
                await self._ask(SayWorld(line=line, client=self._client(line, wire)))
            else:
                read.append(line)
        if read or self._unread:
            await self._read(read)

    def _client(self, line: AgentLine | WorldEvent, wire: str) -> str:
        """A check is said by the person's command line, which may speak for any session but the hub's own."""
        del line
        return "local" if wire == "hub" else wire

    async def _read(self, lines: list[WorldLine]) -> None:
        seen, self._unread = tuple(self._unread), []
        await self.world.happen(WorldRead(lines=tuple(lines), cursor=b"x", seen=seen))

    async def _ask(self, request: Request) -> None:
        try:
            await self.world.ask(request)
        except PulseError:  # what cannot follow is refused, as it would be over the wire
            return

    def _a_forgery(self) -> WorldLine:
        """Return a line of somebody who claims what is not so, of any session."""
        draw, now = self._random, self.world.now
        name, status = f"s{draw.randrange(self.sessions)}", draw.choice(tuple(AgentStatus))
        if draw.random() < 0.2:
            process = SessionProcess(pid=draw.randrange(1, 9_999), started=1)
            self._renamed.add(name)
            return WorldEvent(at=now, source="system", identifier=LogText(name), text=process_words(process))
        if may_follow(None, status) and now < self._works.get(name, (now, now))[0]:
            self._renamed.add(name)  # begun in its name: its own start is refused, and its process is another's
        at = draw.choice((None, now, now - 30 * DAY, now + 365 * DAY))
        return AgentLine(at=at, status=status, session=name, text=LogText("it is so"))

    def _look(self, named: tuple[SessionProcess, ...]) -> ProcessLook:
        now = self.world.now
        self._alive = {name: one for name, one in self._alive.items() if self._dies.get(name, now) >= now}
        alive = set(self._alive.values())
        strays = (LivingProcess(process=SessionProcess(pid=7, started=7), begun_at=FIRST),)
        return ProcessLook(gone=tuple(one for one in named if one not in alive), agents=strays)

    def _note_own_lines(self) -> None:
        """What Pulse wrote is read back; nobody may be called abandoned whose agent works."""
        changes = self.world.changes
        for change in changes:
            if not isinstance(change, AddWorldLine):
                continue
            self._unread.append(change.out.id)
            line = change.out.line
            if isinstance(line, AgentLine) and untrusted(line.text) == ABANDONED and self._is_well(line.session):
                self.falsely_failed.append(line.session)
        changes.clear()

    def _is_well(self, name: str) -> bool:
        """Say whether an agent works whose process nobody else has named; the hub was to find it there."""
        begun, ends = self._works.get(name, (self.world.now, self.world.now))
        return begun <= self.world.now < ends and name not in self._renamed

    def _resume(self) -> None:
        """An agent that was told to try again does so, most of the time, once; who is deaf does not."""
        for session in reversed(self.world.state.world.sessions.values()):
            if session.status is not AgentStatus.RETRY:
                continue
            name, kind = session.id, self._kinds.get(session.id, "deaf")
            if kind == "deaf" or name in self._resumed:
                continue
            self._resumed.add(name)
            if self._random.random() < 0.8:
                self._alive.pop(name, None)
                self._kinds[name] = "done"
                self._work(name, "done", self.world.now + MINUTE, session.owner)

    async def _restart(self) -> None:
        """Stop the hub as by a kill -9, for some minutes or hours in which the others go on."""
        world = self.world
        self.restarts += 1
        await world.clock.sleep_until(world.now + timedelta(minutes=self._random.choice((0, 2, 180))))
        await world.reopen()

    # What the person does.

    async def _answer(self) -> None:
        for card in await self.world.cards():
            is_ignored = not card.session or Random(card.session).random() < NEVER_ANSWERED  # noqa: S311  a simulation
            if not is_ignored and self._random.random() < ANSWERS:
                self.answers += 1
                await self._answer_one(card)

    async def _answer_one(self, card: Card) -> None:
        session = self.world.state.world.sessions.get(card.session)
        about = "" if session is None or session.question is None else session.question.about
        verb, words = self._words(about)
        if verb is Verb.SNOOZE:
            await self.world.answer(card, verb, until=self.world.now + 2 * HOUR)
        elif verb is Verb.REJECT:
            await self.world.answer(card, verb, by_device=True)
        else:
            said = PermissionAnswer(answers={QUESTION_ID: (words,)})
            await self.world.answer(card, verb, permission=said, by_device=True)

    def _words(self, about: str) -> tuple[Verb, str]:
        chance = self._random.random()
        if chance < 0.05:
            return Verb.SNOOZE, ""
        if chance < 0.15:
            return Verb.REJECT, ""
        if about == "done":
            return Verb.APPROVE, IS_DONE.text if chance < 0.8 else NOT_YET.text
        if about == "slow":
            return Verb.APPROVE, KEEP_WAITING.text if chance < 0.5 else GIVE_UP.text
        return Verb.APPROVE, "Use the other account."


FIRST_TIME_OUT_MAX = timedelta(hours=2)


def outcome(session: WorldSession, now: datetime) -> Outcome:
    """Say what a session came to: done, left by the person, before them, or to be put before them again in a week.

    One that has just moved, and whose first time-out is still to come, is at work.
    """
    if session.status is AgentStatus.VERIFIED:
        return "verified"
    if session.left_at is not None:
        return "left"
    if session.question is not None:
        return "asked"
    again = overdue_at(session)
    if again is not None and now < again <= session.moved_at + FIRST_TIME_OUT_MAX:
        return "at-work"
    is_to_come = again is not None and again - now <= 7 * DAY and session.asked_at is not None
    return "asked-again" if is_to_come else "lost"
