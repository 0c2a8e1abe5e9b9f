import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.contract.words import RunState
from hub.domain.plan import CannotPlan
from hub.domain.policy import Agent
from hub.domain.suggestion import Need, Work
from hub.io.agents.openclaw import ATTEMPTS_MAX, OpenClawRunner
from hub.verify import check
from tests.io.agents.agent_work import Heard, job, repository, run, write
from tests.io.agents.openclaw_gateway import TOKEN, Answer, Gateway

BUSY: Answer = (503, {}, b'{"ok":false,"error":"admission timed out"}')


def claw(url: str, token_env: str = "CLAW_TOKEN") -> Agent:  # noqa: S107  the name of a variable, not a password
    return Agent(name="claw", kind="openclaw", url=url, token_env=token_env, idempotent=True)


@pytest.fixture
async def gateway() -> AsyncIterator[Gateway]:
    async with Gateway() as gateway:
        yield gateway


@pytest.fixture
async def runner(tmp_path: Path) -> AsyncIterator[OpenClawRunner]:
    environ = {"PATH": "/usr/bin:/bin", "CLAW_TOKEN": TOKEN, "WRONG": "wrong", "ODD": "a\nb"}
    runner = OpenClawRunner(tmp_path / "home", environ, lambda: 0.0)
    yield runner
    await runner.close()


async def test_asks_with_key_bounds_and_tools(gateway: Gateway, runner: OpenClawRunner, tmp_path: Path) -> None:
    heard = Heard()
    result = await run(runner, job(agent=claw(gateway.url), prompt="Fix it", workspace=tmp_path), heard)
    assert (result.ended, result.exit_code) == ("exited", 0)
    assert result.output == "OpenClaw run r1: ok"
    request, headers = gateway.requests[0], gateway.headers[0]
    message = str(request.pop("message"))
    assert request == {
        "name": "Pulse run_e1",
        "wakeMode": "now",
        "deliver": False,
        "timeoutSeconds": 20,
        "idempotencyKey": "e1",
        "waitForCompletion": True,
    }
    assert headers["idempotency-key"] == "e1"
    assert message.startswith("Fix it\n\nBounds of this session:\n")
    assert "only these tools: read, write, edit, exec, web_search, web_fetch." in message
    assert "Never use these tools: message, tts, browser." in message
    assert f"Work in {tmp_path}." in message
    assert heard.lines == [f"Asking OpenClaw at {gateway.url}"]


async def test_a_session_key_is_sent_where_the_settings_say_how_it_is_made(
    gateway: Gateway, runner: OpenClawRunner
) -> None:
    agent = replace(claw(gateway.url), resume=("hook:pulse:{conversation}",))
    for execution in ("e1", "e2"):
        await run(runner, replace(job(agent=agent, execution_id=execution), conversation="c-1"), Heard())
    assert [one["sessionKey"] for one in gateway.requests] == ["hook:pulse:c-1"] * 2


@pytest.mark.parametrize("resume", [("hook:pulse",), ("claw", "{conversation}")])
async def test_a_session_key_that_would_be_the_same_for_all_is_not_used(
    runner: OpenClawRunner, resume: tuple[str, ...]
) -> None:
    agent = replace(claw("http://127.0.0.1:9"), resume=resume)
    plan = await runner.plan(agent, Work())
    assert isinstance(plan, CannotPlan)
    assert "hook:pulse:{conversation}" in plan.why


@pytest.mark.slow
async def test_changed_files_are_measured_here(gateway: Gateway, runner: OpenClawRunner, tmp_path: Path) -> None:
    folder = repository(tmp_path / "work")
    done = job(agent=claw(gateway.url), workspace=folder)

    def touch(line: str) -> None:
        write(folder, {"made.txt": line})

    assert (await run(runner, done, touch)).changed_files == ("made.txt",)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("completion", "ended", "code"),
    [("ok", "exited", 0), ("error", "exited", 1), ("skipped", "failed-to-start", None)],
)
async def test_completion(
    gateway: Gateway, runner: OpenClawRunner, completion: str, ended: str, code: int | None
) -> None:
    gateway.run["completion"] = {"status": completion}
    result = await run(runner, job(agent=claw(gateway.url)), Heard())
    assert (result.ended, result.exit_code) == (ended, code)


@pytest.mark.slow
@pytest.mark.parametrize("status", [200, 202])
async def test_accepted_is_not_proof(gateway: Gateway, runner: OpenClawRunner, status: int) -> None:
    gateway.status, gateway.run = status, {"ok": True, "runId": "r7"}
    result = await run(runner, job(agent=claw(gateway.url)), Heard())
    assert (result.ended, result.exit_code) == ("exited", None)
    assert "did not report how it ended" in result.detail
    assert check(Need(text="done"), result, by_agent=True).state is RunState.FAILED
    assert check(Need(text="handed over", exit_code=None), result, by_agent=True).state is RunState.FINISHED


@pytest.mark.slow
async def test_busy_and_broken_connections_are_tried_again(gateway: Gateway, runner: OpenClawRunner) -> None:
    gateway.faults += [BUSY, "drop", (502, {}, b"")]
    heard = Heard()
    result = await run(runner, job(agent=claw(gateway.url)), heard)
    assert result.exit_code == 0
    assert [request["idempotencyKey"] for request in gateway.requests] == ["e1"] * 4
    assert gateway.begun == {"e1"}
    assert heard.lines[-1].endswith("try 4")


@pytest.mark.slow
async def test_gives_up_in_the_end(gateway: Gateway, runner: OpenClawRunner) -> None:
    gateway.faults += [BUSY] * 99
    never = await run(runner, job(agent=claw(gateway.url)), Heard())
    assert (never.ended, len(gateway.requests)) == ("failed-to-start", ATTEMPTS_MAX)
    assert "503" in never.detail
    gateway.faults[:0] = ["drop"]
    perhaps = await run(runner, job(agent=claw(gateway.url)), Heard())
    assert perhaps.ended == "lost"


async def test_nobody_listens(runner: OpenClawRunner) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        result = await run(runner, job(agent=claw(url)), Heard())
    assert result.ended == "failed-to-start"
    assert "Is its gateway running?" in result.detail


async def test_wrong_token(gateway: Gateway, runner: OpenClawRunner) -> None:
    result = await run(runner, job(agent=claw(gateway.url, "WRONG")), Heard())
    assert result.ended == "failed-to-start"
    assert "hooks.token" in result.detail
    assert "WRONG" in result.detail
    assert gateway.bad_tokens == 1


@pytest.mark.slow
async def test_throttled_is_waited_out_once(gateway: Gateway, runner: OpenClawRunner) -> None:
    pause = (429, {"Retry-After": "0"}, b"Too Many Requests")
    gateway.faults += [pause]
    assert (await run(runner, job(agent=claw(gateway.url)), Heard())).exit_code == 0
    gateway.faults += [pause, pause]
    again = await run(runner, job(agent=claw(gateway.url)), Heard())
    assert again.ended == "failed-to-start"
    assert "429" in again.detail


@pytest.mark.slow
async def test_a_pause_beyond_the_limit_is_a_timeout(gateway: Gateway, runner: OpenClawRunner) -> None:
    gateway.faults += [(429, {"Retry-After": "60"}, b"")]
    result = await run(runner, job(agent=claw(gateway.url), duration_s_max=0.2), Heard())
    assert result.ended == "timeout"
    assert "may still be working" in result.detail


@pytest.mark.slow
async def test_silence_is_a_timeout(gateway: Gateway, runner: OpenClawRunner) -> None:
    gateway.faults += ["hang"]
    assert (await run(runner, job(agent=claw(gateway.url), duration_s_max=0.2), Heard())).ended == "timeout"


@pytest.mark.parametrize(
    ("answer", "ended"),
    [
        ((200, {}, b"<html>"), "lost"),
        ((200, {}, b"\xff\xfe"), "lost"),
        ((200, {}, b'{"ok":true,"completion":{"status":"great"}}'), "lost"),
        ((200, {}, b'{"ok":false}'), "failed-to-start"),
        ((500, {}, b"oops"), "lost"),
        ((400, {}, b'{"ok":false,"error":"agent required"}'), "failed-to-start"),
        ((404, {}, b""), "failed-to-start"),
        ((413, {}, b""), "failed-to-start"),
        ((307, {"Location": "http://127.0.0.1:1/"}, b""), "failed-to-start"),
        ((200, {}, b'{"ok":true,"runId":"' + b"x" * 1_000_000), "lost"),
    ],
)
async def test_odd_answers(
    gateway: Gateway, runner: OpenClawRunner, answer: tuple[int, dict[str, str], bytes], ended: str
) -> None:
    gateway.faults += [answer]
    result = await run(runner, job(agent=claw(gateway.url)), Heard())
    assert result.ended == ended
    assert result.detail
    assert len(result.detail) < 1_000
    assert len(gateway.requests) == 1


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (claw("not a url"), "no usable url"),
        (claw("http://openclaw.example.org"), "https"),
        (claw("http://127.0.0.1:9", "UNSET"), "UNSET is not set"),
        (claw("http://127.0.0.1:9", ""), "is not set"),
        (claw("http://127.0.0.1:9", "ODD"), "no token has"),
    ],
)
async def test_settings_that_cannot_work(runner: OpenClawRunner, agent: Agent, words: str) -> None:
    result = await run(runner, job(agent=agent), Heard())
    assert result.ended == "failed-to-start"
    assert words in result.detail


async def test_prompt_too_long_is_not_sent(gateway: Gateway, runner: OpenClawRunner) -> None:
    result = await run(runner, job(agent=claw(gateway.url), prompt="x" * 270_000), Heard())
    assert "Shorten it" in result.detail
    assert gateway.requests == []
