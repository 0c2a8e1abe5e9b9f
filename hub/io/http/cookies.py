"""The session cookie: a browser's token, where no script can read it.

Browsers keep cookies by host and not by port, so the name carries the port: two hubs on one machine stay apart.
A cookie is sent by the browser itself, whoever asks it to; so a request that is signed in by it and changes something
must say that it comes from Pulse's own page (`Origin`, checked by the guard).
"""

from starlette.datastructures import Headers
from starlette.responses import Response

from hub.domain.storage import Client
from hub.io.http.call import Services
from hub.io.http.errors import WrongOriginError
from hub.io.http.guard import SAFE_METHODS

SESSION_S_MAX = 34_560_000
"""Browsers keep a cookie for 400 days at most; each visit begins them anew."""


def cookie_name(own_host: str) -> str:
    """Return the cookie's name for the hub at `own_host` (host and port)."""
    return f"pulse_session_{own_host.rpartition(':')[2]}"


def read_cookie(headers: Headers, name: str) -> str | None:
    """Return the token in the session cookie, if there is one."""
    for part in headers.get("cookie", "").split(";"):
        key, _, value = part.strip().partition("=")
        if key == name and value:
            return value
    return None


def by_cookie(headers: Headers, services: Services) -> Client | None:
    """Return whose session this is; None without a cookie, or with one that is not valid any more."""
    token = read_cookie(headers, cookie_name(services.own_host))
    return None if token is None else services.access.find(token)


def require_own_page(method: str, headers: Headers) -> None:
    """Check that a change asked for with a cookie comes from a page of ours; the guard has compared the origin itself.

    Raises:
        WrongOriginError: it does not say where it comes from.
    """
    if method not in SAFE_METHODS and headers.get("origin") is None:
        raise WrongOriginError(
            "A change that is signed in by a cookie must come from Pulse's own page.",
            fix="Send a token in the Authorization header instead.",
        )


def put_cookie(response: Response, name: str, token: str, *, secure: bool) -> None:
    """Hand a browser its session."""
    response.set_cookie(name, token, max_age=SESSION_S_MAX, path="/", secure=secure, httponly=True, samesite="strict")


def drop_cookie(response: Response, name: str) -> None:
    """Take a browser's session away."""
    response.delete_cookie(name, path="/", httponly=True, samesite="strict")
