"""After an answer was given here, the agent says what it did: the card is told where that is something else."""

import asyncio
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.contract.api import AnswerReply
from hub.contract.errors import BusyError
from hub.contract.permission import PermissionAnswer
from hub.contract.phrasing import Phrasing
from hub.contract.words import Status, Verb
from hub.domain.provenance import AgentText, say
from hub.domain.requests import Noted, PutNotice, Refused, Reply, ReportDone, Request, Withdraw
from hub.domain.storage import AddCard, Client
from hub.io.access.tokens import AGENT_ID
from hub.io.agents.hooks.step import TEST_SESSION
from hub.io.agents.process_table import entry, has_proc
from hub.io.api import hooks
from hub.io.api.following import ANOTHER_SAID_SO, LOOK_AT_HOOKS, TRIES, whose_word
from hub.io.api.permissions import taken_back
from tests.fakes.hub_api import NOON, a_prediction, a_status
from tests.io.agents.hooks.test_transcript import line
from tests.io.api.running import Api
from tests.io.api.test_api_asks import begin
from tests.io.api.test_api_hooks import ID, KEY, PATH, RISKY, YES, answer, asked_card, said


def named_by(pid: int) -> str:
    found = entry(pid)
    return f"{pid}-{found.started if found else 0}"


ME = named_by(os.getpid())
"""An agent that lives as long as the test."""
NO = replace(YES, verb=Verb.REJECT)
WENT_ON = say("You said no, and {title} says that it went on: {what}", title="Claude", what=AgentText("rm -rf build"))
GONE: list[Request] = [
    taken_back(ID, AGENT_ID, "despite", overrules=True),
    PutNotice(key=f"went-on:{ID}", said=WENT_ON, why=ANOTHER_SAID_SO),
]


@pytest.fixture
async def whose(api: Api, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Whose word each hook is from now on: of the agent whose process the kernel names."""
    await api.behind.write(AddCard(card=asked_card()))
    named = [ME]
    monkeypatch.setattr(hooks, "whose_word", lambda _client, _pid: named[-1])
    return named


def claude(event: str, **more: object) -> dict[str, object]:
    body = said(event)
    given = body["input"]
    assert isinstance(given, dict)
    return body | {"input": given | more}


async def answered(api: Api, status: Status, **more: object) -> None:
    """Have Claude ask for leave, and the person answer on the card."""
    await api.http.post(PATH, json=claude("PreToolUse", tool_use_id="toolu_1"))
    body = claude("PermissionRequest", **more)
    waiting = asyncio.create_task(api.http.post(PATH, json=body, headers={"Idempotency-Key": KEY}))
    await begin(api, waiting)
    await answer(api, YES if status is Status.CONFIRMED else NO, status)
    await waiting
    api.behind.hub_api.requests.clear()


async def done(api: Api, event: str = "PostToolUse", call: str = "toolu_1", **more: object) -> list[Request]:
    """Have Claude say what it did; return what is asked of the loop."""
    assert (await api.http.post(PATH, json=claude(event, tool_use_id=call, **more))).text == ""
    return api.behind.hub_api.requests


async def test_a_card_says_that_the_agent_went_on_after_a_no(api: Api, whose: list[str]) -> None:
    await answered(api, Status.REJECTED)
    assert await done(api) == GONE
    assert await done(api) == GONE  # heard again, it says nothing new
    assert whose == [ME]


@pytest.mark.usefixtures("whose")
@pytest.mark.parametrize(("event", "failed"), [("PostToolUse", False), ("PostToolUseFailure", True)])
async def test_an_approved_card_says_once_what_the_agent_reports(api: Api, event: str, *, failed: bool) -> None:
    await answered(api, Status.CONFIRMED)
    report = ReportDone(card_id=ID, client=AGENT_ID, how="failed" if failed else "done")
    assert await done(api, event) == [report]
    assert await done(api, event) == [report]  # heard again, it says nothing new


def other_ran(difference: str, ran: str) -> list[Request]:
    """What is asked of the loop where something else ran than was approved."""
    said = say("Ran instead: {ran}", ran=AgentText(difference))
    gone = Withdraw(card_id=ID, client=AGENT_ID, why=said.text, why_worded=said.wording, overrules=True, ran=ran)
    told = say("{title} did not run what you approved. {ran}", title="Claude", ran=said)
    return [gone, PutNotice(key=f"ran-instead:{ID}", said=told, why=LOOK_AT_HOOKS)]


@pytest.mark.usefixtures("whose")
async def test_what_had_ended_before_it_was_changed_ran_as_it_was_asked_for(api: Api) -> None:
    await api.http.post(PATH, json=claude("PreToolUse", tool_use_id="toolu_1"))
    waiting = asyncio.create_task(
        api.http.post(PATH, json=claude("PermissionRequest"), headers={"Idempotency-Key": KEY})
    )
    await begin(api, waiting)
    await done(api)
    changed = replace(YES, verb=Verb.EDIT, permission=PermissionAnswer(text="ls"))
    await answer(api, changed, Status.CONFIRMED)
    await waiting
    assert api.behind.hub_api.requests[-1] == taken_back(ID, AGENT_ID, "unchanged", overrules=True)


@pytest.mark.usefixtures("whose")
@pytest.mark.parametrize("event", ["PostToolUse", "PostToolUseFailure"])
async def test_a_card_says_what_ran_in_the_place_of_what_was_approved(api: Api, event: str) -> None:
    api.behind.hub_api.on(PutNotice, lambda _: Noted(status=a_status()))
    await answered(api, Status.CONFIRMED)
    ran = {"command": "rm -rf build keep; login --password hx7Kq9Zt2w"}
    shown = "rm -rf build keep; login --password ⟨hidden: 10 characters⟩"
    assert await done(api, event, tool_input=RISKY | ran) == other_ran(shown, ran["command"])


@pytest.mark.usefixtures("whose")
async def test_a_report_that_came_first_hides_no_other(api: Api) -> None:
    api.behind.hub_api.on(PutNotice, lambda _: Noted(status=a_status()))
    await answered(api, Status.CONFIRMED)
    forged = await done(api)
    assert forged == [ReportDone(card_id=ID, client=AGENT_ID, how="done")]
    ran = RISKY | {"command": "rm -rf /"}
    assert (await done(api, tool_input=ran))[1:] == other_ran("rm -rf /", "rm -rf /")


@pytest.mark.parametrize("other", ["4712-9", ""])
async def test_another_agent_that_says_so_turns_nothing(api: Api, whose: list[str], other: str) -> None:
    await answered(api, Status.REJECTED)
    whose.append(other)
    assert await done(api) == []
    whose.append(ME)
    assert await done(api, session_id="s2") == []
    assert await done(api, call="toolu_2") == []
    assert await done(api) == GONE


async def test_without_the_kernels_word_nothing_is_turned(api: Api) -> None:
    await api.behind.write(AddCard(card=asked_card()))
    await answered(api, Status.REJECTED)
    assert await done(api) == []


@pytest.mark.usefixtures("whose")
@pytest.mark.parametrize(
    ("before_run", "how"),
    [(True, "refused"), (None, "broken-off")],
)
async def test_a_no_at_the_terminal_is_read_where_no_hook_tells_of_it(
    api: Api, tmp_path: Path, *, before_run: bool | None, how: str
) -> None:
    path = tmp_path / "s1.jsonl"
    path.write_bytes(line(toolDenialBeforeRun=before_run))
    turned: asyncio.Queue[Request] = asyncio.Queue()

    def turn(request: Request) -> Refused:
        turned.put_nowait(request)
        return Refused(code="already-settled", status=409, detail="It was turned before.")

    api.behind.hub_api.on(Withdraw, turn)
    await answered(api, Status.CONFIRMED, transcript_path=str(path))
    async with asyncio.timeout(5):
        assert await turned.get() == taken_back(ID, AGENT_ID, how, overrules=True)
    api.behind.hub_api.requests.clear()
    assert await done(api) == []  # and it is not compared again


@pytest.mark.usefixtures("whose")
async def test_a_loop_that_is_too_busy_is_asked_again_for_a_while(api: Api) -> None:
    await answered(api, Status.REJECTED)
    replies: list[Reply | BusyError | TimeoutError] = [BusyError("Full."), TimeoutError()]
    turned = AnswerReply(prediction=a_prediction(ID))
    api.behind.hub_api.on(Withdraw, lambda _: replies.pop(0) if replies else turned)
    assert await done(api) == [GONE[0], GONE[0], *GONE]


@pytest.mark.usefixtures("whose")
async def test_and_not_for_ever(api: Api) -> None:
    await answered(api, Status.REJECTED)
    api.behind.hub_api.on(Withdraw, lambda _: BusyError("Full."))
    assert (await api.http.post(PATH, json=claude("PostToolUse", tool_use_id="toolu_1"))).status_code == 503
    assert api.behind.hub_api.requests == GONE[:1] * TRIES


def test_whose_word_it_is_its_token_or_the_kernel_says() -> None:
    client = Client(id="client_1", user="anna", name="x", token_sha256="", scopes=("ask",), created_at=NOON)
    assert whose_word(client, 0) == "client_1"
    assert whose_word(replace(client, id=AGENT_ID), 0) == ""


class Agent:
    """A process that stands for an agent, and one that it begins and leaves behind."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(["sleep", "60"])
        self.named = named_by(self.process.pid)
        self.left: subprocess.Popen[bytes] | None = None

    def begin(self) -> int:
        self.left = subprocess.Popen(["sleep", "60"], env={**os.environ, "CLAUDE_CODE_SESSION_ID": "s1"})
        return self.left.pid

    def kill(self) -> None:
        for one in (self.process, self.left):
            if one is not None:
                one.kill()
                one.wait()


@pytest.fixture
def agent(whose: list[str]) -> Iterator[Agent]:
    made = Agent()
    whose.append(made.named)
    yield made
    made.kill()


def turned_by(api: Api) -> asyncio.Queue[Withdraw]:
    turned: asyncio.Queue[Withdraw] = asyncio.Queue()

    def turn(request: Request) -> Refused:
        assert isinstance(request, Withdraw)
        turned.put_nowait(request)
        return Refused(code="already-settled", status=409, detail="It was turned before.")

    api.behind.hub_api.on(Withdraw, turn)
    return turned


async def test_a_yes_that_an_agent_took_along_does_not_stay_a_yes(api: Api, agent: Agent) -> None:
    turned = turned_by(api)
    await answered(api, Status.CONFIRMED)
    agent.process.kill()
    async with asyncio.timeout(5):
        assert await turned.get() == taken_back(ID, AGENT_ID, "gone", overrules=True)


async def test_a_yes_to_a_test_of_the_connection_arrived_and_nothing_is_lost(api: Api, agent: Agent) -> None:
    reported: asyncio.Queue[ReportDone] = asyncio.Queue()

    def report(request: Request) -> Noted:
        assert isinstance(request, ReportDone)
        reported.put_nowait(request)
        return Noted(status=a_status())

    api.behind.hub_api.on(ReportDone, report)
    await answered(api, Status.CONFIRMED, session_id=TEST_SESSION)
    agent.process.kill()
    async with asyncio.timeout(5):
        assert await reported.get() == ReportDone(card_id=ID, client=AGENT_ID, how="tested")


@pytest.mark.skipif(not has_proc(), reason="environments are not shown here")
async def test_what_it_had_begun_and_still_runs_is_named(api: Api, agent: Agent) -> None:
    turned = turned_by(api)
    await answered(api, Status.CONFIRMED)
    left = agent.begin()
    agent.process.kill()
    async with asyncio.timeout(5):
        gone = await turned.get()
    assert gone.why.endswith(f"What it had begun still runs: process {left}.")
    assert gone.why_worded == Phrasing(code="over.gone_running", values={"processes": str(left)})


async def test_a_session_that_ends_in_the_middle_loses_its_yes_too(api: Api, agent: Agent) -> None:
    turned = turned_by(api)
    await answered(api, Status.CONFIRMED)
    await done(api, "SessionEnd")
    agent.process.kill()
    async with asyncio.timeout(5):
        while (gone := await turned.get()).why_worded != Phrasing(code="over.gone"):
            pass
    assert gone.card_id == ID
