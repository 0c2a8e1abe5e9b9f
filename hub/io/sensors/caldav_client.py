"""The way to a CalDAV server, for reading: bounded in time and size, and the password goes where the person said only.

It runs in the worker's process (`caldav_worker`), and blocks.
"""

import time
from collections.abc import Callable
from http import HTTPStatus
from urllib.parse import urljoin

import httpx

from hub.io.sensors.caldav_wire import DavLogin
from hub.io.sensors.caldav_xml import BadAnswerError, DavPlace, places
from hub.kit.private_address import host_of, unsafe

REDIRECTS_MAX = 5
REQUESTS_MAX = 60
NOWHERE = (HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED, HTTPStatus.NOT_IMPLEMENTED)
REDIRECTING = (301, 302, 303, 307, 308)
XML = {"Content-Type": 'application/xml; charset="utf-8"', "User-Agent": "pulse"}


class DavError(Exception):
    """The calendars cannot be read now; the text is for the person, and holds no address of theirs but a host."""

    is_refused = False


class DavRefusedError(DavError):
    """The server does not let the person in: asking again soon could lock them out."""

    is_refused = True


class DavNowhereError(DavError):
    """There is nothing at this address."""


class DavClient:
    """Asks one server; all of its questions together have so much time, and so many bytes for their answers."""

    def __init__(
        self, login: DavLogin, *, whole_s_max: float, bytes_max: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._login = login
        self._clock = clock
        self._ends, self._whole_s_max = clock() + whole_s_max, whole_s_max
        self._bytes_left, self._bytes_max = bytes_max, bytes_max
        self._requests_left = REQUESTS_MAX
        auth = httpx.BasicAuth(login.user, login.password)
        # What is not encrypted stays on this machine, so it passes no proxy.
        self._http = httpx.Client(auth=auth, timeout=whole_s_max, mounts={"http://": None})

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def places(self, method: str, url: str, body: bytes, depth: int) -> tuple[DavPlace, ...]:
        """Ask about a place, and with a depth of 1 about all that is in it.

        Raises:
            DavError: it could not be asked, or its answer cannot be read.
        """
        raw, last = self._asked(method, url, body, depth)
        try:
            return places(raw, last)
        except BadAnswerError as wrong:
            raise DavError(f"The calendar server's answer cannot be read: {wrong}.") from None

    def _asked(self, method: str, url: str, body: bytes, depth: int) -> tuple[bytes, str]:
        """Return an answer's bytes, and the address that they came from."""
        for _ in range(REDIRECTS_MAX + 1):
            self._check(url)
            status, location, raw = self._once(method, url, body, depth)
            if status not in REDIRECTING or not location:
                _judge(status)
                return raw, url
            url = _joined(url, location)
        raise DavError(f"The calendar server sent Pulse on more than {REDIRECTS_MAX} times.")

    def _check(self, url: str) -> None:
        """Refuse to ask where the password must not go."""
        trouble = unsafe(url)
        host = host_of(url)
        if trouble:
            raise DavError(f"The calendar server sent Pulse to an address that is not asked: {trouble}")
        if host not in self._login.hosts:
            raise DavError(
                f"The calendar server sent Pulse to {host}, which is not told your password. "
                f'If that is your provider\'s, add "{host}" to `sensors.caldav.hosts`.'
            )
        self._requests_left -= 1
        if self._requests_left < 0:
            raise DavError(f"The calendars need more than {REQUESTS_MAX} requests. Name fewer of them.")

    def _once(self, method: str, url: str, body: bytes, depth: int) -> tuple[int, str, bytes]:
        left = self._ends - self._clock()
        if left <= 0:
            raise self._too_slow()
        headers = {**XML, "Depth": str(depth)}
        try:
            with self._http.stream(method, url, content=body, headers=headers, timeout=left) as response:
                wanted = response.status_code == HTTPStatus.MULTI_STATUS
                raw = self._body(response) if wanted else b""
                return response.status_code, response.headers.get("location", ""), raw
        except httpx.TimeoutException:
            raise self._too_slow() from None
        except (httpx.HTTPError, httpx.InvalidURL) as wrong:
            # The text of the error may hold the address, and the address can be a secret.
            why = "its certificate does not hold" if "CERTIFICATE_VERIFY" in str(wrong) else type(wrong).__name__
            raise DavError(f"The calendar server could not be reached ({why}).") from None

    def _body(self, response: httpx.Response) -> bytes:
        raw = bytearray()
        for chunk in response.iter_bytes():
            raw += chunk
            self._bytes_left -= len(chunk)
            if self._bytes_left < 0:
                raise DavError(
                    f"The calendar server's answers are longer than {self._bytes_max} bytes. Name fewer calendars."
                )
            if self._clock() > self._ends:
                raise self._too_slow()
        return bytes(raw)

    def _too_slow(self) -> DavError:
        return DavError(f"The calendar server took longer than {self._whole_s_max:g} s to answer.")


def _joined(base: str, location: str) -> str:
    try:
        return urljoin(base, location)
    except ValueError:
        raise DavError("The calendar server sent Pulse to an address that is none.") from None


def _judge(status: int) -> None:
    if status == HTTPStatus.UNAUTHORIZED:
        raise DavRefusedError(
            f"The calendar server does not take this user name and password ({status}). Many providers want a password "
            "made for one app; see docs/howto/caldav.md."
        )
    if status == HTTPStatus.FORBIDDEN:
        raise DavError("The calendar server does not let you read at this address (403). Check `sensors.caldav.url`.")
    if status in NOWHERE:
        raise DavNowhereError(f"There is no calendar at this address ({status}). Check `sensors.caldav.url`.")
    if status != HTTPStatus.MULTI_STATUS:
        raise DavError(f"The calendar server answered {status} where a list was due.")
