"""The HTTP session of a surface: without cookies, and to where it was told alone."""

from types import SimpleNamespace

import aiohttp


class RedirectedError(aiohttp.ClientError):
    """A server redirected the request, which is not allowed here."""


def http_session() -> aiohttp.ClientSession:
    """Return a session that keeps no cookies and follows no redirect, also where a websocket is opened.

    aiohttp has no setting for the latter, so a redirect is stopped before it is followed.
    """
    watched = aiohttp.TraceConfig()
    watched.on_request_redirect.append(_refuse)
    return aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar(), trace_configs=[watched])


async def _refuse(
    _session: aiohttp.ClientSession, _context: SimpleNamespace, _params: aiohttp.TraceRequestRedirectParams
) -> None:
    raise RedirectedError("redirected")
