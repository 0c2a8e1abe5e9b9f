"""The hub's API as commands call it: over HTTP, at the address in $PULSE_HOME/run.json, with the token beside it."""

import contextlib
import http.client
import os
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Literal, TypeVar

import msgspec

from hub.contract.api import Problem
from hub.contract.base import Message
from hub.errors import PulseError, WorldError
from hub.io.home import Home

TIMEOUT_S = 15.0
DOCUMENT_BYTES_MAX = 16_777_216
DOWNLOAD_WAIT_S = 60.0
"""The longest pause in a download."""
CHUNK_BYTES = 65_536
TOKEN_FILE = Path("secrets") / "local.token"
Method = Literal["GET", "POST", "PATCH", "DELETE"]
T = TypeVar("T", bound=Message)


class NotRunningError(WorldError):
    """Pulse is not running, or not where it was. Start it with `pulse up`."""

    code = "not-running"


class ForeignAnswerError(WorldError):
    """What answered at Pulse's address is not this Pulse. Stop whatever listens there, or start Pulse again."""

    code = "foreign-answer"


class RefusedError(PulseError):
    """The hub refused; the problem document says what happened and what to do."""

    code = "refused"

    def __init__(self, problem: Problem) -> None:
        """Keep the hub's own words."""
        super().__init__(problem.detail, fix=problem.fix)
        self.problem = problem


class Api:
    """One running hub."""

    def __init__(self, address: str, token: str, home: Path) -> None:
        self.address = address
        self.token = token
        self._home = home

    def call(self, method: Method, path: str, body: Message | None = None, *, timeout_s: float = TIMEOUT_S) -> bytes:
        """Make one request and return the answer's document.

        Raises:
            NotRunningError: nobody answers.
            RefusedError: the hub refused, with its problem document.
        """
        connection = self._connect(timeout_s)
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "application/json"}
        payload = None
        if body is not None:
            payload = msgspec.json.encode(sparse(body))
            headers["Content-Type"] = "application/json"
        try:
            connection.request(method, f"/api/v1{path}", payload, headers)
            answer = connection.getresponse()
            document = answer.read(DOCUMENT_BYTES_MAX)
        except (OSError, http.client.HTTPException) as error:
            raise not_running(self._home, f"It does not answer at {self.address}.") from error
        finally:
            connection.close()
        if answer.status >= http.client.BAD_REQUEST:
            raise _refusal(document, answer.status)
        return document

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
            raise not_running(self._home, f"The answer of {self.address} ended in the middle.") from error

    def _connect(self, timeout_s: float) -> http.client.HTTPConnection:
        where = urllib.parse.urlsplit(self.address)
        return http.client.HTTPConnection(where.hostname or "127.0.0.1", where.port, timeout=timeout_s)

    def _begin(self, connection: http.client.HTTPConnection, method: Method, path: str) -> http.client.HTTPResponse:
        try:
            connection.request(method, f"/api/v1{path}", headers={"Authorization": f"Bearer {self.token}"})
            return connection.getresponse()
        except (OSError, http.client.HTTPException) as error:
            raise not_running(self._home, f"It does not answer at {self.address}.") from error

    def get(self, path: str, kind: type[T], *, timeout_s: float = TIMEOUT_S) -> T:
        """Read one document."""
        return read(self.call("GET", path, timeout_s=timeout_s), kind)


def open_api(home: Path) -> Api:
    """Find the hub that runs with this home.

    Raises:
        NotRunningError: there is none.
    """
    folder = Home(home)
    record = folder.record()
    if record is None or not _lives(record.pid):
        raise not_running(home)
    try:
        token = (home / TOKEN_FILE).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise NotRunningError(
            f"Pulse runs at {record.api}, but its token in {home} cannot be read.",
            fix="Run the command as the person who started Pulse.",
        ) from error
    return Api(record.api, token, home)


def read(document: bytes, kind: type[T]) -> T:
    """Read a document of the API.

    Raises:
        ForeignAnswerError: it is not of that shape.
    """
    try:
        return msgspec.json.decode(document, type=kind)
    except msgspec.DecodeError as error:
        raise ForeignAnswerError(fix="If both are the same version, please report it with `pulse doctor`.") from error


def sparse(body: Message) -> dict[str, object]:
    """Return a body without what was not said: a missing field keeps its value."""
    fields = msgspec.structs.fields(body)
    builtins = msgspec.to_builtins(body)
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
        return ForeignAnswerError(f"The answer was {status}, in a form that Pulse does not use.")


def _lives(pid: int) -> bool:
    with contextlib.suppress(PermissionError):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
    return True
