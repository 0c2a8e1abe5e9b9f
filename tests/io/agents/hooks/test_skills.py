"""A skill or slash command is judged by what its file has Claude run, of which no hook is told."""

import json
from pathlib import Path

import pytest

from hub.contract.permission import Act, CallField, PermissionRequest
from hub.domain.mind import Mind
from hub.io.agents.hooks.around import FILE_BYTES_MAX, SKILLS_MAX, with_files_around
from hub.io.agents.hooks.asking import about_to, first_word, request_of
from hub.io.agents.hooks.claude_code import CLAUDE_CODE
from hub.io.agents.hooks.step import HookStep
from hub.loop.permissions import permission_of, read_permission
from hub.may import patterns_for

PLAIN = "---\nname: tidy\ndescription: Tidy up\n---\nRemove what is left over.\n"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    shop = tmp_path / "home" / "shop"
    shop.mkdir(parents=True)
    return shop


def put(folder: Path, text: str, name: str = "skills/tidy/SKILL.md") -> Path:
    path = folder / ".claude" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


async def step_in(folder: Path, given: dict[str, object] | None = None, tool: str = "Skill") -> HookStep:
    said = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": str(folder), "tool_name": tool}
    more = {"tool_input": given or {"skill": "tidy"}, "permission_mode": "bypassPermissions"}
    step = CLAUDE_CODE.read(json.dumps({**said, **more}).encode())
    assert isinstance(step, HookStep)
    return await with_files_around(step, home=str(folder.parent))


async def says(folder: Path, given: dict[str, object] | None = None, tool: str = "Skill") -> tuple[str, str]:
    word = first_word(CLAUDE_CODE, await step_in(folder, given, tool), stopped=lambda: False)
    return word.says, word.reason


async def asked(folder: Path, given: dict[str, object] | None = None) -> PermissionRequest:
    found = request_of(CLAUDE_CODE, await step_in(folder, given), 600)
    assert found is not None
    return found


async def test_a_skill_that_runs_nothing_asks_nothing_wherever_it_lies(shop: Path) -> None:
    put(shop, PLAIN)
    assert await says(shop) == ("none", "")
    assert await says(shop, {"skill": "tidy", "args": "all of it"}) == ("none", "")
    (shop / "src").mkdir()
    assert await says(shop / "src") == ("none", "")
    put(shop.parent, PLAIN.replace("tidy", "mine"), "skills/mine/SKILL.md")
    assert await says(shop, {"skill": "mine"}) == ("none", "")
    put(shop, "Say what changed.\n", "commands/changes.md")
    assert await says(shop, {"command": "/changes since May"}, "SlashCommand") == ("none", "")


async def test_what_is_not_found_asks_and_nothing_is_granted_for_it(shop: Path) -> None:
    assert (await says(shop))[0] == "ask"
    put(shop, "Tidy up.", "skills/ti\u0308dy/SKILL.md")
    for name in ("plugin:tidy", "t\u00efdy", "ti\u0308dy", "../tidy", ""):
        assert (await says(shop, {"skill": name}))[0] == "ask", name
    request = await asked(shop)
    assert CallField(name="skill file", value='"not found"') in request.settings
    assert patterns_for(permission_of(request)) == ()


@pytest.mark.parametrize(
    "body",
    [
        "State: !`rm -rf b1`\n",
        "```!\nrm -rf b1\n```\n",
        "!`git status` and !`rm -rf b1`\n",
        "x !`rm -rf b1",
        "!$ARGUMENTS`rm -rf b1`\n",
        "!${CLAUDE_SKILL_DIR}`rm -rf b1`\n",
        "```$x!\nrm -rf b1\n```\n",
    ],
)
async def test_what_it_runs_is_the_cards_text_and_is_judged(shop: Path, body: str) -> None:
    path = put(shop, PLAIN + body)
    assert await says(shop) == ("ask", "Pulse: it would delete something.")
    request = await asked(shop)
    assert (request.act, "rm -rf b1" in request.text) == (Act.COMMAND, True)
    assert CallField(name="skill file", value=f'"{path}"') in request.settings
    assert CallField(name="skill", value='"tidy"') in request.settings
    assert patterns_for(permission_of(request)) == ()
    about = about_to(CLAUDE_CODE, await step_in(shop))
    assert about is not None
    assert patterns_for(about) == ()


async def test_hooks_of_its_own_are_shown_with_their_commands(shop: Path) -> None:
    hooks = (
        'hooks:\n  PreToolUse:\n    - matcher: "*"\n      hooks:\n        - type: command\n          command: rm -rf b2'
    )
    put(shop, PLAIN.replace("---\nRem", f"{hooks}\n---\nRem"))
    assert await says(shop) == ("ask", "Pulse: it would delete something.")
    request = await asked(shop)
    assert request.text == "rm -rf b2"
    assert [one.name for one in request.unknown_fields] == ["hooks"]


@pytest.mark.parametrize(
    "head",
    [
        "allowed-tools: Bash(rm:*)",
        '"allowed-tools": Bash(rm:*)',
        "name: tidy\nallowed-tools:\n- Bash",
        "  name: tidy\n  hooks: x",
        "{name: tidy, hooks: x}",
        "name: tidy\rhooks: x",
        "name: tidy\u2028hooks: x",
        "<<: x",
        "name: a---\nhooks: x",
        "shell: powershell",
        "name: tidy\n---\u00a0\nhooks: x",
        "name: tidy\n---more\nhooks: x",
    ],
)
async def test_what_else_stands_at_its_top_asks_and_is_shown(shop: Path, head: str) -> None:
    put(shop, f"---\n{head}\n---\nDo it.\n")
    assert (await says(shop))[0] == "ask"
    assert (await asked(shop)).unknown_fields


@pytest.mark.parametrize("args", ["!`rm -rf b1`", "!", "`rm -rf b1`", "@.env", "@~/.ssh/id_rsa"])
async def test_what_the_model_adds_to_it_can_run_and_read_as_well(shop: Path, args: str) -> None:
    put(shop, f"{PLAIN}$ARGUMENTS\n")
    assert (await says(shop, {"skill": "tidy", "args": args}))[0] == "ask"
    put(shop, "$ARGUMENTS\n", "commands/do.md")
    assert (await says(shop, {"command": f"/do {args}"}, "SlashCommand"))[0] == "ask"


async def test_of_several_of_one_name_each_counts(shop: Path) -> None:
    put(shop.parent, PLAIN)
    other = put(shop / "part", f"{PLAIN}!`rm -rf b1`\n")
    assert (await says(shop))[0] == "ask"
    other.unlink()
    assert (await says(shop))[0] == "none"
    put(shop, f"{PLAIN}!`rm -rf b1`\n", "skills/other/SKILL.md")
    assert (await says(shop))[0] == "ask"
    put(shop, f"---\nname: oth\n---\n{PLAIN}!`rm -rf b1`\n", "skills/other/SKILL.md")
    put(shop, "!`rm -rf b1`\n", "commands/deep/tidy.md")
    assert (await says(shop))[0] == "ask"


async def test_what_nobody_can_read_whole_counts_as_not_found(shop: Path) -> None:
    put(shop, PLAIN + "x" * FILE_BYTES_MAX)
    assert (await says(shop))[0] == "ask"
    put(shop, PLAIN)
    for number in range(SKILLS_MAX):
        put(shop, PLAIN, f"skills/s{number}/SKILL.md")
    assert (await says(shop))[0] == "ask"


async def test_hooks_too_long_for_a_card_are_left_to_the_agents_own_dialog(shop: Path) -> None:
    put(shop, f"---\nhooks: {{a: {'x' * 500}}}\n---\nDo it.\n")
    step = await step_in(shop)
    assert first_word(CLAUDE_CODE, step, stopped=lambda: False).says == "ask"
    assert request_of(CLAUDE_CODE, step, 600) is None


HELPER = "---\nname: helper\ndescription: helps\ntools: Read, Grep\nmodel: haiku\n---\nHelp with !`ls`.\n"


async def test_a_helper_of_the_project_asks_nothing_where_it_brings_nothing_along(shop: Path) -> None:
    put(shop, HELPER, "agents/helper.md")
    for kind in ("helper", "Explore", "general-purpose"):
        assert await says(shop, {"prompt": "x", "subagent_type": kind}, "Agent") == ("none", "")
    assert await says(shop, {"prompt": "x"}, "Task") == ("none", "")


@pytest.mark.parametrize(
    "brings", ["skills: tidy", "hooks:\n  Stop: []", "mcpServers: [x]", "permissionMode: bypassPermissions"]
)
async def test_one_that_brings_skills_or_hooks_along_asks_and_shows_them(shop: Path, brings: str) -> None:
    put(shop, HELPER.replace("model: haiku", brings), "agents/helper.md")
    given: dict[str, object] = {"prompt": "x", "subagent_type": "helper"}
    assert (await says(shop, given, "Agent"))[0] == "ask"
    request = request_of(CLAUDE_CODE, await step_in(shop, given, "Agent"), 600)
    assert request is not None
    assert [one.name for one in request.unknown_fields] == [brings.partition(":")[0]]
    assert patterns_for(permission_of(request)) == ()
    put(shop, HELPER.replace("model: haiku", brings).replace("helper", "general-purpose"), "agents/helper.md")
    assert (await says(shop, {"prompt": "x"}, "Task"))[0] == "ask"


async def test_what_lies_below_the_folder_keeps_nobody_from_starting_a_helper(shop: Path) -> None:
    put(shop / "part", HELPER + "x" * FILE_BYTES_MAX, "agents/other.md")
    assert (await says(shop, {"prompt": "x"}, "Agent"))[0] == "none"


async def test_where_not_all_helpers_can_be_read_each_asks(shop: Path) -> None:
    put(shop, HELPER + "x" * FILE_BYTES_MAX, "agents/other.md")
    assert (await says(shop, {"prompt": "x", "subagent_type": "helper"}, "Agent"))[0] == "ask"


async def test_a_file_that_only_mentions_a_skill_does_not_stand_for_it(shop: Path) -> None:
    put(shop, "---\nname: decoy\ndescription: like tidy\n---\nSay hello.\n", "skills/decoy/SKILL.md")
    assert (await says(shop))[0] == "ask"


@pytest.mark.parametrize("name", ["bad", "b_ad", "B ad", "ba-d", "BAD"])
async def test_a_helper_is_judged_by_its_file_however_its_name_is_spelled(shop: Path, name: str) -> None:
    put(shop, "---\nname: bad\ndescription: Help\nskills: tidy\n---\nHelp.\n", "agents/bad.md")
    given: dict[str, object] = {"subagent_type": name, "prompt": "Go", "description": "go"}
    assert (await says(shop, given, "Agent"))[0] == "ask"


async def test_what_is_cut_of_a_field_counts_as_left_out(shop: Path) -> None:
    put(shop, PLAIN + '!`sh -c "$ARGUMENTS"`\n')
    request = await asked(shop, {"skill": "tidy", "args": "echo hello " * 60 + "; rm -rf ~/photos"})
    assert request.left_out > 0
    assert read_permission(permission_of(request), Mind(), "")[0].dialog_only
