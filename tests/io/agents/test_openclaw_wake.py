"""A message that only has to arrive: what is sent, what counts as arrived, and that nothing about it can hang."""

import socket
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.contract.words import RunState
from hub.domain.drives import DriveRules, Wake
from hub.domain.execution import Job, RunResult
from hub.domain.suggestion import WAKE_AGENT, Need
from hub.domain.waking import message_of, with_pass
from hub.io.agents.openclaw import OpenClawRunner
from hub.verify import check
from tests.io.agents.agent_work import Heard, job, run
from tests.io.agents.openclaw_gateway import TOKEN, Answer, Gateway
from tests.io.agents.test_openclaw_runner import claw

AT = datetime(2026, 3, 10, 14, 0, tzinfo=UTC)
WAKE = Wake(id="wake_1", at=AT, rule="total", drive="goals", pressure=6.0, total=6.0, threshold=5.0)
MESSAGE = message_of(WAKE, DriveRules())
NEED = Need(text="It was accepted.")


@pytest.fixture
async def gateway() -> AsyncIterator[Gateway]:
    async with Gateway(run={"ok": True, "runId": "r1"}) as gateway:
        yield gateway


@pytest.fixture
async def runner(tmp_path: Path) -> AsyncIterator[OpenClawRunner]:
    environ = {"PATH": "/usr/bin:/bin", "CLAW_TOKEN": TOKEN, "WRONG": "wrong"}
    runner = OpenClawRunner(tmp_path / "home", environ, lambda: 0.0)
    yield runner
    await runner.close()


def a_wake(url: str, execution_id: str = "e1", token_env: str = "CLAW_TOKEN", duration_s_max: float = 20.0) -> Job:  # noqa: S107  the name of a variable
    return job(
        agent=claw(url, token_env),
        prompt=MESSAGE,
        playbook=WAKE_AGENT,
        args=("wake_1",),
        execution_id=execution_id,
        duration_s_max=duration_s_max,
    )


async def hand_over(runner: OpenClawRunner, work: Job) -> RunResult:
    return await run(runner, work, Heard())


async def test_the_message_alone_is_sent_with_a_key_of_its_own(gateway: Gateway, runner: OpenClawRunner) -> None:
    first = await hand_over(runner, a_wake(gateway.url, "e1"))
    await hand_over(runner, a_wake(gateway.url, "e2"))
    assert (first.exit_code, first.output) == (0, "OpenClaw run r1: accepted")
    message = with_pass(MESSAGE, "", "")
    wanted = {"message": message, "name": "Pulse", "wakeMode": "now", "deliver": False, "idempotencyKey": "wake_1"}
    assert gateway.requests == [wanted, wanted]
    assert [one["idempotency-key"] for one in gateway.headers] == ["wake_1", "wake_1"]
    assert {one["authorization"] for one in gateway.headers} == {f"Bearer {TOKEN}"}


async def test_the_way_back_goes_with_it_and_is_told_nowhere_else(gateway: Gateway, tmp_path: Path) -> None:
    asked: list[tuple[str, bool]] = []

    def way_back(wake_id: str, is_near: bool) -> tuple[str, str]:  # noqa: FBT001  as a WayBack is called
        asked.append((wake_id, is_near))
        return "http://127.0.0.1:7711", f"s3cret-{len(asked)}"

    environ = {"PATH": "/usr/bin:/bin", "CLAW_TOKEN": TOKEN}
    runner = OpenClawRunner(tmp_path / "home", environ, lambda: 0.0, way_back=way_back)
    gateway.faults += [(400, {}, b"cannot read: PULSE_TOKEN=s3cret-1")]
    heard = Heard()
    refused = await run(runner, a_wake(gateway.url), heard)
    arrived = await run(runner, a_wake(gateway.url, "e2"), heard)
    await runner.close()
    assert asked == [("wake_1", True), ("wake_1", True)]
    assert [str(one["message"]).rpartition("PULSE_TOKEN=")[2] for one in gateway.requests] == ["s3cret-1", "s3cret-2"]
    said = " ".join((refused.detail, refused.output, arrived.detail, arrived.output, *heard.lines))
    assert "s3cret" not in said
    assert "hidden" in refused.detail


async def test_a_message_that_a_person_wrote_otherwise_gets_no_way_back(gateway: Gateway, tmp_path: Path) -> None:
    environ = {"PATH": "/usr/bin:/bin", "CLAW_TOKEN": TOKEN}
    runner = OpenClawRunner(tmp_path / "home", environ, lambda: 0.0, way_back=lambda _id, _near: ("http://x", "t"))
    await run(runner, replace(a_wake(gateway.url), prompt="Just look at the goals."), Heard())
    await runner.close()
    assert [one["message"] for one in gateway.requests] == ["Just look at the goals."]


@pytest.mark.parametrize(
    "answer",
    [
        (200, {}, b'{"ok":true}'),
        (202, {}, b'{"ok":true,"runId":"r1"}'),
        (200, {}, b""),
        (202, {}, b"<html>"),
        (200, {}, b'{"ok":true,"runId":"' + b"x" * 1_000_000),
    ],
)
async def test_200_and_202_are_both_accepted(gateway: Gateway, runner: OpenClawRunner, answer: Answer) -> None:
    gateway.faults += [answer]
    result = await hand_over(runner, a_wake(gateway.url))
    assert check(NEED, result, by_agent=True).state is RunState.FINISHED
    assert len(result.output) < 1_000


@pytest.mark.parametrize(
    "answer",
    [
        (200, {}, b'{"ok":false}'),
        (204, {}, b""),
        (301, {"Location": "http://127.0.0.1:1/"}, b""),
        (307, {"Location": "/hooks/agent"}, b""),
        (400, {}, b""),
        (404, {}, b""),
        (500, {}, b"oops"),
    ],
)
async def test_all_else_has_failed_and_cost_nothing(gateway: Gateway, runner: OpenClawRunner, answer: Answer) -> None:
    gateway.faults += [answer]
    result = await hand_over(runner, a_wake(gateway.url))
    assert check(NEED, result, by_agent=True).state is RunState.FAILED
    assert result.cost_microusd == 0
    assert result.detail
    assert len(gateway.requests) == 1


async def test_the_token_follows_no_redirect(gateway: Gateway, runner: OpenClawRunner) -> None:
    async with Gateway() as elsewhere:
        gateway.faults += [(307, {"Location": f"{elsewhere.url}/hooks/agent"}, b"")]
        result = await hand_over(runner, a_wake(gateway.url))
        assert "points elsewhere" in result.detail
        assert elsewhere.headers == []


async def test_a_token_that_is_refused_says_what_to_change(gateway: Gateway, runner: OpenClawRunner) -> None:
    result = await hand_over(runner, a_wake(gateway.url, token_env="WRONG"))
    assert check(NEED, result, by_agent=True).state is RunState.FAILED
    assert "hooks.token" in result.detail


async def test_nobody_listens(runner: OpenClawRunner) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        result = await hand_over(runner, a_wake(f"http://127.0.0.1:{unused.getsockname()[1]}"))
    assert (result.ended, result.cost_microusd) == ("failed-to-start", 0)


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["hang", (429, {"Retry-After": "999999"}, b"")])
async def test_an_answer_that_takes_minutes_is_none(gateway: Gateway, runner: OpenClawRunner, fault: Answer) -> None:
    gateway.faults += [fault]
    result = await hand_over(runner, a_wake(gateway.url, duration_s_max=0.2))
    assert (result.ended, result.cost_microusd) == ("lost", 0)
    assert "did not answer in time" in result.detail
