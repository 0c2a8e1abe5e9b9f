"""The connections to one environment of APNs: opened when needed, kept, replaced when the server goes away.

A request that a server has certainly not worked on is sent again here, over another connection, with its apns-id. One
that is lost is not: that is its sender's decision.
"""

import asyncio
import contextlib
import ssl
from collections.abc import Callable

from aioapns.connection import APNsBaseConnectionPool

from hub.contract.base import Value
from hub.kit.backoff import RetryPolicy, retry_delay_s
from surfaces.apns.config import Server
from surfaces.apns.connection import PatientProtocol
from surfaces.apns.http2 import Headers, Result, Unsent

CONNECT_S_MAX = 5.0
CONNECTIONS_MAX = 4
RESENDS_MAX = 6
RETRY = RetryPolicy(base_s=0.25, cap_s=30.0, spread=0.5)
PROTOCOL = "h2"


class Failing(Value):
    """Connecting did not work: not again before `until_s` of the loop's clock."""

    why: str
    until_s: float
    tries: int


def tls_context(ca_file: str) -> ssl.SSLContext:
    """Return the TLS settings that APNs wants; `ca_file` is trusted instead of the system's authorities.

    Raises:
        OSError: the file cannot be read.
    """
    context = ssl.create_default_context(cafile=ca_file or None)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols([PROTOCOL])
    return context


class Pool(APNsBaseConnectionPool):
    """Use `send`; `close` ends everything."""

    def __init__(
        self,
        server: Server,
        context: ssl.SSLContext,
        draw: Callable[[], float],
        *,
        connections_max: int = CONNECTIONS_MAX,
    ) -> None:
        super().__init__(topic="", max_connections=connections_max)
        self.protocol_class: type[PatientProtocol] = PatientProtocol
        self.ssl_context = context
        self._server = server
        self._draw = draw
        self._open: list[PatientProtocol] = []
        self._failing: Failing | None = None
        self._growing: asyncio.Task[object] | None = None
        self.opened = 0
        """How many connections were made."""

    @property
    def trouble(self) -> str:
        """Why no connection can be made at present; empty when one can."""
        return self._failing.why if self._failing else ""

    async def send(self, headers: Headers, body: bytes, *, room_s: float, answer_s: float) -> Result:
        """Send a request over some connection: `room_s` for all waiting for room, then `answer_s` for the answer."""
        end_s = self.loop.time() + room_s
        result: Result = Unsent(why="not tried")
        for _ in range(RESENDS_MAX):
            connection = await self._ready(end_s - self.loop.time())
            if connection is None:
                return Unsent(why=self.trouble or "no connection in time")
            left_s = max(0.0, end_s - self.loop.time())
            result = await connection.exchange(headers, body, room_s=left_s, answer_s=answer_s)
            if not isinstance(result, Unsent) or self.loop.time() >= end_s:
                return result
        return result

    def retire(self) -> None:
        """Replace the connections; what is under way is answered first."""
        for connection in list(self._open):
            connection.retire()

    def close(self) -> None:
        """End all connections."""
        if self._growing is not None:
            self._growing.cancel()
        for connection in list(self._open):
            connection.close()

    def discard_connection(self, connection: object) -> None:
        """Forget a connection that has ended."""
        self._open = [one for one in self._open if one is not connection]

    async def _ready(self, wait_s: float) -> PatientProtocol | None:
        """Return the least busy connection; open the first one, and more while all are full."""
        best = self._best()
        if best is None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, wait_s)):
                    return await self._one_more(when_none=True)
            return None
        is_full = best.streams_max > 1 and best.load >= best.streams_max
        if is_full and len(self._open) < self.max_connections and self._growing is None:
            self._growing = self.loop.create_task(self._one_more(when_none=False))
            self._growing.add_done_callback(self._grown)
        return best

    def _best(self) -> PatientProtocol | None:
        ready = [connection for connection in self._open if connection.is_ready]
        return min(ready, key=lambda connection: connection.load, default=None)

    def _grown(self, _task: object) -> None:
        self._growing = None

    async def _one_more(self, *, when_none: bool) -> PatientProtocol | None:
        async with self._lock:
            if when_none and (best := self._best()) is not None:
                return best
            if self._failing is not None and self.loop.time() < self._failing.until_s:
                return None
            try:
                async with asyncio.timeout(CONNECT_S_MAX):
                    connection = await self.create_connection()
            except (OSError, TimeoutError, ConnectionError) as error:
                self._note_failure(_in_words(error))
                return None
            self._failing = None
            self._open.append(connection)
            self.opened += 1
            return connection

    async def create_connection(self) -> PatientProtocol:
        """Open one.

        Raises:
            OSError: nobody is there, it is not who it should be, or it speaks no HTTP/2.
        """
        transport, connection = await self.loop.create_connection(
            lambda: self.protocol_class(self.loop, self.discard_connection),
            host=self._server.host,
            port=self._server.port,
            ssl=self.ssl_context,
            ssl_handshake_timeout=CONNECT_S_MAX,
        )
        tls = transport.get_extra_info("ssl_object")
        if tls is not None and tls.selected_alpn_protocol() != PROTOCOL:
            connection.close()
            raise ConnectionError("it does not speak HTTP/2")
        return connection

    def _note_failure(self, why: str) -> None:
        tries = self._failing.tries + 1 if self._failing else 1
        wait_s = retry_delay_s(tries, RETRY, self._draw)
        self._failing = Failing(why=why, until_s=self.loop.time() + wait_s, tries=tries)


def _in_words(error: BaseException) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"APNs shows a certificate that is not trusted: {error.verify_message}"
    if isinstance(error, TimeoutError):
        return "APNs does not answer"
    return f"APNs cannot be reached: {error.strerror if isinstance(error, OSError) and error.strerror else error}"
