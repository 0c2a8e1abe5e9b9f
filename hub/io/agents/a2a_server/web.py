"""The A2A server over HTTP: who we are for everybody, all else for who has a token of the hub's."""

import asyncio
import contextlib
import hashlib
import logging
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from hub.io.agents.a2a_server.conversation import is_over, shortened, updates
from hub.io.agents.a2a_server.loopback_listeners import why_not_here
from hub.io.agents.a2a_server.posting import PushPoster
from hub.io.agents.a2a_server.push_allow_list import PushAllowList, WhyNotHere
from hub.io.agents.a2a_server.push_file import PushFile
from hub.io.agents.a2a_server.push_notifier import PushNotifier
from hub.io.agents.a2a_server.task_methods import TaskMethods, Visitor
from hub.io.agents.a2a_server.wire import (
    INVALID,
    NO_METHOD,
    NO_OPERATION,
    NO_PUSH,
    NO_VERSION,
    PARAMS,
    PARSE,
    UNSUPPORTED,
    VERSION_HEADER,
    ListParams,
    NamedPushConfig,
    NamedTask,
    PushConfig,
    PushConfigsOf,
    SendConfiguration,
    SendParams,
    Wire,
    WireCall,
    WireError,
    WireTask,
    agent_card,
    error_of,
    speaks,
)
from hub.io.agents.questions.arguments import AskingAgent
from hub.io.agents.questions.hub_client import AgentHubClient
from hub.io.agents.questions.token_gate import Find, TokenGate, token_of
from hub.io.home.folder import Home

HOST = "127.0.0.1"
NAMES = [HOST, "localhost"]
PATH, CARD_PATH = "/a2a", "/.well-known/agent-card.json"
BODY_BYTES_MAX = 65_536
BLOCK_S_MAX = 240.0
"""A call that waits for the answer comes back then as it stands: many clients give up on a silence of five minutes."""
KEEP_ALIVE_S = 15.0
TOO_LARGE = 413
ASKER = "a2a"
NO_STREAM = WireError(code=UNSUPPORTED, message="This task is over; look at it with GetTask.")
PUSH_METHODS = {
    "CreateTaskPushNotificationConfig",
    "GetTaskPushNotificationConfig",
    "ListTaskPushNotificationConfigs",
    "DeleteTaskPushNotificationConfig",
}
P = TypeVar("P", bound=Wire)
Result = dict[str, Any] | WireError


class A2aEndpoint:
    """Answers one JSON-RPC request each time."""

    def __init__(self, find: Find, tasks: TaskMethods, pushes: PushNotifier | None) -> None:
        self._find = find
        self._tasks = tasks
        self._pushes = pushes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read a call, answer it."""
        request = Request(scope, receive)
        response = await self._answer(request)
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        call = await _call(request)
        if isinstance(call, Response):
            return call
        if not speaks(request.headers.get(VERSION_HEADER) or request.query_params.get(VERSION_HEADER, "")):
            return _json(call.id, NO_VERSION)
        visitor = visitor_of(self._find, token_of(request))
        match call.method:
            case "SendMessage":
                return _json(call.id, await self._send(visitor, call))
            case "SendStreamingMessage" | "SubscribeToTask":
                return await self._stream(visitor, call)
            case "GetTask" | "CancelTask" | "ListTasks":
                return _json(call.id, await self._look(visitor, call))
            case name if name in PUSH_METHODS:
                return _json(call.id, NO_PUSH if self._pushes is None else await _pushed(self._pushes, visitor, call))
            case "GetExtendedAgentCard":
                return _json(call.id, NO_OPERATION)
            case _:
                return _json(call.id, NO_METHOD)

    async def _send(self, visitor: Visitor, call: WireCall) -> Result:
        params = _params(call, SendParams)
        if isinstance(params, WireError):
            return params
        task = await self._sent(visitor, params)
        how = params.configuration or SendConfiguration()
        if isinstance(task, WireTask) and not how.return_immediately:
            task = await self._within(visitor, task)
        return task if isinstance(task, WireError) else {"task": _builtins(shortened(task, how.history_length))}

    async def _sent(self, visitor: Visitor, params: SendParams) -> WireTask | WireError:
        """Ask, and keep the address that is to be told; one that cannot be told is refused before anybody is asked."""
        config = None if params.configuration is None else params.configuration.task_push_notification_config
        refusal = None if config is None else NO_PUSH if self._pushes is None else self._pushes.refusal(config)
        if refusal is not None:
            return refusal
        task = await self._tasks.send(visitor, params.message)
        if isinstance(task, WireError) or self._pushes is None:
            return task
        if config is None:
            self._pushes.follow(visitor, task)
            return task
        kept = self._pushes.add(visitor, config, task)
        return kept if isinstance(kept, WireError) else task

    async def _within(self, visitor: Visitor, task: WireTask) -> WireTask | WireError:
        try:
            async with asyncio.timeout(BLOCK_S_MAX):
                return await self._tasks.settled(visitor, task)
        except TimeoutError:
            return task

    async def _look(self, visitor: Visitor, call: WireCall) -> Result:
        if call.method == "ListTasks":
            which = _params(call, ListParams)
            return which if isinstance(which, WireError) else await self._tasks.all_of(visitor, which)
        params = _params(call, NamedTask)
        if isinstance(params, WireError):
            return params
        does = self._tasks.get if call.method == "GetTask" else self._tasks.cancel
        task = await does(visitor, params.id)
        return task if isinstance(task, WireError) else _builtins(shortened(task, params.history_length))

    async def _stream(self, visitor: Visitor, call: WireCall) -> Response:
        begun = await self._begin_stream(visitor, call)
        if isinstance(begun, WireError):
            return _json(call.id, begun)
        lines = self._lines(visitor, call, begun)
        return StreamingResponse(lines, media_type="text/event-stream", headers={"Cache-Control": "no-store"})

    async def _begin_stream(self, visitor: Visitor, call: WireCall) -> WireTask | WireError:
        if call.method == "SendStreamingMessage":
            sent = _params(call, SendParams)
            return sent if isinstance(sent, WireError) else await self._sent(visitor, sent)
        named = _params(call, NamedTask)
        found = named if isinstance(named, WireError) else await self._tasks.get(visitor, named.id)
        return NO_STREAM if isinstance(found, WireTask) and is_over(found) else found

    async def _lines(self, visitor: Visitor, call: WireCall, task: WireTask) -> AsyncIterator[bytes]:
        yield _event(call.id, {"task": _builtins(task)})
        waiting = asyncio.ensure_future(self._tasks.settled(visitor, task))
        try:
            while not (await asyncio.wait({waiting}, timeout=KEEP_ALIVE_S))[0]:
                yield b": still waiting\n\n"
            found = waiting.result()
        finally:
            waiting.cancel()
        if isinstance(found, WireError):
            yield _event(call.id, found)
        elif found.status.state != "TASK_STATE_WORKING":
            for one in updates(found):
                yield _event(call.id, one)


def visitor_of(find: Find, token: str) -> Visitor:
    """Return who calls with a token."""
    whose = hashlib.sha256(token.encode()).hexdigest()
    return Visitor(link=AgentHubClient(lambda: find(token)), agent=AskingAgent(name=ASKER, whose=whose), token=token)


def make_app(
    find: Find,
    address: str,
    version: str,
    places: PushAllowList | None,
    kept: Path | None = None,
    *,
    hub_pid: Callable[[], int] = lambda: 0,
) -> Starlette:
    """Return the application; `address` is where others reach it.

    Where `places` is None nobody is told of anything; `kept` is the file for who is still to be told. `hub_pid` returns
    the hub's process, 0 while there is none.
    """
    tasks = TaskMethods()
    pushes = None
    if places is not None:
        pushes = PushNotifier(tasks, places, PushFile(kept), _why_not_here(hub_pid), poster=PushPoster())
    card = JSONResponse(
        agent_card(address + PATH, version, pushes=pushes is not None), headers={"Cache-Control": "max-age=3600"}
    )

    async def who(_: Request) -> Response:
        return card

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        if pushes is not None:
            pushes.resume(lambda token: visitor_of(find, token))
        yield
        if pushes is not None:
            await pushes.close()

    door = TokenGate(A2aEndpoint(find, tasks, pushes), find)
    routes = [Route(CARD_PATH, who), Route(PATH, door, methods=["POST"])]
    names = Middleware(TrustedHostMiddleware, allowed_hosts=NAMES)
    return Starlette(routes=routes, middleware=[names], lifespan=lifespan)


def serve_a2a(find: Find, port: int, version: str, places: PushAllowList | None, home: Path) -> None:
    """Serve on a port of this machine until a signal ends it."""
    logging.basicConfig(level=logging.WARNING)
    kept = home / "secrets" / f"a2a-push-{port}.json"
    app = make_app(find, f"http://{HOST}:{port}", version, places, kept, hub_pid=lambda: _hub_pid(home))
    uvicorn.run(app, host=HOST, port=port, log_level="warning", ws="none")


def _why_not_here(hub_pid: Callable[[], int]) -> WhyNotHere:
    return lambda port, is_named: why_not_here(port, hub_pid(), named=is_named)


def _hub_pid(home: Path) -> int:
    record = Home(home).record()
    return 0 if record is None else record.pid


async def _pushed(pushes: PushNotifier, visitor: Visitor, call: WireCall) -> Result:
    """Carry out one of the calls about addresses."""
    match call.method:
        case "CreateTaskPushNotificationConfig":
            config = _params(call, PushConfig)
            found = config if isinstance(config, WireError) else await pushes.create(visitor, config)
            return found if isinstance(found, WireError) else _builtins(found)
        case "ListTaskPushNotificationConfigs":
            of = _params(call, PushConfigsOf)
            each = of if isinstance(of, WireError) else await pushes.all_of(visitor, of.task_id)
            return each if isinstance(each, WireError) else {"configs": [_builtins(one) for one in each]}
        case method:
            named = _params(call, NamedPushConfig)
            if isinstance(named, WireError):
                return named
            if method == "GetTaskPushNotificationConfig":
                one = await pushes.get(visitor, named)
                return one if isinstance(one, WireError) else _builtins(one)
            return await pushes.delete(visitor, named) or {}


async def _call(request: Request) -> WireCall | Response:
    body = b""
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > BODY_BYTES_MAX:
                return JSONResponse({"error": "This is too long."}, status_code=TOO_LARGE)
        msgspec.json.decode(body)
    except ClientDisconnect:
        return Response()
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _json(None, PARSE)
    try:
        return msgspec.json.decode(body, type=WireCall)
    except msgspec.ValidationError:
        return _json(None, INVALID)


def _params(call: WireCall, kind: type[P]) -> P | WireError:
    try:
        return msgspec.json.decode(call.params, type=kind)
    except msgspec.ValidationError as error:
        return WireError(code=PARAMS, message=f"The parameters do not fit: {error}.")


def _builtins(value: Wire) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(value)
    return found


def _reply(call_id: object, result: Result) -> dict[str, Any]:
    number = call_id if isinstance(call_id, str | int) else None
    told = {"error": error_of(result)} if isinstance(result, WireError) else {"result": result}
    return {"jsonrpc": "2.0", "id": number, **told}


def _json(call_id: object, result: Result) -> Response:
    return JSONResponse(_reply(call_id, result))


def _event(call_id: object, result: Result) -> bytes:
    return b"data: " + msgspec.json.encode(_reply(call_id, result)) + b"\n\n"
