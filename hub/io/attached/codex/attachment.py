"""One connection to Codex's app-server: follows the threads that work, puts their requests to the person, answers.

A thread is joined while it works and left when it rests, so that the server may put it away. Joining one that already
waits has the server repeat its open requests to us, with the numbers they have for everybody. Whoever answers first has
answered: the server tells all of its clients which number is done with, never how, so the item itself must say.
"""

import asyncio
import contextlib
import hashlib
import logging
from collections.abc import Callable, Sequence
from typing import Literal, Protocol

from msgspec.structs import replace

from hub.contract.base import Value
from hub.contract.permission import Act, OverRequest
from hub.contract.words import Status
from hub.io.attached.attachment import AsksPerson, Attachment
from hub.io.attached.codex.asked import AGENT, CodexReply, Put, request_of, told_of
from hub.io.attached.codex.connection import FromServer
from hub.io.attached.codex.questions import elicitation, user_input
from hub.io.attached.codex.work import command, file_change, more_access
from hub.kit.bounded import BoundedMap, BoundedSet
from hub.kit.given_answers import Deed, GivenAnswer, GivenAnswers, overtakes
from hub.kit.hub_client import HubSaysNo
from hub.kit.loose_json import LooseJson, object_of, objects_of, text_of

JOIN_TRIES, JOIN_AGAIN_S = 5, 0.3
"""A thread that has just been begun cannot be joined before the server has written its first line."""
SETTLES_S = 1.0
"""An item that was refused ends at once behind its request, and one that was allowed when it has run, which may take
hours: that nothing ends within this time is the only sign of it. Whatever ends sooner is not waited for any longer."""
OPEN_MAX = 100
CHANGES_KEPT = 200
ASKED_AGAIN_MAX = 5
"""A question that was taken back when we were ended politely is asked again so often at most."""
KEY_CHARS = 40
OF_AN_ITEM = frozenset({Act.COMMAND, Act.EDIT})
"""What its item does or does not, by this one answer."""
RAN = frozenset({"completed", "failed"})
"""How an item ends that was allowed, however it went."""
log = logging.getLogger(__name__)

READERS: dict[str, Callable[[LooseJson], Put | None]] = {
    "item/commandExecution/requestApproval": command,
    "item/permissions/requestApproval": more_access,
    "item/tool/requestUserInput": user_input,
    "mcpServer/elicitation/request": elicitation,
}
FILE_CHANGE = "item/fileChange/requestApproval"


class Server(Protocol):
    """What is needed of the connection to the app-server."""

    async def call(self, method: str, params: LooseJson) -> LooseJson | None:
        """Ask it something; None where it refuses."""

    async def answer(self, number: int | str, result: LooseJson) -> None:
        """Answer one of its requests."""


class OpenAsk(Value):
    """A request that the person has before them."""

    thread: str
    turn: str
    item: str
    call: str
    task: asyncio.Task[None]
    ended: asyncio.Event


class AnswerToCodex(GivenAnswer, kw_only=True):
    """An answer of the person's that Codex was handed; it may have taken another one a moment before."""

    thread: str
    turn: str


class CodexAttachment(Attachment):
    """The client's state: it must be handed every message in its order, and never waits while it is."""

    def __init__(self, server: Server, hub: AsksPerson, *, wait_s: int, name: str) -> None:
        """Make it for one connection; `name` is that of the server's process, by which its numbers are told apart."""
        super().__init__()
        self._server = server
        self._hub = hub
        self._wait_s = wait_s
        self._name = name
        self._folders: dict[str, str] = {}
        self._joining: dict[str, asyncio.Task[None]] = {}
        self._active: set[str] = set()
        self._open: dict[int | str, OpenAsk] = {}
        self._changes: BoundedMap[str, tuple[LooseJson, ...]] = BoundedMap(CHANGES_KEPT)
        self._refused: BoundedSet[str] = BoundedSet(CHANGES_KEPT)
        self._given: GivenAnswers[str, AnswerToCodex] = GivenAnswers(CHANGES_KEPT)
        """By the item that they were about, until that says what became of it."""
        self._settling: list[OpenAsk] = []
        """What was answered there; its item tells how."""

    async def begin(self) -> None:
        """Join whatever works already."""
        loaded = await self._server.call("thread/loaded/list", {})
        found = (loaded or {}).get("data")
        for thread in found if isinstance(found, list) else ():
            if isinstance(thread, str):
                self._join(thread)

    def take(self, said: FromServer) -> None:
        """Take one message of the server's."""
        if said.id is not None:
            self._request(said.id, said.method, said.params)
            return
        thread = text_of(said.params, "threadId")
        match said.method:
            case "thread/status/changed":
                self._status(thread, object_of(said.params, "status"))
            case "thread/closed" | "thread/deleted":
                self._forget(thread)
            case "item/started" | "item/completed":
                self._item(object_of(said.params, "item"))
            case "item/fileChange/patchUpdated":
                self._keep(text_of(said.params, "itemId"), objects_of(said.params, "changes"))
            case "turn/completed":
                self._turn_ended(object_of(said.params, "turn"))
            case "serverRequest/resolved":
                self._resolved(said.params.get("requestId"))

    def lost(self) -> tuple[OverRequest, ...]:
        """Return what is to be said of each yes that the server took along when it ended."""
        given = self._given.forget(lambda _, given: given.is_yes)
        return tuple(OverRequest(agent=AGENT, session=one.thread, how="gone", card_id=one.card_id) for _, one in given)

    def _status(self, thread: str, status: LooseJson) -> None:
        if text_of(status, "type") == "active":
            self._active.add(thread)
            if thread not in self._folders and thread not in self._joining:
                self._join(thread)
        elif self._forget(thread):
            self.do(self._leave(thread))

    def _forget(self, thread: str) -> bool:
        for number in [number for number, one in self._open.items() if one.thread == thread]:
            self._open.pop(number).task.cancel()
        self._active.discard(thread)
        return self._folders.pop(thread, None) is not None

    def _join(self, thread: str) -> None:
        self._joining[thread] = self.do(self._joined(thread))

    async def _joined(self, thread: str) -> None:
        """Have a thread's requests sent to us as well; one that rests is left again at once.

        One that cannot be joined yet is tried again if it works: its work may have begun while we tried.
        """
        page = {"limit": 1, "itemsView": "full"}
        asked = {"threadId": thread, "excludeTurns": True, "initialTurnsPage": page}
        joined = None
        for _ in range(JOIN_TRIES):
            joined = await self._server.call("thread/resume", asked)
            if joined is not None or thread not in self._active:
                break
            await asyncio.sleep(JOIN_AGAIN_S)
        if self._joining.get(thread) is asyncio.current_task():
            del self._joining[thread]
        if joined is None:
            return  # one that is kept nowhere, such as the one that finds a title
        for turn in objects_of(object_of(joined, "initialTurnsPage"), "data"):
            for item in objects_of(turn, "items"):
                self._item(item)
        found = object_of(joined, "thread")
        if text_of(object_of(found, "status"), "type") == "active":
            self._folders[thread] = text_of(joined, "cwd") or text_of(found, "cwd")
        else:
            await self._leave(thread)

    async def _leave(self, thread: str) -> None:
        await self._server.call("thread/unsubscribe", {"threadId": thread})

    def _item(self, item: LooseJson) -> None:
        name, status = text_of(item, "id"), text_of(item, "status")
        if status == "declined":
            self._refused.add(name)
        if status in {"declined", *RAN}:
            self._did(name, Deed(went_on=status in RAN))
            self._ended(lambda asked: asked.item == name)
        if text_of(item, "type") == "fileChange":
            self._keep(text_of(item, "id"), objects_of(item, "changes"))

    def _keep(self, item: str, changes: Sequence[LooseJson]) -> None:
        if item and changes:
            self._changes[item] = tuple(changes)

    def _turn_ended(self, turn: LooseJson) -> None:
        ended, is_whole = text_of(turn, "id"), text_of(turn, "status") == "completed"
        if text_of(turn, "status") == "interrupted":
            self._refused.add(ended)
        for _, given in self._given.forget(lambda _, given: given.turn == ended):
            refused = Deed(went_on=False)
            if is_whole and overtakes(refused, given):  # a late answer is told what ran, and of no refusal
                self._tell(given, refused)  # what was broken off says neither
        self._ended(lambda asked: asked.turn == ended)

    def _ended(self, is_meant: Callable[[OpenAsk], bool]) -> None:
        for asked in self._settling:
            if is_meant(asked):
                asked.ended.set()

    def _did(self, item: str, deed: Deed) -> None:
        """Note what became of an item."""
        given = self._given.did(item, deed)
        if given is not None:
            self._tell(given, deed)

    def _tell(self, given: AnswerToCodex, deed: Deed) -> None:
        """Have the card say what Codex did, which is not what the person said on it."""
        how: Literal["allowed", "refused"] = "allowed" if deed.went_on else "refused"
        self.do(self._overrule(OverRequest(agent=AGENT, session=given.thread, how=how, card_id=given.card_id)))

    async def _overrule(self, told: OverRequest) -> None:
        if not await self._hub.over(told):
            log.warning("A card says otherwise than what Codex did: the hub did not take that.")

    def _request(self, number: int | str, method: str, params: LooseJson) -> None:
        known = method in READERS or method == FILE_CHANGE
        if not known or number in self._open or len(self._open) >= OPEN_MAX or params.get("isBlocking") is False:
            return
        item, turn = text_of(params, "itemId"), text_of(params, "turnId")
        asked = OpenAsk(
            thread=text_of(params, "threadId"),
            turn=turn,
            item=item,
            call=text_of(params, "approvalId") or item or f"{turn} {number}".strip(),
            task=self.do(self._put(number, method, params)),
            ended=asyncio.Event(),
        )
        self._open[number] = asked
        asked.task.add_done_callback(lambda _: self._open.pop(number, None))

    async def _put(self, number: int | str, method: str, params: LooseJson) -> None:
        asked = self._open[number]
        if asked.thread in self._joining:
            await asyncio.wait([self._joining[asked.thread]])
        folder = self._folders.get(asked.thread, "")
        if method == FILE_CHANGE:
            put = file_change(params, self._changes.get(asked.item, ()), folder)
        else:
            put = READERS[method](params)
        if put is None:
            return
        put = replace(put, folder=put.folder or folder)
        told = await self._ask(put, asked, self._key(number, asked, params))
        if told is None:
            return
        if told.words and self._open.get(number) is asked:
            await self._say(asked, told.words)
        is_first = self._open.pop(number, None) is asked  # else it was answered there in the meantime
        if put.act in OF_AN_ITEM and asked.item and asked.call == asked.item:
            self._gave(asked, told)
        if is_first:
            await self._server.answer(number, told.result)

    def _gave(self, asked: OpenAsk, told: CodexReply) -> None:
        """Note what the person said of an item, and compare it with what that came to, now or when it has ended."""
        given = AnswerToCodex(card_id=told.card_id, thread=asked.thread, turn=asked.turn, is_yes=told.is_yes)
        deed = self._given.gave(asked.item, given)
        if deed is not None:
            self._tell(given, deed)

    async def _ask(self, put: Put, asked: OpenAsk, key: str) -> CodexReply | None:
        for again in range(ASKED_AGAIN_MAX):
            request = request_of(put, asked.thread, asked.call, self._wait_s, f"{key}-{again}")
            if request is None:
                return None
            reply = await self._hub.ask(request)
            if isinstance(reply, HubSaysNo):
                log.warning("Codex asks at its own dialog alone: %s", reply.code)
                return None
            if reply.prediction.status is not Status.CANCELLED:
                told = told_of(put, reply)
                return told and replace(told, card_id=reply.prediction.id, is_yes=reply.approved)
        return None

    async def _say(self, asked: OpenAsk, words: str) -> None:
        """Have the model hear why not, in the person's words."""
        said = [{"type": "text", "text": words}]
        steer = {"threadId": asked.thread, "expectedTurnId": asked.turn, "input": said}
        await self._server.call("turn/steer", steer)

    def _key(self, number: int | str, asked: OpenAsk, params: LooseJson) -> str:
        """Name a request, the same for any later attachment: its card is then found again."""
        parts = (self._name, asked.thread, asked.turn, asked.call, number, params.get("startedAtMs"))
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:KEY_CHARS]

    def _resolved(self, number: object) -> None:
        asked = self._open.pop(number, None) if isinstance(number, int | str) else None
        if asked is not None:  # ours are not there any more when their answer comes back
            self.do(self._answered_there(asked))

    async def _answered_there(self, asked: OpenAsk) -> None:
        """Take back what was answered at its own dialog, or by another client."""
        self._settling.append(asked)
        if not self._is_refused(asked):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(SETTLES_S):
                    await asked.ended.wait()
        self._settling.remove(asked)
        where = OverRequest(agent=AGENT, session=asked.thread, call=asked.call)
        moved = await self._hub.over(replace(where, how="refused" if self._is_refused(asked) else "allowed"))
        if not moved:  # the card was answered before: that answer is on its way, and is to be compared
            await asyncio.wait([asked.task], timeout=SETTLES_S)
        asked.task.cancel()

    def _is_refused(self, asked: OpenAsk) -> bool:
        return asked.item in self._refused or asked.turn in self._refused
