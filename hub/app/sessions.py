"""The processes of the world log's sessions: what looks at them, and what ends those that a run has left behind."""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from hub.domain.world import SessionProcess
from hub.domain.world_findings import ProcessLook
from hub.io.agents.environment import marked
from hub.io.agents.orphans import end_strays
from hub.io.agents.session_processes import look_at
from hub.ports import Clock
from hub.runner import ProcessWatcher


def process_watcher(home: Path, clock: Clock, read_on: Callable[[], Awaitable[None]]) -> ProcessWatcher:
    """Make the watcher of a home; `read_on` returns once the loop was given all lines that the log has by now."""

    def look(named: Sequence[SessionProcess]) -> ProcessLook:
        return look_at(named, home, clock.now())

    async def end(run: str) -> int:
        return await end_strays(marked(home, run))

    return ProcessWatcher(look, end, read_on)
