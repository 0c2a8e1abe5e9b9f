"""What an agent did after an answer was given here, and the card that then says so: it may have taken another answer.

A report moves what a card says and nothing else: it lets nothing run, and the person's answer stays in its story. Which
card is meant the hub knows by itself; the agent names its call, by the process or token that had asked.
"""

import asyncio
import contextlib
import logging
import re
from datetime import timedelta

from msgspec.structs import replace

from hub.contract.api import AnswerReply
from hub.contract.errors import BusyError
from hub.contract.phrasing import Phrasing
from hub.domain.at_agent import AtAgent
from hub.domain.canonical import visible
from hub.domain.provenance import AgentText, say
from hub.domain.requests import Noted, PutNotice, ReportDone, ReportedEnd, Withdraw
from hub.domain.storage import Client
from hub.io.access.tokens import AGENT_ID
from hub.io.agents.agent_end import left_running, until_ended
from hub.io.agents.hooks.changed import ChangedCalls
from hub.io.agents.hooks.checkouts import BroughtFiles
from hub.io.agents.hooks.followed import About, FollowedAnswer, FollowedAnswers, deed_of
from hub.io.agents.hooks.ran_instead import RanInstead, ran_instead
from hub.io.agents.hooks.step import TEST_SESSION, At, Dialect, HookStep
from hub.io.agents.hooks.transcript import TranscriptLooker
from hub.io.agents.lineage import AGENTS
from hub.io.agents.process_table import ticks_now
from hub.io.api.call import Services
from hub.io.api.permissions import taken_back
from hub.io.http.errors import NoReplyError
from hub.io.http.loop_requests import ask_loop
from hub.io.http.parts import ApiParts
from hub.kit.given_answers import Deed
from hub.kit.tasks import BackgroundTasks
from hub.kit.text import one_line

WATCHED_MAX = 32
"""Transcripts that are looked at at once; of further calls only their hooks tell."""
ENDS_WATCHED_MAX = 64
"""So many agents' ends are waited for at once."""
PROCESS = re.compile(r"(\d{1,10})-(\d{1,20})")
"""Whose word it is where the kernel says so: a process, and when it began."""
SETTLES = timedelta(seconds=1)
"""So long after an agent's end its hooks have ended, too; what still runs then goes on without it."""
REPORTS = frozenset({At.AFTER, At.FAILED})
"""Steps by which an agent reports that a tool has ended."""
LOOK_AT_HOOKS = say("A hook in the agent's settings can change what runs after you looked. Check which ones are there.")
ANOTHER_SAID_SO = say("Another hook may have answered for you, or a program speaks for the agent. Check its settings.")
WHAT_CHARS_MAX = 300
"""So much a notice shows of what a tool would do."""
TRIES, AGAIN = 5, timedelta(seconds=1)
"""How often the loop is asked that is too busy, and how long after the time before."""
log = logging.getLogger(__name__)


class Following:
    """Follows the answers that agents' hooks were handed."""

    def __init__(self, parts: ApiParts) -> None:
        self._parts = parts
        self._answers = FollowedAnswers()
        self.changed = ChangedCalls()
        self.brought = BroughtFiles()
        self._looker = TranscriptLooker(parts.clock)
        self._watched: set[About] = set()
        self._ends: set[str] = set()
        self._tasks = BackgroundTasks(lambda error: log.error("An answer is not followed any more.", exc_info=error))

    def before(self, whose: str, dialect: Dialect, step: HookStep) -> None:
        """Note that a tool is about to be used."""
        self._answers.before(whose, dialect, step)

    def asks(self, whose: str, dialect: Dialect, step: HookStep) -> About | None:
        """Note that an agent asks; None where its later word could not be told from others'."""
        return self._answers.asks(whose, dialect, step)

    async def gave(self, about: About, dialect: Dialect, step: HookStep, given: FollowedAnswer) -> None:
        """Note what a person's answer told the agent, and follow what it does."""
        deed = self._answers.gave(about, dialect, replace(given, since=ticks_now()))
        if given.is_yes and self._answers.waits(about):
            self._follow_to_its_end(about[0], dialect)
        if deed is not None:
            await self._overtaken(dialect, step, given, deed)
        elif given.is_yes and step.at is At.LEAVE and self._answers.waits(about):
            self._watch(about, dialect, step)

    async def did(self, whose: str, dialect: Dialect, step: HookStep) -> None:
        """Note what an agent did, and have the card say so: that it was done, or that it was something else."""
        deed = deed_of(step)
        yes = self._answers.approved_for(whose, dialect, step) if step.at in REPORTS else None
        done = self._answers.carried_out(whose, dialect, step, deed) if step.at in REPORTS else None
        given = self._answers.did(whose, dialect, step, deed)
        other = None if yes is None or yes.approved is None else ran_instead(dialect, yes.approved, step)
        if yes is not None and other is not None:
            await self._other_ran(dialect, yes, other)
        elif given is not None:
            await self._overtaken(dialect, step, given, deed)
        elif done is not None:
            how: ReportedEnd = "failed" if deed.failed else "done"
            await self._is_taken(ReportDone(card_id=done.card_id, client=done.owner, how=how), Noted)

    def over(self, whose: str, dialect: Dialect, step: HookStep) -> None:
        """Note that a turn of an agent has ended."""
        self._answers.over(whose, dialect, step)

    async def close(self) -> None:
        """Follow nothing any more."""
        await self._tasks.close()

    def _watch(self, about: About, dialect: Dialect, step: HookStep) -> None:
        if step.transcript and dialect.deed_in is not None and len(self._watched) < WATCHED_MAX:
            self._watched.add(about)
            self._tasks.spawn(self._watching(about, dialect, step))

    async def _watching(self, about: About, dialect: Dialect, step: HookStep) -> None:
        try:
            deed = await self._looker.find(dialect, step, about[-1], lambda: self._answers.waits(about))
            given = None if deed is None else self._answers.happened(about, deed)
            if deed is not None and given is not None:
                await self._overtaken(dialect, step, given, deed)
        finally:
            self._watched.discard(about)

    def _follow_to_its_end(self, whose: str, dialect: Dialect) -> None:
        process = PROCESS.fullmatch(whose)
        if process is not None and whose not in self._ends and len(self._ends) < ENDS_WATCHED_MAX:
            self._ends.add(whose)
            self._tasks.spawn(self._to_its_end(whose, int(process[1]), int(process[2]), dialect))

    async def _to_its_end(self, whose: str, pid: int, started: int, dialect: Dialect) -> None:
        """Have each card say so whose yes an agent took along, and what of it goes on."""
        clock = self._parts.clock
        try:
            await until_ended(pid, started, clock)
        finally:
            self._ends.discard(whose)
        await clock.sleep_until(clock.now() + SETTLES)
        for about, given in self._answers.gone(whose):
            if not given.is_yes:
                continue
            if about[2] == TEST_SESSION:
                await self._is_taken(ReportDone(card_id=given.card_id, client=given.owner, how="tested"), Noted)
                continue
            mark = f"{dialect.session_variable}={about[2]}"
            running = await asyncio.to_thread(left_running, mark, given.since) if dialect.session_variable else ()
            await self._is_taken(_lost(given, running), AnswerReply)

    async def _other_ran(self, dialect: Dialect, yes: FollowedAnswer, other: RanInstead) -> None:
        """Have a card say what ran in the place of what was approved, and tell the person at once."""
        ran = say("Ran instead: {ran}", ran=AgentText(visible(other.difference)))
        gone = Withdraw(
            card_id=yes.card_id,
            client=yes.owner,
            why=ran.text,
            why_worded=ran.wording,
            overrules=True,
            ran=other.text,
        )
        if not await self._is_taken(gone, AnswerReply):
            return
        said = say("{title} did not run what you approved. {ran}", title=dialect.title, ran=ran)
        await self._is_taken(PutNotice(key=f"ran-instead:{yes.card_id}", said=said, why=LOOK_AT_HOOKS), Noted)

    async def _overtaken(self, dialect: Dialect, step: HookStep, given: FollowedAnswer, deed: Deed) -> None:
        """Have an answered card say what the agent did; who refused or broke off in its dialog sits before it.

        By whose word it went on nobody can tell: its dialog's, or another hook's.
        """
        how = deed.how if deed.how != "allowed" else "unchanged" if given.is_yes else "despite"
        if not await self._is_taken(taken_back(given.card_id, given.owner, how, overrules=True), AnswerReply):
            return
        if how == "despite":
            said = say(
                "You said no, and {title} says that it went on: {what}",
                title=dialect.title,
                what=what_of(dialect, step),
            )
            await self._is_taken(PutNotice(key=f"went-on:{given.card_id}", said=said, why=ANOTHER_SAID_SO), Noted)
        elif how in {"refused", "broken-off"}:
            at_agent = AtAgent(asker=given.asker, agent=dialect.name, session=step.session)
            await ask_loop(self._parts.hub_api, at_agent, Noted)

    async def tell_went_on(self, dialect: Dialect, step: HookStep, card_id: str) -> None:
        """Tell the person of what went on while nobody could have allowed it in the agent's own dialog."""
        said = say(
            "{title} says that it went on without your answer: {what}", title=dialect.title, what=what_of(dialect, step)
        )
        await self._is_taken(PutNotice(key=f"went-on:{card_id}", said=said, why=ANOTHER_SAID_SO), Noted)

    async def _is_taken(self, report: Withdraw | ReportDone | PutNotice, reply: type[AnswerReply | Noted]) -> bool:
        """Ask the loop, again where it is too busy: the agent says so once. What was turned before stays so."""
        clock = self._parts.clock
        for _ in range(TRIES - 1):
            with contextlib.suppress(BusyError, NoReplyError):
                return isinstance(await ask_loop(self._parts.hub_api, report, reply), reply)
            await clock.sleep_until(clock.now() + AGAIN)
        return isinstance(await ask_loop(self._parts.hub_api, report, reply), reply)


def what_of(dialect: Dialect, step: HookStep) -> AgentText:
    """Return what a tool would do as a notice shows it."""
    return AgentText(one_line(visible(dialect.wanted(step).text or step.tool), WHAT_CHARS_MAX))


def _lost(given: FollowedAnswer, running: tuple[int, ...]) -> Withdraw:
    """Return the request that has a card say that its agent is gone, and which processes are left of it."""
    gone = taken_back(given.card_id, given.owner, "gone", overrules=True)
    if not running:
        return gone
    named = ", ".join(map(str, running))
    wording = Phrasing(code="over.gone_running", values={"processes": named})
    return replace(gone, why=f"{gone.why} What it had begun still runs: process {named}.", why_worded=wording)


def following_of(services: Services) -> Following:
    """Return what follows the answers of this API."""
    return services.late.one(Following, lambda: Following(services.parts))


def whose_word(client: Client, caller_pid: int) -> str:
    """Return whose word a hook's is: its token's, or for agents of this machine the agent's by its process.

    Empty where the kernel does not tell which agent it is: then nothing that it says is about an answer.
    """
    return AGENTS.origin_of(caller_pid) if client.id == AGENT_ID else client.id
