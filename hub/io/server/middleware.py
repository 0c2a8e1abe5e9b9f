"""The one layer around the guard and the router: it counts the answers and answers for what failed.

Starlette's own application wraps each request into two handlers of exceptions, and FastAPI adds telemetry, limits for
forms and exit stacks for dependencies. Our endpoints are bare ASGI applications that need none of it (docs/adr/0040).
"""

from collections.abc import Awaitable, Callable

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hub.io.http.counts import Counts

Explain = Callable[[Request, Exception], Awaitable[Response]]
"""Makes the answer to an error."""


class Catch:
    """The outermost layer: counts each answer, and answers when an exception is raised; `explain` knows all errors."""

    def __init__(self, app: ASGIApp, explain: Explain, counts: Counts) -> None:
        self._app = app
        self._explain = explain
        self._counts = counts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on; a bug is raised again after its answer, so that the server logs it."""
        scope["app"] = self  # where it is missing, the router answers by itself instead of raising
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

        async def counting(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                self._counts.answered(message["status"])
            await send(message)

        try:
            await self._app(scope, receive, counting)
        except Exception as error:
            if not begun:
                response = await self._explain(Request(scope), error)
                await response(scope, receive, counting)
            if not isinstance(error, HTTPException):
                raise
