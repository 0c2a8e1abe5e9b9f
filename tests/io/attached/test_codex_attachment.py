"""A second client of Codex's server: whom it follows, what it puts to the person, and who has answered first."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest

from hub.contract.control import PermissionReply
from hub.contract.permission import OverRequest, PermissionRequest
from hub.contract.words import Status
from hub.io.attached.codex import attachment as module
from hub.io.attached.codex.attachment import CodexAttachment
from hub.io.attached.codex.connection import CodexAwayError, FromServer
from hub.kit.hub_client import HubSaysNo
from tests.io.attached.codex_said import CHANGES, COMMAND, FILE_CHANGE, a_reply, unanswered

ACTIVE = {"type": "active", "activeFlags": ["waitingOnApproval"]}


class Server:
    """An app-server that knows one thread, `t1`; `failures` are how often it cannot be joined yet."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, Mapping[str, object]]] = []
        self.answers: asyncio.Queue[tuple[int | str, Mapping[str, object]]] = asyncio.Queue()
        self.failures = 0
        self.status: dict[str, Any] = ACTIVE
        self.items: list[dict[str, Any]] = []
        self.called = asyncio.Event()
        self.gate = asyncio.Event()
        self.gate.set()

    async def call(self, method: str, params: Mapping[str, object]) -> Mapping[str, object] | None:
        self.calls.append((method, params))
        self.called.set()
        await self.gate.wait()
        if method == "thread/loaded/list":
            return {"data": ["t1"], "nextCursor": None}
        if method == "thread/resume":
            if self.failures:
                self.failures -= 1
                return None
            page = {"data": [{"id": "u1", "items": self.items}]}
            return {"thread": {"id": "t1", "status": self.status}, "cwd": "/shop", "initialTurnsPage": page}
        return {}

    async def answer(self, number: int | str, result: Mapping[str, object]) -> None:
        await self.answers.put((number, result))

    def methods(self) -> list[str]:
        return [method for method, _ in self.calls]


class Person:
    """A hub whose person answers when told to."""

    def __init__(self) -> None:
        self.asked: asyncio.Queue[PermissionRequest] = asyncio.Queue()
        self.replies: asyncio.Queue[PermissionReply | HubSaysNo] = asyncio.Queue()
        self.overs: asyncio.Queue[OverRequest] = asyncio.Queue()
        self.withdrawn = asyncio.Event()

    async def ask(self, request: PermissionRequest) -> PermissionReply | HubSaysNo:
        await self.asked.put(request)
        try:
            return await self.replies.get()
        except asyncio.CancelledError:
            self.withdrawn.set()
            raise

    async def over(self, request: OverRequest) -> int:
        await self.overs.put(request)
        return int(self.replies.empty() or bool(request.card_id))  # what was answered is open no more


class Desk:
    """An attachment between the two, and how the server speaks to it."""

    def __init__(self) -> None:
        self.server, self.person = Server(), Person()
        self.attachment = CodexAttachment(self.server, self.person, wait_s=600, name="4711")

    def note(self, method: str, **params: Any) -> None:  # noqa: ANN401  fields of any JSON message
        self.attachment.take(FromServer(method=method, params=params))

    def request(self, method: str, params: Mapping[str, object], number: int = 0) -> None:
        self.attachment.take(FromServer(method=f"item/{method}", params=params, id=number))

    async def card(self) -> PermissionRequest:
        async with asyncio.timeout(5):
            return await self.person.asked.get()

    async def told(self) -> tuple[int | str, Mapping[str, object]]:
        async with asyncio.timeout(5):
            return await self.server.answers.get()

    async def over(self) -> OverRequest:
        async with asyncio.timeout(5):
            return await self.person.overs.get()


@pytest.fixture
async def desk(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Desk]:
    monkeypatch.setattr(module, "JOIN_AGAIN_S", 0)
    monkeypatch.setattr(module, "SETTLES_S", 0)
    made = Desk()
    yield made
    await made.attachment.close()


@pytest.fixture
async def asked(desk: Desk) -> Desk:
    await desk.attachment.begin()
    desk.request("commandExecution/requestApproval", COMMAND)
    assert (await desk.card()).text == "touch made.txt"
    return desk


async def test_an_answer_from_elsewhere_goes_to_codex(asked: Desk) -> None:
    asked.person.replies.put_nowait(a_reply(approved=True))
    assert await asked.told() == (0, {"decision": "accept"})
    asked.note("serverRequest/resolved", threadId="t1", requestId=0)
    asked.note("thread/status/changed", threadId="t1", status={"type": "idle"})
    await asyncio.sleep(0)
    assert asked.person.overs.empty()


async def test_a_yes_that_the_server_took_along_is_lost_once(asked: Desk) -> None:
    reply = a_reply(approved=True)
    asked.person.replies.put_nowait(reply)
    await asked.told()
    gone = OverRequest(agent="codex", session="t1", how="gone", card_id=reply.prediction.id)
    assert asked.attachment.lost() == (gone,)
    assert asked.attachment.lost() == ()


async def test_a_yes_whose_command_has_ended_is_not_lost(asked: Desk) -> None:
    asked.person.replies.put_nowait(a_reply(approved=True))
    await asked.told()
    asked.note("item/completed", item={"id": "call_1", "type": "commandExecution", "status": "completed"})
    assert asked.attachment.lost() == ()


async def test_a_no_reaches_the_model_in_the_persons_words_first(asked: Desk) -> None:
    asked.person.replies.put_nowait(a_reply(approved=False, reason="Keep it"))
    assert await asked.told() == (0, {"decision": "decline"})
    said = {"threadId": "t1", "expectedTurnId": "u1", "input": [{"type": "text", "text": "Keep it"}]}
    assert asked.server.calls[-1] == ("turn/steer", said)


@pytest.mark.parametrize(
    ("event", "params", "how"),
    [
        ("thread/name/updated", {}, "allowed"),
        ("item/completed", {"item": {"id": "call_1", "type": "commandExecution", "status": "declined"}}, "refused"),
        ("turn/completed", {"turn": {"id": "u1", "status": "interrupted"}}, "refused"),
    ],
)
async def test_an_answer_in_its_own_dialog_takes_the_question_back(
    asked: Desk, event: str, params: dict[str, Any], how: str
) -> None:
    asked.note("serverRequest/resolved", threadId="t1", requestId=0)
    asked.note(event, threadId="t1", **params)
    over = await asked.over()
    assert (over.agent, over.session, over.call, over.how) == ("codex", "t1", "call_1", how)
    async with asyncio.timeout(5):
        await asked.person.withdrawn.wait()
    assert asked.server.answers.empty()


ITEM = {"id": "call_1", "type": "commandExecution"}


@pytest.mark.parametrize(
    ("event", "params", "how"),
    [
        ("item/completed", {"item": ITEM | {"status": "declined"}}, "refused"),
        ("item/completed", {"item": ITEM | {"status": "completed"}}, "allowed"),
        ("turn/completed", {"turn": {"id": "u1", "status": "interrupted"}}, "refused"),
    ],
)
async def test_how_it_was_answered_there_is_told_as_soon_as_its_item_tells(
    asked: Desk, monkeypatch: pytest.MonkeyPatch, event: str, params: dict[str, Any], how: str
) -> None:
    monkeypatch.setattr(module, "SETTLES_S", 3_600)
    asked.note("serverRequest/resolved", threadId="t1", requestId=0)
    await asyncio.sleep(0)  # it has begun to wait
    asked.note("item/completed", threadId="t1", item={"id": "call_7", "status": "completed"})
    assert asked.person.overs.empty()
    asked.note(event, threadId="t1", **params)
    assert (await asked.over()).how == how


@pytest.mark.parametrize(
    ("approved", "event", "params", "how"),
    [
        (True, "item/completed", {"item": ITEM | {"status": "declined"}}, "refused"),
        (True, "turn/completed", {"turn": {"id": "u1", "status": "completed"}}, "refused"),  # we came late
        (False, "item/completed", {"item": ITEM | {"status": "completed"}}, "allowed"),
        (False, "item/completed", {"item": ITEM | {"status": "failed"}}, "allowed"),
    ],
)
async def test_a_card_is_told_where_codex_took_the_other_answer(
    asked: Desk,
    approved: bool,  # noqa: FBT001  pytest hands it in
    event: str,
    params: dict[str, Any],
    how: str,
) -> None:
    reply = a_reply(approved=approved)
    asked.person.replies.put_nowait(reply)
    await asked.told()
    asked.note("serverRequest/resolved", threadId="t1", requestId=0)
    asked.note(event, threadId="t1", **params)
    over = await asked.over()
    assert (over.how, over.card_id) == (how, reply.prediction.id)


@pytest.mark.parametrize(
    ("approved", "status", "how"), [(True, "declined", "refused"), (False, "completed", "allowed")]
)
async def test_also_where_its_dialog_was_first_by_so_little_that_the_card_was_answered(
    asked: Desk,
    approved: bool,  # noqa: FBT001  pytest hands it in
    status: str,
    how: str,
) -> None:
    reply = a_reply(approved=approved)
    asked.note("serverRequest/resolved", threadId="t1", requestId=0)
    asked.note("item/completed", threadId="t1", item=ITEM | {"status": status})
    asked.person.replies.put_nowait(reply)
    overs = [await asked.over(), await asked.over()]
    assert (how, reply.prediction.id) in [(one.how, one.card_id) for one in overs]
    assert asked.server.answers.empty()


@pytest.mark.parametrize(
    ("approved", "event", "params"),
    [
        (True, "item/completed", {"item": ITEM | {"status": "completed"}}),
        (True, "item/started", {"item": ITEM | {"status": "inProgress"}}),
        (True, "turn/completed", {"turn": {"id": "u1", "status": "interrupted"}}),
        (False, "item/completed", {"item": ITEM | {"status": "declined"}}),
        (False, "turn/completed", {"turn": {"id": "u1", "status": "completed"}}),
    ],
)
async def test_and_nothing_where_it_did_as_the_person_said(
    asked: Desk,
    approved: bool,  # noqa: FBT001  pytest hands it in
    event: str,
    params: dict[str, Any],
) -> None:
    asked.person.replies.put_nowait(a_reply(approved=approved))
    await asked.told()
    asked.note(event, threadId="t1", **params)
    await asyncio.sleep(0)
    assert asked.person.overs.empty()


async def test_an_answer_about_a_host_says_nothing_of_the_command(asked: Desk) -> None:
    host = {"networkApprovalContext": {"host": "example.org", "protocol": "https"}, "itemId": "call_9"}
    asked.request("commandExecution/requestApproval", COMMAND | host, 1)
    assert (await asked.card()).target == "https://example.org"
    for _ in range(2):
        asked.person.replies.put_nowait(a_reply(approved=False))
        await asked.told()
    asked.note("item/completed", threadId="t1", item={"id": "call_9", "type": "commandExecution", "status": "failed"})
    await asyncio.sleep(0)
    assert asked.person.overs.empty()


async def test_who_answers_while_the_other_answer_is_on_its_way_has_not_answered(asked: Desk) -> None:
    asked.server.gate.clear()  # the words of the no are not taken yet
    asked.server.called.clear()
    asked.person.replies.put_nowait(a_reply(approved=False, reason="Keep it"))
    async with asyncio.timeout(5):
        await asked.server.called.wait()
    asked.note("serverRequest/resolved", threadId="t1", requestId=0)
    asked.server.gate.set()
    assert (await asked.over()).how == "allowed"
    assert asked.server.answers.empty()


async def test_a_thread_is_joined_while_it_works_and_left_when_it_rests(desk: Desk) -> None:
    desk.server.failures = 2  # its first line is not written yet
    desk.note("thread/status/changed", threadId="t1", status={"type": "active", "activeFlags": []})
    desk.note("thread/status/changed", threadId="t1", status=ACTIVE)
    desk.request("commandExecution/requestApproval", COMMAND)  # waits until it is joined
    assert (await desk.card()).session == "t1"
    assert desk.server.methods() == ["thread/resume"] * 3
    desk.note("thread/status/changed", threadId="t1", status={"type": "idle"})
    async with asyncio.timeout(5):
        await desk.person.withdrawn.wait()
    assert desk.server.methods()[-1] == "thread/unsubscribe"


async def test_work_that_begins_while_we_try_to_join_is_not_missed(desk: Desk) -> None:
    desk.server.failures = 1
    desk.server.gate.clear()
    beginning = asyncio.create_task(desk.attachment.begin())
    async with asyncio.timeout(5):
        await desk.server.called.wait()
        desk.server.gate.set()
        await beginning
        desk.note("thread/status/changed", threadId="t1", status=ACTIVE)  # it is being joined, in vain
        desk.request("commandExecution/requestApproval", COMMAND)
    assert (await desk.card()).folder == "/shop"
    assert desk.server.methods() == ["thread/loaded/list", "thread/resume", "thread/resume"]


async def test_a_thread_that_rests_when_we_come_is_left_at_once(desk: Desk) -> None:
    desk.server.status = {"type": "idle"}
    await desk.attachment.begin()
    async with asyncio.timeout(5):
        while "thread/unsubscribe" not in desk.server.methods():
            desk.server.called.clear()
            await desk.server.called.wait()


async def test_a_diff_is_found_when_we_come_after_it_was_asked(desk: Desk) -> None:
    desk.server.items = [{"type": "fileChange", "id": "call_2", "status": "inProgress", "changes": list(CHANGES)}]
    await desk.attachment.begin()
    desk.request("fileChange/requestApproval", FILE_CHANGE)
    request = await desk.card()
    assert "+there" in request.text
    assert request.folder == "/shop"


async def test_a_diff_is_heard_while_we_are_there(asked: Desk) -> None:
    item = {"type": "fileChange", "id": "call_2", "status": "inProgress", "changes": list(CHANGES)}
    asked.note("item/started", threadId="t1", item=item)
    asked.request("fileChange/requestApproval", FILE_CHANGE, 1)
    assert "+two" in (await asked.card()).text


async def test_whoever_attaches_again_finds_the_same_question(asked: Desk) -> None:
    again = Desk()
    asked.request("commandExecution/requestApproval", COMMAND, 1)
    await again.attachment.begin()
    again.request("commandExecution/requestApproval", COMMAND)
    keys = [(await one.card()).idempotency_key for one in (asked, again)]
    await again.attachment.close()
    assert keys[0] != keys[1]  # another number is another question
    first, second = Desk(), Desk()
    for desk in (first, second):
        desk.request("commandExecution/requestApproval", COMMAND)
    assert (await first.card()).idempotency_key == (await second.card()).idempotency_key
    await first.attachment.close()
    await second.attachment.close()


async def test_a_question_that_was_taken_back_before_is_asked_anew(asked: Desk) -> None:
    asked.person.replies.put_nowait(unanswered(Status.CANCELLED))
    assert ((await asked.card()).idempotency_key or "").endswith("-1")
    asked.person.replies.put_nowait(a_reply(approved=True))
    assert await asked.told() == (0, {"decision": "accept"})


@pytest.mark.parametrize("reply", [HubSaysNo(code="asked-too-often", detail="Too often."), unanswered(Status.EXPIRED)])
async def test_without_an_answer_its_own_dialog_goes_on_alone(
    asked: Desk, reply: PermissionReply | HubSaysNo, caplog: pytest.LogCaptureFixture
) -> None:
    asked.person.replies.put_nowait(reply)
    asked.request("commandExecution/requestApproval", COMMAND | {"command": "ls"}, 1)
    assert (await asked.card()).text == "ls"
    assert asked.server.answers.empty()
    assert ("asked-too-often" in caplog.text) == isinstance(reply, HubSaysNo)


async def test_what_is_not_for_a_person_is_left_to_others(asked: Desk) -> None:
    asked.request("tool/call", {"threadId": "t1"}, 1)
    asked.request("tool/requestUserInput", {"threadId": "t1", "isBlocking": False, "questions": []}, 2)
    asked.request("commandExecution/requestApproval", COMMAND | {"availableDecisions": []}, 3)
    asked.request("commandExecution/requestApproval", COMMAND | {"command": "ls"}, 4)
    assert (await asked.card()).text == "ls"


async def test_a_connection_that_ends_takes_back_what_is_open(asked: Desk) -> None:
    await asked.attachment.close()
    assert asked.person.withdrawn.is_set()


async def test_what_fails_beside_is_told_to_whoever_listens(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(method: str, params: Mapping[str, object]) -> None:
        raise CodexAwayError(f"{method} {params}")

    monkeypatch.setattr(desk.server, "call", away)
    desk.note("thread/status/changed", threadId="t1", status=ACTIVE)
    with pytest.raises(CodexAwayError):
        async with asyncio.timeout(5):
            await desk.attachment.trouble()
