"""The application: the endpoints of the table behind one wrapper that checks, decodes, calls, and encodes."""

from collections.abc import Iterable
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from http import HTTPStatus
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from hub.contract import live
from hub.contract.errors import PulseError
from hub.contract.topics import DeviceAddress
from hub.domain.requests import Refused
from hub.domain.storage import Client, Clients, Devices
from hub.io.access.codes import Codes
from hub.io.access.confirming import Confirmations
from hub.io.access.cookies import drop_old_cookie
from hub.io.access.in_person import is_in_person
from hub.io.access.newcomers import Newcomers
from hub.io.access.passkeys import Passkeys
from hub.io.access.proofs import Proofs
from hub.io.access.terminals import Terminals
from hub.io.access.tokens import Access, require
from hub.io.agents.own_screen import OwnScreen
from hub.io.api.admission import admitted
from hub.io.api.call import Call, MadeLate, Nothing, Services
from hub.io.api.endpoint import API, Endpoint
from hub.io.api.endpoints import ENDPOINTS
from hub.io.api.local_caller import caller_in, local_client
from hub.io.api.outside import new_outside
from hub.io.api.page import Page
from hub.io.api.performing import perform, require_use_of
from hub.io.api.websocket import Pulse
from hub.io.home.agents_connected import AgentsConnected
from hub.io.home.redirect_file import remove_redirect_file
from hub.io.home.revocations import of_client
from hub.io.http.addresses import Addresses
from hub.io.http.bodies import header_of, read_body, read_query
from hub.io.http.counts import Counts
from hub.io.http.errors import InvalidQueryError, NoSuchPageError, WrongMethodError
from hub.io.http.parts import ApiParts
from hub.io.http.problems import Json, response_of
from hub.io.live.broadcaster import Broadcaster
from hub.io.live.waiting import Waiting
from hub.io.live.watchers import Watchers
from hub.io.server.concurrency_limits import ConcurrencyLimits
from hub.io.server.connection_limiter import vouch_for
from hub.io.server.guard import Guard
from hub.io.server.middleware import Catch
from hub.io.server.routing import PlainFirst
from hub.io.server.tls_proxy import CERTIFICATE_PATH, PROFILE_PATH
from hub.io.world.checks import WorldChecks

KEY_CHARS_MAX = 128
BROWSER = "browser"
_encoder = msgspec.json.Encoder()


async def open_services(parts: ApiParts, own_host: str) -> Services:
    """Read the clients that may come in, and begin to listen to the feed.

    `own_host` is the host and port that the API is bound to.
    """
    remove_redirect_file(parts.redirect_file)
    stored = await parts.store.read(Clients(user=parts.user))
    addresses = Addresses(own_host, parts.public_url)
    passkeys = Passkeys(parts.passkeys, parts.user)
    codes, connected = Codes(), parts.agents_connected or AgentsConnected(parts.home)
    return Services(
        parts=parts,
        access=Access(client for client in stored if may_come_back(client) and not _is_shut_out(client, parts)),
        proofs=Proofs(parts.clock, addresses),
        outside=new_outside(addresses),
        passkeys=passkeys,
        confirmations=Confirmations(passkeys),
        broadcaster=Broadcaster(parts.feed),
        waiting=Waiting(parts.feed),
        counts=Counts(),
        concurrency=ConcurrencyLimits(),
        codes=codes,
        newcomers=Newcomers(),
        terminals=Terminals(connected, codes, OwnScreen(), parts.redirect_file),
        watchers=await _watchers(parts),
        late=MadeLate(),
        world=None if parts.world is None else WorldChecks(parts.world, parts.clock.now),
    )


def may_come_back(client: Client) -> bool:
    """Return True if a stored client is let in; a browser that signed in before sessions had keys signs in again."""
    return bool(client.key) or client.surface != BROWSER


def _is_shut_out(client: Client, parts: ApiParts) -> bool:
    """Return True if a client was revoked while the store could not take it."""
    return of_client(client.id) in parts.revocations.pending() or any(
        (client.surface, client.device) == (one.surface, one.device) for one in parts.revocations.devices()
    )


async def _watchers(parts: ApiParts) -> Watchers:
    watchers = Watchers(parts.hub_api, parts.clock)
    live_profiles = {name for name, profile in parts.profiles.items() if profile.live_while_present}
    devices = await parts.store.read(Devices(user=parts.user))
    were_open = [one for one in devices if one.online and not one.revoked and one.profile in live_profiles]
    watchers.expect([DeviceAddress(surface=one.surface, device=one.device) for one in were_open])
    return watchers


def build_app(services: Services) -> ASGIApp:
    """Return the ASGI application."""
    routes: list[BaseRoute] = [*_routes(ENDPOINTS, services), WebSocketRoute(live.PATH, Pulse(services))]
    routes.append(Route(f"{API}/openapi.json", _Document(services), methods=["GET"]))
    routes += [Route(path, _Certificate(services), methods=["GET"]) for path in (CERTIFICATE_PATH, PROFILE_PATH)]
    page = Page(services.parts.page)
    routes.extend(page.routes())
    guard = Guard(page.without_other_workers(PlainFirst(routes)), services.addresses)
    return Catch(guard, _explain, services.counts)


def _routes(endpoints: Iterable[Endpoint], services: Services) -> list[Route]:
    """Return one route per path, so that a wrong method is told apart from a wrong path."""
    by_path: dict[str, dict[str, Endpoint]] = {}
    for endpoint in endpoints:
        by_path.setdefault(endpoint.path, {}).update(dict.fromkeys(endpoint.methods, endpoint))
    return [Route(path, _PathApp(found, services), methods=list(found)) for path, found in by_path.items()]


class _PathApp:
    """One path as a bare ASGI application: what a route calls with the least in between."""

    def __init__(self, by_method: dict[str, Endpoint], services: Services) -> None:
        self._by_method = by_method
        self._services = services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive, send)
        with ExitStack() as turn:
            response = await self._handle(request, turn)
            await response(scope, receive, send)

    async def _handle(self, request: Request, turn: ExitStack) -> Response:
        method = "GET" if request.method == "HEAD" else request.method
        try:
            response = await _answer(self._by_method[method], request, self._services, turn)
        except PulseError as error:
            response = response_of(error, request.url.path)
        drop_old_cookie(request, response, self._services.addresses.own_host)
        return response


async def _answer(endpoint: Endpoint, request: Request, services: Services, turn: ExitStack) -> Response:
    """Answer; `turn` keeps the request's part of what may be under way until the answer is written."""
    client = await _signed_in(endpoint, request, services)
    if client is not None:
        vouch_for(request.scope, client.id)
    query = _query(endpoint, request)
    body = await _body(endpoint, request, services, "" if client is None else client.id)
    turn.enter_context(_place(endpoint, services.concurrency, client))  # only now: a slow body takes none from others
    caller = caller_in(request.scope)
    call: Call[Any, Any] = Call(
        to=services,
        client=client,
        query=query,
        body=body,
        path=request.path_params,
        key=_key(request),
        proof=header_of(request.scope, b"dpop"),
        hung_up=partial(_hung_up, request),
        caller=caller,
    )
    result = await perform(endpoint, request.method, call)
    if isinstance(result, Refused):
        return response_of(result, request.url.path)
    if isinstance(result, Response):
        return result
    return Json(_encoder.encode(result), endpoint.status)


async def _signed_in(endpoint: Endpoint, request: Request, services: Services) -> Client | None:
    """Return who asks; where no token is needed, one that is sent must still be valid."""
    header = header_of(request.scope, b"authorization")
    client = local_client(request.scope, services) if header is None else None
    if client is None:
        if endpoint.scope is None and header is None:
            return None
        client = await admitted(services, request.scope)
    require_use_of(endpoint, client)  # before its body is read
    return client


async def _hung_up(request: Request) -> None:
    """Return when the connection of a request, whose body has been read, has ended."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _query(endpoint: Endpoint, request: Request) -> msgspec.Struct:
    return read_query(request.scope["query_string"], endpoint.query)


async def _body(endpoint: Endpoint, request: Request, services: Services, whose: str) -> msgspec.Struct:
    if request.method in {"GET", "HEAD", "DELETE"}:
        return Nothing()
    empty = endpoint.body_may_be_empty or endpoint.body is Nothing
    bytes_max = max(services.parts.body_bytes_max, endpoint.body_bytes_max)
    within = services.concurrency.one_more_body(whose)
    return await read_body(request, endpoint.body, within=within, bytes_max=bytes_max, may_be_empty=empty)


def _place(endpoint: Endpoint, limits: ConcurrencyLimits, client: Client | None) -> AbstractContextManager[None]:
    if client is None:
        return limits.one_more_stranger()
    return limits.one_more(endpoint.load, client.id, in_person=is_in_person(client) or bool(client.device))


def _key(request: Request) -> str | None:
    key = header_of(request.scope, b"idempotency-key")
    if key is not None and not 0 < len(key) <= KEY_CHARS_MAX:
        raise InvalidQueryError(f"An `Idempotency-Key` has 1 to {KEY_CHARS_MAX} characters.")
    return key


class _Certificate:
    """The certificate for phones, over a connection that was checked when the phone was paired (docs/adr/0208)."""

    def __init__(self, services: Services) -> None:
        self._outside = services.outside

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand it out, where there is one."""
        proxy = self._outside.tls_proxy
        found = None if proxy is None else proxy.certificate_at(scope["path"])
        if found is None:
            raise NoSuchPageError
        await Response(found[1], media_type=found[0], headers={"cache-control": "no-store"})(scope, receive, send)


class _Document:
    """The OpenAPI document, as FastAPI serves it; FastAPI is loaded for the first who asks."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._app: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            require(local_client(scope, self._services) or await admitted(self._services, scope), "read")
        except PulseError as error:
            await response_of(error, scope["path"])(scope, receive, send)
            return
        if self._app is None:
            from hub.io.api.document_app import document_app  # noqa: PLC0415  it costs memory

            self._app = document_app(self._services.parts.version)
        await self._app(scope, receive, send)


async def _explain(request: Request, error: Exception) -> Response:
    """Answer for what the router raised, or after a bug; the server above logs the bug."""
    path = request.url.path
    match error:
        case HTTPException(status_code=HTTPStatus.NOT_FOUND):
            return response_of(NoSuchPageError(f"There is nothing at {path!r}.", fix=_ADDRESSES), path)
        case HTTPException(status_code=HTTPStatus.METHOD_NOT_ALLOWED):
            allowed = (error.headers or {}).get("Allow", "")
            wrong = WrongMethodError(f"{request.method} is not allowed here.", fix=f"Use one of: {allowed}.")
            response = response_of(wrong, path)
            response.headers["allow"] = allowed
            return response
        case _:
            return response_of(PulseError(type(error).__name__), path)


_ADDRESSES = "docs/api.md lists all addresses."
