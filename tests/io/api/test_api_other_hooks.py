"""The door for agents' hooks where another program's hook stands beside Pulse's: a risky tool is held before it."""

import base64
import json
from pathlib import Path

from hub.cli.hook_client import HELD
from hub.domain.requests import Ask, Refused
from hub.domain.storage import AddCard
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
    beside(tmp_path, "PreToolUse")
    await api.behind.write(AddCard(card=asked_card()))
    printed = await told(api, YES, said("PreToolUse", cwd=str(tmp_path)) | {"unattended": True})
    assert isinstance(printed, dict)
    assert (printed["permissionDecision"], printed["updatedInput"]) == ("allow", RISKY)


async def test_what_cannot_be_read_is_refused(api: Api, tmp_path: Path) -> None:
    beside(tmp_path)
    project = base64.b64encode(str(tmp_path).encode()).decode()
    body = {"dialect": "claude-code", "given": base64.b64encode(b"{").decode(), "project": project}
    reply = await api.http.post(PATH, json=body)
    assert reply.json()["hookSpecificOutput"]["permissionDecision"] == "deny"
