"""Where it may be looked whether a session is done, and which log a model is told of."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from hub.app.watched import world_log_of
from hub.domain.world import WorldLine
from hub.io.world.proof_files import ProofPlaces
from hub.io.world.proving import Prover
from hub.io.world.recent import recent
from hub.runner.finish_checker import FinishChecker
from hub.settings.schema import WorldSettings

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
    places = ProofPlaces(home=str(Path.home()), workspaces=tuple(str(one) for one in workspaces), private=(str(home),))
    log = world_log_of(wanted, home)

    async def lines() -> tuple[WorldLine, ...]:
        return await asyncio.to_thread(recent, log, LINES_MAX)

    return FinishChecker(prove=Prover(places, own_ports=own_ports).prove, lines=lines)
