"""Leads one run of an agent: what it says goes to the conversation, and what follows from that is done here.

What it asks leave for is judged by the rails (`hub/may`). What the yes to the run covers is answered at once, what the
session may not do is refused, and everything else becomes a card, whose answer is the agent's.
"""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine

from msgspec.structs import replace

from hub.contract.control import PermissionReply
from hub.contract.permission import Act
from hub.domain.calls import AgentCall
from hub.domain.canonical import digest
from hub.domain.execution import Job
from hub.domain.requests import Refused
from hub.io.agents.acp.conversation import AcpConversation, AcpPhase
from hub.io.agents.acp.form_request import form_request
from hub.io.agents.acp.known import may_ask_early
from hub.io.agents.acp.lines import LineSplitter, LineTooLongError
from hub.io.agents.acp.moves import AgentDid, AgentSpoke, Move, SessionOver, ToAgent, WantsAnswers, WantsLeave
from hub.io.agents.acp.permission_request import AcpOptions, call_of, chosen, options_in, request_of
from hub.io.agents.acp.worktime import WorkTime
from hub.io.agents.hooks.checkouts import with_brought
from hub.io.agents.hooks.links import LED_ELSEWHERE, LINKS
from hub.io.agents.hooks.step import ToolInput
from hub.io.agents.output import LineCutter, OutputEnds
from hub.io.agents.process import Ending
from hub.kit.forms import DECLINED, fields_of_form, filled_in
from hub.kit.loose_json import text_of
from hub.kit.tasks import end_all
from hub.kit.text import one_line
from hub.loop.permissions import permission_of
from hub.may import judge_call
from hub.ports import AgentQuestions

GOODBYE_S_MAX = 0.5
"""How long an agent that is told to stop may take to end its turn by itself."""
INPUT_S_MAX = 1.0
"""So long an agent that asks before it says with what may take to say it; OpenCode does within milliseconds."""
ERRORS_BYTES_MAX = 8_192
SHOWN_CHARS_MAX = 120
KEY_CHARS = 40
TOO_LONG = SessionOver(ended="exited", exit_code=1, detail="The agent sent a message that is too long.")


class AcpSession:
    """One run. It is over when the agent's turn is, when its working time is, or when it is cancelled."""

    def __init__(
        self, job: Job, conversation: AcpConversation, questions: AgentQuestions, progress: Callable[[str], None]
    ) -> None:
        self.conversation = conversation
        self._job, self._questions = job, questions
        self._loop = asyncio.get_running_loop()
        self._kept = OutputEnds(job.bounds.output_bytes_max)
        self._errors = OutputEnds(ERRORS_BYTES_MAX)
        self._lines = LineCutter(progress, self._loop.time)
        self._splitter = LineSplitter()
        self._time = WorkTime(job.bounds.duration_s_max)
        self._alarm: asyncio.TimerHandle | None = None
        self._waits: set[asyncio.Task[None]] = set()
        self._people = 0
        self._asked = 0
        self._mid_line = False
        self._over: SessionOver | None = None
        self._late = self._leaving = False
        self._done = asyncio.Event()
        self._heard = asyncio.Event()
        self._say: Callable[[bytes], None] = lambda _: None

    def hear(self, data: bytes) -> None:
        """Take what it printed."""
        try:
            for line in self._splitter.feed(data):
                for move in self.conversation.hear(line):
                    self._do(move)
            self._heard.set()
            self._heard = asyncio.Event()
        except LineTooLongError:
            self._end(TOO_LONG)

    def hear_error(self, data: bytes) -> None:
        """Keep what it printed as errors: it is shown if the agent leaves before its work is done."""
        self._errors.add(data)

    async def lead(self, send: Callable[[bytes], None]) -> None:
        """Talk until the agent is done, or its time is over; whatever it still waits for is taken back."""
        self._say = send
        send(self.conversation.begin())
        self._count()
        try:
            await self._done.wait()
        finally:
            self._leaving = True
            self._rest()
            await self._take_back()
            if self._over is None:
                send(self.conversation.stop())
                await self._goodbye()

    def ending(self, left: Ending) -> Ending:
        """Return how the run ended, where `left` is how its program did."""
        self._lines.end()
        told = replace(left, output=self._kept.text(), truncated=self._kept.truncated)
        if left.ended in {"lost", "failed-to-start"}:
            return told
        if self._late:
            limit = self._job.bounds.duration_s_max
            return replace(told, ended="timeout", exit_code=None, detail=f"The limit was {limit:g} s of work")
        if self._over is not None:
            return replace(told, ended=self._over.ended, exit_code=self._over.exit_code, detail=self._over.detail)
        if left.ended != "exited":
            return told
        began = self.conversation.phase is AcpPhase.WORKING
        return replace(told, ended="lost" if began else "failed-to-start", exit_code=None, detail=self._left(left))

    @property
    def errors(self) -> str:
        """What the program printed as errors, its first and last part."""
        return self._errors.text()

    def _left(self, left: Ending) -> str:
        last = next((line for line in reversed(self.errors.splitlines()) if line.strip()), "")
        why = f": {one_line(last, SHOWN_CHARS_MAX)}" if last else ""
        return f"The agent's program ended by itself (status {left.exit_code}){why}"

    def _do(self, move: Move) -> None:
        match move:
            case ToAgent(data=data):
                self._say(data)
            case AgentSpoke(text=text):
                self._show(text)
            case AgentDid(line=line):
                self._show_line(line)
            case WantsLeave():
                self._spawn(self._give_leave(move))
            case WantsAnswers():
                self._spawn(self._answer(move))
            case SessionOver():
                self._end(move)

    def _end(self, over: SessionOver) -> None:
        if not self._leaving and self._over is None:
            self._over = over
        self._done.set()

    async def _give_leave(self, wants: WantsLeave) -> None:
        options, asked = options_in(wants.options), await self._with_input(wants.call)
        call = await self._judged(asked)
        ruling = judge_call(call, self._job.bounds, asks_all=self._job.agent.asks == "everything")
        named = call.tool if call.act is Act.OTHER else call.text
        title = one_line(named or call.text or text_of(asked, "title"), SHOWN_CHARS_MAX)
        if ruling.says == "let" and options.once:
            outcome = chosen(options, approved=True, answer=None)
        elif ruling.says == "refuse":
            self._show_line(f"✗ {title}: {ruling.why}")
            outcome = chosen(options, approved=False, answer=None)
        else:
            outcome = await self._ask_leave(asked, options, call, title)
        self._say(self.conversation.settle(wants.id, outcome))

    async def _judged(self, asked: ToolInput) -> AgentCall:
        """Return the use of a tool with where its files lead, and what git would bring."""
        return await with_brought(await asyncio.to_thread(call_of, asked, self._job))

    async def _with_input(self, call: ToolInput) -> ToolInput:
        """Return the use of a tool with what the tool is given; without `rawInput` where the agent did not say it."""
        if call.get("rawInput") != {} or not may_ask_early(self._job.agent.argv):
            return call
        news = self.conversation.news
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(INPUT_S_MAX):
                while not news.has_begun(call):
                    await self._heard.wait()
        if news.has_begun(call):
            return news.whole(call)
        return {name: told for name, told in call.items() if name != "rawInput"}

    async def _ask_leave(self, call: ToolInput, options: AcpOptions, judged: AgentCall, title: str) -> ToolInput:
        asked = request_of(call, options, judged, self._job)
        if asked is None:
            self._show_line(f"✗ {title}: it is too long to show, so it was refused.")
            return chosen(options, approved=False, answer=None)
        linked = await LINKS.leads_elsewhere(permission_of(asked))
        self._show_line(f"? {title}: waiting for your answer")
        reply = await self._put(self._questions.ask(asked, key=self._key(), is_linked=linked))
        is_yes = isinstance(reply, PermissionReply) and reply.approved
        if is_yes and await self._judged(call) != judged:  # links were made, or branches, meanwhile
            self._show_line(f"✗ {title}: a file leads elsewhere by now than when you were asked, so it was refused.")
            self.conversation.tell_later(f"“{title}”: {LED_ELSEWHERE}")
            return chosen(options, approved=False, answer=None)
        if isinstance(reply, PermissionReply) and reply.approved and not reply.answered:
            self._show_line(f"✓ {title}: {reply.prediction.outcome}")
            return chosen(options, approved=options.once, answer=None)
        if not isinstance(reply, PermissionReply) or not reply.answered:
            why = reply.detail if isinstance(reply, Refused) else "Nobody answered in time."
            self._show_line(f"✗ {title}: {why}")
            return chosen(options, approved=False, answer=None)
        if not reply.approved:
            self._refused(title, reply)
        return chosen(options, approved=reply.approved, answer=reply.answer)

    def _refused(self, title: str, reply: PermissionReply) -> None:
        settled = reply.prediction.settled
        words = settled.reason.strip() if settled is not None else ""
        self._show_line(f"✗ {title}: you said no{f': {words}' if words else '.'}")
        if words:
            self.conversation.tell_later(f"The user said no to “{title}”: {words}")

    async def _answer(self, wants: WantsAnswers) -> None:
        fields = fields_of_form(wants.form)
        asked = form_request(fields, self._job) if fields else None
        if asked is None:
            self._say(self.conversation.settle(wants.id, DECLINED))
            return
        self._show_line("? It has a question for you and waits for your answer")
        reply = await self._put(self._questions.ask(asked, key=self._key()))
        answer = reply.answer if isinstance(reply, PermissionReply) and reply.approved else None
        self._say(self.conversation.settle(wants.id, filled_in(fields, answer.answers) if answer else DECLINED))

    async def _put(self, asking: Coroutine[object, object, PermissionReply | Refused]) -> PermissionReply | Refused:
        """Wait for a person, in which the agent's time stands still."""
        self._people += 1
        self._rest()
        try:
            return await asking
        finally:
            self._people -= 1
            if not self._people and not self._done.is_set():
                self._count()

    def _key(self) -> str:
        """Return a key that no other question has, also not one of the same run before a crash."""
        self._asked += 1
        return digest(self._job.execution_id, self.conversation.session, self._asked)[:KEY_CHARS]

    def _count(self) -> None:
        self._alarm = self._loop.call_later(self._time.go(self._loop.time()), self._time_over)

    def _rest(self) -> None:
        self._time.rest(self._loop.time())
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _time_over(self) -> None:
        self._late = True
        self._done.set()

    async def _take_back(self) -> None:
        """Cancel what waits for a person; whoever asks them takes the question back."""
        await end_all(self._waits)

    async def _goodbye(self) -> None:
        """Give the agent a moment to end its turn by itself."""
        if self.conversation.phase is AcpPhase.WORKING:
            self._done.clear()
            try:
                await asyncio.wait_for(self._done.wait(), GOODBYE_S_MAX)
            except TimeoutError:
                return

    def _spawn(self, work: Coroutine[object, object, None]) -> None:
        task = self._loop.create_task(work)
        self._waits.add(task)
        task.add_done_callback(self._waited)

    def _waited(self, task: asyncio.Task[None]) -> None:
        self._waits.discard(task)
        if not task.cancelled() and (bug := task.exception()) is not None:
            self._end(SessionOver(ended="lost", detail=f"A bug in Pulse: {type(bug).__name__}: {bug}"))

    def _show_line(self, line: str) -> None:
        start = "\n" if self._mid_line else ""
        self._show(f"{start}{one_line(line, 4 * SHOWN_CHARS_MAX)}\n")

    def _show(self, text: str) -> None:
        if text:
            data = text.encode("utf-8", "replace")
            self._mid_line = not text.endswith("\n")
            self._kept.add(data)
            self._lines.add(data)
