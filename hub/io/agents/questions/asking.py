"""Putting a question of an agent's before a person and waiting, as long as the agent's client lets a tool run.

A question that nobody waits for any more is taken back: the call was cancelled, or the agent's process has ended. One
whose wait is over stays open, to be looked at again with `check_answer`; over standard streams it is attended on, so
that it goes with the agent.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable

import msgspec
from msgspec.structs import replace

from hub.contract.permission import PermissionRequest
from hub.io.agents.questions.arguments import AskingAgent, key_of
from hub.io.agents.questions.hub_client import AWAY, AgentHubClient
from hub.io.agents.questions.outcome import Outcome, outcome_of
from hub.kit.bounded import BoundedMap
from hub.kit.hub_client import HubSaysNo
from hub.kit.tasks import end_all

PROGRESS_EVERY_S = 20.0
"""How often a client that waits is told that it still does; the most patient give up after five minutes of silence."""
BACK_EVERY_S, BACK_TIMES = 0.5, 60
"""A hub that goes away while a question is open is looked for again so often: it may just be restarting."""
ASKED_AGAIN_MAX = 5
"""How often a question that was taken back may be asked again with the same key."""
PASSING = {AWAY.code, "busy"}
"""Why a hub may not answer now and do so soon."""
REMEMBERED_MAX = 256
FRESH_BYTES = 16
Told = Callable[[float, str], Awaitable[None]]
"""Tells the client that it waits: for how many seconds it has, and what for."""


class ProcessQuestions:
    """The questions of one process. `attends`: it is the agent's own, so what it asked goes when it goes."""

    def __init__(self, *, attends: bool, back_every_s: float = BACK_EVERY_S) -> None:
        self._attends = attends
        self._back_every_s = back_every_s
        self._keys: BoundedMap[str, str] = BoundedMap(REMEMBERED_MAX)
        self._calls: BoundedMap[str, str] = BoundedMap(REMEMBERED_MAX)
        self._attended: dict[str, asyncio.Task[Outcome | HubSaysNo]] = {}

    async def open(
        self,
        link: AgentHubClient,
        request: PermissionRequest,
        agent: AskingAgent,
        own_key: str = "",
        *,
        stays: bool = False,
    ) -> Outcome | HubSaysNo:
        """Ask, and say how it stands now; the same call again, before its answer was handed over, asks nothing new.

        With `stays` it outlives whoever asked.
        """
        attends = self._attends and not stays
        call = key_of(agent, own_key or msgspec.json.encode(request).decode())
        key = call if own_key else self._keys.get(call) or secrets.token_hex(FRESH_BYTES)
        self._keys[call] = key
        found: Outcome | HubSaysNo = AWAY
        for attempt in range(ASKED_AGAIN_MAX):
            reply = await link.ask(
                replace(request, withdraw_when_gone=attends), key if attempt == 0 else f"{key}-{attempt}"
            )
            found = reply if isinstance(reply, HubSaysNo) else outcome_of(reply)
            if isinstance(found, HubSaysNo) or found.status != "withdrawn":
                break
        if attends:
            self._attend(link, found)
        if isinstance(found, Outcome):
            self._calls[found.ask_id] = call
            return self.handed_over(found)
        return found

    def handed_over(self, found: Outcome) -> Outcome:
        """Note that an answer has reached its agent: the same call is a new question from now on."""
        if found.status != "pending":
            self._keys.pop(self._calls.pop(found.ask_id, ""), None)
        return found

    async def wait(self, link: AgentHubClient, found: Outcome, wait_s: float, tell: Told) -> Outcome | HubSaysNo:
        """Wait for the answer that long; return how it stands then."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        attended = self._attended.get(found.ask_id)
        watched = attended or asyncio.ensure_future(self._answered(link, found.ask_id))
        try:
            while found.status == "pending" and (left_s := began + wait_s - loop.time()) > 0:
                await tell(
                    round(loop.time() - began, 1), f"Waiting for a person to answer; open until {found.open_until}"
                )
                done, _ = await asyncio.wait({watched}, timeout=min(PROGRESS_EVERY_S, left_s))
                if done:
                    return self._over(watched.result())
        finally:
            if attended is None:
                watched.cancel()
        return self.handed_over(found)

    async def take_back(self, link: AgentHubClient, ask_id: str) -> Outcome | HubSaysNo:
        """Take a question back; it disappears everywhere."""
        self._leave(ask_id)
        reply = await link.withdraw(ask_id)
        return reply if isinstance(reply, HubSaysNo) else self.handed_over(outcome_of(reply))

    async def close(self) -> None:
        """Attend to nothing any more: what is still open is taken back by the hub."""
        tasks = list(self._attended.values())
        await end_all(tasks)

    def _over(self, found: Outcome | HubSaysNo) -> Outcome | HubSaysNo:
        return found if isinstance(found, HubSaysNo) else self.handed_over(found)

    def _attend(self, link: AgentHubClient, found: Outcome | HubSaysNo) -> None:
        """Hold a connection for as long as a question is open; its end, however it comes, takes the question back."""
        if isinstance(found, HubSaysNo) or found.status != "pending":
            return
        if found.ask_id not in self._attended:
            task = asyncio.ensure_future(self._answered(link, found.ask_id, withdraws=True))
            self._attended[found.ask_id] = task
            task.add_done_callback(lambda _: self._attended.pop(found.ask_id, None))

    def _leave(self, ask_id: str) -> None:
        task = self._attended.pop(ask_id, None)
        if task is not None:
            task.cancel()

    async def _answered(self, link: AgentHubClient, ask_id: str, *, withdraws: bool = False) -> Outcome | HubSaysNo:
        """Wait until a question is settled, also past a restart of the hub."""
        for _ in range(BACK_TIMES):
            reply = await link.wait(ask_id, withdraws=withdraws)
            if not isinstance(reply, HubSaysNo):
                return outcome_of(reply)
            if reply.code not in PASSING:
                return reply
            await asyncio.sleep(self._back_every_s)
        return AWAY
