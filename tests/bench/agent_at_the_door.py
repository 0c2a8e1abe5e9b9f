"""What an agent does at the front door: it starts its hook's program, ends it, and says what became of the call."""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
from collections.abc import AsyncIterator
from typing import Any, Final

import httpx
from websockets.asyncio.client import ClientConnection, connect

from hub.cli import connecting
from hub.io.agents.hooks.connections import CONNECTIONS
from tests.signed_in_page import SignedInPage
from tests.web.live_hub import LiveHub

SHELL: Final = ("/bin/sh", "-c", '"$0"; exit $?')
"""Starts the hook's program and waits for it, as an agent does that can be killed alone."""
CLAUDE: Final = "claude-code"
S_MAX: Final = 30.0
Json = dict[str, Any]


class Door:
    """A running hub, a client of it that answers, and what the hub tells of each card as it happens."""

    def __init__(self, hub: LiveHub, client: httpx.AsyncClient, process: int) -> None:
        self.hub = hub
        self.process = process
        self._client = client
        self._cards: dict[tuple[str, str], asyncio.Future[Json]] = {}

    async def listen(self, feed: ClientConnection) -> None:
        """Hear the hub until cancelled."""
        async for text in feed:
            said = json.loads(text)
            card = said.get("prediction") or {}
            if asked := card.get("permission"):
                for about in (asked["text"], asked["agent"]):
                    when = self._when(said["type"], about)
                    if not when.done():
                        when.set_result(card)

    async def told(self, event: str, about: str) -> Json:
        """Wait until the hub tells this of the question about a command, or of an agent's first; return the card."""
        async with asyncio.timeout(S_MAX):
            return await asyncio.shield(self._when(event, about))

    def _when(self, event: str, about: str) -> "asyncio.Future[Json]":
        if (event, about) not in self._cards:
            self._cards[event, about] = asyncio.get_running_loop().create_future()
        return self._cards[event, about]

    async def put_away_the_rest(self) -> None:
        """Dismiss what Pulse itself suggests, so that the next card lies in front."""
        listed = await self._client.get("/api/v1/predictions", params={"status": "pending"})
        for card in listed.json()["predictions"]:
            assert (await self.answer(card["id"], "reject", 0)).is_success

    async def answer(self, card_id: str, verb: str, after_s: float) -> httpx.Response:
        """Answer a card, as a person's page does."""
        await asyncio.sleep(after_s)
        return await self._client.post(f"/api/v1/predictions/{card_id}/{verb}", json={})


class Agent:
    """One agent that wants to run one command; of another agent `ask` is what it says for that."""

    def __init__(self, door: Door, command: str = "", *, agent: str = CLAUDE, ask: bytes = b"") -> None:
        self.door = door
        self._command = command
        self._about = command or agent
        self._ask = ask or self._said("PermissionRequest")
        self._program = str(connecting.program_of(door.hub.home, CONNECTIONS[agent]))
        self._hook: asyncio.subprocess.Process | None = None

    async def says_what_it_will_do(self) -> None:
        """Run the quick hook before the tool; it must be told to ask."""
        assert b'"ask"' in await self.says(self._said("PreToolUse"))

    async def says(self, given: bytes) -> bytes:
        """Run a hook to its end; return what it prints."""
        hook = await self._started(())
        printed, _ = await hook.communicate(given)
        return printed

    async def asks(self, under: tuple[str, ...] = ()) -> None:
        """Start the patient hook."""
        self._hook = await self._started(under)
        assert self._hook.stdin is not None
        self._hook.stdin.write(self._ask)
        self._hook.stdin.close()

    async def card(self) -> str:
        """Wait until the hub tells of the card; return its id. A hook that ends without one fails it."""
        assert self._hook is not None
        ends = asyncio.create_task(self._hook.wait())
        card = asyncio.create_task(self.door.told("prediction.new", self._about))
        await asyncio.wait({ends, card}, return_when=asyncio.FIRST_COMPLETED)
        assert not ends.done() or card.done(), f"the hook ended before there was a card: {await self.printed()!r}"
        ends.cancel()
        return str((await card)["id"])

    async def settled(self) -> Json:
        """Wait until the hub tells that the card is settled; return it."""
        return await self.door.told("prediction.settled", self._about)

    async def answered_there(self, how: str, after_s: float) -> None:
        """Do what Claude Code does when its own dialog is answered: end the hook, and say what was run."""
        assert self._hook is not None
        await asyncio.sleep(after_s)
        with contextlib.suppress(ProcessLookupError):  # it has its answer
            os.kill(
                self._hook.pid, signal.SIGTERM
            )  # its own method reaps it, and whoever waits for its end misses that
        if how == "allowed":
            await self.says(self._said("PostToolUse"))

    def kill(self) -> None:
        """End the agent without warning."""
        assert self._hook is not None
        self._hook.kill()

    async def told(self) -> str:
        """Wait until the hook has ended; return what Claude Code was told: allow, deny, or nothing."""
        printed = await self.printed()
        return str(json.loads(printed)["hookSpecificOutput"]["decision"]["behavior"]) if printed else ""

    async def printed(self) -> bytes:
        """Wait until the hook has ended; return what it printed."""
        assert self._hook is not None
        assert self._hook.stdout is not None
        async with asyncio.timeout(S_MAX):
            printed = await self._hook.stdout.read()
            await self._hook.wait()
        return printed

    async def _started(self, under: tuple[str, ...]) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *under, self._program, cwd=self.door.hub.repository, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def _said(self, event: str) -> bytes:
        tool = {"tool_name": "Bash", "tool_input": {"command": self._command, "description": "Delete it"}}
        about = {"session_id": "bench", "cwd": str(self.door.hub.repository)}
        return json.dumps({"hook_event_name": event, **about, **tool}).encode()


@contextlib.asynccontextmanager
async def opened_door(hub: LiveHub) -> AsyncIterator[Door]:
    """Connect Claude Code to a hub and hear what the hub tells, for as long as the block lasts."""
    connecting.keep_program(hub.home, CONNECTIONS[CLAUDE])
    assert hub.process is not None
    headers = {"Authorization": f"Bearer {hub.token}"}
    feed_url = hub.api.replace("http:", "ws:") + "/pulse"
    page = SignedInPage(hub.api, (await hub.pairing_link()).partition("#pair=")[2])
    signed = httpx.AsyncClient(base_url=hub.api, auth=page.key, trust_env=False)
    async with signed as client, connect(feed_url, additional_headers=headers, proxy=None) as feed:
        await feed.send(json.dumps({"type": "subscribe", "channels": ["crosspoll"]}))
        door = Door(hub, client, hub.process.pid)
        hears = asyncio.create_task(door.listen(feed))
        try:
            yield door
        finally:
            hears.cancel()
            page.close()
