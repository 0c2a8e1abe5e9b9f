"""JSON-RPC with Codex's app-server, over a WebSocket on its Unix socket, where no other user can listen or knock."""

import asyncio
import contextlib
import itertools
import os
import socket
import struct
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import msgspec
from websockets.asyncio.client import ClientConnection, unix_connect
from websockets.exceptions import WebSocketException

from hub.contract.base import Value
from hub.contract.errors import WorldError
from hub.kit.loose_json import LooseJson, object_of, text_of

AGAIN = "It starts with the next `codex`."
OPEN_S_MAX, CALL_S_MAX = 5.0, 20.0
MESSAGE_BYTES_MAX = 33_554_432
LINK = struct.Struct("3i")
"""struct ucred of unix(7): process, user, group."""
QUIET = (
    "command/exec/outputDelta",
    "item/agentMessage/delta",
    "item/commandExecution/outputDelta",
    "item/fileChange/outputDelta",
    "item/plan/delta",
    "item/reasoning/summaryPartAdded",
    "item/reasoning/summaryTextDelta",
    "item/reasoning/textDelta",
    "process/outputDelta",
    "thread/tokenUsage/updated",
    "turn/diff/updated",
)
"""What we have no use for: it is then not sent to us."""


class CodexAwayError(WorldError):
    """Codex's own server does not answer. It starts with the next `codex`."""

    code = "codex-away"


class FromServer(Value):
    """What the server said by itself: a request if it has a number, else a note."""

    method: str
    params: Mapping[str, object]
    id: int | str | None = None


class AppServerConnection:
    """One connection; `pid` is the server's process, 0 where the system does not say."""

    def __init__(self, connection: ClientConnection, pid: int) -> None:
        self.pid = pid
        self.version = ""
        self._connection = connection
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[LooseJson]] = {}

    async def messages(self) -> AsyncIterator[FromServer]:
        """Give what the server says, until the connection ends; replies go to who waits for them."""
        try:
            async for raw in self._connection:
                said = _object(raw)
                method = text_of(said, "method")
                if method:
                    number = said.get("id")
                    yield FromServer(
                        method=method,
                        params=object_of(said, "params"),
                        id=number if isinstance(number, int | str) else None,
                    )
                else:
                    self._take(said)
        except WebSocketException as error:
            raise CodexAwayError(f"Codex's server ended the connection: {error}.") from error
        finally:
            for waiting in self._waiting.values():
                waiting.cancel()

    async def hear(self) -> None:
        """Take replies for as long as the connection lasts, and pass over all else."""
        async for _ in self.messages():
            pass

    async def call(self, method: str, params: LooseJson) -> LooseJson | None:
        """Ask the server; None where it refuses.

        Raises:
            CodexAwayError: it does not answer.
        """
        number = next(self._numbers)
        reply = self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            await self._send({"id": number, "method": method, "params": params})
            async with asyncio.timeout(CALL_S_MAX):
                said = await reply
        except TimeoutError as error:
            raise CodexAwayError(f"Codex's server does not answer to {method}.") from error
        finally:
            self._waiting.pop(number, None)
        return None if "error" in said else object_of(said, "result")

    async def answer(self, number: int | str, result: LooseJson) -> None:
        """Answer a request of the server's; raises as `call` does."""
        await self._send({"id": number, "result": result})

    async def note(self, method: str) -> None:
        """Tell the server something; raises as `call` does."""
        await self._send({"method": method})

    def _take(self, said: LooseJson) -> None:
        number = said.get("id")
        waiting = self._waiting.get(number) if isinstance(number, int) else None
        if waiting is not None and not waiting.done():
            waiting.set_result(said)

    async def _send(self, message: LooseJson) -> None:
        try:
            await self._connection.send(msgspec.json.encode(message).decode())
        except WebSocketException as error:
            raise CodexAwayError(f"Codex's server ended the connection: {error}.") from error


@contextlib.asynccontextmanager
async def open_line(path: Path) -> AsyncIterator[AppServerConnection]:
    """Connect to an app-server; what is to be called on the line needs `messages` to be read meanwhile.

    Raises:
        CodexAwayError: nobody listens there, or another user does.
    """
    opened, pid = _knock(path)
    try:
        connection = await unix_connect(
            sock=opened, uri="ws://localhost/", open_timeout=OPEN_S_MAX, max_size=MESSAGE_BYTES_MAX, compression=None
        )
    except (OSError, TimeoutError, WebSocketException) as error:
        opened.close()
        raise CodexAwayError(f"No answer at {path}: {error}.", fix=AGAIN) from error
    async with connection:
        yield AppServerConnection(connection, pid)


async def introduce(line: AppServerConnection, version: str) -> None:
    """Say who we are, as each connection must; raises as `AppServerConnection.call` does."""
    said = await line.call(
        "initialize",
        {
            "clientInfo": {"name": "pulse", "title": "Pulse", "version": version},
            "capabilities": {
                "experimentalApi": True,
                "requiredHumanApproval": True,
                "optOutNotificationMethods": QUIET,
            },
        },
    )
    if said is None:
        raise CodexAwayError("Codex's server does not accept Pulse as a client.")
    line.version = text_of(said, "userAgent").partition("/")[2].partition(" ")[0]
    await line.note("initialized")


def _object(raw: str | bytes) -> LooseJson:
    try:
        found = msgspec.json.decode(raw)
    except msgspec.DecodeError as error:
        raise CodexAwayError("Codex's server sent something that is not JSON.") from error
    return found if isinstance(found, dict) else {}


def _knock(path: Path) -> tuple[socket.socket, int]:
    """Return a connection to whoever listens there, and their process."""
    opened = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        opened.settimeout(OPEN_S_MAX)
        opened.connect(str(path.resolve()))
        pid = _require_ours(opened)
    except (OSError, CodexAwayError) as error:
        opened.close()
        raise CodexAwayError(f"No answer at {path}: {error}.", fix=AGAIN) from error
    opened.setblocking(False)  # noqa: FBT003  the standard library's own signature
    return opened, pid


def _require_ours(opened: socket.socket) -> int:
    """Return the process that listens; its user must be ours, where the system says who it is."""
    if sys.platform != "linux":
        return 0
    pid, user, _ = LINK.unpack(opened.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, LINK.size))
    if user != os.geteuid():
        raise CodexAwayError("Another user is listening there.")
    return int(pid)
