"""A process that lasts as long as the hub: started again whenever it ends, heard line by line, ended for good."""

import asyncio
import contextlib
import random
import signal
from collections.abc import AsyncIterator, Awaitable, Callable

from hub.contract.base import Value
from hub.kit.backoff import RetryPolicy, retry_delay_s

CHUNK_BYTES = 4096
LINE_CHARS_MAX = 300
LINE_BYTES_MAX = 4 * LINE_CHARS_MAX
"""What a line's first letters need at most in UTF-8: more of a line is not kept while its end is awaited."""


class Restarts(Value):
    """When an ended process is started again: the n-th early end in a row waits longer.

    Who came up and lived longer than `stable_after_s` was well, and is started again promptly. Who came up and was then
    ended from outside waits no longer than after `if_up_max` ends; who cannot come up at all waits as long as it takes.
    """

    policy: RetryPolicy
    stable_after_s: float
    if_up_max: int | None = None


async def keep_alive(
    live: Callable[[], Awaitable[bool]], restarts: Restarts, ended: Callable[[float], None]
) -> None:  # until it is cancelled
    """Live again and again, with a wait between.

    Args:
        live: one life of the process, from its start to its end; says whether it had come up.
        restarts: how long to wait after each.
        ended: told after each life how many seconds pass until the next.
    """
    loop, ends = asyncio.get_running_loop(), 0
    while True:
        began = loop.time()
        was_up = await live()
        ends = 0 if was_up and loop.time() - began > restarts.stable_after_s else ends
        if was_up and restarts.if_up_max is not None:
            ends = min(ends, restarts.if_up_max)
        delay_s = retry_delay_s(ends, restarts.policy, random.random)
        ends += 1
        ended(delay_s)
        await asyncio.sleep(delay_s)


async def end(process: asyncio.subprocess.Process | None, wait_s: float) -> None:
    """End it: politely, so that it can save what it holds, and by force if it is still there `wait_s` later."""
    if process is None:
        return
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(number)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(wait_s):
                await process.wait()


async def lines_of(stream: asyncio.StreamReader | None) -> AsyncIterator[str]:
    """Give what a process says, line by line, each cut to `LINE_CHARS_MAX`; reading on keeps it from waiting for us."""
    rest = b""
    while stream is not None and (chunk := await stream.read(CHUNK_BYTES)):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield _shown(line)
        rest = rest[:LINE_BYTES_MAX]
    if rest:
        yield _shown(rest)


def _shown(line: bytes) -> str:
    return line.decode("utf-8", "replace").strip()[:LINE_CHARS_MAX]
