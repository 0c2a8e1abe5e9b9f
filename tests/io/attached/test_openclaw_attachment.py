"""What is open at the gateway is a card, until somebody has answered it, here or there."""

import asyncio
from collections.abc import Mapping

from msgspec.structs import replace

from hub.contract.control import PermissionReply
from hub.contract.permission import OverRequest, PermissionRequest
from hub.contract.words import Status, Verb
from hub.io.attached.openclaw.attachment import OpenClawAttachment
from hub.io.attached.openclaw.connection import CallRefused, GatewayEvent
from hub.kit.hub_client import HubSaysNo
from tests.fakes.hub_api import a_prediction
from tests.io.attached.openclaw_said import EXEC, NOW_MS, QUESTION, answered

Reply = PermissionReply | HubSaysNo


class ScriptedGateway:
    """Lists what it is told to; notes what it is called with."""

    def __init__(self) -> None:
        self.waiting: dict[str, list[object]] = {}
        self.calls: asyncio.Queue[tuple[str, Mapping[str, object]]] = asyncio.Queue()

    async def call(self, method: str, params: dict[str, object]) -> Mapping[str, object] | list[object] | CallRefused:
        if method == "question.list":
            return {"questions": self.waiting.get(method, [])}
        if method.endswith(".list"):
            return self.waiting.get(method, [])
        self.calls.put_nowait((method, params))
        return {"applied": True}


class ScriptedPerson:
    """Answers each question as it is told to; notes what is asked, what is taken back, and what was over."""

    def __init__(self) -> None:
        self.asked: asyncio.Queue[PermissionRequest] = asyncio.Queue()
        self.replies: asyncio.Queue[Reply] = asyncio.Queue()
        self.taken_back: asyncio.Queue[str] = asyncio.Queue()
        self.overs: asyncio.Queue[OverRequest] = asyncio.Queue()

    async def ask(self, request: PermissionRequest) -> Reply:
        self.asked.put_nowait(request)
        try:
            return await self.replies.get()
        except asyncio.CancelledError:
            self.taken_back.put_nowait(request.call)
            raise

    async def over(self, request: OverRequest) -> int:
        self.overs.put_nowait(request)
        return 1


class Desk:
    def __init__(self) -> None:
        self.gateway, self.person = ScriptedGateway(), ScriptedPerson()
        self.attachment = OpenClawAttachment(self.gateway, self.person, now_ms=lambda: NOW_MS)

    def told(self, event: str, payload: dict[str, object]) -> None:
        self.attachment.take(GatewayEvent(event=event, payload=payload))


async def test_an_answer_from_elsewhere_is_told_to_the_gateway_once() -> None:
    desk = Desk()
    desk.told("exec.approval.requested", EXEC)
    assert (await desk.person.asked.get()).text == "rm -rf build"
    desk.person.replies.put_nowait(answered(Verb.APPROVE))
    method, params = await desk.gateway.calls.get()
    assert (method, params["decision"]) == ("approval.resolve", "allow-once")
    desk.told("exec.approval.resolved", {"id": EXEC["id"], "decision": "allow-once", "resolvedBy": "Pulse"})
    await desk.attachment.close()
    assert desk.person.overs.empty()


async def test_an_answer_given_there_takes_the_card_back_and_is_never_contradicted() -> None:
    desk = Desk()
    desk.told("exec.approval.requested", EXEC)
    await desk.person.asked.get()
    desk.told("exec.approval.resolved", {"id": EXEC["id"], "decision": "deny", "resolvedBy": "terminal"})
    over = await desk.person.overs.get()
    assert (over.call, over.how) == (EXEC["id"], "refused")
    assert await desk.person.taken_back.get() == EXEC["id"]
    await desk.attachment.close()
    assert desk.gateway.calls.empty()


async def test_what_waited_before_is_asked_and_what_waits_no_more_is_taken_back() -> None:
    desk = Desk()
    desk.gateway.waiting = {"exec.approval.list": [EXEC], "question.list": [QUESTION]}
    await desk.attachment.look()
    assert {(await desk.person.asked.get()).call for _ in range(2)} == {EXEC["id"], QUESTION["id"]}
    desk.gateway.waiting = {"exec.approval.list": [EXEC]}
    await desk.attachment.look()
    over = await desk.person.overs.get()
    assert (over.call, over.how) == (QUESTION["id"], "ended")
    assert desk.person.asked.empty()
    await desk.attachment.close()


async def test_when_the_connection_ends_everything_is_taken_back() -> None:
    desk = Desk()
    desk.told("exec.approval.requested", EXEC)
    await desk.person.asked.get()
    await desk.attachment.close()
    assert desk.person.taken_back.get_nowait() == EXEC["id"]


async def test_what_was_taken_back_with_an_earlier_connection_is_asked_anew() -> None:
    desk = Desk()
    desk.told("exec.approval.requested", EXEC)
    first = await desk.person.asked.get()
    gone = replace(a_prediction(), status=Status.CANCELLED)
    desk.person.replies.put_nowait(PermissionReply(prediction=gone, answered=False, approved=False))
    second = await desk.person.asked.get()
    assert first.idempotency_key != second.idempotency_key
    await desk.attachment.close()


async def test_a_question_that_the_hub_refuses_is_left_to_the_gateways_own_clients() -> None:
    desk = Desk()
    desk.told("exec.approval.requested", EXEC)
    await desk.person.asked.get()
    desk.person.replies.put_nowait(HubSaysNo(code="too-many", detail="Too many."))
    desk.told("question.requested", QUESTION)
    assert (await desk.person.asked.get()).call == QUESTION["id"]
    await desk.attachment.close()
    assert desk.gateway.calls.empty()
