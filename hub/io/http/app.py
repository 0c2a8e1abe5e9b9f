"""The application: the endpoints of the table behind one wrapper that checks, decodes, calls, and encodes."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import msgspec
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import Receive, Scope, Send

from hub.contract import live
from hub.domain.requests import Refused
from hub.domain.storage import Client, Clients
from hub.errors import BusyError, PulseError
from hub.io.http.access import EVERYTHING, LOCAL_ID, Access, require, sha256
from hub.io.http.bodies import read_body, read_query
from hub.io.http.call import Call, Nothing, Services
from hub.io.http.counts import Counts
from hub.io.http.endpoints import API, ENDPOINTS, Endpoint
from hub.io.http.errors import InvalidQueryError, NoSuchPageError, WrongMethodError
from hub.io.http.fan import Fan
from hub.io.http.guard import Guard
from hub.io.http.parts import ApiParts
from hub.io.http.problems import response_of
from hub.io.http.socket import Pulse
from hub.io.http.waiting import Waiting

REQUESTS_MAX = 2_000
"""Requests in flight, long polls included; uvicorn itself only bounds connections."""
KEY_CHARS_MAX = 128
NO_STORE = {"cache-control": "no-store"}
_encoder = msgspec.json.Encoder()


async def open_services(parts: ApiParts) -> Services:
    """Read the clients that may come in, and begin to listen to the feed."""
    stored = await parts.store.read(Clients(user=parts.user))
    local = Client(
        id=LOCAL_ID,
        user=parts.user,
        name="this machine",
        token_sha256=sha256(parts.local_token),
        scopes=EVERYTHING,
        created_at=parts.clock.now(),
    )
    return Services(
        parts=parts,
        access=Access((*stored, local)),
        fan=Fan(parts.feed),
        waiting=Waiting(parts.feed),
        counts=Counts(),
    )


def build_app(services: Services, *, own_host: str = "") -> FastAPI:
    """Return the ASGI application. `own_host` is the host and port it is bound to, beside the loopback names."""
    routes: list[BaseRoute] = [*_routes(ENDPOINTS, services), WebSocketRoute(live.PATH, Pulse(services))]
    routes.append(Route(f"{API}/openapi.json", _openapi(services)))
    app = FastAPI(
        routes=routes,
        openapi_url=None,  # ours is made from the types that decode the bodies, see openapi.py
        exception_handlers={404: _no_such_page, 405: _wrong_method, Exception: _bug},
    )
    app.router.redirect_slashes = False
    app.add_middleware(Guard, own_host=own_host, counts=services.counts)
    return app


def _routes(endpoints: Iterable[Endpoint], services: Services) -> list[Route]:
    """Return one route per path, so that a wrong method is told apart from a wrong path."""
    by_path: dict[str, dict[str, Endpoint]] = {}
    for endpoint in endpoints:
        by_path.setdefault(endpoint.path, {}).update(dict.fromkeys(endpoint.methods, endpoint))
    return [Route(path, _Door(found, services), methods=list(found)) for path, found in by_path.items()]


class _Door:
    """One path as a bare ASGI application: what a route calls with the least in between."""

    def __init__(self, by_method: dict[str, Endpoint], services: Services) -> None:
        self._by_method = by_method
        self._services = services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive, send)
        response = await self._handle(request)
        await response(scope, receive, send)

    async def _handle(self, request: Request) -> Response:
        method = "GET" if request.method == "HEAD" else request.method
        counts = self._services.counts
        counts.in_flight += 1
        try:
            if counts.in_flight > REQUESTS_MAX:
                raise BusyError
            return await _answer(self._by_method[method], request, self._services)
        except PulseError as error:
            return response_of(error, request.url.path)
        finally:
            counts.in_flight -= 1


async def _answer(endpoint: Endpoint, request: Request, services: Services) -> Response:
    client = _signed_in(endpoint, request, services)
    call: Call[Any, Any] = Call(
        to=services,
        client=client,
        query=_query(endpoint, request),
        body=await _body(endpoint, request, services.parts.body_bytes_max),
        path=request.path_params,
        key=_key(request),
    )
    result = await endpoint.handler(call)
    if isinstance(result, Refused):
        return response_of(result, request.url.path)
    if isinstance(result, Response):
        return result
    return Response(_encoder.encode(result), endpoint.status, NO_STORE, "application/json")


def _signed_in(endpoint: Endpoint, request: Request, services: Services) -> Client | None:
    """Return who asks; where no token is needed, one that is sent must still be valid."""
    header = request.headers.get("authorization")
    if endpoint.scope is None and header is None:
        return None
    client = services.access.of_header(header)
    if endpoint.scope is not None:
        require(client, endpoint.scope)
    return client


def _query(endpoint: Endpoint, request: Request) -> msgspec.Struct:
    return read_query(request.scope["query_string"], endpoint.query)


async def _body(endpoint: Endpoint, request: Request, bytes_max: int) -> msgspec.Struct:
    if request.method in {"GET", "HEAD", "DELETE"}:
        return Nothing()
    empty = endpoint.body_may_be_empty or endpoint.body is Nothing
    return await read_body(request, endpoint.body, bytes_max=bytes_max, may_be_empty=empty)


def _key(request: Request) -> str | None:
    key = request.headers.get("idempotency-key")
    if key is not None and not 0 < len(key) <= KEY_CHARS_MAX:
        raise InvalidQueryError(f"An Idempotency-Key has 1 to {KEY_CHARS_MAX} characters.")
    return key


def _openapi(services: Services) -> Callable[[Request], Awaitable[Response]]:
    async def openapi(request: Request) -> Response:
        from hub.io.http.openapi import openapi_json  # noqa: PLC0415  made only for who asks: it costs memory

        try:
            require(services.access.of_header(request.headers.get("authorization")), "read")
        except PulseError as error:
            return response_of(error, request.url.path)
        return Response(openapi_json(services.parts.version), media_type="application/json")

    return openapi


async def _no_such_page(request: Request, _error: Exception) -> Response:
    error = NoSuchPageError(f"There is nothing at {request.url.path!r}.", fix="docs/api.md lists all addresses.")
    return response_of(error, request.url.path)


async def _wrong_method(request: Request, error: Exception) -> Response:
    allowed = (getattr(error, "headers", None) or {}).get("Allow", "")
    wrong = WrongMethodError(f"{request.method} does not go here.", fix=f"Use one of: {allowed}.")
    response = response_of(wrong, request.url.path)
    response.headers["allow"] = allowed
    return response


async def _bug(request: Request, error: Exception) -> Response:
    """Answer after a bug; the server above logs it."""
    return response_of(PulseError(type(error).__name__), request.url.path)
