"""Who registered an address is told there how its task ended: once, again where it was not heard, and nowhere else."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from hub.io.agents.a2a_server.posting import PushPoster
from hub.io.agents.a2a_server.push_allow_list import PushAllowList, place_of
from hub.io.agents.a2a_server.push_file import PushFile
from hub.io.agents.a2a_server.push_notifier import NOT_KEPT, PER_TASK_MAX, TOO_MANY, PushNotifier
from hub.io.agents.a2a_server.task_methods import TaskMethods, Visitor
from hub.io.agents.a2a_server.wire import (
    NO_TASK,
    PARAMS,
    NamedPushConfig,
    Part,
    PushAuthentication,
    PushConfig,
    Spoken,
    WireError,
    WireTask,
)
from hub.io.agents.questions.arguments import AskingAgent
from hub.kit.backoff import RetryPolicy
from hub.kit.hub_client import HubSaysNo
from tests.io.agents.questions.memory_hub import MemoryHub

AT_ONCE = RetryPolicy(base_s=0.0, cap_s=0.0)
SECRET = PushAuthentication(scheme="Bearer", credentials="told-only-here")


class Listener:
    """An agent's address: answers as it is told to, and keeps what it hears."""

    def __init__(self, *statuses: int) -> None:
        self.statuses = list(statuses)
        self.heard: asyncio.Queue[tuple[dict[str, str], dict[str, Any]]] = asyncio.Queue()
        self.url = ""

    async def hear(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError):
            while head := (await reader.readuntil(b"\r\n\r\n")).decode():
                lines = head.strip().split("\r\n")
                headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines[1:])}
                body = json.loads(await reader.readexactly(int(headers["content-length"])))
                self.heard.put_nowait((headers, body))
                status = self.statuses.pop(0) if self.statuses else 200
                where = "Location: /elsewhere\r\n" if status == 307 else ""
                writer.write(f"HTTP/1.1 {status} X\r\n{where}Content-Length: 0\r\n\r\n".encode())
        writer.close()


@contextlib.asynccontextmanager
async def listening(*statuses: int) -> AsyncIterator[Listener]:
    listener = Listener(*statuses)
    server = await asyncio.start_server(listener.hear, "127.0.0.1", 0)
    listener.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/told"
    async with server:
        yield listener


class Side:
    """One process of `pulse a2a`, and an agent that speaks to it."""

    def __init__(self, hub: MemoryHub, path: Path | None = None, places: PushAllowList | None = None) -> None:
        self.hub = hub
        self.tasks = TaskMethods()
        self.pushes = PushNotifier(
            self.tasks,
            places or PushAllowList(),
            PushFile(path),
            lambda _port, _is_named: "",
            poster=PushPoster(AT_ONCE),
            again_s=0.0,
        )

    def visitor(self, whose: str = "one") -> Visitor:
        return Visitor(link=self.hub, agent=AskingAgent(name="a2a", whose=whose), token=whose)

    async def asked(self, text: str = "Deploy?", *, message_id: str = "m1", task_id: str = "") -> WireTask:
        parts = (Part(text=text),)
        said = Spoken(message_id=message_id, role="ROLE_USER", parts=parts, task_id=task_id)
        task = await self.tasks.send(self.visitor(), said)
        assert isinstance(task, WireTask)
        return task

    async def kept(self, config: PushConfig) -> PushConfig:
        found = await self.pushes.create(self.visitor(), config)
        assert isinstance(found, PushConfig)
        return found


async def over(side: Side) -> None:
    """Wait until everybody was told."""
    await asyncio.gather(*side.pushes._watched.values())  # noqa: SLF001  there is no other signal for "nothing is sent any more"
    await side.pushes.close()


async def test_an_answer_is_told_with_the_agents_own_credentials_and_then_forgotten() -> None:
    side = Side(MemoryHub())
    async with listening() as listener:
        task = await side.asked()
        config = await side.kept(PushConfig(url=listener.url, task_id=task.id, token="t1", authentication=SECRET))
        await side.hub.answer(task.id, "Yes")
        headers, body = await listener.heard.get()
        await over(side)
    assert headers["content-type"] == "application/a2a+json"
    assert (headers["authorization"], headers["x-a2a-notification-token"]) == ("Bearer told-only-here", "t1")
    assert (body["task"]["id"], body["task"]["status"]["state"]) == (task.id, "TASK_STATE_COMPLETED")
    assert body["task"]["artifacts"][0]["parts"] == [{"text": "Yes"}]
    assert await side.pushes.get(side.visitor(), NamedPushConfig(task_id=task.id, id=config.id)) == NO_TASK


async def test_what_is_not_taken_is_told_again_under_the_same_key() -> None:
    side = Side(MemoryHub())
    async with listening(503, 429, 500) as listener:
        task = await side.asked()
        await side.kept(PushConfig(url=listener.url, task_id=task.id))
        await side.hub.answer(task.id, "Yes")
        await over_after(side, listener, 4)
    keys = {headers["idempotency-key"] for headers, _ in [listener.heard.get_nowait() for _ in range(4)]}
    assert len(keys) == 1


async def over_after(side: Side, listener: Listener, count: int) -> None:
    await over(side)
    assert listener.heard.qsize() == count


@pytest.mark.parametrize("status", [307, 400, 401, 404, 410])
async def test_a_redirect_is_not_followed_and_a_refusal_is_taken_for_one(status: int) -> None:
    side = Side(MemoryHub())
    async with listening(status) as listener:
        task = await side.asked()
        await side.kept(PushConfig(url=listener.url, task_id=task.id))
        await side.hub.answer(task.id, "Yes")
        await over_after(side, listener, 1)


async def test_nobody_is_told_for_ever() -> None:
    side = Side(MemoryHub())
    async with listening(*[500] * 20) as listener:
        task = await side.asked()
        await side.kept(PushConfig(url=listener.url, task_id=task.id))
        await side.hub.answer(task.id, "Yes")
        await over_after(side, listener, 8)


async def test_an_address_where_nobody_listens_harms_nothing() -> None:
    side = Side(MemoryHub())
    task = await side.asked()
    await side.kept(PushConfig(url="http://127.0.0.1:1/told", task_id=task.id))
    await side.hub.answer(task.id, "Yes")
    await over(side)


async def test_one_that_was_deleted_is_not_told_and_deleting_twice_is_deleting_once() -> None:
    side = Side(MemoryHub())
    async with listening() as listener:
        task = await side.asked()
        config = await side.kept(PushConfig(url=listener.url, task_id=task.id, id="mine"))
        named = NamedPushConfig(task_id=task.id, id=config.id)
        assert [await side.pushes.delete(side.visitor(), named) for _ in range(2)] == [None, None]
        await side.hub.answer(task.id, "Yes")
        await over_after(side, listener, 0)


async def test_the_same_address_twice_is_one_and_there_are_not_too_many() -> None:
    side = Side(MemoryHub())
    task = await side.asked()
    wanted = PushConfig(url="http://127.0.0.1:9/told", task_id=task.id, token="t1", authentication=SECRET)
    first, again = await side.kept(wanted), await side.kept(wanted)
    assert first == again
    for number in range(PER_TASK_MAX - 1):
        await side.kept(PushConfig(url=f"http://127.0.0.1:9/{number}", task_id=task.id))
    assert (
        await side.pushes.create(side.visitor(), PushConfig(url="http://127.0.0.1:9/more", task_id=task.id)) == TOO_MANY
    )
    listed = await side.pushes.all_of(side.visitor(), task.id)
    assert not isinstance(listed, WireError)
    assert len(listed) == PER_TASK_MAX
    assert all(one.token == "" for one in listed)
    assert listed[0].authentication == PushAuthentication(scheme="Bearer")
    await side.pushes.close()


async def test_another_place_is_refused_and_another_agents_task_is_none() -> None:
    side = Side(MemoryHub())
    task = await side.asked()
    found = await side.pushes.create(side.visitor(), PushConfig(url="https://example.org", task_id=task.id))
    assert isinstance(found, WireError)
    assert found.code == PARAMS
    begun = await side.asked(" ", message_id="m2")
    assert (
        await side.pushes.create(side.visitor("two"), PushConfig(url="http://127.0.0.1:9", task_id=begun.id)) == NO_TASK
    )
    assert await side.pushes.create(side.visitor(), PushConfig(url="http://127.0.0.1:9", task_id="none")) == NO_TASK


async def test_a_task_that_was_answered_meanwhile_is_told_at_once() -> None:
    side = Side(MemoryHub())
    async with listening() as listener:
        task = await side.asked()
        await side.hub.answer(task.id, "Yes")
        await side.kept(PushConfig(url=listener.url, task_id=task.id))
        await over_after(side, listener, 1)


async def test_a_task_whose_question_comes_later_is_told_of_it() -> None:
    side = Side(MemoryHub())
    async with listening() as listener:
        begun = await side.asked(" ")
        await side.kept(PushConfig(url=listener.url, task_id=begun.id))
        task = await side.asked(message_id="m2", task_id=begun.id)
        side.pushes.follow(side.visitor(), task)
        await side.hub.answer(side.tasks.card_id(side.visitor(), task.id), "Yes")
        _, body = await listener.heard.get()
        await over(side)
    assert (body["task"]["id"], body["task"]["status"]["state"]) == (begun.id, "TASK_STATE_COMPLETED")


async def test_what_is_to_be_told_outlives_the_process(tmp_path: Path) -> None:
    path, hub = tmp_path / "secrets" / "push.json", MemoryHub()
    before = Side(hub, path)
    async with listening() as listener:
        task = await before.asked()
        await before.kept(PushConfig(url=listener.url, task_id=task.id))
        await before.pushes.close()
        assert path.stat().st_mode & 0o077 == 0
        await hub.answer(task.id, "Yes")
        elsewhere = Side(hub, path, PushAllowList(named=(place_of("https://example.org"),)))
        elsewhere.pushes.resume(elsewhere.visitor)
        await over_after(elsewhere, listener, 0)
        after = Side(hub, path)
        after.pushes.resume(after.visitor)
        await over_after(after, listener, 1)
    assert json.loads(path.read_text()) == []


async def test_a_file_that_cannot_be_read_or_written_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "push.json"
    path.write_text("{")
    side = Side(MemoryHub(), path)
    side.pushes.resume(side.visitor)
    assert "cannot be read" in caplog.text
    path.unlink()
    (tmp_path / ".push.json.new").mkdir()
    (tmp_path / ".push.json.new" / "in the way").touch()
    task = await side.asked()
    assert await side.pushes.create(side.visitor(), PushConfig(url="http://127.0.0.1:9", task_id=task.id)) == NOT_KEPT
    assert await side.pushes.all_of(side.visitor(), task.id) == ()


class Revoked(MemoryHub):
    """A hub that took the agent's token back while it waited."""

    async def wait(self, ask_id: str, *, withdraws: bool) -> HubSaysNo:  # noqa: ARG002  as the link has it
        return HubSaysNo(detail="This token is not valid.", code="unauthorized", status=401)


async def test_an_agent_whose_token_was_taken_back_is_told_that_it_has_to_be_let_in() -> None:
    side = Side(Revoked())
    async with listening() as listener:
        task = await side.asked()
        await side.kept(PushConfig(url=listener.url, task_id=task.id))
        _, body = await listener.heard.get()
        waited = await side.tasks.settled(side.visitor(), task)
        await over(side)
    assert isinstance(waited, WireTask)
    assert waited.status.state == body["task"]["status"]["state"] == "TASK_STATE_AUTH_REQUIRED"
    assert "a new one" in body["task"]["status"]["message"]["parts"][0]["text"]
