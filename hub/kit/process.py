"""The process of a surface: what it is told, when it ends, and how it says that it cannot work or why it ended.

As the hub's child (`PULSE_CHILD=1`) it holds the other end of a pipe as its standard input. Its secrets come over that,
in one line of JSON and before anything else, for the environment of a process is open to its user's other programs.
Whatever a person starts by hand may have them in its environment.
"""

import asyncio
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterable

import msgspec

from hub.contract.errors import PulseError
from hub.kit.called import as_called
from hub.kit.hub_api import NotRunningError
from hub.kit.setup_faults import EXIT_SETUP_FAULT, SetupError, encoded
from hub.kit.tasks import end_all

EXIT_UNREACHABLE = 3
CHILD = "PULSE_CHILD"
TOLD_BYTES_MAX = 16_384
"""The longest line of secrets: the hub hands over none that is longer, and a pipe takes it at once."""
TOLD_S_MAX = 20.0
TROUBLE = "trouble:"
"""The hub shows such a line as this process's health until an empty one follows."""
LIMITS = "limits:"
"""Such a line is shown in the same way, but the process does its work all the same."""
FIX_APART = "\t"
"""Stands in such a line between what is wrong and what to do about it."""


def take_told(*secrets: str) -> dict[str, str]:
    """Return what this process was told: its environment, and for a child what the hub hands over.

    These secrets and PULSE_TOKEN are taken out of the environment, so that nothing we start inherits them.

    Raises:
        NotRunningError: the hub handed nothing over.
    """
    told = dict(os.environ)
    for name in ("PULSE_TOKEN", *secrets):
        os.environ.pop(name, None)
    if _is_child():
        told |= read_handed_over(sys.stdin.fileno(), TOLD_S_MAX)
    return told


def read_handed_over(pipe: int, wait_s_max: float) -> dict[str, str]:
    """Read the line that the hub sends its child first; the pipe stays open.

    Raises:
        NotRunningError: it did not come in time, is too long, or cannot be read.
    """
    line, until = b"", time.monotonic() + wait_s_max
    while not line.endswith(b"\n"):
        ready, _, _ = select.select([pipe], [], [], max(0.0, until - time.monotonic()))
        more = os.read(pipe, TOLD_BYTES_MAX) if ready else b""
        line += more
        if not more or len(line) > TOLD_BYTES_MAX:
            raise NotRunningError(
                "This process did not get the data it needs from Pulse.", fix="Restart it: `pulse up`."
            )
    try:
        return msgspec.json.decode(line, type=dict[str, str])
    except msgspec.DecodeError as error:  # its text names places, never values
        raise NotRunningError(
            f"What Pulse told this process cannot be read: {error}.", fix="Start it again."
        ) from error


def print_trouble(text: str, fix: str = "") -> None:
    """Report to the hub, in one line, what keeps us from our work and what to do about it; both empty once it is over.

    All devices of this process count as not reached until then, once it has lasted a moment.
    """
    _print_line(TROUBLE, text, fix)


def print_limits(text: str, fix: str = "") -> None:
    """Report what only limits us, in the same way: messages arrive, but something beside them does not work."""
    _print_line(LIMITS, text, fix)


def _print_line(kind: str, text: str, fix: str) -> None:
    words = FIX_APART.join(" ".join(one.split()) for one in (text, fix) if one.strip())
    print(kind, words, file=sys.stderr, flush=True)  # noqa: T201  the hub reads this line


def run(program: Callable[[], int]) -> int:
    """Run a surface's program; an expected failure is its last words, in one line where health shows them.

    What is wrong at a set-up is handed to the command that started us, which says it and asks again.
    """
    try:
        return program()
    except SetupError as error:
        sys.stdout.buffer.write(encoded(error))
        return EXIT_SETUP_FAULT
    except PulseError as error:
        words = as_called(f"{error.detail} [{error.code}]\n{error.fix}".strip())
        print(" ".join(words.splitlines()) if _is_child() else words, file=sys.stderr)  # noqa: T201  a program's last words
        return EXIT_UNREACHABLE if isinstance(error, NotRunningError) else 1


async def until_told(works: Iterable[asyncio.Task[None]]) -> None:
    """Run until a signal, until one of the works ends, and as a child no longer than the hub that started us.

    Raises:
        Exception: what ended a work.
    """
    ending = [*works, asyncio.create_task(_until_signal())]
    if _is_child():
        ending.append(asyncio.create_task(until_hub_is_gone()))
    try:
        done, _ = await asyncio.wait(ending, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        await end_all(ending)


async def until_hub_is_gone() -> None:
    """Return when the hub that started this process has ended; the other end of our standard input was its."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while await reader.read(1):
        pass


async def _until_signal() -> None:
    told_to_end = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, told_to_end.set)
    await told_to_end.wait()


def _is_child() -> bool:
    return os.environ.get(CHILD) == "1"
