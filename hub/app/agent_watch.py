"""Looking at connected agents' settings when one of those files changes, and telling the loop which no longer ask."""

import asyncio
import logging
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from hub.contract.base import Value
from hub.domain.cut_off import ConnectedAgent, CutOffAgent
from hub.domain.moment import Change
from hub.domain.provenance import Wording
from hub.io.home.agents_connected import LEAVING_S, AgentsConnected, HookTerms
from hub.io.home.folder import Home
from hub.io.sensors.guard import UnreadableError
from hub.io.sensors.traces import WatchedFile, traces_watcher
from hub.io.sensors.watchers import Watcher
from hub.kit.tasks import BackgroundTasks
from hub.loop.events import AgentsSeen

if TYPE_CHECKING:
    from hub.io.agents.hooks.connections import AgentConnection
    from hub.io.agents.hooks.unasked import UnaskedWork

AGAIN_AFTER_S = 2.0
"""An agent that is just writing its settings has half of them: what is missing or unreadable is looked at twice."""
UNWATCHED_S = 30.0
"""So often it is looked without being told to, where the system cannot tell of edits."""
EVERY_S = 60.0
"""How often it looks though nothing was heard of: not every way to write a file, and none to work unasked, is told."""
HOOKS = "-hooks"
"""Behind an agent's name: what is told of the hooks beside Pulse's, apart from whether it asks."""
log = logging.getLogger(__name__)


class AgentLook(Value):
    """Why an agent does not ask, None where it does, and by what terms.

    `is_half`: its settings may be just being written. `beside` is what is told of each hook of others that may
    answer for the person or change what runs, by what is kept of it. `put_back` names its hooks' program where another
    program had changed it.
    """

    agent: str
    title: str
    beside: Mapping[str, Wording] = {}
    terms: HookTerms | None = None
    cut_off: CutOffAgent | None = None
    is_half: bool = False
    put_back: str = ""


class AgentWatch:
    """Hears of edits of agents' settings, once an agent was connected; `post` hands the loop what they mean.

    The program that a connected agent's hooks start is the hub's own: it is put back, and `changed` told of it.

    The system tells of most changes at once; what it does not tell of is found by a look each minute, which reads these
    files, and what agents just wrote down of their sessions (`unasked.py`).
    """

    def __init__(
        self,
        home: Path,
        projects: tuple[Path, ...],
        connected: AgentsConnected,
        post: Callable[[AgentsSeen], None],
        *,
        changed: Callable[[str], None] = lambda _file: None,
        again_after_s: float = AGAIN_AFTER_S,
        every_s: float = EVERY_S,
    ) -> None:
        self._again_after_s, self._every_s = again_after_s, every_s
        self._unasked: UnaskedWork | None = None
        self._home, self._projects = home, projects
        self._connected, self._post, self._changed = connected, post, changed
        self._told: AgentsSeen | None = None
        self._programs_seen: set[str] = set()
        """Agents whose hooks' program was looked at since the start."""
        self._half_since: dict[str, float] = {}
        self._later: dict[float, asyncio.TimerHandle] = {}
        self._watcher: Watcher | None = None
        self._watched: tuple[Path, ...] = ()
        self._is_due = False
        self._looking: asyncio.Task[None] | None = None
        self._tasks = BackgroundTasks(lambda bug: log.error("a look at agents' settings broke", exc_info=bug))

    def start(self) -> None:
        """Look once, and from then on when something changes; call it inside the event loop."""
        self._noticed()
        self._tasks.spawn(self._look_now_and_then())

    async def close(self) -> None:
        """Look no more."""
        await self._tasks.close()
        for timer in self._later.values():
            timer.cancel()
        self._let_go()

    async def _look_now_and_then(self) -> None:
        while True:
            await asyncio.sleep(self._every_s)
            if self._connected.ever:
                self._noticed()

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
            if seen != self._told:
                self._told = seen
                self._post(seen)

    async def _seen(self) -> AgentsSeen:
        found, working = await asyncio.to_thread(lambda: (self._found(), self._working_unasked()))
        for one in found:
            if one.put_back:
                self._changed(one.put_back)
            if one.cut_off is None:
                self._connected.seen(one.agent, one.terms)
                if one.agent not in self._connected.agents:
                    self._look_in(LEAVING_S)
        ours = [one for one in found if one.agent in self._connected.agents]
        connected = [(one, self._settled(one)) for one in (*ours, *map(self._beside, ours))]
        silent = {one.agent: one for one in working}
        silent |= {cut_off.agent: cut_off for _, cut_off in connected if cut_off is not None}
        asking = [one for one, _ in connected if one.agent not in silent]
        return AgentsSeen(
            cut_off=tuple(silent.values()),
            asking=tuple(ConnectedAgent(agent=one.agent, title=one.title) for one in asking),
        )

    def _beside(self, found: AgentLook) -> AgentLook:
        """Return what is told of hooks of others that came since the person connected an agent."""
        name, title = f"{found.agent}{HOOKS}", found.title
        came = self._connected.came_beside(found.agent, frozenset(found.beside))
        cut_off = CutOffAgent(agent=name, title=title, why=found.beside[min(came)]) if came else None
        return AgentLook(agent=name, title=title, cut_off=cut_off)

    def _settled(self, found: AgentLook) -> CutOffAgent | None:
        """Return why an agent does not ask; while its settings may be just being written, what was told last."""
        if not found.is_half or found.cut_off is None:
            self._half_since.pop(found.agent, None)
            return found.cut_off
        now = asyncio.get_running_loop().time()
        if now - self._half_since.setdefault(found.agent, now) >= self._again_after_s:
            return found.cut_off
        self._look_in(self._again_after_s)
        told = () if self._told is None else self._told.cut_off
        return next((one for one in told if one.agent == found.agent), None)

    def _look_in(self, seconds: float) -> None:
        """Look once more then, though nothing is heard; edits are looked at meanwhile."""
        if seconds not in self._later:
            self._later[seconds] = asyncio.get_running_loop().call_later(seconds, self._look_now, seconds)

    def _look_now(self, seconds: float) -> None:
        del self._later[seconds]
        self._noticed()

    def _working_unasked(self) -> tuple[CutOffAgent, ...]:
        from hub.cli import connecting  # noqa: PLC0415  a hub without agents needs none of it
        from hub.io.agents.hooks.unasked import UnaskedWork  # noqa: PLC0415  as above

        self._unasked = self._unasked or UnaskedWork()
        return self._unasked.look(lambda which: connecting.place_of(which, project=False), self._connected.since_s())

    async def _follow(self) -> None:
        """Watch what is to be watched by now: more, once the first agent is connected."""
        files = (Home(self._home).agents_connected, *(self._files() if self._connected.ever else ()))
        if files == self._watched:
            return
        self._let_go()
        watched = tuple(WatchedFile(file=file, change=Change.AGENT) for file in files)
        try:
            self._watcher = traces_watcher(watched, lambda _change: self._noticed())
            await asyncio.to_thread(self._watcher.start)
        except (OSError, UnreadableError) as wrong:
            self._let_go()
            log.warning("edits of agents' settings are not noticed, which is tried again later: %s", wrong)
            self._look_in(UNWATCHED_S)
            return
        self._watcher.listen()
        self._watched = files

    def _let_go(self) -> None:
        if self._watcher is not None:
            self._watcher.close()
        self._watcher, self._watched = None, ()

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
        return tuple(dict.fromkeys(one for file in files for one in (file, Path(os.path.realpath(file)))))

    def _found(self) -> tuple[AgentLook, ...]:
        from hub.io.agents.hooks.connections import BY_HOOKS  # noqa: PLC0415  as above

        return tuple(self._look_at(which) for which in BY_HOOKS)

    def _look_at(self, which: "AgentConnection") -> AgentLook:
        from hub.app.hooks_beside import hooks_beside  # noqa: PLC0415  as above
        from hub.cli import connecting  # noqa: PLC0415  as above

        put_back, terms = "", self._connected.terms(which.agent)
        beside: Mapping[str, Wording] = {}
        try:
            if which.agent in self._connected.agents:
                is_back = connecting.put_program_back(self._home, which)
                if is_back and which.agent in self._programs_seen:  # else it may be of an earlier version of Pulse
                    put_back = str(connecting.program_of(self._home, which))
                self._programs_seen.add(which.agent)
            found = connecting.look(self._home, which, self._projects, self._connected)[0]
            beside = hooks_beside(self._home, which, self._projects, terms)
            if found.state == "connected":
                by = HookTerms(wait_s=found.wait_s, closed=found.closed)
                return AgentLook(agent=which.agent, title=which.title, beside=beside, terms=by, put_back=put_back)
            why = connecting.cut_off_by(which, found, terms)
        except Exception:  # whatever an agent wrote there must not keep it, or another, from being told of
            log.warning("a look at the settings of %s broke", which.title, exc_info=True)
            why, is_half = connecting.cut_off_by_bug(which, terms), False
        else:
            is_half = found.is_half
        cut_off = CutOffAgent(agent=which.agent, title=which.title, why=why)
        return AgentLook(
            agent=which.agent, title=which.title, beside=beside, cut_off=cut_off, is_half=is_half, put_back=put_back
        )
