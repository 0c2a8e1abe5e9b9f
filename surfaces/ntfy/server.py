"""The ntfy server: publish, clear, hear the reply topic, see whether strangers may read. All that is read is untrusted.

An answer is a name that this process gave out (`hub/kit/offered_answers.py`), so the reply topic may be known to all:
what is written there by others is looked up, found nowhere, and let go.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from http import HTTPStatus

import aiohttp
import msgspec
from yarl import URL

from hub.contract.base import Value
from hub.kit.backoff import RetryPolicy, retry_delay_s
from hub.kit.gateway.outcome import Accepted, Misconfigured, Outcome, RetryLater, TooLarge, Undeliverable
from hub.kit.offered_answers import NAME_CHARS
from hub.kit.setup_faults import SetupNoNetworkError, SetupPermissionError, SetupWrongTokenError
from hub.kit.trouble import TellTrouble
from hub.kit.unreachable import why_unreachable
from surfaces.ntfy.render import NtfyPush
from surfaces.ntfy.settings import NTFY

SEND_S_MAX = 15.0
CONNECT_S_MAX = 10.0
SILENCE_S_MAX = 120.0
"""The server says something every 45 seconds."""
LINE_BYTES_MAX = 65_536
"""A message of 4,096 bytes in JSON, were each written as six."""
ANSWER_BYTES_MAX = 4_096
REPLIES_PER_MINUTE_MAX = 120
"""More than a person presses; of a flood the rest is let go."""
MINUTE_S = 60.0
RETRY = RetryPolicy(base_s=1.0, cap_s=15.0, spread=0.5)
RENEW = "Its token may have expired: `pulse ntfy setup` asks for a new one."
SEE_SERVER = "Check that the server is running and reachable from here; `pulse ntfy setup` can change it."


class NtfyRefusal(Exception):  # noqa: N818  the server's own no
    """The server answered, and does not let us read."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Reply(Value):
    """One line of the reply topic; the server says more, which nothing is made of."""

    event: str = ""
    message: str = ""
    id: str = ""


class Ntfy:
    """One server with our two topics."""

    def __init__(self, url: str, *, topic: str, reply_topic: str, token: str, draw: Callable[[], float]) -> None:
        self._url = URL(url)
        self._topic, self._reply_topic = topic, reply_topic
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._draw = draw
        self._session: aiohttp.ClientSession | None = None
        self.ready = asyncio.Event()
        """Whether it was ever seen who may read; before, nothing is published."""

    async def open(self) -> None:
        """Open the HTTP session: no cookies, no redirects, bounded times."""
        timeout = aiohttp.ClientTimeout(total=SEND_S_MAX, connect=CONNECT_S_MAX)
        jar = aiohttp.DummyCookieJar()
        self._session = aiohttp.ClientSession(timeout=timeout, cookie_jar=jar, read_bufsize=LINE_BYTES_MAX)

    async def close(self) -> None:
        """Close it."""
        if self._session is not None:
            await self._session.close()

    async def publish(self, push: NtfyPush) -> Outcome:
        """Try once; the sequence is the key by which the phone knows a repeat."""
        if push.clears:
            return await self._request("DELETE", self._url / self._topic / push.sequence, None)
        return await self._request("POST", self._url, {**push.body, "topic": self._topic})

    async def require_access(self) -> None:
        """See that the server lets us read the reply topic, as `hear` will.

        Raises:
            SetupError: it does not, or does not answer; says which.
        """
        server, token = NTFY.asks
        try:
            async for _opened in self._replies(""):
                return
            raise _no_ntfy(self._url, "it ended the connection")
        except NtfyRefusal as refused:
            if refused.status not in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
                raise _no_ntfy(self._url, f"status {refused.status}") from refused
            if refused.status == HTTPStatus.UNAUTHORIZED and self._headers:
                detail = f"{self._url.host} does not accept the token."
                raise SetupWrongTokenError(detail, fix=token.where, field=token.name) from refused
            who = "the owner of that token" if self._headers else "anybody without a token"
            detail = f"{self._url.host} does not let {who} read our topics."
            fix = f"Allow it there: ntfy access USER 'pulse_*' read-write. {token.where}"
            raise SetupPermissionError(detail, fix=fix, field=token.name) from refused
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            detail = f"{self._url.host} does not answer ({why_unreachable(error)})."
            raise SetupNoNetworkError(detail, fix=SEE_SERVER, field=server.name) from error

    async def is_open(self) -> bool:
        """Return True if a stranger may read our topic; where nobody can tell, it counts as open."""
        if self._session is None:
            return True
        where = (self._url / self._topic / "json").with_query(poll="1", since="1s")
        try:
            async with self._session.get(where, allow_redirects=False) as answer:
                return answer.status not in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}
        except (TimeoutError, aiohttp.ClientError, OSError):
            return True

    async def hear(
        self, take: Callable[[str], object], state: TellTrouble, begun: Callable[[], Awaitable[None]]
    ) -> None:
        """Hand over each answer that comes, until cancelled; after an outage also what came meanwhile.

        `begun` is awaited after each connection, before anything is published over it; `state` is told of trouble.
        """
        tries, since = 0, ""
        while True:
            fix = SEE_SERVER
            try:
                async for reply in self._replies(since):
                    if reply.event == "open":
                        await begun()
                        self.ready.set()
                        state("")
                        tries = 0
                    since = reply.id or since
                    if reply.event == "message":
                        take(reply.message)
                why = "ended the connection"
            except ValueError:  # a line that is too long: asked for again, it would come again
                since, why = "", "said more than an answer has room for"
            except NtfyRefusal as refused:
                why, fix = f"does not allow reading the reply topic (status {refused.status})", RENEW
            except (TimeoutError, aiohttp.ClientError, OSError) as error:
                why = f"does not answer ({why_unreachable(error)})"
            state(f"The ntfy server {why}", fix)
            tries += 1
            await asyncio.sleep(retry_delay_s(tries, RETRY, self._draw))

    async def _replies(self, since: str) -> AsyncIterator[Reply]:
        if self._session is None:
            raise ValueError(since)
        where = (self._url / self._reply_topic / "json").with_query({"since": since} if since else {})
        timeout = aiohttp.ClientTimeout(total=None, connect=CONNECT_S_MAX, sock_read=SILENCE_S_MAX)
        async with self._session.get(where, headers=self._headers, timeout=timeout, allow_redirects=False) as answer:
            if answer.status != HTTPStatus.OK:
                raise NtfyRefusal(answer.status)
            loop = asyncio.get_running_loop()
            began_s, taken = loop.time(), 0
            while line := await answer.content.readline():
                if loop.time() - began_s > MINUTE_S:
                    began_s, taken = loop.time(), 0
                taken += 1
                if taken <= REPLIES_PER_MINUTE_MAX and (found := read_reply(line)) is not None:
                    yield found

    async def _request(self, method: str, where: URL, body: Mapping[str, object] | None) -> Outcome:
        if self._session is None or not self.ready.is_set():
            return RetryLater(why="The ntfy server was not reached yet", fix=SEE_SERVER)
        data = None if body is None else msgspec.json.encode(body)
        try:
            async with self._session.request(
                method, where, data=data, headers=self._headers, allow_redirects=False
            ) as answer:
                await answer.content.read(ANSWER_BYTES_MAX)
                return outcome_of(answer.status, answer.headers.get("Retry-After", ""), clears=body is None)
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            return RetryLater(why=f"The ntfy server does not answer ({why_unreachable(error)})", fix=SEE_SERVER)


def _no_ntfy(url: URL, why: str) -> SetupNoNetworkError:
    return SetupNoNetworkError(f"What answers at {url} is no ntfy server ({why}).", field=NTFY.asks[0].name)


def read_reply(line: bytes) -> Reply | None:
    """Read one line; None for what is none of ours."""
    try:
        found = msgspec.json.decode(line, type=Reply)
    except msgspec.DecodeError:
        return None
    return found if len(found.message) <= NAME_CHARS else None


def outcome_of(status: int, retry_after: str, *, clears: bool) -> Outcome:
    """Say what became of a message."""
    if HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        return Accepted()
    if clears and status in {HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED}:
        return Accepted(detail="an older server cannot delete old messages")
    if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return TooLarge()
    if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        return Misconfigured(why=f"The ntfy server does not allow writing to the topic (status {status})", fix=RENEW)
    if status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        after_s = float(retry_after) if retry_after.isdecimal() else 0.0
        return RetryLater(why=f"The ntfy server said {status}", after_s=after_s)
    return Undeliverable(why=f"The ntfy server said {status}")
