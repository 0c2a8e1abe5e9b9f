"""Push notifications: who registered an address for a task is told there, once, how the task ended."""

import asyncio
import hashlib
import logging
import time
from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from hub.io.agents.a2a_server.posting import PushPoster
from hub.io.agents.a2a_server.push_allow_list import PushAllowList, WhyNotHere, why_not_told
from hub.io.agents.a2a_server.push_file import KeptPush, PushFile
from hub.io.agents.a2a_server.task_methods import TaskMethods, Visitor
from hub.io.agents.a2a_server.wire import (
    INTERNAL,
    NO_TASK,
    PARAMS,
    NamedPushConfig,
    PushConfig,
    TaskStatus,
    WireError,
    WireTask,
)
from hub.io.agents.questions.arguments import OPEN_S_MAX
from hub.kit.tasks import end_all

PER_TASK_MAX, IN_ALL_MAX = 4, 256
UNTIL_S = OPEN_S_MAX + 3_600
"""A task is over by then, whatever anybody says of it."""
AGAIN_S = 5.0
"""How long a hub that cannot say how a task stands is left alone."""
ID_CHARS = 24
TOO_MANY = WireError(code=PARAMS, message=f"A task has at most {PER_TASK_MAX} addresses, all together {IN_ALL_MAX}.")
NOT_KEPT = WireError(code=INTERNAL, message="This could not be saved. Try again, or get the task.")
LOG = logging.getLogger(__name__)
Name = tuple[str, str, str]
"""Whose address it is, of which task, under which name."""


class PushNotifier:
    """Keeps the addresses, watches their tasks, and tells them."""

    def __init__(
        self,
        tasks: TaskMethods,
        places: PushAllowList,
        file: PushFile,
        why_not_here: WhyNotHere,
        *,
        poster: PushPoster,
        again_s: float = AGAIN_S,
    ) -> None:
        self._tasks = tasks
        self._places = places
        self._file = file
        self._why_not_here = why_not_here
        self._poster = poster
        self._again_s = again_s
        self._kept: dict[Name, KeptPush] = {}
        self._watched: dict[tuple[str, str], asyncio.Task[None]] = {}

    def refusal(self, config: PushConfig) -> WireError | None:
        """Say why an address cannot be told; None if it can."""
        why = why_not_told(config.url, self._places, self._why_not_here)
        return WireError(code=PARAMS, message=why) if why else None

    async def create(self, visitor: Visitor, config: PushConfig) -> PushConfig | WireError:
        """Keep an address for a task; the same one again is the same, and one that is over is told at once."""
        task = await self._tasks.get(visitor, config.task_id)
        if isinstance(task, WireError):
            return task
        return self.refusal(config) or self.add(visitor, config, task)

    def add(self, visitor: Visitor, config: PushConfig, task: WireTask) -> PushConfig | WireError:
        """Keep an address that may be told, for a task that is there."""
        config = replace(config, task_id=task.id, id=config.id or _id_of(config, task.id))
        name = (visitor.agent.whose, task.id, config.id)
        if name not in self._kept and not self._has_room(name):
            return TOO_MANY
        before = self._kept.get(name)
        self._kept[name] = KeptPush(
            token=visitor.token,
            card_id=self._tasks.card_id(visitor, task.id),
            context_id=task.context_id,
            until=time.time() + UNTIL_S,
            config=config,
        )
        if not self._write():
            self._put_back(name, before)
            return NOT_KEPT
        self.follow(visitor, task)
        return config

    async def get(self, visitor: Visitor, named: NamedPushConfig) -> PushConfig | WireError:
        """Return one address of a task, without what is secret in it."""
        task = await self._tasks.get(visitor, named.task_id)
        if isinstance(task, WireError):
            return task
        kept = self._kept.get((visitor.agent.whose, named.task_id, named.id))
        return NO_TASK if kept is None else _without_secrets(kept.config)

    async def all_of(self, visitor: Visitor, task_id: str) -> tuple[PushConfig, ...] | WireError:
        """Return all addresses of a task, without what is secret in them."""
        task = await self._tasks.get(visitor, task_id)
        if isinstance(task, WireError):
            return task
        return tuple(_without_secrets(one.config) for one in self._of(visitor.agent.whose, task_id))

    async def delete(self, visitor: Visitor, named: NamedPushConfig) -> WireError | None:
        """Tell an address nothing any more; one that does not exist is not told either."""
        task = await self._tasks.get(visitor, named.task_id)
        if isinstance(task, WireError):
            return task
        return None if self._forget((visitor.agent.whose, named.task_id, named.id)) else NOT_KEPT

    def follow(self, visitor: Visitor, task: WireTask) -> None:
        """Watch a task that has a question and somebody to tell of it."""
        place = (visitor.agent.whose, task.id)
        card_id = self._tasks.card_id(visitor, task.id)
        if place in self._watched or not card_id or not self._of(*place):
            return
        for name, kept in list(self._kept.items()):
            if name[:2] == place and kept.card_id != card_id:  # the task has only now got its question
                self._kept[name] = replace(kept, card_id=card_id)
        self._write()
        watcher = asyncio.ensure_future(self._watch(visitor, task))
        self._watched[place] = watcher
        watcher.add_done_callback(lambda _: self._watched.pop(place, None))

    def resume(self, visitor_of: Callable[[str], Visitor]) -> None:
        """Watch on what an earlier process was to tell of."""
        for kept in self._file.read()[:IN_ALL_MAX]:
            config, visitor = kept.config, visitor_of(kept.token)
            if kept.card_id and self.refusal(config) is None:
                self._kept[(visitor.agent.whose, config.task_id, config.id)] = kept
        for kept in list(self._kept.values()):
            visitor, task_id = visitor_of(kept.token), kept.config.task_id
            self._tasks.restore(visitor, task_id, kept.context_id, kept.card_id)
            now = TaskStatus(state="TASK_STATE_WORKING", timestamp="")
            self.follow(visitor, WireTask(id=task_id, context_id=kept.context_id, status=now))

    async def close(self) -> None:
        """Watch nothing any more; what is kept stays so."""
        await end_all(self._watched.values())
        await self._poster.close()

    async def _watch(self, visitor: Visitor, task: WireTask) -> None:
        place = (visitor.agent.whose, task.id)
        waiting = replace(task, status=replace(task.status, state="TASK_STATE_WORKING", message=None))
        while wanted := self._of(*place):
            found = await self._tasks.settled(visitor, waiting)
            if isinstance(found, WireTask) and found.status.state != "TASK_STATE_WORKING":
                await self._tell_all(place, found)
            elif found == NO_TASK or max(one.until for one in wanted) < time.time():
                self._forget(*((*place, one.config.id) for one in wanted))
            else:
                await asyncio.sleep(self._again_s)

    async def _tell_all(self, place: tuple[str, str], found: WireTask) -> None:
        body = msgspec.json.encode({"task": found})
        ways = ((*place, one.config.id) for one in self._of(*place))
        await asyncio.gather(*(self._tell(name, self._kept[name].config, body, found.status.state) for name in ways))

    async def _tell(self, name: Name, config: PushConfig, body: bytes, state: str) -> None:
        key = hashlib.sha256("\0".join((*name[1:], state)).encode()).hexdigest()[:ID_CHARS]
        await self._poster.tell(config, body, key, lambda: name in self._kept and self.refusal(config) is None)
        self._forget(name)

    def _of(self, whose: str, task_id: str) -> list[KeptPush]:
        return [kept for name, kept in self._kept.items() if name[:2] == (whose, task_id)]

    def _has_room(self, name: Name) -> bool:
        return len(self._of(*name[:2])) < PER_TASK_MAX and len(self._kept) < IN_ALL_MAX

    def _put_back(self, name: Name, before: KeptPush | None) -> None:
        self._kept.pop(name)
        if before is not None:
            self._kept[name] = before

    def _forget(self, *names: Name) -> bool:
        gone = [self._kept.pop(name) for name in names if name in self._kept]
        return not gone or self._write()

    def _write(self) -> bool:
        try:
            self._file.write(tuple(self._kept.values()))
        except OSError as error:
            LOG.warning("What is to be told could not be kept: %s", error.strerror)
            return False
        return True


def _id_of(config: PushConfig, task_id: str) -> str:
    """Return a name for an address that brings none: the same for the same address, so that none is told twice."""
    whole = msgspec.json.encode(replace(config, task_id=task_id))
    return hashlib.sha256(whole).hexdigest()[:ID_CHARS]


def _without_secrets(config: PushConfig) -> PushConfig:
    asked = config.authentication
    return replace(config, token="", authentication=None if asked is None else replace(asked, credentials=""))
