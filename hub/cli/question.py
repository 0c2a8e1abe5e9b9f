"""One question that is put to a person: asked once, waited for, and taken back when whoever asks gives up."""

import math
import signal
import time
import uuid
from pathlib import Path
from types import FrameType
from typing import Never, Self

import click
from msgspec.structs import replace

from hub.cli.api import open_api, read
from hub.contract.api import AskReply, AskRequest
from hub.contract.errors import PulseError
from hub.contract.words import Status
from hub.kit.hub_api import NotRunningError

WAIT_S_MAX = 60
"""One request waits this long; then the next one does."""
AWAY_S_MAX = 30.0
"""How long the hub may be away (it may be starting again) before the question is given up."""
RETRY_S = 1.0
TAKE_BACK_S_MAX = 5.0
"""So long a question is tried to be taken back from a hub that does not answer."""
GRACE_S = 1.0
"""The hub decides when the time is over; this much later nobody can answer any more, whatever it says."""
SLOW_S = 15.0
"""How much later than asked for an answer may arrive."""
TOLD_AGAIN_S = 0.2
"""Python drops what a signal raises inside a finalizer, so a stop is said again until it is heard."""


class StoppedError(PulseError):
    """The program that asked gave up. The question was withdrawn."""

    code = "stopped"


class OpenQuestion:
    """Use it in a `with`: leaving without an answer takes the question back."""

    def __init__(self, home: Path, body: AskRequest) -> None:
        self._home = home
        self._body = replace(body, idempotency_key=uuid.uuid4().hex)
        self._id = ""
        self._open = False
        self._ends = 0.0
        self._before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGALRM)}

    def __enter__(self) -> Self:
        """Also SIGTERM takes the question back, and a terminal that is closed."""
        for number in self._before:
            signal.signal(number, _stop)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        """Take the question back if it is still open."""
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        if self._open:
            self._take_back_or_say()
        if isinstance(error, KeyboardInterrupt):
            raise StoppedError from error

    def wait(self) -> tuple[AskReply, bytes]:
        """Return the last reply and its document once it is answered, expired or withdrawn.

        Raises:
            NotRunningError: Pulse is not running, or stayed away too long.
        """
        self._ends = time.monotonic() + self._body.timeout_s + GRACE_S
        self._open = True
        document = self._ask()
        reply = read(document, AskReply)
        self._id = reply.prediction.id
        while reply.prediction.status is Status.PENDING and time.monotonic() < self._ends:
            document = self._again()
            reply = read(document, AskReply)
        self._open = False
        return reply, document

    def _ask(self) -> bytes:
        return open_api(self._home).call("POST", "/ask", self._body)

    def _take_back_or_say(self) -> None:
        """Take the question back, also from a hub that is just being started; say so where it stays open."""
        give_up_at = time.monotonic() + TAKE_BACK_S_MAX
        while True:
            try:
                return self._take_back()
            except NotRunningError:
                if not self._id:  # it was never asked, as far as anybody knows
                    return None
                if time.monotonic() > give_up_at:
                    click.echo(f"- the question stays open: {self._id}; dismiss it once Pulse runs again", err=True)
                    return None
                time.sleep(RETRY_S)
            except PulseError:  # it was answered, or has expired, meanwhile
                return None

    def _take_back(self) -> None:
        """Withdraw it; one stopped while asking asks again, which by its key is the same card, to learn its id."""
        known = self._id or read(self._ask(), AskReply).prediction.id
        open_api(self._home).call("DELETE", f"/ask/{known}")

    def _again(self) -> bytes:
        """Wait for one more while, through a restart of the hub."""
        away_until = time.monotonic() + AWAY_S_MAX
        while True:
            wait_s = max(1, min(WAIT_S_MAX, math.ceil(self._ends - time.monotonic())))
            try:
                path = f"/ask/{self._id}?wait={wait_s}"
                return open_api(self._home).call("GET", path, timeout_s=wait_s + SLOW_S)
            except NotRunningError:
                if time.monotonic() > away_until:
                    raise
                time.sleep(RETRY_S)


def _stop(_number: int, _frame: FrameType | None) -> Never:
    signal.setitimer(signal.ITIMER_REAL, TOLD_AGAIN_S)
    raise KeyboardInterrupt
