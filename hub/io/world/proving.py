"""Looks whether what a session needs is really there: files, and addresses of this machine. It looks, and never acts.

A file system that hangs costs a thread and not the hub: so many looks at once, each with a time, and one that has not
come back keeps its place.
"""

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable
from datetime import datetime

from hub.domain.provenance import LogText
from hub.domain.world_proof import FileNeed, LookedAt, ProofFinding
from hub.io.world.proof_files import ProofPlaces, look_for
from hub.io.world.proof_urls import look_at

LOOKS_MAX = 4
"""So many looks at files at once; others wait for their turn, as long as their time lasts."""
LOOK_S_MAX = 5.0
Look = Callable[[FileNeed, str, datetime, ProofPlaces, Callable[[], bool]], ProofFinding]
GRACE_S = 1.0
"""A look that goes on stops by itself after `LOOK_S_MAX`; so much later it is taken for one that hangs."""


class Prover:
    """Looks at what needs name, as far as others' words may lead."""

    def __init__(
        self,
        places: ProofPlaces,
        *,
        own_ports: Callable[[], frozenset[int]],
        look: Look = look_for,
        look_s_max: float = LOOK_S_MAX,
    ) -> None:
        self._places = places
        self._own_ports = own_ports
        self._look_for = look
        self._look_s_max = look_s_max
        self._turns = asyncio.Semaphore(LOOKS_MAX)

    async def prove(self, parts: tuple[LookedAt, ...], folder: str, since: datetime) -> tuple[ProofFinding, ...]:
        """Look at all parts, and return what was found of each, in their order.

        Args:
            parts: what is to be there.
            folder: the session's, absolute; empty where nobody said.
            since: when the session began: only what changed since counts as its own.
        """
        return tuple(await asyncio.gather(*(self._look(part, folder, since) for part in parts)))

    async def _look(self, part: LookedAt, folder: str, since: datetime) -> ProofFinding:
        if not isinstance(part, FileNeed):
            return await look_at(part, self._own_ports())
        try:
            async with asyncio.timeout(self._look_s_max + GRACE_S):
                await self._turns.acquire()
                return await self._beside(part, folder, since)
        except TimeoutError:
            words = LogText("The file system did not answer in time")
            return ProofFinding(part=part, state="unknown", words=words)

    async def _beside(self, part: FileNeed, folder: str, since: datetime) -> ProofFinding:
        """Look in a thread of its own, which a hanging one does not keep Pulse from ending; it gives its turn back."""
        loop, ends_at = asyncio.get_running_loop(), time.monotonic() + self._look_s_max
        found: asyncio.Future[ProofFinding] = loop.create_future()

        def tell(result: ProofFinding | Exception) -> None:
            self._turns.release()
            if found.done():
                return
            if isinstance(result, Exception):
                found.set_exception(result)
            else:
                found.set_result(result)

        def look() -> None:
            result: ProofFinding | Exception
            try:
                result = self._look_for(part, folder, since, self._places, lambda: time.monotonic() > ends_at)
            except Exception as error:  # noqa: BLE001  it is raised where the look is awaited
                result = error
            with contextlib.suppress(RuntimeError):  # Pulse has ended meanwhile
                loop.call_soon_threadsafe(tell, result)

        threading.Thread(target=look, name="proof", daemon=True).start()
        return await found
