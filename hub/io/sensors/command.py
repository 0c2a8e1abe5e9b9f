"""Run a program within limits of time and output, and leave nothing behind."""

import asyncio
import contextlib
import os
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping, Sequence
from pathlib import Path

from hub.contract.base import Value
from hub.io.sensors.guard import UnreadableError

CHUNK_BYTES = 64 * 1024
ERROR_BYTES_MAX = 2_000
REAP_S_MAX = 2.0


class Output(Value):
    """What a program said; `cut` says that it was ended because it said too much."""

    code: int | None
    out: bytes
    error: str
    cut: bool


async def run(
    argv: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    timeout_s: float,
    limit_bytes: int,
    stdin: bytes | None = None,
) -> Output:
    """Run `argv` (never through a shell) in its own process group, which is ended with it.

    Raises:
        UnreadableError: it could not be started, or took longer than `timeout_s`.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            *argv,
            cwd=cwd,
            env=dict(env),
            stdin=DEVNULL if stdin is None else PIPE,
            stdout=PIPE,
            stderr=PIPE,
            start_new_session=True,
        )
    except (OSError, ValueError) as wrong:  # ValueError: a NUL in an argument
        raise UnreadableError(f"{argv[0]} could not be started: {wrong}") from wrong
    try:
        async with asyncio.timeout(timeout_s):
            return await _converse(process, stdin, limit_bytes)
    except TimeoutError:
        raise UnreadableError(f"{Path(argv[0]).name} took longer than {timeout_s:g} s and was ended.") from None
    finally:
        await _end(process)


async def _converse(process: Process, stdin: bytes | None, limit_bytes: int) -> Output:
    errors = asyncio.create_task(_capture(process.stderr, ERROR_BYTES_MAX, drain=True))
    rest: asyncio.Task[bytes] | None = None
    try:
        if process.stdin is not None and stdin is not None:
            await _feed(process.stdin, stdin)
        out = await _capture(process.stdout, limit_bytes + 1, drain=False)
        cut = len(out) > limit_bytes
        if cut:
            _kill(process)
            # asyncio may not notice the end of a process while one of its pipes is full and nobody reads on
            rest = asyncio.create_task(_capture(process.stdout, 0, drain=True))
        code = await process.wait()
        error = (await errors).decode("utf-8", "replace").strip()
    finally:
        errors.cancel()
        if rest is not None:
            rest.cancel()
    return Output(code=code, out=out[:limit_bytes], error=error, cut=cut)


async def _feed(pipe: asyncio.StreamWriter, data: bytes) -> None:
    # A program that ends without reading its input has still given its answer.
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        pipe.write(data)
        await pipe.drain()
        pipe.close()


async def _capture(pipe: asyncio.StreamReader | None, limit_bytes: int, *, drain: bool) -> bytes:
    """Read up to the limit; with `drain` read on to the end and forget the rest, so that the writer never waits."""
    kept = bytearray()
    while pipe is not None and (chunk := await pipe.read(CHUNK_BYTES)):
        kept += chunk[: limit_bytes - len(kept)]
        if len(kept) >= limit_bytes and not drain:
            break
    return bytes(kept)


async def _end(process: Process) -> None:
    _kill(process)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(REAP_S_MAX):
            await process.wait()


def _kill(process: Process) -> None:
    # The group may outlive its leader: a helper that the program left behind is ended too.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
