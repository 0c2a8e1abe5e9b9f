"""The application class: FastAPI without the layers that nothing here uses.

FastAPI wraps each request into telemetry, limits for forms, exit stacks for dependencies, and two handlers of
exceptions. Our endpoints are bare ASGI applications that need only the last, so one layer does it all: it counts the
answers, and turns what the router or a bug raises into the application's own answer.
"""

from collections.abc import Awaitable, Callable

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Router
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hub.io.http.counts import Counts

Explain = Callable[[Request, Exception], Awaitable[Response]]
"""Makes the answer to an error."""


class PulseApp(FastAPI):
    """FastAPI's routes behind its middleware and one `Catch`, outermost; `explain` has an answer for each error."""

    def __init__(self, *, explain: Explain, counts: Counts, **options: object) -> None:
        super().__init__(**options)  # type: ignore[arg-type]  # FastAPI's own options, passed on
        self._explain = explain
        self._counts = counts

    def build_middleware_stack(self) -> ASGIApp:
        """Return the layers around the router."""
        app: ASGIApp = Router(self.routes, redirect_slashes=False)  # FastAPI's own does more than find a route
        for cls, args, kwargs in reversed(self.user_middleware):
            app = cls(app, *args, **kwargs)
        return Catch(app, self._explain, self._counts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request or connection."""
        if self.middleware_stack is None:
            self.middleware_stack = self.build_middleware_stack()
        scope["app"] = self
        await self.middleware_stack(scope, receive, send)


class Catch:
    """The outermost layer: counts each answer, and answers for whoever raised instead."""

    def __init__(self, app: ASGIApp, explain: Explain, counts: Counts) -> None:
        self._app = app
        self._explain = explain
        self._counts = counts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on; a bug is raised again after its answer, so that the server logs it."""
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
