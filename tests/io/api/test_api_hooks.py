"""The door for agents' hooks: what is answered at once, what waits for a person, what takes a question back."""

import asyncio
import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from hub.cli.hook_client import HELD
from hub.contract.api import AnswerReply, Settlement
from hub.contract.errors import PulseError
from hub.contract.events import PredictionSettled
from hub.contract.permission import WAIT_S_MAX, Act, Permission, PermissionAnswer
from hub.contract.words import HumanInput, Risk, Source, Status, Verb
from hub.domain.at_agent import AtAgent, AtAgentSeen, LookAtAgent
from hub.domain.requests import AgentFinished, Ask, GrantUsed, PutNotice, Refused, UseGrant, Withdraw
from hub.domain.storage import AddCard, MoveCard
from hub.domain.suggestion import Card
from hub.io.access.tokens import AGENT_ID
from hub.io.agents.hooks.asking import STOPPED, call_name
from hub.io.agents.hooks.claude_code import CLAUDE_CODE
from hub.io.agents.hooks.connections import CONNECTIONS
from hub.io.agents.hooks.dialects import DIALECTS
from hub.io.agents.hooks.step import HookStep
from hub.io.api.hooks import AT_TERMINAL_S
from hub.io.api.permissions import taken_back
from hub.io.http.errors import StoppingError
from hub.loop.asks import ask_id
from tests.conformance.store.samples import NOON, card
from tests.fakes.hub_api import a_prediction, a_status
from tests.io.api.running import Api, problem
from tests.io.api.test_api_asks import begin

PATH = "/api/v1/hooks"
KEY = "k1"
ID = ask_id(AGENT_ID, KEY)
RISKY = {"command": "rm -rf build", "description": "Delete the build"}
YES = Settlement(verb=Verb.APPROVE, by="anna", surface="watch", device="w", human_input=HumanInput.TAP, at=NOON)


def said(event: str, tool: str = "Bash", given: object = RISKY, **more: object) -> dict[str, object]:
    base = {"session_id": "s1", "cwd": "/home/me/shop", "tool_name": tool, "tool_input": given}
    return {"dialect": "claude-code", "input": {**base, "hook_event_name": event, **more}}


def asked_card() -> Card:
    step = CLAUDE_CODE.read(json.dumps(said("PermissionRequest")["input"]).encode())
    assert isinstance(step, HookStep)
    permission = Permission(
        agent="claude-code", session="s1", tool="Bash", act=Act.COMMAND, text="rm -rf build", call=call_name(step)
    )
    made = card(ID, prompt="rm -rf build")
    proposal = replace(made.proposal, source=Source.ASK)
    proposal = replace(proposal, signature=f"{AGENT_ID}#")  # no agent is known here
    return replace(made, proposal=proposal, asker="claude-code", owner=AGENT_ID, permission=permission)


@pytest.fixture
async def asked(api: Api) -> None:
    await api.behind.write(AddCard(card=asked_card()))


async def test_where_links_lead_is_looked_up_before_a_tool(api: Api, tmp_path: Path) -> None:
    (tmp_path / ".git" / "hooks").mkdir(parents=True)
    (tmp_path / "notes").symlink_to(".git/hooks")
    given = {"file_path": "notes/pre-commit", "content": "x"}
    reply = await api.http.post(PATH, json=said("PreToolUse", "Write", given, cwd=str(tmp_path)))
    assert reply.json()["hookSpecificOutput"]["permissionDecision"] == "ask"


async def answer(api: Api, settled: Settlement, status: Status = Status.CONFIRMED) -> None:
    after = replace(asked_card(), status=status, version=2, settled=settled, settled_at=NOON)
    await api.behind.write(MoveCard(card=after, expect_version=1, expect_status=Status.PENDING))
    api.behind.feed.tell(PredictionSettled(prediction=a_prediction(ID, status=status)))


async def told(api: Api, settled: Settlement, body: dict[str, object], status: Status = Status.CONFIRMED) -> object:
    """Let a hook wait, answer its card, and return what the hook prints."""
    waiting = asyncio.create_task(api.http.post(PATH, json=body, headers={"Idempotency-Key": KEY}))
    await begin(api, waiting)
    await answer(api, settled, status)
    reply = await waiting
    assert reply.headers["Pulse-Exit"] == "0"
    return reply.json()["hookSpecificOutput"]


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Bash", {"command": "git status"}),
        ("Read", {"file_path": "/home/me/shop/a.py"}),
        ("Write", {"file_path": "/home/me/shop/a.py", "content": "x"}),
        ("AskUserQuestion", {"questions": []}),
    ],
)
async def test_what_is_harmless_goes_on_unasked(api: Api, tool: str, given: object) -> None:
    reply = await api.http.post(PATH, json=said("PreToolUse", tool, given))
    assert (reply.status_code, reply.text) == (200, "")
    assert api.behind.hub_api.requests == []


@pytest.mark.parametrize(
    ("tool", "given", "why"),
    [
        ("Bash", RISKY, "Pulse: it would delete something."),
        (
            "Write",
            {"file_path": "/home/me/shop/.git/hooks/x", "content": "x"},
            "Pulse: it would change permissions.",
        ),
        ("Read", {"file_path": "/home/ana/.ssh/id_rsa"}, "Pulse: it would reveal a secret."),
    ],
)
async def test_what_is_risky_asks_first(api: Api, tool: str, given: object, why: str) -> None:
    reply = await api.http.post(PATH, json=said("PreToolUse", tool, given))
    assert reply.json()["hookSpecificOutput"] == {
        "hookEventName": "PreToolUse",
        "permissionDecision": "ask",
        "permissionDecisionReason": why,
    }


FORM = said("Elicitation", mcp_server_name="plans", message="Agreed?", mode="form")


@pytest.mark.parametrize(
    ("is_there", "waits", "wait_s"),
    [(True, 3_590, AT_TERMINAL_S), (True, 5, 5), (False, 3_590, 3_590), (False, WAIT_S_MAX, WAIT_S_MAX)],
)
@pytest.mark.parametrize("body", [said("PermissionRequest") | {"dialect": "codex"}, FORM])
async def test_a_dialog_that_waits_for_the_hook_opens_soon_for_who_sits_there_and_a_card_comes_all_the_same(
    api: Api,
    is_there: bool,  # noqa: FBT001  pytest passes it
    waits: int,
    wait_s: int,
    body: dict[str, object],
) -> None:
    api.behind.hub_api.on(LookAtAgent, lambda _: AtAgentSeen(is_there=is_there))
    api.behind.hub_api.on(Ask, lambda _: Refused(code="too-many-open", status=429, detail="No."))
    assert (await api.http.post(PATH, json=body | {"waitS": waits})).status_code == 429
    look, ask = api.behind.hub_api.requests
    assert isinstance(look, LookAtAgent)
    assert isinstance(ask, Ask)
    assert ask.timeout_s == wait_s


async def test_a_form_is_put_to_a_person_where_nobody_sits_before_the_agent(api: Api) -> None:
    api.behind.hub_api.on(LookAtAgent, lambda _: AtAgentSeen(is_there=True))
    api.behind.hub_api.on(Ask, lambda _: Refused(code="too-many-open", status=429, detail="No."))
    assert (await api.http.post(PATH, json=FORM | {"unattended": True})).status_code == 429
    assert [type(one) for one in api.behind.hub_api.requests] == [Ask]


async def test_what_its_person_let_it_do_goes_on_at_once(api: Api) -> None:
    api.behind.hub_api.on(
        UseGrant, lambda _: GrantUsed(summary="claude-code: `rm -rf build` in shop", until="8 March 2026")
    )
    reply = await api.http.post(PATH, json=said("PreToolUse"))
    printed = reply.json()["hookSpecificOutput"]
    assert printed["permissionDecision"] == "allow"
    assert "allowed this without asking" in printed["permissionDecisionReason"]
    (request,) = api.behind.hub_api.requests
    assert isinstance(request, UseGrant)
    assert (request.permission.text, request.permission.folder) == ("rm -rf build", "/home/me/shop")
    assert not request.is_linked


async def test_what_lies_behind_a_link_is_told_to_the_loop(api: Api, tmp_path: Path) -> None:
    shop = tmp_path / "shop"
    shop.mkdir()
    (shop / "build").symlink_to(tmp_path)
    for command, is_linked in (("rm -rf build/x", True), ("rm -rf dist/x", False)):
        await api.http.post(PATH, json=said("PreToolUse", given={"command": command}, cwd=str(shop)))
        request = api.behind.hub_api.requests[-1]
        assert isinstance(request, UseGrant)
        assert request.is_linked is is_linked


async def test_a_command_that_was_cut_is_compared_with_nothing(api: Api) -> None:
    api.behind.hub_api.on(UseGrant, lambda _: GrantUsed(summary="everything"))
    reply = await api.http.post(PATH, json=said("PreToolUse") | {"shortened": True})
    assert reply.json()["hookSpecificOutput"]["permissionDecision"] == "ask"


async def test_a_command_that_was_cut_asks_first_whatever_is_left_of_it(api: Api) -> None:
    body = said("PreToolUse", given={"command": "git status … 9000 more characters"}) | {"shortened": True}
    assert (await api.http.post(PATH, json=body)).json()["hookSpecificOutput"]["permissionDecision"] == "ask"


async def test_after_the_emergency_stop_what_is_risky_is_refused(api: Api) -> None:
    api.behind.hub_api.shown = replace(a_status(), killed_by="emergency")
    output = (await api.http.post(PATH, json=said("PreToolUse"))).json()["hookSpecificOutput"]
    assert (output["permissionDecision"], output["permissionDecisionReason"]) == ("deny", STOPPED)


async def test_a_request_for_leave_reaches_the_loop_as_the_agents_own(api: Api) -> None:
    full = Refused(code="too-many-open", status=429, detail="Too many.", fix="Wait.")
    api.behind.hub_api.on(Ask, lambda _: full)
    reply = await api.http.post(PATH, json=said("PermissionRequest"))
    assert reply.status_code == 429
    (request,) = api.behind.hub_api.requests
    assert isinstance(request, Ask)
    assert (request.client, request.asker, request.question) == (AGENT_ID, "claude-code", "rm -rf build")
    assert request.permission is not None
    assert (request.permission.reason, request.permission.editable) == ("Delete the build", True)


@pytest.mark.usefixtures("asked")
async def test_a_yes_lets_it_run(api: Api) -> None:
    assert await told(api, YES, said("PermissionRequest")) == {
        "hookEventName": "PermissionRequest",
        "decision": {"behavior": "allow"},
    }


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize("event", ["PermissionRequest", "PreToolUse"])
async def test_a_yes_is_for_where_links_led_when_it_was_asked(api: Api, tmp_path: Path, event: str) -> None:
    notes = tmp_path / ".envrc"
    body = said(event, "Write", {"file_path": str(notes), "content": "x"}, cwd=str(tmp_path), permission_mode="plan")
    body["unattended"] = event == "PreToolUse"
    waiting = asyncio.create_task(api.http.post(PATH, json=body, headers={"Idempotency-Key": KEY}))
    await begin(api, waiting)
    notes.symlink_to(tmp_path / "keys")
    await answer(api, YES)
    printed = (await waiting).text
    assert "leads elsewhere by now" in printed
    assert '"deny"' in printed
    assert '"allow"' not in printed


@pytest.mark.usefixtures("asked")
async def test_a_yes_to_a_skill_is_for_what_its_file_said_when_it_was_asked(api: Api, tmp_path: Path) -> None:
    skill = tmp_path / ".claude" / "skills" / "tidy" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("!`rm -rf build`\n")
    body = said("PermissionRequest", "Skill", {"skill": "tidy"}, cwd=str(tmp_path))
    waiting = asyncio.create_task(api.http.post(PATH, json=body, headers={"Idempotency-Key": KEY}))
    await begin(api, waiting)
    skill.write_text("!`rm -rf src`\n")
    await answer(api, YES)
    printed = (await waiting).text
    assert "is another by now" in printed
    assert '"allow"' not in printed


async def test_the_project_in_which_the_session_began_is_looked_at_as_well(api: Api, tmp_path: Path) -> None:
    (tmp_path / ".mcp.json").write_text('{"mcpServers": {"pulse": {"command": "python3"}}}')
    body = said("PreToolUse", "mcp__pulse__notify_human", {"message": "Done"}, cwd="/srv")
    assert (await api.http.post(PATH, json=body)).text == ""
    project = base64.b64encode(str(tmp_path).encode()).decode()
    reply = await api.http.post(PATH, json={**body, "project": project})
    assert reply.json()["hookSpecificOutput"]["permissionDecision"] == "ask"


@pytest.mark.slow
@pytest.mark.usefixtures("asked")
async def test_a_no_carries_the_persons_words(api: Api) -> None:
    no = replace(YES, verb=Verb.REJECT, reason="use git clean")
    assert await told(api, no, said("PermissionRequest"), Status.REJECTED) == {
        "hookEventName": "PermissionRequest",
        "decision": {"behavior": "deny", "message": "The user said no: use git clean"},
    }


@pytest.mark.usefixtures("asked")
async def test_a_changed_command_runs_as_it_was_changed(api: Api) -> None:
    edited = replace(YES, verb=Verb.EDIT, permission=PermissionAnswer(text="rm -r build/cache"))
    assert await told(api, edited, said("PermissionRequest")) == {
        "hookEventName": "PermissionRequest",
        "decision": {"behavior": "allow", "updatedInput": {**RISKY, "command": "rm -r build/cache"}},
    }


CHANGED = {**RISKY, "command": "rm -r build/cache"}
CONTEXT = "The user changed this before it ran. You asked for:\nrm -rf build\nWhat runs instead:\nrm -r build/cache"


@pytest.mark.parametrize("ends", ["PostToolUse", "PostToolUseFailure"])
@pytest.mark.usefixtures("asked")
async def test_the_model_is_told_once_what_ran_instead_when_its_tool_has_ended(api: Api, ends: str) -> None:
    edited = replace(YES, verb=Verb.EDIT, permission=PermissionAnswer(text="rm -r build/cache"))
    await told(api, edited, said("PermissionRequest"))
    as_asked = await api.http.post(PATH, json=said(ends))
    assert as_asked.text == "", "what it asked for ran after all"
    elsewhere = await api.http.post(PATH, json=said(ends, given=CHANGED, session_id="s2"))
    assert elsewhere.text == ""
    ended = await api.http.post(PATH, json=said(ends, given=CHANGED))
    assert ended.json()["hookSpecificOutput"] == {"hookEventName": ends, "additionalContext": CONTEXT}
    again = await api.http.post(PATH, json=said(ends, given=CHANGED))
    assert again.text == ""


@pytest.mark.usefixtures("asked")
async def test_where_it_waits_before_the_tool_the_model_is_told_at_once(api: Api) -> None:
    edited = replace(YES, verb=Verb.EDIT, permission=PermissionAnswer(text="rm -r build/cache"))
    assert await told(api, edited, said("PreToolUse") | {"unattended": True}) == {
        "hookEventName": "PreToolUse",
        "permissionDecision": "allow",
        "permissionDecisionReason": "",
        "updatedInput": CHANGED,
        "additionalContext": CONTEXT,
    }
    ended = await api.http.post(PATH, json=said("PostToolUse", given=CHANGED))
    assert ended.text == ""


@pytest.mark.usefixtures("asked")
async def test_gemini_is_told_of_a_change_when_its_tool_has_ended(api: Api) -> None:
    edited = replace(YES, verb=Verb.EDIT, permission=PermissionAnswer(text="rm -r build/cache"))
    gemini = {"dialect": "gemini"}
    await told(api, edited, said("BeforeTool", "run_shell_command") | gemini)
    ended = await api.http.post(PATH, json=said("AfterTool", "run_shell_command", CHANGED) | gemini)
    assert ended.json()["hookSpecificOutput"] == {"hookEventName": "AfterTool", "additionalContext": CONTEXT}


@pytest.mark.slow
@pytest.mark.usefixtures("asked")
async def test_always_echoes_the_agents_own_offer(api: Api) -> None:
    offer = {"type": "setMode", "mode": "acceptEdits", "destination": "session"}
    always = replace(YES, permission=PermissionAnswer(option="offer0"))
    assert await told(api, always, said("PermissionRequest", permission_suggestions=[offer])) == {
        "hookEventName": "PermissionRequest",
        "decision": {"behavior": "allow", "updatedPermissions": [offer]},
    }


@pytest.mark.usefixtures("asked")
async def test_where_nobody_sits_before_the_agent_the_first_answer_is_a_persons(api: Api) -> None:
    assert await told(api, YES, said("PreToolUse") | {"unattended": True}) == {
        "hookEventName": "PreToolUse",
        "permissionDecision": "allow",
        "permissionDecisionReason": "",
        "updatedInput": RISKY,
    }


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize(
    ("body", "how"),
    [
        (said("PostToolUse"), "went-on"),
        (said("PostToolUseFailure"), "went-on"),
        (said("Stop"), "ended"),
        (said("SessionEnd"), "ended"),
    ],
)
async def test_what_comes_later_takes_the_question_back(api: Api, body: dict[str, object], how: str) -> None:
    assert (await api.http.post(PATH, json=body)).text == ""
    finished = [AgentFinished(agent="claude-code")] if body == said("Stop") else []
    gone = taken_back(ID, AGENT_ID, how, shares=("", ""))
    assert api.behind.hub_api.requests == [gone, *finished]


@pytest.mark.parametrize("risk", Risk)
@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("body", [said("PostToolUse"), said("PostToolUse") | {"unattended": True}])
async def test_where_no_dialog_was_open_the_person_hears_of_what_went_on(
    api: Api, tmp_path: Path, body: dict[str, Any], risk: Risk, *, beside: bool
) -> None:
    card = asked_card()
    await api.behind.write(AddCard(card=replace(card, proposal=replace(card.proposal, risk=risk))))
    api.behind.hub_api.on(Withdraw, lambda _: AnswerReply(prediction=a_prediction(ID)))
    hooks = {"PermissionRequest": [{"hooks": [{"type": "command", "command": "cat o.json"}]}]} if beside else {}
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "settings.json").write_text(json.dumps({"hooks": hooks}))
    await api.http.post(PATH, json=body | {"input": body["input"] | {"cwd": str(tmp_path)}})
    told = [one for one in api.behind.hub_api.requests if isinstance(one, PutNotice)]
    assert bool(told) is (risk is not Risk.LOW and (beside or body.get("unattended", False)))
    assert {one.said.text for one in told} <= {"Claude says that it went on without your answer: rm -rf build"}
    assert {one.key for one in told} <= {f"went-on:{ID}"}


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize(
    "body",
    [
        said("PostToolUse", given={"command": "ls"}),
        said("PostToolUse", session_id="s2"),
        said("Notification", message="Claude needs your permission"),
        said("SessionStart", source="compact"),
        {**said("SessionStart", source="startup"), "unattended": True},
    ],
)
async def test_what_is_about_something_else_does_not(api: Api, body: dict[str, object]) -> None:
    assert (await api.http.post(PATH, json=body)).text == ""
    assert api.behind.hub_api.requests == []


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"dialect": "klingon", "input": {}}, 404, "unknown-agent"),
        ({"dialect": "claude-code", "input": {"hook_event_name": "PermissionRequest"}}, 422, "unreadable-hook"),
        ({"dialect": "claude-code", "given": "not base64"}, 422, "invalid-body"),
        ({"dialect": "claude-code", "nonce": "x"}, 422, "invalid-body"),
    ],
)
async def test_what_is_no_hook_is_refused_with_the_reason(
    api: Api, body: dict[str, object], status: int, code: str
) -> None:
    reply = await api.http.post(PATH, json=body)
    assert reply.status_code == status
    assert problem(reply).code == code


@pytest.mark.parametrize(
    "body",
    [
        said("UserPromptSubmit", prompt="go on"),
        said("ElicitationResult", mcp_server_name="plans", action="decline"),
        *(said("SessionStart", source=one) for one in ("startup", "resume")),
    ],
)
async def test_who_writes_or_begins_a_session_sits_before_the_agent(api: Api, body: dict[str, object]) -> None:
    assert (await api.http.post(PATH, json=body)).text == ""
    assert api.behind.hub_api.requests == [AtAgent(asker=f"{AGENT_ID}#", agent="claude-code", session="s1")]


async def test_who_sits_there_counts_for_the_agent_whose_hook_says_so(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    api.behind.hub_api.on(Ask, lambda _: Refused(code="too-many-open", status=429, detail="No."))
    for share in ("7-70", "8-80"):
        monkeypatch.setattr("hub.io.api.hooks.share_of", lambda *_, share=share: share)
        for body in (said("UserPromptSubmit", prompt="go on"), FORM):
            await api.http.post(PATH, json=body)
    told, looked = (
        [one.asker for one in api.behind.hub_api.requests if isinstance(one, kind)] for kind in (AtAgent, LookAtAgent)
    )
    assert told == looked == [f"{AGENT_ID}#7-70", f"{AGENT_ID}#8-80"]


@pytest.mark.usefixtures("asked")
async def test_an_agent_that_cannot_ask_waits_before_the_tool(api: Api) -> None:
    tool = {"tool_name": "run_shell_command", "tool_input": RISKY}
    given = {"hook_event_name": "BeforeTool", "session_id": "s1", "cwd": "/home/me/shop", **tool}
    body = {"dialect": "gemini", "input": given}
    waiting = asyncio.create_task(api.http.post(PATH, json=body, headers={"Idempotency-Key": KEY}))
    await begin(api, waiting)
    await answer(api, replace(YES, verb=Verb.REJECT, reason="not now"), Status.REJECTED)
    assert (await waiting).json() == {"decision": "deny", "reason": "The user said no: not now"}


@pytest.mark.usefixtures("asked")
async def test_a_hook_that_waits_while_pulse_is_stopped_is_told_to_ask_again(api: Api) -> None:
    waiting = asyncio.create_task(api.http.post(PATH, json=said("PermissionRequest"), headers={"Idempotency-Key": KEY}))
    await begin(api, waiting)
    await api.running.close()
    reply = await waiting
    assert (reply.status_code, problem(reply).code) == (503, "stopping")


def as_given(raw: bytes, dialect: str = "claude-code") -> dict[str, object]:
    return {"dialect": dialect, "given": base64.b64encode(raw).decode()}


def before(command: str) -> bytes:
    return json.dumps(said("PreToolUse", given={"command": command})["input"]).encode()


DEEP = b'{"hook_event_name": "PreToolUse", "tool_name": "Bash", "x": ' + b"[" * 300 + b"]" * 300 + b"}"


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"[]",
        b"\x00\xff",
        before("git status")[:-4],
        DEEP,
        b'{"hook_event_name": "PostToolUse", "x": {"hook_event_name": "PreToolUse"}',
    ],
)
@pytest.mark.parametrize(
    ("dialect", "printed"),
    [
        ("claude-code", '"permissionDecision":"ask"'),
        ("cursor", '{"permission":"ask"}'),
        ("codex", '"permissionDecision":"deny"'),
        ("copilot", '{"behavior":"deny"'),
        ("gemini", '{"decision":"deny"'),
    ],
)
async def test_what_cannot_be_read_asks_before_a_tool(api: Api, raw: bytes, dialect: str, printed: str) -> None:
    reply = await api.http.post(PATH, json=as_given(raw, dialect))
    assert (reply.status_code, printed in reply.text) == (200, True)


BROKEN = (
    b"\xef\xbb\xbf" + before("rm -rf src"),
    before("rm -rf src # \ud83d"),
    before("rm -rf src").replace(b"src", b"s\xffc"),
    before("rm -rf src").replace(b'"/home/me/shop"', b"NaN"),
    before("rm -rf src").decode().encode("utf-16"),
)


async def test_a_tool_without_a_name_asks(api: Api) -> None:
    reply = await api.http.post(PATH, json=as_given(b'{"hook_event_name": "PreToolUse"}'))
    assert '"permissionDecision":"ask"' in reply.text


@pytest.mark.parametrize("raw", BROKEN)
async def test_what_a_shell_would_still_be_given_is_read_as_what_it_is(api: Api, raw: bytes) -> None:
    reply = await api.http.post(PATH, json=as_given(raw))
    held_as_no_folder_is_known = HELD.decode() if b'"cwd": NaN' in raw else ""
    assert (held_as_no_folder_is_known or "Pulse: it would delete something.") in reply.text


async def test_a_person_is_told_of_hooks_that_could_not_be_read(api: Api) -> None:
    def parts(answer: httpx.Response) -> dict[str, str]:
        return {one["name"]: one["detail"] for one in answer.json()["parts"] if one["status"] == "degraded"}

    assert "hooks" not in parts(await api.http.get("/api/v1/health"))
    for raw in (b"{", b'{"hook_event_name": "Stop"'):
        await api.http.post(PATH, json=as_given(raw))
    told = parts(await api.http.get("/api/v1/health"))["hooks"]
    assert told.startswith("2 could not be read, the last from Claude: ")


async def test_after_the_emergency_stop_what_cannot_be_read_is_refused(api: Api) -> None:
    api.behind.hub_api.shown = replace(a_status(), killed_by="emergency")
    assert STOPPED in (await api.http.post(PATH, json=as_given(b"{"))).text


@pytest.mark.parametrize(("dialect", "printed"), [("gemini", '"deny"'), ("copilot", '"deny"'), ("cursor", '"ask"')])
async def test_what_can_be_put_to_nobody_does_not_go_on(api: Api, dialect: str, printed: str) -> None:
    api.behind.hub_api.on(Ask, lambda _: Refused(code="too-many-open", status=429, detail="No."))
    reply = await api.http.post(PATH, json=as_given(RISKY_IN[dialect], dialect))
    assert (reply.status_code, printed in reply.text) == (200, True)


def about_to_delete(dialect: str, event: str, tool: str, *, unattended: bool = False) -> dict[str, object]:
    named = {"tool_name": tool, "tool_input": RISKY} if tool else RISKY
    given = {"hook_event_name": event, "session_id": "s1", "cwd": "/home/me/shop", **named}
    return {"dialect": dialect, "input": given, "unattended": unattended}


WAITED_FOR: list[tuple[dict[str, object], str]] = [
    (about_to_delete("claude-code", "PreToolUse", "Bash"), "ask"),
    (about_to_delete("claude-code", "PreToolUse", "Bash", unattended=True), "ask"),
    (about_to_delete("codex", "PreToolUse", "Bash", unattended=True), "deny"),
    (about_to_delete("gemini", "BeforeTool", "run_shell_command"), "deny"),
    (about_to_delete("copilot", "PermissionRequest", "bash"), "deny"),
    (about_to_delete("cursor", "beforeShellExecution", ""), "ask"),
    (about_to_delete("cursor", "beforeMCPExecution", "delete_all"), "ask"),
]
"""Each way in which an agent waits before a tool, and what it is told where nobody can be asked."""


def kinds_of_error(root: type[PulseError] = PulseError) -> Iterator[type[PulseError]]:
    """Yield every error that Pulse knows but the one that is answered by asking again, and those made another way."""
    if root is not StoppingError and root.__init__ is PulseError.__init__:
        yield root
    for kind in root.__subclasses__():
        yield from kinds_of_error(kind)


@pytest.mark.slow
@pytest.mark.parametrize(("body", "printed"), WAITED_FOR)
async def test_whatever_the_loop_answers_no_tool_goes_on_without_a_person(
    api: Api, body: dict[str, object], printed: str
) -> None:
    refused = Refused(code="too-many-open", status=429, detail="No.")
    for asked_for in (UseGrant, Ask):
        for answer in (refused, TimeoutError(), *(kind("No.") for kind in kinds_of_error())):
            api.behind.hub_api.on(Ask, lambda _: refused)
            api.behind.hub_api.on(asked_for, lambda _, answer=answer: answer)  # type: ignore[misc]  # bound here
            reply = await api.http.post(PATH, json=body)
            is_held = any(f'"{word}"' in reply.text for word in (printed, "deny"))  # no where a look is late
            assert (reply.status_code, is_held) == (200, True), (asked_for, answer)


@pytest.mark.slow
@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize(("body", "printed"), WAITED_FOR[1:])
async def test_silence_is_a_no_before_the_agent_stops_waiting(api: Api, body: dict[str, object], printed: str) -> None:
    reply = await api.http.post(PATH, json=body | {"waitS": 1}, headers={"Idempotency-Key": KEY})
    assert (reply.status_code, f'"{printed}"' in reply.text) == (200, True)
    (question,) = [one for one in api.behind.hub_api.requests if isinstance(one, Ask)]
    assert question.timeout_s == 1


async def test_who_waits_too_often_gets_no_tool_through(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hub.io.live.waiting.WAITING_MAX_PER_CLIENT", 0)
    for body, printed in WAITED_FOR:
        reply = await api.http.post(PATH, json=body)
        assert (reply.status_code, f'"{printed}"' in reply.text) == (200, True), body


@pytest.mark.usefixtures("asked")
async def test_a_question_that_was_taken_back_lets_no_tool_go_on(api: Api) -> None:
    body = about_to_delete("copilot", "PermissionRequest", "bash")
    waiting = asyncio.create_task(api.http.post(PATH, json=body, headers={"Idempotency-Key": KEY}))
    await begin(api, waiting)
    after = replace(asked_card(), status=Status.EXPIRED, version=2, settled_at=NOON)
    await api.behind.write(MoveCard(card=after, expect_version=1, expect_status=Status.PENDING))
    api.behind.feed.tell(PredictionSettled(prediction=a_prediction(ID, status=Status.EXPIRED)))
    assert (await waiting).json()["behavior"] == "deny"


RISKY_IN = {name: CONNECTIONS[name].sample_ask for name in ("gemini", "copilot", "cursor")}


@pytest.mark.parametrize("command", ["  ", "ls\0; rm -rf src"])
@pytest.mark.parametrize(("dialect", "tool"), [("gemini", "run_shell_command"), ("copilot", "bash")])
async def test_a_command_that_cannot_be_put_to_a_person_does_not_go_on(
    api: Api, dialect: str, tool: str, command: str
) -> None:
    event = DIALECTS[dialect].before
    raw = json.dumps({"hook_event_name": event, "cwd": "/w", "tool_name": tool, "tool_input": {"command": command}})
    reply = await api.http.post(PATH, json=as_given(raw.encode(), dialect))
    assert '"deny"' in reply.text
    assert not any(isinstance(one, Ask) for one in api.behind.hub_api.requests)


NOTIFICATION = "<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n</task-notification>"


async def put_down(api: Api, subagent: str) -> None:
    made = asked_card()
    assert made.permission is not None
    await api.behind.write(AddCard(card=replace(made, permission=replace(made.permission, subagent=subagent))))


def gone(how: str) -> list[object]:
    return [taken_back(ID, AGENT_ID, how, shares=("", ""))]


@pytest.mark.parametrize(
    "body",
    [
        said("Stop"),
        said("StopFailure", error="rate_limit"),
        said("UserPromptSubmit", prompt="go on"),
        said("UserPromptSubmit", prompt=NOTIFICATION),
        said("SubagentStop", agent_id="b2"),
        said("StopFailure", agent_id="b2", error="server_error"),
        said("PostToolUse"),
        said("PostToolUse", agent_id="b2"),
        said("PermissionDenied", reason="[Git Destructive]"),
    ],
)
async def test_what_a_subagent_asks_stays_open_while_others_end(api: Api, body: dict[str, object]) -> None:
    await put_down(api, "a1")
    assert (await api.http.post(PATH, json=body)).text == ""
    assert all(isinstance(one, AgentFinished | AtAgent) for one in api.behind.hub_api.requests)


@pytest.mark.parametrize(
    ("body", "how"),
    [
        (said("SubagentStop", agent_id="a1"), "ended"),
        (said("StopFailure", agent_id="a1", error="rate_limit"), "limit"),
        (said("StopFailure", agent_id="a1", error="billing_error"), "limit"),
        (said("StopFailure", agent_id="a1", error="server_error"), "failed"),
        (said("PermissionDenied", agent_id="a1", reason="[Git Destructive]"), "denied"),
        (said("SessionEnd"), "ended"),
    ],
)
async def test_what_a_subagent_asked_goes_with_it(api: Api, body: dict[str, object], how: str) -> None:
    """No person has done that, so nobody is taken to sit there, and it is no end of the agent's own turn."""
    await put_down(api, "a1")
    assert (await api.http.post(PATH, json=body)).text == ""
    assert api.behind.hub_api.requests == gone(how)


@pytest.mark.usefixtures("asked")
async def test_a_notification_takes_nothing_back_and_is_no_person(api: Api) -> None:
    for number in range(100):
        prompt = NOTIFICATION.replace("b1", f"b{number}")
        assert (await api.http.post(PATH, json=said("UserPromptSubmit", prompt=prompt))).text == ""
    assert api.behind.hub_api.requests == []


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize(("error", "how"), [("rate_limit", "limit"), ("overloaded", "failed")])
async def test_a_turn_that_fails_closes_its_cards_and_says_so(api: Api, error: str, how: str) -> None:
    assert (await api.http.post(PATH, json=said("StopFailure", error=error))).text == ""
    assert api.behind.hub_api.requests == [*gone(how), AgentFinished(agent="claude-code")]
