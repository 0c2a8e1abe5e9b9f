"""The door for agents' hooks where another program's hook stands beside Pulse's: a risky tool is held before it."""

import base64
import json
from pathlib import Path

from hub.cli.hook_client import HELD
from hub.contract.errors import BusyError
from hub.domain.requests import Ask, GrantUsed, Noted, PutNotice, Refused, UseGrant
from hub.domain.storage import AddCard
from hub.io.api.hooks import BESIDE_OTHERS
from tests.fakes.hub_api import a_status
from tests.io.api.running import Api
from tests.io.api.test_api_hooks import PATH, RISKY, YES, asked_card, said, told


def beside(folder: Path, event: str = "PermissionRequest") -> None:
    """Have a hook of the project stand beside Pulse's."""
    (folder / ".claude").mkdir()
    hook = {"type": "command", "command": "cat o.json"}
    (folder / ".claude" / "settings.json").write_text(json.dumps({"hooks": {event: [{"hooks": [hook]}]}}))


async def test_the_tool_is_held_before_it(api: Api, tmp_path: Path) -> None:
    beside(tmp_path)
    reply = await api.http.post(PATH, json=said("PreToolUse", cwd=str(tmp_path)))
    assert (reply.headers["Pulse-Exit"], reply.text) == ("2", HELD.decode())  # who does not ask again is told no
    harmless = said("PreToolUse", given={"command": "git status"}, cwd=str(tmp_path))
    assert (await api.http.post(PATH, json=harmless)).text == ""


async def test_the_card_names_it_and_silence_is_a_no(api: Api, tmp_path: Path) -> None:
    beside(tmp_path)
    api.behind.hub_api.on(Ask, lambda _: Refused(code="too-many-open", status=429, detail="No."))
    body = said("PreToolUse", cwd=str(tmp_path)) | {"unattended": True}
    reply = await api.http.post(PATH, json=body)
    assert reply.json()["hookSpecificOutput"]["permissionDecision"] == "deny"
    asked = next(one for one in api.behind.hub_api.requests if isinstance(one, Ask))
    assert asked.permission is not None
    assert [one.name for one in asked.permission.unknown_fields] == [str(tmp_path / ".claude" / "settings.json")]


async def test_a_yes_carries_what_was_shown(api: Api, tmp_path: Path) -> None:
    await api.behind.write(AddCard(card=asked_card()))
    printed = await told(api, YES, said("PreToolUse", cwd=str(tmp_path)) | {"unattended": True})
    assert isinstance(printed, dict)
    assert (printed["permissionDecision"], printed["updatedInput"]) == ("allow", RISKY)


async def test_where_nobody_sits_nothing_risky_goes_on_beside_a_hook_that_may_change_it(
    api: Api, tmp_path: Path
) -> None:
    beside(tmp_path, "PreToolUse")
    api.behind.hub_api.on(PutNotice, lambda _: Noted(status=a_status()))
    body = said("PreToolUse", cwd=str(tmp_path)) | {"unattended": True}
    printed = (await api.http.post(PATH, json=body)).json()["hookSpecificOutput"]
    assert printed["permissionDecision"] == "deny"
    path = tmp_path / ".claude" / "settings.json"
    assert f"{path} has another hook (PreToolUse: cat o.json)" in printed["permissionDecisionReason"]
    (notice,) = api.behind.hub_api.requests  # nobody is asked
    assert isinstance(notice, PutNotice)
    assert notice.said.text.startswith(f"Claude was refused a tool. {path} has another hook")
    assert notice.why.text == "It asked for: rm -rf build"
    harmless = said("PreToolUse", given={"command": "git status"}, cwd=str(tmp_path)) | {"unattended": True}
    assert (await api.http.post(PATH, json=harmless)).text == ""


async def test_nobody_who_cannot_be_told_keeps_it_from_being_refused(api: Api, tmp_path: Path) -> None:
    beside(tmp_path, "PreToolUse")
    api.behind.hub_api.on(PutNotice, lambda _: BusyError("Full."))
    body = said("PreToolUse", cwd=str(tmp_path)) | {"unattended": True}
    reply = await api.http.post(PATH, json=body)
    assert reply.json()["hookSpecificOutput"]["permissionDecision"] == "deny"


async def test_at_a_terminal_no_permission_lets_it_go_on_unseen_and_claude_asks(api: Api, tmp_path: Path) -> None:
    beside(tmp_path, "PreToolUse")
    api.behind.hub_api.on(UseGrant, lambda _: GrantUsed(summary="everything"))
    reply = await api.http.post(PATH, json=said("PreToolUse", cwd=str(tmp_path)))
    assert reply.json()["hookSpecificOutput"]["permissionDecision"] == "ask"
    plain = await api.http.post(PATH, json=said("PreToolUse", cwd="/home/me/shop"))
    assert plain.json()["hookSpecificOutput"]["permissionDecision"] == "allow"


async def test_what_cannot_be_read_is_refused(api: Api, tmp_path: Path) -> None:
    beside(tmp_path)
    project = base64.b64encode(str(tmp_path).encode()).decode()
    body = {"dialect": "claude-code", "given": base64.b64encode(b"{").decode(), "project": project}
    reply = await api.http.post(PATH, json=body)
    assert reply.json()["hookSpecificOutput"]["permissionDecision"] == "deny"


HOOK = {"type": "command", "command": "cat o.json"}


def of(dialect: str, event: str, folder: Path, **more: object) -> dict[str, object]:
    return said(event, cwd=str(folder)) | {"dialect": dialect, **more}


async def test_what_nobody_answered_is_left_to_no_other_hook_of_codex(api: Api, tmp_path: Path) -> None:
    unshowable = of("codex", "PermissionRequest", tmp_path, shortened=True)
    assert (await api.http.post(PATH, json=unshowable)).text == ""
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".codex" / "hooks.json").write_text(json.dumps({"hooks": {"PermissionRequest": [{"hooks": [HOOK]}]}}))
    api.behind.hub_api.on(Ask, lambda _: Refused(code="too-many-open", status=429, detail="No."))
    for body in (unshowable, of("codex", "PermissionRequest", tmp_path)):
        reply = await api.http.post(PATH, json=body)
        assert reply.json()["hookSpecificOutput"]["decision"] == {"behavior": "deny", "message": BESIDE_OTHERS}


async def test_beside_others_copilot_asks_before_the_tool(api: Api, tmp_path: Path) -> None:
    before = of("copilot", "PreToolUse", tmp_path)
    assert (await api.http.post(PATH, json=before)).text == ""
    (tmp_path / ".github" / "hooks").mkdir(parents=True)
    (tmp_path / ".github" / "hooks" / "ci.json").write_text(json.dumps({"hooks": {"permissionRequest": [HOOK]}}))
    api.behind.hub_api.on(Ask, lambda _: Refused(code="too-many-open", status=429, detail="No."))
    assert (await api.http.post(PATH, json=before)).json()["permissionDecision"] == "deny"
    asked = next(one for one in api.behind.hub_api.requests if isinstance(one, Ask))
    assert asked.permission is not None
    assert [one.name for one in asked.permission.unknown_fields] == [str(tmp_path / ".github" / "hooks" / "ci.json")]
    harmless = said("PreToolUse", given={"command": "git status"}, cwd=str(tmp_path)) | {"dialect": "copilot"}
    assert (await api.http.post(PATH, json=harmless)).text == ""
