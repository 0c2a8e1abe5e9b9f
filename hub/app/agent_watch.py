"""Looking at connected agents' settings when one of those files changes, and telling the loop which no longer ask."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from pathlib import Path

from hub.domain.cut_off import CutOffAgent
from hub.domain.moment import Change
from hub.io.home.agents_connected import AgentsConnected
from hub.io.home.folder import Home
from hub.io.sensors.guard import UnreadableError
from hub.io.sensors.traces import WatchedFile, traces_watcher
from hub.io.sensors.watchers import Watcher
from hub.kit.tasks import BackgroundTasks
from hub.loop.events import AgentsSeen

AGAIN_AFTER_S = 2.0
"""An agent that is just writing its settings has half of them: what is missing is looked for twice."""
log = logging.getLogger(__name__)


class AgentWatch:
    """Hears of edits of agents' settings, once an agent was connected; `post` hands the loop what they mean.

    Nothing is asked for again and again: the system tells of each change. A look reads these files alone.
    """

    def __init__(
        self,
        home: Path,
        projects: tuple[Path, ...],
        connected: AgentsConnected,
        post: Callable[[AgentsSeen], None],
        *,
        again_after_s: float = AGAIN_AFTER_S,
    ) -> None:
        self._again_after_s = again_after_s
        self._home, self._projects = home, projects
        self._connected, self._post = connected, post
        self._told: AgentsSeen | None = None
        self._watcher: Watcher | None = None
        self._watched: tuple[Path, ...] = ()
        self._is_due = False
        self._looking: asyncio.Task[None] | None = None
        self._tasks = BackgroundTasks(lambda bug: log.error("a look at agents' settings broke", exc_info=bug))

    def start(self) -> None:
        """Look once, and from then on when something changes; call it inside the event loop."""
        self._noticed()

    async def close(self) -> None:
        """Look no more."""
        await self._tasks.close()
        self._let_go()

    def _noticed(self) -> None:
        self._is_due = True
        if self._looking is None or self._looking.done():
            self._looking = self._tasks.spawn(self._look())

    async def _look(self) -> None:
        while self._is_due:
            self._is_due = False
            await self._follow()
            if not self._connected.ever:
                continue
            seen = await self._seen()
            if seen.cut_off and seen != self._told:
                await asyncio.sleep(self._again_after_s)
                seen = await self._seen()
            if seen != self._told:
                self._told = seen
                self._post(seen)

    async def _seen(self) -> AgentsSeen:
        found = await asyncio.to_thread(self._found)
        for agent, cut_off in found:
            if cut_off is None:
                self._connected.seen(agent)
        self._connected.keep()
        gone = (cut_off for agent, cut_off in found if agent in self._connected.agents)
        return AgentsSeen(cut_off=tuple(one for one in gone if one is not None))

    async def _follow(self) -> None:
        """Watch what is to be watched by now: more, once the first agent is connected."""
        files = (Home(self._home).agents_connected, *(self._files() if self._connected.ever else ()))
        if files == self._watched:
            return
        self._let_go()
        self._watched = files
        watched = tuple(WatchedFile(file=file, change=Change.AGENT) for file in files)
        watcher = traces_watcher(watched, lambda _change: self._noticed())
        try:
            await asyncio.to_thread(watcher.start)
        except (OSError, UnreadableError) as wrong:
            watcher.close()
            log.warning("edits of agents' settings will be noticed at the next start only: %s", wrong)
            return
        watcher.listen()
        self._watcher = watcher

    def _let_go(self) -> None:
        if self._watcher is not None:
            self._watcher.close()
            self._watcher = None

    def _files(self) -> tuple[Path, ...]:
        """Return every file that says whether an agent asks, and where links among them lead."""
        from hub.cli import connecting  # noqa: PLC0415  a hub without agents needs none of it
        from hub.io.agents.hooks.connections import BY_HOOKS  # noqa: PLC0415  as above

        files = [
            file
            for which in BY_HOOKS
            for file in (
                connecting.place_of(which, project=False),
                connecting.program_of(self._home, which),
                *connecting.switches_of(which, self._projects),
            )
        ]
        return tuple(dict.fromkeys(one for file in files for one in (file, file.resolve())))

    def _found(self) -> tuple[tuple[str, CutOffAgent | None], ...]:
        return tuple(self._look_at_each())

    def _look_at_each(self) -> Iterator[tuple[str, CutOffAgent | None]]:
        """Yield each agent with why it does not ask; None where it does."""
        from hub.cli import connecting  # noqa: PLC0415  as above
        from hub.io.agents.hooks.connections import BY_HOOKS  # noqa: PLC0415  as above

        for which in BY_HOOKS:
            found = connecting.look(self._home, which, self._projects)[0]
            if found.state == "connected":
                yield which.agent, None
            else:
                why = connecting.cut_off_by(which, found)
                yield which.agent, CutOffAgent(agent=which.agent, title=which.title, why=why)
