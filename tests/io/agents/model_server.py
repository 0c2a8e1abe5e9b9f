"""A model behind HTTP on this machine, which says what a test wants, byte by byte."""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import msgspec
from msgspec.structs import replace

from hub.domain.policy import Channel, Policy, TwinService
from hub.domain.provenance import ModelText
from hub.domain.situation import Situation
from hub.domain.suggestion import Guess
from hub.domain.twin import TwinQuestion, TwinReply
from hub.io.agents import twin_worker
from hub.io.agents.twin import HttpTwins
from tests.fakes.clock import VirtualClock

MODEL = "small-model"
AT = datetime(2025, 7, 29, 14, 0, tzinfo=UTC)
SITUATION = Situation(at=AT, local=AT)
ANSWER = {"prompt": "Run the tests", "channel": "koji-core", "confidence": 0.9, "reasoning": "Two modules changed."}
GUESS = Guess(
    prompt=ModelText("Run the tests"),
    channel="koji-core",
    confidence=0.9,
    reasoning=ModelText("Two modules changed."),
    model=MODEL,
)


def response(body: bytes, status: str = "200 OK", *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


def completion(*contents: object, tokens: tuple[int, int] | None = None) -> bytes:
    """A chat completion with a choice for each of these contents, and what it counts."""
    choices = [{"index": at, "message": {"role": "assistant", "content": one}} for at, one in enumerate(contents)]
    usage = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]} if tokens else {}
    return response(msgspec.json.encode({"id": "c1", "choices": choices, "usage": usage}))


def answer(**changes: object) -> bytes:
    """A chat completion whose content is the answer, with some of it changed."""
    return completion(msgspec.json.encode({**ANSWER, **changes}).decode())


class ModelServer:
    """Each request is answered with the next of `responses`; None keeps the line open and says nothing more.

    Where `respond` is set, it answers instead, from a request's body.
    """

    def __init__(self) -> None:
        self.respond: Callable[[bytes], bytes] | None = None
        self.responses: deque[bytes | None] = deque()
        self.heads: list[str] = []
        self.bodies: list[bytes] = []
        self.sent = 0
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = next(line for line in head.lower().split("\r\n") if line.startswith("content-length:"))
        self.heads.append(head)
        self.bodies.append(await reader.readexactly(int(length.partition(":")[2])))
        planned = self.respond(self.bodies[-1]) if self.respond else self.responses.popleft()
        if planned is None:
            await reader.read()  # until the client gives up
        else:
            await self._say(writer, planned)

    async def _say(self, writer: asyncio.StreamWriter, planned: bytes) -> None:
        try:
            for start in range(0, len(planned), 65_536):
                writer.write(planned[start : start + 65_536])
                await writer.drain()
                self.sent = start + 65_536
        except ConnectionError:
            return  # the client has heard enough


Handle = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def listening(handle: Handle) -> AsyncIterator[int]:
    """Serve on a free port of this machine; at the end wait until each connection has been closed."""
    under_way: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        under_way.add(task := asyncio.current_task())  # type: ignore[arg-type]  # a coroutine runs in a task
        task.add_done_callback(under_way.discard)  # type: ignore[union-attr]  # a coroutine runs in a task
        with contextlib.suppress(asyncio.IncompleteReadError):  # it left before it had said anything
            await handle(reader, writer)
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await asyncio.gather(*under_way)


@asynccontextmanager
async def running_model() -> AsyncIterator[ModelServer]:
    model = ModelServer()
    async with listening(model.handle) as model.port:
        yield model


def service_of(model: ModelServer, timeout_s: float = 10.0, /, **changed: object) -> TwinService:
    service = TwinService(name="first", url=model.url, model=MODEL, key_env="TEST_TWIN_KEY", timeout_s=timeout_s)
    return replace(service, **changed)


def policy_of(*services: TwinService) -> Policy:
    """These models, and the one channel that answers name."""
    return Policy(twin=True, twins=services, channels=(Channel(name="koji-core", specialty="Code", agent="playbook"),))


def twins_here(clock: VirtualClock | None = None) -> HttpTwins:
    """Twins that ask in this process: what the child does, without its start."""
    return HttpTwins(now=(clock or VirtualClock(AT)).now, ask=twin_worker.answer)


async def asked(model: ModelServer, timeout_s: float = 10.0, /, **changed: object) -> TwinReply:
    """Ask a model once."""
    question = TwinQuestion(situation=SITUATION)
    return await twins_here().predict(question, policy_of(service_of(model, timeout_s, **changed)))
