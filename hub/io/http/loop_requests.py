"""Handing a request to the loop and reading its reply."""

from typing import TypeVar

from hub.domain.requests import Refused, Reply, Request
from hub.io.http.errors import NoReplyError
from hub.ports import HubApi

R = TypeVar("R", bound=Reply)


async def ask_loop(hub_api: HubApi, request: Request, expected: type[R]) -> R | Refused:
    """Return the loop's reply, which is a refusal or what this request is answered with.

    Raises:
        BusyError: nothing was taken.
        NoReplyError: it was taken, and no reply came in time.
        TypeError: the loop answered with something else; a bug.
    """
    try:
        reply = await hub_api.submit(request)
    except TimeoutError as error:
        raise NoReplyError(fix="`pulse status` shows whether Pulse is well.") from error
    if isinstance(reply, expected | Refused):
        return reply
    raise TypeError(type(reply).__name__)
