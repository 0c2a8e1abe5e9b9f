"""Runs an agent of OpenClaw through its webhook, `POST /hooks/agent`. See docs/agents.md.

Every attempt carries the same idempotency key (the execution's id), so that a lost answer can be asked for again and
the work is still done once. A session key is sent where the settings say how it is made (`resume`): OpenClaw gives each
hook a fresh session by default, and by default refuses callers that choose one. The answer never carries what the agent
wrote, only how it ended.
"""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec.structs import replace

from hub.domain.execution import Job, RunResult, not_started
from hub.domain.plan import AnyPlan, CannotPlan, Plan
from hub.domain.policy import Agent
from hub.domain.provenance import as_said
from hub.domain.suggestion import WAKE_AGENT, Work
from hub.domain.waking import announces_pass, with_pass
from hub.io.agents.changes import changed_since, look_before
from hub.io.agents.git import GitFolder
from hub.io.agents.openclaw_wire import (
    CONVERSATION,
    AttemptRefused,
    Reply,
    Retry,
    body_of,
    is_wake,
    judge,
    key_of,
    result_of_reply,
    result_of_wake,
)
from hub.io.agents.process import Processes
from hub.io.agents.session import NO_ROOM, session_folder
from hub.io.agents.way_back import WayBack, no_way_back
from hub.kit.backoff import RetryPolicy, retry_delay_s

if TYPE_CHECKING:
    import httpx

ANSWER_BYTES_MAX = 262_144
CONNECT_S_MAX = 5.0
WAKE_S_MAX = 60.0
"""A message that wakes is accepted within this, tries and pauses included, or counts as not delivered."""
ATTEMPTS_MAX = 6
RETRY = RetryPolicy(base_s=0.5, cap_s=8.0)
PAUSES_MAX = 1
"""How often a 429 is waited out."""

LOOPBACK = ("127.0.0.1", "localhost", "::1")
OWN_TOKEN = "PULSE_TOKEN"  # noqa: S105  its name, as the plan tells it
"""What a message that wakes carries of Pulse's own; it is told with the plan, so a yes covers it."""
HIDDEN = "⟨hidden⟩"


class OpenClawRunner:
    """Hands the work to an OpenClaw gateway and waits for it to say how it ended."""

    def __init__(
        self,
        home: Path,
        environ: Mapping[str, str],
        random: Callable[[], float],
        retry: RetryPolicy = RETRY,
        way_back: WayBack = no_way_back,
    ) -> None:
        """Take Pulse's home, its environment (for the token), draws in [0, 1) for the jitter, and the back-off.

        `way_back` hands out, for a wake that goes to this machine or elsewhere, the hub's address and a token.
        """
        self._home = home
        self._environ = environ
        self._random = random
        self._retry = retry
        self._way_back = way_back
        self._processes = Processes()
        self._running: set[asyncio.Task[RunResult]] = set()

    async def plan(self, agent: Agent, work: Work) -> AnyPlan:
        """Tell the address that the prompt is sent to; what runs there is the gateway's."""
        problem = unreachable(agent, self._environ)
        if problem:
            return CannotPlan(why=problem)
        told = (agent.token_env, *((OWN_TOKEN,) if work.playbook == WAKE_AGENT else ()))
        return Plan(address=agent.url, folder=work.workspace or "", prompt="argument", environment=told)

    async def run(self, job: Job, progress: Callable[[str], None]) -> RunResult:
        """Run to the end, within the job's bounds; cancelling ends the request, and OpenClaw keeps its own limit."""
        work = asyncio.ensure_future(self._work(job, progress))
        self._running.add(work)
        try:
            await asyncio.wait({work})
        finally:
            work.cancel()
            await asyncio.wait({work})
            self._running.discard(work)
        if work.cancelled():
            return RunResult(ended="stopped", exit_code=None, output="", detail="OpenClaw may still be working on it")
        return work.result()

    async def close(self) -> None:
        """End whatever still runs."""
        for work in tuple(self._running):
            work.cancel()
        await self._processes.close()

    async def _work(self, job: Job, progress: Callable[[str], None]) -> RunResult:
        """Check what can be checked here, ask, and look at the workspace before and after."""
        problem = unreachable(job.agent, self._environ)
        if is_wake(job) and not problem:
            return await self._wake(job, progress)
        body = body_of(job)
        if isinstance(body, str) or problem:
            return not_started(as_said(problem or str(body)))
        session = session_folder(self._home)
        if session is None:
            return not_started(as_said(NO_ROOM.format(self._home)))
        with session as folder:
            workspace = Path(job.workspace or folder)
            git = GitFolder(self._home, self._environ, workspace)
            before = await look_before(git, Path(folder))
            reply = await self._ask_in_time(job, body, progress)
            if isinstance(reply, RunResult):
                return reply
            changed = await changed_since(git, workspace, before) if reply.completion and job.workspace else ()
        return result_of_reply(reply, changed)

    async def _wake(self, job: Job, progress: Callable[[str], None]) -> RunResult:
        """Hand over a message that only has to arrive; one that did not has cost nothing.

        The way back is put below it here and nowhere before; a gateway that says it back is not quoted with it.
        """
        sent, token = job, ""
        if announces_pass(job.prompt):
            address, token = self._way_back(job.args[0] if job.args else "", _is_near(job.agent))
            sent = replace(job, prompt=with_pass(job.prompt, address, token))
        body = body_of(sent)
        if isinstance(body, str):
            return not_started(as_said(body))
        result = await self._handed_over(sent, body, progress)
        return replace(result, output=_without(result.output, token), detail=_without(result.detail, token))

    async def _handed_over(self, job: Job, body: bytes, progress: Callable[[str], None]) -> RunResult:
        bounded = replace(job, bounds=replace(job.bounds, duration_s_max=min(WAKE_S_MAX, job.bounds.duration_s_max)))
        reply = await self._ask_in_time(bounded, body, progress)
        if isinstance(reply, Reply):
            return result_of_wake(reply)
        late = "OpenClaw did not answer in time" if reply.ended == "timeout" else reply.detail
        return replace(reply, ended="lost" if reply.ended == "timeout" else reply.ended, cost_microusd=0, detail=late)

    async def _ask_in_time(self, job: Job, body: bytes, progress: Callable[[str], None]) -> Reply | RunResult:
        """Ask within the time limit."""
        limit_s = job.bounds.duration_s_max
        try:
            async with asyncio.timeout(limit_s):
                return await self._ask(job, body, progress)
        except TimeoutError:
            detail = f"The limit was {limit_s:g} s; OpenClaw may still be working on it"
            return RunResult(ended="timeout", exit_code=None, output="", detail=detail)

    async def _ask(self, job: Job, body: bytes, progress: Callable[[str], None]) -> Reply | RunResult:
        """Ask until there is an answer, or no more tries."""
        import httpx  # noqa: PLC0415  heavy, and only those who use OpenClaw need it

        begun, pauses, why = False, 0, ""
        limits = httpx.Timeout(job.bounds.duration_s_max, connect=CONNECT_S_MAX)
        async with httpx.AsyncClient(timeout=limits, trust_env=False, follow_redirects=False) as client:
            for attempt in range(ATTEMPTS_MAX):
                progress(f"Asking OpenClaw at {job.agent.url}" + (f", try {attempt + 1}" if attempt else ""))
                answer = await self._attempt(client, job, body)
                if isinstance(answer, Reply):
                    return answer
                begun, why = begun or answer.begun, answer.detail
                pauses += isinstance(answer, Retry) and answer.after_s is not None
                if isinstance(answer, AttemptRefused) or pauses > PAUSES_MAX or attempt == ATTEMPTS_MAX - 1:
                    break
                await asyncio.sleep(max(answer.after_s or 0.0, retry_delay_s(attempt, self._retry, self._random)))
        return _lost(why) if begun else not_started(as_said(why))

    async def _attempt(self, client: "httpx.AsyncClient", job: Job, body: bytes) -> Reply | AttemptRefused | Retry:
        """Send the request once."""
        import httpx  # noqa: PLC0415  heavy, and only those who use OpenClaw need it

        headers = {
            "Authorization": f"Bearer {self._environ[job.agent.token_env]}",
            "Content-Type": "application/json",
            "Idempotency-Key": key_of(job),
        }
        url = job.agent.url.rstrip("/") + "/hooks/agent"
        try:
            async with client.stream("POST", url, content=body, headers=headers) as response:
                answered = await _bounded(response)
                after = response.headers.get("retry-after", "")
                return judge(response.status_code, after, answered, job.agent.token_env, is_wake=is_wake(job))
        except (httpx.ConnectError, httpx.ConnectTimeout):
            return Retry(detail=f"OpenClaw cannot be reached at {job.agent.url}. Is its gateway running?")
        except httpx.TransportError:
            return Retry(detail="The connection to OpenClaw broke before it answered", begun=True)


async def _bounded(response: "httpx.Response") -> bytes:
    """Read an answer, at most `ANSWER_BYTES_MAX` of it."""
    answered = bytearray()
    async for piece in response.aiter_bytes():
        answered += piece
        if len(answered) > ANSWER_BYTES_MAX:
            break
    return bytes(answered[:ANSWER_BYTES_MAX])


def _is_near(agent: Agent) -> bool:
    """Return True if an agent's gateway is on this machine."""
    return urlsplit(agent.url).hostname in LOOPBACK


def _without(text: str, token: str) -> str:
    return text.replace(token, HIDDEN) if token else text


def unreachable(agent: Agent, environ: Mapping[str, str]) -> str:
    """Say why an agent's gateway cannot be asked, and what to do; empty if nothing is seen to be wrong."""
    parts = urlsplit(agent.url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return f"The agent {agent.name} has no usable url. Set it to its gateway's, such as http://127.0.0.1:18789."
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        return f"The token of {agent.name} would be sent unencrypted. Use https in its url."
    if agent.resume and (len(agent.resume) != 1 or CONVERSATION not in agent.resume[0]):
        return (
            f"`resume` of {agent.name} is one session key with {CONVERSATION} in it, such as hook:pulse:{CONVERSATION}."
        )
    token = environ.get(agent.token_env, "")
    if not token:
        return f"No token for {agent.name}: the environment variable {agent.token_env or '(token_env)'} is not set."
    if not token.isascii() or not token.isprintable():
        return f"The token in {agent.token_env} contains characters that no token has. Set it again."
    return ""


def _lost(detail: str) -> RunResult:
    """End without knowing whether the work was done."""
    return RunResult(ended="lost", exit_code=None, output="", detail=detail)
