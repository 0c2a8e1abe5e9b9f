"""Looks for the loop whether what a session needs is there, and what the log last said: what a check begins with."""

import logging
from collections.abc import Awaitable, Callable
from datetime import datetime

from msgspec.structs import replace

from hub.contract.errors import PulseError
from hub.domain.world import WorldLine
from hub.domain.world_proof import LookedAt, ProofFinding
from hub.loop.commands import ProveFinish
from hub.loop.events import FinishProven

Prove = Callable[[tuple[LookedAt, ...], str, datetime], Awaitable[tuple[ProofFinding, ...]]]
Lines = Callable[[], Awaitable[tuple[WorldLine, ...]]]
log = logging.getLogger(__name__)


class FinishChecker:
    """Looks, and never acts. What cannot be looked at is left out, and so a person is asked."""

    def __init__(self, *, prove: Prove, lines: Lines) -> None:
        self._prove = prove
        self._lines = lines

    async def look(self, asked: ProveFinish) -> FinishProven:
        """Return what was found of the need, and the last lines of the log."""
        proven = FinishProven(check_id=asked.check_id, session=asked.session)
        try:
            found = await self._prove(asked.parts, asked.folder, asked.since)
            return replace(proven, found=found, lines=await self._told() if asked.wants_lines else ())
        except Exception:  # in the log; as nothing was found, a person is asked
            log.exception("a bug while looking whether session %s is done", asked.session)
            return proven

    async def _told(self) -> tuple[WorldLine, ...]:
        try:
            return await self._lines()
        except PulseError as error:  # a model is told the less, and what it cannot see is not there
            log.warning("the world log could not be read for a check: %s", error.code)
            return ()
