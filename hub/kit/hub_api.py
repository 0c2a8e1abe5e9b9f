"""The hub's HTTP API as surfaces and glasses reach it: where it is, one request, and pairing.

A process is told where the hub is (`PULSE_API`) and, for coming in over a port, its token. One that a person starts
comes in over the hub's own socket (`unix:PATH`), which knows its caller and needs no token; one that the hub starts is
handed its token over a pipe.
"""

import http.client
import socket
import urllib.parse
from collections.abc import Callable, Mapping
from functools import partial

import msgspec

from hub.contract.access import Login
from hub.contract.api import Problem
from hub.contract.base import Value
from hub.contract.errors import UserError, WorldError
from hub.contract.topics import DeviceAddress

ANSWER_BYTES_MAX = 1_048_576
HTTP_TIMEOUT_S = 10.0
UNIX = "unix:"
HOST = "localhost"


class NotRunningError(WorldError):
    """Pulse is not running, or has moved. Start it with `pulse up`."""

    code = "not-running"


class NotPairedError(UserError):
    """The hub refused this device; the message says why, and `refusal` is the hub's own code."""

    code = "not-paired"

    def __init__(self, detail: str = "", *, fix: str = "", refusal: str = "") -> None:
        """Describe one refusal."""
        super().__init__(detail, fix=fix)
        self.refusal = refusal


class HubAddress(Value):
    """Where the hub's API is, and the token that opens it; the hub's own socket knows its caller and needs none."""

    api: str
    token: str

    def __repr__(self) -> str:
        return f"HubAddress({self.api})"


class SocketConnection(http.client.HTTPConnection):
    """HTTP over a socket that `open_socket` opens; the name it is addressed to leads nowhere else."""

    def __init__(self, open_socket: Callable[[], socket.socket], timeout_s: float = HTTP_TIMEOUT_S) -> None:
        super().__init__(HOST, timeout=timeout_s)
        self._open_socket = open_socket

    def connect(self) -> None:
        """Connect; raises what `open_socket` raises."""
        self.sock = self._open_socket()


def unix_socket(path: str, timeout_s: float = HTTP_TIMEOUT_S) -> socket.socket:
    """Return a connection to whatever listens at `path`.

    Raises:
        OSError: nobody does.
    """
    opened = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        opened.settimeout(timeout_s)
        opened.connect(path)
    except OSError:
        opened.close()
        raise
    return opened


def find_hub(told: Mapping[str, str]) -> HubAddress | None:
    """Read where the hub is; None when nothing was handed over."""
    api, token = told.get("PULSE_API", ""), told.get("PULSE_TOKEN", "")
    return HubAddress(api=api, token=token) if api and (token or api.startswith(UNIX)) else None


def hub_address_from(told: Mapping[str, str]) -> HubAddress:
    """Read where the hub is.

    Raises:
        NotRunningError: nothing was handed over; surfaces are started with `pulse surface NAME`.
    """
    hub = find_hub(told)
    if hub is None:
        raise NotRunningError("This surface does not know where Pulse is.", fix="Start it with `pulse surface NAME`.")
    return hub


def ask_hub(hub: HubAddress, method: str, path: str, body: object = None) -> bytes:
    """Make one request and return the answer's document.

    Raises:
        NotRunningError: nobody answers there.
        NotPairedError: the hub refused.
    """
    connection = _connection_to(hub.api)
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {hub.token}"} if hub.token else {})
    try:
        connection.request(method, path, None if body is None else msgspec.json.encode(body), headers)
        answer = connection.getresponse()
        document = answer.read(ANSWER_BYTES_MAX)
    except (OSError, http.client.HTTPException) as error:
        raise NotRunningError(f"Pulse does not answer at {hub.api}.", fix="Start it: `pulse up`.") from error
    finally:
        connection.close()
    if answer.status >= http.client.BAD_REQUEST:
        raise _refusal(document, answer.status)
    return document


def pair(hub: HubAddress, address: DeviceAddress, profile: str) -> Login:
    """Register this device with the hub; the password is new each time."""
    body = {"surface": address.surface, "device": address.device, "profile": profile}
    return _login(ask_hub(hub, "POST", "/api/v1/devices", body))


def pair_gateway(hub: HubAddress, surface: str) -> Login:
    """Register as the process that carries the deliveries of all devices of a surface."""
    return _login(ask_hub(hub, "POST", "/api/v1/gateways", {"surface": surface}))


def _login(document: bytes) -> Login:
    try:
        return msgspec.json.decode(document, type=Login)
    except msgspec.DecodeError as error:
        raise NotPairedError(f"The hub's answer cannot be read: {error}.") from error


def _connection_to(api: str) -> http.client.HTTPConnection:
    if api.startswith(UNIX):
        return SocketConnection(partial(unix_socket, api.removeprefix(UNIX)))
    where = urllib.parse.urlsplit(api)
    kind = http.client.HTTPSConnection if where.scheme == "https" else http.client.HTTPConnection
    return kind(where.hostname or "127.0.0.1", where.port, timeout=HTTP_TIMEOUT_S)


def _refusal(document: bytes, status: int) -> NotPairedError:
    try:
        problem = msgspec.json.decode(document, type=Problem)
    except msgspec.DecodeError:
        return NotPairedError(f"The hub answered {status}.", fix="See `pulse doctor`.")
    return NotPairedError(f"{problem.detail} [{problem.code}]", fix=problem.fix, refusal=problem.code)
