"""Whether a path leads elsewhere is looked at beside the loop, and what hangs costs a few threads only."""

import asyncio
import json
import sys
import threading
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.contract.permission import Act, Permission
from hub.contract.words import Risk
from hub.domain.mind import Mind
from hub.domain.policy import Agent, Bounds
from hub.io.agents.acp.permission_request import call_of
from hub.io.agents.hooks.asking import files_named, first_word, request_of
from hub.io.agents.hooks.claude_code import CLAUDE_CODE
from hub.io.agents.hooks.links import LOOKS_MAX, LinkLooker, where_led
from hub.io.agents.hooks.step import HookStep
from hub.loop.permissions import permission_of, read_permission
from hub.may import judge_call
from tests.io.agents.agent_work import job


def deletes(folder: Path) -> Permission:
    return Permission(agent="claude-code", tool="Bash", act=Act.COMMAND, text="rm -rf build/x", folder=str(folder))


async def test_a_link_below_the_folder_leads_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "build").mkdir()
    assert not await LinkLooker().leads_elsewhere(deletes(tmp_path))
    (tmp_path / "build" / "x").symlink_to("/etc")
    assert await LinkLooker().leads_elsewhere(deletes(tmp_path))


async def test_a_file_system_that_hangs_holds_nobody_up(tmp_path: Path) -> None:
    answers = threading.Event()
    looker = LinkLooker(lambda _: not answers.wait(20), within_s=0.05)
    looks = [asyncio.create_task(looker.leads_elsewhere(deletes(tmp_path))) for _ in range(LOOKS_MAX)]
    await asyncio.sleep(0)
    assert await looker.leads_elsewhere(deletes(tmp_path))  # no more threads are spent on it
    assert await asyncio.gather(*looks) == [True] * LOOKS_MAX
    answers.set()


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A repository with links: to its own hooks, out of it, to a key, and to a folder of its own."""
    shop = tmp_path / "shop"
    for folder in (shop / ".git" / "hooks", shop / "src", tmp_path / ".ssh"):
        folder.mkdir(parents=True)
    (tmp_path / ".ssh" / "id_rsa").touch()
    (shop / "hooks").symlink_to(".git/hooks")
    (shop / "out").symlink_to("/srv/other")
    (shop / "notes.txt").symlink_to("../.ssh/id_rsa")
    (shop / "lib").symlink_to("src")
    (shop / "here").symlink_to(".")
    return shop


async def told_of(folder: Path, tool: str, given: dict[str, object], looker: LinkLooker) -> tuple[str, str]:
    said = {"hook_event_name": "PreToolUse", "cwd": str(folder), "tool_name": tool, "tool_input": given}
    step = CLAUDE_CODE.read(json.dumps({**said, "permission_mode": "bypassPermissions"}).encode())
    assert isinstance(step, HookStep)
    step = replace(step, led_to=await looker.led_to(*files_named(CLAUDE_CODE, step), step.folder))
    word = first_word(CLAUDE_CODE, step, stopped=lambda: False)
    return word.says, word.reason


@pytest.mark.parametrize(
    ("tool", "given", "why"),
    [
        ("Write", {"file_path": "hooks/pre-commit", "content": "x"}, "change permissions"),
        ("Write", {"file_path": "here/hooks/pre-commit", "content": "x"}, "change permissions"),
        ("Write", {"file_path": "out/a.py", "content": "x"}, "outside the project"),
        ("Read", {"file_path": "notes.txt"}, "a secret"),
        ("Grep", {"pattern": ".", "path": "notes.txt"}, "a secret"),
        ("mcp__fs__write_file", {"path": "hooks/pre-commit", "content": "x"}, "change permissions"),
        ("Bash", {"command": "echo x > hooks/pre-commit"}, "change permissions"),
        ("Bash", {"command": "cd hooks && echo x > pre-commit"}, "change permissions"),
        ("Bash", {"command": "cp src/a.py out/"}, "outside the project"),
        ("Bash", {"command": "sed -i s/a/b/ out/a.py"}, "outside the project"),
        ("Bash", {"command": "cat notes.txt"}, "a secret"),
    ],
)
async def test_what_links_lead_to_is_what_is_judged(shop: Path, tool: str, given: dict[str, object], why: str) -> None:
    says, reason = await told_of(shop, tool, given, LinkLooker())
    assert (says, why in reason) == ("ask", True), reason


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Write", {"file_path": "lib/a.py", "content": "x"}),
        ("Write", {"file_path": "new/a.py", "content": "x"}),
        ("Bash", {"command": "echo x > lib/a.py"}),
        ("Bash", {"command": "ls out hooks"}),
        ("Bash", {"command": ".venv/bin/python -m pytest -q > log.txt"}),
    ],
)
async def test_a_link_within_the_folder_and_a_look_ask_nothing(shop: Path, tool: str, given: dict[str, object]) -> None:
    (shop / ".venv" / "bin").mkdir(parents=True)
    (shop / ".venv" / "bin" / "python").symlink_to(sys.executable)
    (shop.parent / "linked").symlink_to(shop)
    for folder in (shop, shop.parent / "linked"):
        assert await told_of(folder, tool, given, LinkLooker()) == ("none", "")


@pytest.mark.parametrize("name", ["config", "hooks/post-checkout"])
async def test_a_folder_of_gits_by_another_name_is_one_of_gits(shop: Path, name: str) -> None:
    (shop / "fixture" / "objects").mkdir(parents=True)
    assert (await told_of(shop, "Write", {"file_path": f"fixture/{name}", "content": "x"}, LinkLooker()))[0] == "none"
    (shop / "fixture" / "HEAD").write_text("ref: refs/heads/main")
    says, reason = await told_of(shop, "Write", {"file_path": f"fixture/{name}", "content": "x"}, LinkLooker())
    assert (says, "change permissions" in reason) == ("ask", True)
    assert (await told_of(shop, "Bash", {"command": f"echo x > fixture/{name}"}, LinkLooker()))[0] == "ask"


async def test_many_looks_at_once_are_all_taken(shop: Path) -> None:
    looker = LinkLooker()
    given: dict[str, object] = {"file_path": "src/a.py", "content": "x"}
    told = await asyncio.gather(*(told_of(shop, "Write", given, looker) for _ in range(20 * LOOKS_MAX)))
    assert set(told) == {("none", "")}


async def test_what_nobody_could_look_up_in_time_asks(shop: Path) -> None:
    looker = LinkLooker(within_s=0.0)
    says, reason = await told_of(shop, "Write", {"file_path": "src/a.py", "content": "x"}, looker)
    assert (says, "could not check in time" in reason) == ("ask", True)


def test_a_card_names_where_a_link_leads(shop: Path) -> None:
    said = {"hook_event_name": "PermissionRequest", "cwd": str(shop), "tool_name": "Write", "session_id": "s"}
    step = CLAUDE_CODE.read(json.dumps({**said, "tool_input": {"file_path": "hooks/a", "content": "x"}}).encode())
    assert isinstance(step, HookStep)
    step = replace(step, led_to=where_led(*files_named(CLAUDE_CODE, step), step.folder))
    request = request_of(CLAUDE_CODE, step, 600)
    assert request is not None
    assert (request.target, request.other_files) == ("hooks/a", (str(shop / ".git" / "hooks" / "a"),))
    assert read_permission(permission_of(request), Mind(), "")[1] is Risk.HIGH


@pytest.mark.parametrize(
    ("link", "leads", "written"),
    [
        (".claude", "agents", "agents/settings.json"),
        (".claude/settings.json", "../base.json", "base.json"),
        (".git/hooks", "../scripts", "scripts/pre-commit"),
    ],
)
def test_the_file_that_settings_link_to_is_the_settings(shop: Path, link: str, leads: str, written: str) -> None:
    if link != ".claude":
        (shop / link).parent.mkdir(parents=True, exist_ok=True)
    if (shop / link).is_dir():
        (shop / link).rename(shop / "away")
    (shop / link).symlink_to(leads)
    said = {"hook_event_name": "PermissionRequest", "cwd": str(shop), "tool_name": "Write", "session_id": "s"}
    given = {"file_path": str(shop / written), "content": "{}"}
    step = CLAUDE_CODE.read(json.dumps({**said, "tool_input": given}).encode())
    assert isinstance(step, HookStep)
    step = replace(step, led_to=where_led(*files_named(CLAUDE_CODE, step), step.folder))
    request = request_of(CLAUDE_CODE, step, 600)
    assert request is not None
    assert read_permission(permission_of(request), Mind(), "")[1] is Risk.HIGH


def test_a_run_over_acp_is_held_to_where_links_lead(shop: Path) -> None:
    at_work = job(agent=Agent(name="coder", kind="acp", argv=("codex-acp",)), workspace=shop)
    for command in ("echo x > hooks/pre-commit", "cp src/a.py out/", "cat notes.txt"):
        call = call_of({"kind": "execute", "rawInput": {"command": command}}, at_work)
        assert judge_call(call, Bounds(), asks_all=False).says == "ask"
    (shop / "fixture" / "objects").mkdir(parents=True)
    (shop / "fixture" / "HEAD").touch()
    for given in ({"command": "echo x > fixture/config"}, {"file_path": "fixture/config", "content": "x"}):
        call = call_of({"kind": "edit", "rawInput": given}, at_work)
        assert judge_call(call, Bounds(), asks_all=False).says == "ask"
    call = call_of({"kind": "execute", "rawInput": {"command": "echo x > lib/a.py"}}, at_work)
    assert judge_call(call, Bounds(), asks_all=False).says == "let"


@pytest.mark.parametrize("name", ["x" * 5_000 + "/a.py", "a/" * 2_000 + "b"])
async def test_a_name_that_no_file_system_has_is_no_fault(shop: Path, name: str) -> None:
    says, _ = await told_of(shop, "Write", {"file_path": name, "content": "x"}, LinkLooker())
    assert says == "none"


def test_a_folder_that_nobody_can_look_into_is_not_looked_up(shop: Path) -> None:
    assert where_led(["/w/a"], ["/w/a"], f"{shop}\0") is None
