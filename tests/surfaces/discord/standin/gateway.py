"""The stand-in's gateway: v10 over a WebSocket, compressed, with sessions that can be resumed or lost."""

import json
import zlib
from collections.abc import Callable
from typing import Any

from aiohttp import WSMsgType, web

from tests.surfaces.discord.standin.world import World

Json = dict[str, Any]
HEARTBEAT_MS = 41_250
DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT, INVALID_SESSION, HELLO, HEARTBEAT_ACK = 0, 1, 2, 6, 7, 9, 10, 11
KEPT_MAX = 20_000


class Gateway:
    """One bot's connection, and the session behind it: what it missed is kept for a resume."""

    def __init__(self, world: World, token: str) -> None:
        self._world = world
        self._token = token
        self._socket: web.WebSocketResponse | None = None
        self._deflate: Any = None
        self._kept: list[Json] = []
        self._session = ""
        self._seq = 0
        self.url = ""
        self.closed_to_all = False
        self.log: list[str] = []
        self.changed: Callable[[], object] = lambda: None

    @property
    def connected(self) -> bool:
        return self._socket is not None

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Serve one connection."""
        if self.closed_to_all:
            return web.Response(status=503)
        socket = web.WebSocketResponse(max_msg_size=0)
        await socket.prepare(request)
        self._deflate = zlib.compressobj() if request.query.get("compress") == "zlib-stream" else None
        self._socket = socket
        self.log.append("connect")
        await self._send({"op": HELLO, "d": {"heartbeat_interval": HEARTBEAT_MS}, "s": None, "t": None})
        async for message in socket:
            if message.type is WSMsgType.TEXT:
                await self._hear(socket, json.loads(message.data))
        if self._socket is socket:
            self._socket = None
        self.log.append("close")
        self.changed()
        return socket

    async def dispatch(self, kind: str, data: Json) -> None:
        """Send an event, or keep it for a session that is away."""
        self._seq += 1
        payload = {"op": DISPATCH, "t": kind, "s": self._seq, "d": data}
        if self._session:
            self._kept.append(payload)
            del self._kept[:-KEPT_MAX]
        if self._socket is not None and self._session:
            await self._send(payload)

    async def drop(self) -> None:
        """Cut the connection without a word; the session can be resumed."""
        socket, self._socket = self._socket, None
        if socket is not None and socket._req is not None and socket._req.transport is not None:  # noqa: SLF001  aiohttp has no other way to cut a line
            socket._req.transport.abort()  # noqa: SLF001  aiohttp has no other way to cut a line

    async def forget_session(self) -> None:
        """Cut the connection and forget the session: what is missed is lost, and a resume is invalid."""
        self._session = ""
        self._kept.clear()
        await self.drop()

    async def ask_to_reconnect(self) -> None:
        await self._send({"op": RECONNECT, "d": None, "s": None, "t": None})

    async def send_garbage(self) -> None:
        """Send an event without anything that it should have."""
        await self._send({"op": DISPATCH, "t": "MESSAGE_REACTION_ADD", "s": self._seq, "d": {"emoji": None}})

    async def refuse(self) -> None:
        """Close the connection because the token is none any more."""
        self._token = "revoked"
        if self._socket is not None:
            await self._socket.close(code=4004, message=b"Authentication failed.")

    async def _hear(self, socket: web.WebSocketResponse, payload: Json) -> None:
        match payload["op"]:
            case 1:
                await self._send({"op": HEARTBEAT_ACK})
            case 2:
                await self._identify(socket, payload["d"])
            case 6:
                await self._resume(payload["d"])

    async def _identify(self, socket: web.WebSocketResponse, data: Json) -> None:
        self.log.append("identify")
        if data["token"] != self._token:
            await socket.close(code=4004, message=b"Authentication failed.")
            return
        self.intents = data["intents"]
        self._session, self._seq, self._kept = f"session{self._world.snowflake()}", 0, []
        ready = {
            "v": 10,
            "user": self._world.bot,
            "guilds": [{"id": self._world.guild_id, "unavailable": True}],
            "session_id": self._session,
            "resume_gateway_url": self.url,
            "application": {"id": self._world.bot["id"], "flags": 0},
            "private_channels": [],
            "shard": [0, 1],
        }
        await self.dispatch("READY", ready)
        await self.dispatch("GUILD_CREATE", self._world.guild())
        self.changed()

    async def _resume(self, data: Json) -> None:
        if data["session_id"] != self._session:
            self.log.append("invalid session")
            await self._send({"op": INVALID_SESSION, "d": False})
            return
        self.log.append("resume")
        for payload in [one for one in self._kept if one["s"] > data["seq"]]:
            await self._send(payload)
        await self.dispatch("RESUMED", {})
        self.changed()

    async def _send(self, payload: Json) -> None:
        if self._socket is None:
            return
        raw = json.dumps(payload).encode()
        try:
            if self._deflate is None:
                await self._socket.send_str(raw.decode())
            else:
                await self._socket.send_bytes(self._deflate.compress(raw) + self._deflate.flush(zlib.Z_SYNC_FLUSH))
        except (ConnectionError, RuntimeError):
            self._socket = None
