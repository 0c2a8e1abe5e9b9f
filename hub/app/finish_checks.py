"""Where it may be looked whether a session is done, and which log a model is told of."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from hub.app.watched import world_log_of
from hub.domain.world import WorldLine
from hub.domain.world_proof import LookedAt, ProofFinding
from hub.runner.finish_checker import FinishChecker
from hub.settings.schema import WorldSettings

if TYPE_CHECKING:
    from hub.io.world.proving import Prover

LINES_MAX = 400
"""So many of the log's last lines are read for a check; a model is told as many as there is room for."""


def finish_checker(
    wanted: WorldSettings, home: Path, workspaces: tuple[Path, ...], own_ports: Callable[[], frozenset[int]]
) -> FinishChecker:
    """Return what looks for the loop: in workspaces and in sessions' folders, and never into Pulse's own.

    Args:
        wanted: says where the log is.
        home: Pulse's own folder.
        workspaces: where files of sessions are looked for that name no folder.
        own_ports: the ports at which Pulse and its broker listen now.
    """
    log = world_log_of(wanted, home)

    @cache
    def prover() -> "Prover":
        from hub.io.world.proof_files import ProofPlaces  # noqa: PLC0415  with the first session that says it is done
        from hub.io.world.proving import Prover  # noqa: PLC0415  as above

        inside = tuple(str(one) for one in workspaces)
        places = ProofPlaces(home=str(Path.home()), workspaces=inside, private=(str(home),))
        return Prover(places, own_ports=own_ports)

    async def prove(parts: tuple[LookedAt, ...], folder: str, since: datetime) -> tuple[ProofFinding, ...]:
        return await prover().prove(parts, folder, since)

    async def lines() -> tuple[WorldLine, ...]:
        from hub.io.world.recent import recent  # noqa: PLC0415  as above

        return await asyncio.to_thread(recent, log, LINES_MAX)

    return FinishChecker(prove=prove, lines=lines)
