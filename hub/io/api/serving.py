"""The server: uvicorn's protocols on a socket of ours, without uvicorn's main loop.

That loop wakes ten times a second for two things: the Date header, which `PulseHttp` renews when a request comes, and
the wish to exit, which is a call of `close` here. So an idle server does not wake at all.
"""

import asyncio
import contextlib
import logging
import resource
import socket
from typing import cast

from starlette.types import ASGIApp
from uvicorn import Server

from hub.contract.access import PairingRequest, Scope
from hub.contract.errors import PulseError
from hub.io.access.tokens import Access
from hub.io.api.app import build_app, open_services
from hub.io.api.call import Services
from hub.io.api.orphaned_questions import take_back_left
from hub.io.api.outside import keep_outside
from hub.io.api.revocation_retry import keep_revoking
from hub.io.api.sessions import admit, invite
from hub.io.home.last_port import LastPort
from hub.io.http.parts import ApiParts
from hub.io.server.connection_limiter import ConnectionLimiter, slots_within
from hub.io.server.listening import BACKLOG, open_sockets
from hub.io.server.protocol import PulseConfig, PulseHttp, open_websocket
from hub.kit.tasks import BackgroundTasks, end_all

ACCEPTED_MAX = 32
"""Connections that are accepted before those that are open get their turn."""
FILES_MAX = 65_536
"""Files that Pulse asks to be allowed to hold open, connections included, where the system's limit is above that."""
LOCAL_PART = 4
"""The Unix socket has this part of the places (a quarter), beside those of the port."""
PING_S = 30.0
CLOSE_S_MAX = 0.3
CLOSE_STEP_S = 0.01
log = logging.getLogger(__name__)


class RunningApi:
    """The API, listening."""

    def __init__(self, server: Server, services: Services, address: str, local: asyncio.Server | None = None) -> None:
        self.address = address
        self._server, self._local = server, local
        self._opening = BackgroundTasks(lambda bug: log.error("a socket could not be served", exc_info=bug))
        self.services = services
        self._closed = False
        self._revoking = asyncio.create_task(keep_revoking(services))
        self._taking_back = asyncio.create_task(take_back_left(services))

    def invite(self, *, is_seen: bool = True) -> str:
        """Return a link that signs one browser in, for ten minutes; only the address where others could read it.

        `is_seen` says whether it goes to a terminal, and not into a file or a pipe.
        Once agents are connected, one of them may have restarted this hub: as long as a page or a phone of the
        person's is there, that lets in more, and nothing else does.
        """
        services = self.services
        if services.terminals.are_needed and services.has_page_or_phone():
            services.terminals.show_nothing_here()
        if services.terminals.are_needed and not (is_seen and services.terminals.may_show_here):
            return services.addresses.own
        return invite(services, PairingRequest(here=True), by_hub=is_seen).url

    def admit(self, name: str, scopes: tuple[Scope, ...], *, surface: str = "", carries: tuple[str, ...] = ()) -> str:
        """Return a token for a process of ours; it ends with this hub, and an earlier one of that name ends now."""
        return admit(self.services, name, scopes, surface=surface, carries=carries)

    def admit_agent(self, name: str) -> str:
        """Return a token for a process of ours that speaks for an agent: it lets it ask, and nothing else."""
        return admit(self.services, name, ("ask",), is_agent=True)

    def listen(self, local: socket.socket) -> None:
        """Serve this socket in the place of the local one before it; what was connected to that stays connected."""
        self._opening.spawn(self._listen(local))

    async def _listen(self, local: socket.socket) -> None:
        server, loop = self._server, asyncio.get_running_loop()

        def protocol() -> asyncio.Protocol:
            return PulseHttp(server.config, server.server_state, server.lifespan.state, loop)

        opened = await loop.create_server(protocol, sock=local, backlog=server.config.backlog)
        local.listen(BACKLOG)  # as those of the start
        before, self._local = self._local, opened
        server.servers.append(opened)
        if before is not None:
            before.close()
            server.servers.remove(before)

    async def settle(self) -> None:
        """Wait until what pages said about themselves has been passed on."""
        await self.services.watchers.settle()

    async def close(self) -> None:
        """Stop: WebSockets are told goodbye (1001), waiting requests are answered, the rest is cut off in time."""
        if self._closed:
            return
        self._closed = True
        await end_all((self._revoking, self._taking_back))
        await self._opening.close()
        if self.services.outside.tls_proxy is not None:
            await self.services.outside.tls_proxy.close()
        for listening in self._server.servers:
            listening.close()
        config = cast("PulseConfig", self._server.config)
        for behind in (config.limiter, config.local_limiter):
            behind.close()
        self.services.waiting.close()
        self.services.broadcaster.close()
        self.services.watchers.close()
        for connection in tuple(self._server.server_state.connections):
            if isinstance(connection, PulseHttp):
                connection.shutdown()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_S_MAX):
                await self._quiet()
        await self._cut()
        await self.services.late.close()

    async def _quiet(self) -> None:
        """Wait until nothing is open. A stopping server may look again every few milliseconds."""
        state = self._server.server_state
        while state.tasks or state.connections:  # noqa: ASYNC110  uvicorn keeps sets and signals nothing
            await asyncio.sleep(CLOSE_STEP_S)

    async def _cut(self) -> None:
        state = self._server.server_state
        tasks = tuple(state.tasks)
        for task in tasks:
            task.cancel()
        for connection in tuple(state.connections):
            connection.transport.abort()
        await asyncio.gather(*tasks, return_exceptions=True)


LOOPBACK_OF = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  not bound here: what is named in their place
"""Who listens everywhere, as a container may, is called by the address that works on this machine."""


async def start_api(
    parts: ApiParts,
    *,
    host: str,
    port: int,
    local: socket.socket | None = None,
    handed: tuple[socket.socket, ...] = (),
) -> RunningApi:
    """Open the API on `host`, and on the socket `local`. `port` 0 means the last one, else 8420, else any that is free.

    What systemd has `handed` over is taken in place of new sockets.

    Raises:
        NoPortError: the port cannot be opened; says why and what to do.
    """
    last = None if parts.home is None else LastPort(parts.home)
    listening = open_sockets(host, port, last.read() if last else 0, handed=handed)
    named = LOOPBACK_OF.get(host, host)
    shown = f"[{named}]" if ":" in named else named
    bound_port = listening[0].getsockname()[1]
    own_host = f"{shown}:{bound_port}"
    try:
        services = await open_services(parts, own_host)
    except PulseError:
        for opened in listening:
            opened.close()
        raise
    server = Server(_config(build_app(services), services.access))
    server.config.load()
    server.lifespan = server.config.lifespan_class(server.config)
    listeners = [*listening, *([] if local is None else [local])]
    await server.startup(sockets=listeners)
    for listener in listeners:  # asyncio takes one number for all, how many it accepts at once and how many may wait
        listener.listen(BACKLOG)
    await keep_outside(services.outside, parts)
    if last:
        last.keep(bound_port)
    return RunningApi(server, services, f"http://{own_host}", None if local is None else server.servers[-1])


def raise_files_limit() -> int:
    """Let this process hold as many files open as the system allows within reason; return how many that are."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES_MAX if hard == resource.RLIM_INFINITY else min(hard, FILES_MAX)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(ValueError, OSError):  # macOS has a lower one of its own, and says so only now
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            return wanted
        return soft
    return wanted if soft == resource.RLIM_INFINITY else soft


def _config(app: ASGIApp, access: Access) -> PulseConfig:
    config = PulseConfig(
        app,
        http=PulseHttp,
        ws=cast("type[asyncio.Protocol]", open_websocket),
        interface="asgi3",
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=ACCEPTED_MAX,
        ws_max_size=65_536,
        ws_ping_interval=PING_S,
        ws_ping_timeout=PING_S,
        ws_per_message_deflate=False,
    )
    loop, total = asyncio.get_running_loop(), slots_within(raise_files_limit())
    config.access = access
    config.limiter = ConnectionLimiter(total, loop)
    config.local_limiter = ConnectionLimiter(total // LOCAL_PART, loop)
    return config
