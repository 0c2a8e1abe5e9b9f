"""A local gateway that behaves as OpenClaw's hooks do: authentication, throttling, limits, completion."""

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Self

TOKEN = "right-token"
BODY_BYTES_MAX = 262_144
BAD_TOKENS_MAX = 20
OK_RUN: dict[str, object] = {
    "ok": True,
    "runId": "r1",
    "completion": {"status": "ok", "delivered": False, "newFact": 1},
}

Answer = tuple[int, Mapping[str, str], bytes]


@dataclass
class Gateway:
    """`faults` are used up first, one per request; then requests are answered as OpenClaw would, with `run`.

    A fault is an answer, `"drop"` (the connection breaks after the request was taken) or `"hang"`.
    """

    run: dict[str, object] = field(default_factory=lambda: dict(OK_RUN))
    status: int = 200
    faults: list[Answer | str] = field(default_factory=list)
    requests: list[dict[str, object]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    begun: set[str] = field(default_factory=set)
    bad_tokens: int = 0
    url: str = ""
    _server: asyncio.Server | None = None
    _serving: set["asyncio.Task[None]"] = field(default_factory=set)

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        try:
            await self._exchange(reader, writer)
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            answer = await self._answer(reader)
            if answer is not None:
                status, headers, body = answer
                lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(body)}", "Connection: close"]
                lines += [f"{name}: {value}" for name, value in headers.items()]
                writer.write("\r\n".join((*lines, "", "")).encode() + body)
                await writer.drain()

    async def _answer(self, reader: asyncio.StreamReader) -> Answer | None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        if not head[0].startswith("POST /hooks/agent "):
            return 404, {}, b"Not Found"
        if headers.get("authorization") != f"Bearer {TOKEN}":
            self.bad_tokens += 1
            throttled = self.bad_tokens > BAD_TOKENS_MAX
            return (429, {"Retry-After": "60"}, b"Too Many Requests") if throttled else (401, {}, b"Unauthorized")
        if len(body) > BODY_BYTES_MAX:
            return 413, {}, b'{"ok":false,"error":"payload too large"}'
        request = json.loads(body)
        self.requests.append(request)
        self.headers.append(headers)
        return await self._admit(request)

    async def _admit(self, request: dict[str, object]) -> Answer | None:
        fault = self.faults.pop(0) if self.faults else None
        if isinstance(fault, tuple):
            return fault
        self.begun.add(str(request["idempotencyKey"]))
        if fault == "drop":
            return None
        if fault == "hang":
            await asyncio.sleep(3600)
        return self.status, {"Content-Type": "application/json"}, json.dumps(self.run).encode()
