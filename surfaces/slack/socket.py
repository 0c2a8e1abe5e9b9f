"""Socket Mode: what is done in Slack comes over a connection that we open, so nothing of ours has a public address.

Slack wants each envelope acknowledged within three seconds, so that is done as it is read, before anybody acts on it;
what there is no room for is not acknowledged, and Slack tells the person. Slack renews its connections every
while: the next one is open before the old one ends, which is read to its end.
"""

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from typing import Any

import aiohttp
import msgspec

from hub.kit.backoff import RetryPolicy, retry_delay_s
from hub.kit.bounded import BoundedSet
from hub.kit.chat.heard import ChatHeard, Sender
from hub.kit.chat.trouble import chat_trouble
from hub.kit.gateway.outcome import Misconfigured, RetryLater
from hub.kit.tasks import end_all
from hub.kit.unreachable import why_unreachable
from surfaces.slack.reading import read_envelope
from surfaces.slack.settings import SlackTokenError
from surfaces.slack.web import SlackWeb

OPEN_S_MAX = 20.0
PING_S = 20.0
LASTED_S = 30.0
"""A connection that held this long was a good one; after it there is no pause."""
DRAIN_S_MAX = 30.0
"""A connection that Slack said it would close is read no longer than this."""
ENVELOPE_BYTES_MAX = 1_048_576
SWITCHED_OFF = "Socket Mode is switched off in the settings of the app in Slack"
SWITCH_ON = "Switch it on there: Settings, Socket Mode."
STRANGERS_WAITING_MAX = 10
HEARD_MAX, SEEN_MAX = 100, 1_000
AGAIN = RetryPolicy(base_s=0.5, cap_s=10.0)
"""Nothing can be pressed meanwhile, so the waits stay short; when Slack itself asks for a longer one, that is kept."""


class SocketMode:
    """The connection over which an app hears. `web` and `app_token` bring the address of the next one.

    With `only` others are heard as long as little waits, so that nobody else can fill the room for what is heard.
    """

    def __init__(
        self, session: aiohttp.ClientSession, web: SlackWeb, app_token: str, *, is_secure: bool, only: Sender | None
    ) -> None:
        self._session = session
        self._web = web
        self._app_token = app_token
        self._scheme = "wss://" if is_secure else "ws://"
        self._only = only
        self._found: asyncio.Queue[ChatHeard] = asyncio.Queue(HEARD_MAX)
        self._seen: BoundedSet[str] = BoundedSet(SEEN_MAX)
        self._reading: set[asyncio.Task[None]] = set()
        self.trouble = chat_trouble()

    async def heard(self) -> AsyncGenerator[ChatHeard, None]:
        """Yield what is done in Slack, each thing once, without end.

        Raises:
            SlackTokenError: Slack does not take the app's token.
        """
        listening = asyncio.create_task(self._listen())
        try:
            while True:
                coming = asyncio.create_task(self._found.get())
                await asyncio.wait((coming, listening), return_when=asyncio.FIRST_COMPLETED)
                if not coming.done():
                    coming.cancel()
                    await listening
                    return
                yield coming.result()
        finally:
            await end_all((listening, *self._reading))

    async def address(self) -> str | RetryLater:
        """Return the address of a new connection; each is good for once.

        Raises:
            SlackTokenError: Slack does not take the app's token.
        """
        found = await self._web.tried("apps.connections.open", self._app_token, {})
        if isinstance(found, Misconfigured):
            raise SlackTokenError(f"{found.why}.", fix="Create a new app-level token, then: `pulse slack setup`.")
        if isinstance(found, dict):
            address = str(found.get("url", ""))
            return address if address.startswith(self._scheme) else RetryLater(why="Slack names no address")
        if isinstance(found, RetryLater):
            return found
        return RetryLater(why=f"Slack opens no connection ({getattr(found, 'why', 'it does not say why')})")

    async def _listen(self) -> None:
        """Keep a connection open, and open the next one when it is to be renewed."""
        short_lived = 0
        while True:
            began_s = time.monotonic()
            is_over = asyncio.Event()
            opened = await self._open()
            if isinstance(opened, RetryLater):
                self.trouble.say("hearing", opened.why)
                await asyncio.sleep(opened.after_s)
            else:
                self._read_on(opened, is_over)
                await is_over.wait()
            self._failures()
            lasted = time.monotonic() - began_s >= LASTED_S
            short_lived = 0 if lasted else short_lived + 1
            if short_lived > 1:
                await asyncio.sleep(retry_delay_s(short_lived - 2, AGAIN, random.random))

    async def _open(self) -> aiohttp.ClientWebSocketResponse | RetryLater:
        address = await self.address()
        if isinstance(address, RetryLater):
            return address
        try:
            async with asyncio.timeout(OPEN_S_MAX):
                return await self._session.ws_connect(address, heartbeat=PING_S, max_msg_size=ENVELOPE_BYTES_MAX)
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            return RetryLater(why=f"Slack is not reachable ({why_unreachable(error)})")

    def _read_on(self, socket: aiohttp.ClientWebSocketResponse, is_over: asyncio.Event) -> None:
        reading = asyncio.create_task(self._read(socket, is_over.set))
        reading.add_done_callback(lambda _task: is_over.set())
        self._reading.add(reading)

    async def _read(self, socket: aiohttp.ClientWebSocketResponse, renew: Callable[[], None]) -> None:
        """Read a connection to its end; `renew` is called when Slack is about to close it."""
        async with contextlib.AsyncExitStack() as stack:
            stack.enter_context(contextlib.suppress(TimeoutError))
            await stack.enter_async_context(socket)
            until = await stack.enter_async_context(asyncio.timeout(None))
            async for message in socket:
                envelope = _envelope(message.data) if message.type is aiohttp.WSMsgType.TEXT else {}
                match envelope.get("type"):
                    case "hello":
                        self.trouble.say("hearing", "")
                    case "disconnect":
                        if envelope.get("reason") == "link_disabled":
                            self.trouble.say("hearing", SWITCHED_OFF, SWITCH_ON)
                        until.reschedule(asyncio.get_running_loop().time() + DRAIN_S_MAX)
                        renew()
                    case _:
                        await self._take(socket, envelope)

    async def _take(self, socket: aiohttp.ClientWebSocketResponse, envelope: Mapping[str, Any]) -> None:
        envelope_id = envelope.get("envelope_id")
        if not isinstance(envelope_id, str):
            return
        heard = read_envelope(envelope, time.time())
        if heard is not None:
            is_meant = self._only in {None, heard.sender}
            if is_meant and self._found.full():
                return
            has_room = is_meant or self._found.qsize() < STRANGERS_WAITING_MAX
            if has_room and self._seen.add(heard.event_id):
                self._found.put_nowait(heard)
        with contextlib.suppress(ConnectionError):  # it has ended; what Slack then repeats is known by its id
            await socket.send_str(msgspec.json.encode({"envelope_id": envelope_id}).decode())

    def _failures(self) -> None:
        """Let nothing that went wrong in reading pass unheard."""
        for done in [one for one in self._reading if one.done()]:
            self._reading.discard(done)
            done.result()


def _envelope(text: str) -> Mapping[str, Any]:
    try:
        found = msgspec.json.decode(text)
    except msgspec.DecodeError:
        return {}
    return found if isinstance(found, dict) else {}
