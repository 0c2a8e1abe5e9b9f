"""The hub's API as commands call it: HTTP over the Unix socket that $PULSE_HOME/run.json names, and never over a port.

Whoever takes a port after a crash, or the process id, is no hub: a command only speaks to a listener of its own user
whose process is the one that wrote run.json, by id and start. It sends no secret, so there is none to lose.
"""

import http.client
import os
import socket
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO, Literal, TypeVar

import msgspec

from hub.contract.api import HealthAnswer, Problem
from hub.contract.base import Message
from hub.contract.control import HealthBrief
from hub.contract.errors import PulseError, WorldError
from hub.io.home.folder import Home, RunRecord
from hub.io.http.errors import FromARunError
from hub.io.server.peer_credentials import peer_of, started
from hub.kit.hub_api import HubAddress, NotRunningError, SocketConnection, unix_socket

TIMEOUT_S = 15.0
DOCUMENT_BYTES_MAX = 16_777_216
DOWNLOAD_WAIT_S = 60.0
"""The longest pause in a download."""
CHUNK_BYTES = 65_536
NOT_LET_IN = "terminal-not-let-in"
Method = Literal["GET", "POST", "PATCH", "DELETE"]
T = TypeVar("T", bound=Message | dict[str, msgspec.Raw])


class ForeignAnswerError(WorldError):
    """What answered at Pulse's address is not this Pulse. Stop the program that listens there, or restart Pulse."""

    code = "foreign-answer"


class RefusedError(PulseError):
    """The hub refused the request; its message says why and what to do."""

    code = "refused"

    def __init__(self, problem: Problem) -> None:
        """Keep the hub's own words."""
        super().__init__(problem.detail, fix=problem.fix)
        self.problem = problem


class HubClient:
    """One running hub."""

    def __init__(self, record: RunRecord, home: Path) -> None:
        self.address = record.api
        self.record = record
        self._home = home

    def call(
        self,
        method: Method,
        path: str,
        body: Message | None = None,
        *,
        timeout_s: float = TIMEOUT_S,
        may_let_in: bool = True,
    ) -> bytes:
        """Make one request and return the answer's document.

        Where it takes a terminal that was let in, and a person can be asked here, they are asked for the word first.

        Raises:
            NotRunningError: nobody answers.
            RefusedError: the hub refused, with its problem document.
        """
        connection = self._connect(timeout_s)
        headers = {"Accept": "application/json"}
        payload = None
        if body is not None:
            payload = msgspec.json.encode(sparse(body))
            headers["Content-Type"] = "application/json"
        try:
            connection.request(method, f"/api/v1{path}", payload, headers)
            answer = connection.getresponse()
            document = answer.read(DOCUMENT_BYTES_MAX)
        except (OSError, http.client.HTTPException) as error:
            raise not_running(self._home, f"It is not answering at {self.address}.") from error
        finally:
            connection.close()
        if answer.status < http.client.BAD_REQUEST:
            return document
        refusal = _refusal(document, answer.status)
        if may_let_in and isinstance(refusal, RefusedError) and refusal.problem.code == NOT_LET_IN:
            from hub.cli.letting_in import let_in  # noqa: PLC0415  only once in the life of a terminal

            if let_in(self):
                return self.call(method, path, body, timeout_s=timeout_s, may_let_in=False)
        raise refusal

    def download(self, path: str, target: BinaryIO) -> int:
        """Copy an answer of any size into `target` as it comes; return how many bytes it had.

        Raises:
            NotRunningError: nobody answers, or the answer ended in the middle.
            RefusedError: the hub refused, with its problem document.
            OSError: `target` cannot be written.
        """
        connection = self._connect(DOWNLOAD_WAIT_S)
        try:
            answer = self._begin(connection, "GET", path)
            if answer.status >= http.client.BAD_REQUEST:
                raise _refusal(answer.read(DOCUMENT_BYTES_MAX), answer.status)
            return sum(target.write(chunk) for chunk in self._chunks(answer))
        finally:
            connection.close()

    def _chunks(self, answer: http.client.HTTPResponse) -> Iterator[bytes]:
        try:
            while chunk := answer.read(CHUNK_BYTES):
                yield chunk
        except (OSError, http.client.HTTPException) as error:
            raise not_running(self._home, f"The response from {self.address} was cut off.") from error

    def _connect(self, timeout_s: float) -> http.client.HTTPConnection:
        return SocketConnection(partial(connect_to, self.record, timeout_s), timeout_s)

    def _begin(self, connection: http.client.HTTPConnection, method: Method, path: str) -> http.client.HTTPResponse:
        try:
            connection.request(method, f"/api/v1{path}")
            return connection.getresponse()
        except (OSError, http.client.HTTPException) as error:
            raise not_running(self._home, f"It is not answering at {self.address}.") from error

    def get(self, path: str, kind: type[T], *, timeout_s: float = TIMEOUT_S) -> T:
        """Read one document."""
        return read(self.call("GET", path, timeout_s=timeout_s), kind)


def open_api(home: Path) -> HubClient:
    """Find the hub that runs with this home.

    Raises:
        NotRunningError: there is none.
    """
    record = record_of(home)
    if record is None:
        raise not_running(home)
    return HubClient(record, home)


def record_of(home: Path) -> RunRecord | None:
    """Return where the hub that runs with this home can be reached; None while there is none."""
    record = Home(home).record()
    return None if record is None or not record.socket or not _lives(record) else record


def address_at_port(home: Path, token: str) -> HubAddress | None:
    """Return where the hub of this home is found by a program with a token; None while there is none."""
    record = record_of(home)
    return None if record is None else HubAddress(api=record.api, token=token)


def connect_to(record: RunRecord, timeout_s: float) -> socket.socket:
    """Return a connection to the hub that wrote this record.

    Raises:
        ForeignAnswerError: something else listens there.
        OSError: nobody does.
    """
    opened = unix_socket(record.socket, timeout_s)
    try:
        _require_hub(opened, record)
    except BaseException:
        opened.close()
        raise
    return opened


def _require_hub(opened: socket.socket, record: RunRecord) -> None:
    peer = peer_of(opened)
    if peer is not None and peer.uid != os.geteuid():
        raise ForeignAnswerError(
            "The program listening here belongs to another user of this machine; nothing was sent to it.",
            fix="If that is your Pulse, run the command as that user: docs/howto/another-user.md.",
        )
    if peer is None or peer.pid != record.pid or not _lives(record):
        raise ForeignAnswerError(
            f"What listens at {record.socket} is not the Pulse that was started here; nothing was sent to it.",
            fix="Restart Pulse. If it runs in a container, run the command there.",
        )


def read(document: bytes, kind: type[T]) -> T:
    """Read a document of the API.

    Raises:
        ForeignAnswerError: it is not of that shape.
    """
    try:
        return msgspec.json.decode(document, type=kind)
    except msgspec.DecodeError as error:
        raise ForeignAnswerError(
            fix="If both are the same version, please report this with the output of `pulse doctor`."
        ) from error


def health_of(document: bytes) -> HealthAnswer:
    """Return the health of every part.

    Raises:
        FromARunError: an agent asks, which hears only whether all is well.
        ForeignAnswerError: it is of another shape.
    """
    try:
        is_brief = len(msgspec.json.decode(document, type=dict[str, msgspec.Raw])) == 1
    except msgspec.DecodeError:
        is_brief = False
    if is_brief:
        status = read(document, HealthBrief).status
        why = f"A program started by an agent is only told that Pulse is {status}."
        raise FromARunError(why, fix=FromARunError.FIX)
    return read(document, HealthAnswer)


def sparse(body: Message) -> dict[str, object]:
    """Return a body without what was not said: a missing field keeps its value."""
    fields = msgspec.structs.fields(body)
    builtins = msgspec.to_builtins(body, enc_hook=msgspec.json.decode)  # of what is kept as it came (Raw)
    unsaid = {one.encode_name for one in fields if getattr(body, one.name) is None}
    return {name: value for name, value in builtins.items() if name not in unsaid}


def not_running(home: Path, detail: str = "") -> NotRunningError:
    """Say that Pulse is not running, and what to do."""
    return NotRunningError(
        f"Pulse is not running. {detail}".strip(), fix=f"Start it with `pulse up` (its state is in {home})."
    )


def _refusal(document: bytes, status: int) -> PulseError:
    try:
        return RefusedError(msgspec.json.decode(document, type=Problem))
    except msgspec.DecodeError:
        return ForeignAnswerError(f"The response ({status}) is not one that Pulse sends.")


def _lives(record: RunRecord) -> bool:
    """Return True if the process that wrote a record still runs; one that has its id now began at another moment."""
    return bool(record.process_started) and started(record.pid) == record.process_started
