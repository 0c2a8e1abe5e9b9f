"""The A2A server over HTTP: who we are for everybody, all else for who has a token of the hub's."""

import asyncio
import hashlib
import logging
from collections.abc import AsyncIterator
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

from hub.io.agents.a2a_server.conversation import is_over, updates
from hub.io.agents.a2a_server.desk import TaskDesk, Visitor
from hub.io.agents.a2a_server.wire import (
    INVALID,
    NO_METHOD,
    NO_PUSH,
    NO_VERSION,
    PARAMS,
    PARSE,
    UNSUPPORTED,
    VERSION_HEADER,
    NamedTask,
    SendParams,
    Wire,
    WireCall,
    WireError,
    WireTask,
    agent_card,
)
from hub.io.agents.questions.arguments import AskingAgent
from hub.io.agents.questions.hub_link import HubLink
from hub.io.agents.questions.token_gate import Find, TokenGate, token_of

HOST = "127.0.0.1"
NAMES = [HOST, "localhost"]
PATH, CARD_PATH = "/a2a", "/.well-known/agent-card.json"
BODY_BYTES_MAX = 65_536
BLOCK_S_MAX = 240.0
"""A call that waits for the answer comes back then as it stands: many clients give up on a silence of five minutes."""
KEEP_ALIVE_S = 15.0
MAJOR = "1."
TOO_LARGE = 413
ASKER = "a2a"
NO_STREAM = WireError(code=UNSUPPORTED, message="This task is over; look at it with GetTask.")
P = TypeVar("P", bound=Wire)
Result = dict[str, Any] | WireError


class A2aDoor:
    """Answers one JSON-RPC request each time."""

    def __init__(self, find: Find) -> None:
        self._find = find
        self._desk = TaskDesk()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read a call, answer it."""
        request = Request(scope, receive)
        response = await self._answer(request)
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        call = await _call(request)
        if isinstance(call, Response):
            return call
        if not request.headers.get(VERSION_HEADER, "").startswith(MAJOR):
            return _json(call.id, NO_VERSION)
        token = token_of(request)
        whose = hashlib.sha256(token.encode()).hexdigest()
        visitor = Visitor(link=HubLink(lambda: self._find(token)), agent=AskingAgent(name=ASKER, whose=whose))
        match call.method:
            case "SendMessage":
                return _json(call.id, await self._send(visitor, call))
            case "SendStreamingMessage" | "SubscribeToTask":
                return await self._stream(visitor, call)
            case "GetTask" | "CancelTask":
                return _json(call.id, await self._task(visitor, call))
            case name if "PushNotificationConfig" in name:
                return _json(call.id, NO_PUSH)
            case _:
                return _json(call.id, NO_METHOD)

    async def _send(self, visitor: Visitor, call: WireCall) -> Result:
        params = _params(call, SendParams)
        if isinstance(params, WireError):
            return params
        task = await self._desk.send(visitor, params.message)
        if isinstance(task, WireTask) and not (params.configuration and params.configuration.return_immediately):
            task = await self._within(visitor, task)
        return task if isinstance(task, WireError) else {"task": msgspec.to_builtins(task)}

    async def _within(self, visitor: Visitor, task: WireTask) -> WireTask | WireError:
        try:
            async with asyncio.timeout(BLOCK_S_MAX):
                return await self._desk.settled(visitor, task)
        except TimeoutError:
            return task

    async def _task(self, visitor: Visitor, call: WireCall) -> Result:
        params = _params(call, NamedTask)
        if isinstance(params, WireError):
            return params
        does = self._desk.get if call.method == "GetTask" else self._desk.cancel
        task = await does(visitor, params.id)
        return task if isinstance(task, WireError) else _builtins(task)

    async def _stream(self, visitor: Visitor, call: WireCall) -> Response:
        begun = await self._begin_stream(visitor, call)
        if isinstance(begun, WireError):
            return _json(call.id, begun)
        lines = self._lines(visitor, call, begun)
        return StreamingResponse(lines, media_type="text/event-stream", headers={"Cache-Control": "no-store"})

    async def _begin_stream(self, visitor: Visitor, call: WireCall) -> WireTask | WireError:
        if call.method == "SendStreamingMessage":
            sent = _params(call, SendParams)
            return sent if isinstance(sent, WireError) else await self._desk.send(visitor, sent.message)
        named = _params(call, NamedTask)
        found = named if isinstance(named, WireError) else await self._desk.get(visitor, named.id)
        return NO_STREAM if isinstance(found, WireTask) and is_over(found) else found

    async def _lines(self, visitor: Visitor, call: WireCall, task: WireTask) -> AsyncIterator[bytes]:
        yield _event(call.id, {"task": _builtins(task)})
        waiting = asyncio.ensure_future(self._desk.settled(visitor, task))
        try:
            while not (await asyncio.wait({waiting}, timeout=KEEP_ALIVE_S))[0]:
                yield b": still waiting\n\n"
            found = waiting.result()
        finally:
            waiting.cancel()
        if isinstance(found, WireError):
            yield _event(call.id, found)
        elif is_over(found):
            for one in updates(found):
                yield _event(call.id, one)


def make_app(find: Find, address: str, version: str) -> Starlette:
    """Return the application; `address` is where others reach it."""
    card = JSONResponse(agent_card(address + PATH, version), headers={"Cache-Control": "max-age=3600"})

    async def who(_: Request) -> Response:
        return card

    routes = [Route(CARD_PATH, who), Route(PATH, TokenGate(A2aDoor(find), find), methods=["POST"])]
    return Starlette(routes=routes, middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=NAMES)])


def serve_a2a(find: Find, port: int, version: str) -> None:
    """Serve on a port of this machine until a signal ends it."""
    logging.basicConfig(level=logging.WARNING)
    app = make_app(find, f"http://{HOST}:{port}", version)
    uvicorn.run(app, host=HOST, port=port, log_level="warning", ws="none")


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


def _builtins(task: WireTask) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(task)
    return found


def _reply(call_id: object, result: Result) -> dict[str, Any]:
    number = call_id if isinstance(call_id, str | int) else None
    told = {"error": msgspec.to_builtins(result)} if isinstance(result, WireError) else {"result": result}
    return {"jsonrpc": "2.0", "id": number, **told}


def _json(call_id: object, result: Result) -> Response:
    return JSONResponse(_reply(call_id, result))


def _event(call_id: object, result: Result) -> bytes:
    return b"data: " + msgspec.json.encode(_reply(call_id, result)) + b"\n\n"
