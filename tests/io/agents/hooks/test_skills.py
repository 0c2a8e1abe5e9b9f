"""A skill or slash command is judged by what its file has Claude run, of which no hook is told."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.contract.effects import Effect
from hub.contract.permission import CALL_FIELDS_MAX, Act, CallField, PermissionRequest
from hub.contract.words import Risk
from hub.domain.mind import Mind
from hub.io.agents.hooks.around import FILE_BYTES_MAX, SKILLS_MAX, Began, with_files_around
from hub.io.agents.hooks.asking import about_to, first_word, request_of
from hub.io.agents.hooks.claude_code import CLAUDE_CODE
from hub.io.agents.hooks.ignored import GITIGNORE_BYTES_MAX
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


def only_now() -> float:
    """Say that the agent began after all that was written: what is read is what it goes by."""
    return float("inf")


async def step_in(
    folder: Path,
    given: dict[str, object] | None = None,
    tool: str = "Skill",
    *,
    began: Began = only_now,
    project: str = "",
    home: Path | None = None,
) -> HookStep:
    said = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": str(folder), "tool_name": tool}
    more = {"tool_input": given or {"skill": "tidy"}, "permission_mode": "bypassPermissions"}
    step = CLAUDE_CODE.read(json.dumps({**said, **more}).encode())
    assert isinstance(step, HookStep)
    return await with_files_around(replace(step, project=project), began, home=str(home or folder.parent))


async def says(
    folder: Path, given: dict[str, object] | None = None, tool: str = "Skill", *, began: Began = only_now
) -> tuple[str, str]:
    return word_for(await step_in(folder, given, tool, began=began))


def word_for(step: HookStep) -> tuple[str, str]:
    word = first_word(CLAUDE_CODE, step, stopped=lambda: False)
    return word.says, word.reason


async def asked(folder: Path, given: dict[str, object] | None = None, tool: str = "Skill") -> PermissionRequest:
    return card_for(await step_in(folder, given, tool))


def card_for(step: HookStep) -> PermissionRequest:
    found = request_of(CLAUDE_CODE, step, 600)
    assert found is not None
    return found


def files_on(request: PermissionRequest) -> list[str]:
    return [one.value.strip('"') for one in request.settings if one.name in {"skill file", "subagent file"}]


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


async def test_where_there_is_too_much_to_look_at_each_asks_and_the_card_says_so(shop: Path) -> None:
    for number in range(SKILLS_MAX + 1):
        put(shop, PLAIN, f"skills/s{number}/SKILL.md")
    assert (await says(shop, {"skill": "s1"}))[0] == "ask"
    request = await asked(shop, {"skill": "s1"})
    assert files_on(request) == ["too many files to look at"]
    assert read_permission(permission_of(request), Mind(), "")[0].dialog_only
    for number in range(SKILLS_MAX + 1):
        put(shop, HELPER, f"agents/s{number}.md")
    given: dict[str, object] = {"prompt": "x", "subagent_type": "Explore"}
    assert "(subagent file: too many files to look at)" in (await says(shop, given, "Agent"))[1]
    request = await asked(shop, given, "Agent")
    assert files_on(request) == ["too many files to look at"]
    assert read_permission(permission_of(request), Mind(), "")[0].dialog_only
    assert patterns_for(permission_of(request)) == ()


async def test_fields_that_are_too_many_for_a_card_count_as_left_out(shop: Path) -> None:
    for number in range(CALL_FIELDS_MAX):
        put(shop, PLAIN, f"commands/{number}/tidy.md")
    assert files_on(await asked(shop))[:1] != ["not found"]
    assert (await asked(shop)).left_out == 1


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


async def test_what_a_file_runs_counts_even_if_it_only_mentions_the_skill(shop: Path) -> None:
    put(shop, "---\nname: decoy\ndescription: like tidy\n---\n!`git status`\n", "skills/decoy/SKILL.md")
    request = await asked(shop)
    assert "git status" in request.text
    assert files_on(request)[-1] == "not found"
    assert read_permission(permission_of(request), Mind(), "")[1] is Risk.MEDIUM


async def test_a_command_or_skill_that_lies_deeper_has_another_name(shop: Path) -> None:
    put(shop, "Say hello.\n", "commands/deep/tidy.md")
    put(shop, "Say hello.\n", "skills/deep/tidy/SKILL.md")
    assert (await says(shop))[0] == "ask"


async def test_no_placeholder_hides_what_another_shows(shop: Path) -> None:
    put(shop, f"{PLAIN}!$x`rm -rf b1`\n!`$y`\n")
    assert "rm -rf b1" in (await asked(shop)).text


async def test_a_helper_that_no_file_here_defines_asks_unless_it_comes_with_claude(shop: Path) -> None:
    for kind in ("plugin:helper", "helper", "b\u00e4d"):
        given: dict[str, object] = {"prompt": "x", "subagent_type": kind}
        assert (await says(shop, given, "Agent"))[0] == "ask", kind
    request = await asked(shop, {"prompt": "x", "subagent_type": "helper"}, "Agent")
    assert files_on(request) == ["not found"]
    assert patterns_for(permission_of(request)) == ()
    for kind in ("Plan", "explore", "claude-code-guide", ""):
        assert (await says(shop, {"prompt": "x", "subagent_type": kind}, "Agent"))[0] == "none", kind


@pytest.mark.parametrize(
    ("name", "called"),
    [("tidy\n  up", "tidy up"), ("\uff22ad", "bad"), ("Expl\u2212ore", "Expl\u2212ore"), ("Explore", "EXPLORE")],
)
async def test_its_name_is_read_however_its_file_has_it(shop: Path, name: str, called: str) -> None:
    put(shop, f"---\nname: {name}\ndescription: Help\nskills: tidy\n---\nHelp.\n", "agents/some.md")
    request = await asked(shop, {"prompt": "x", "subagent_type": called}, "Agent")
    assert [one.name for one in request.unknown_fields] == ["skills"]


async def test_after_a_change_of_folder_the_sessions_own_project_counts_as_well(shop: Path) -> None:
    beside = shop.parent / "lib"
    beside.mkdir()
    put(shop, "---\nname: bad\nskills: tidy\n---\nHelp.\n", "agents/Explore.md")
    put(shop, f"{PLAIN}!`rm -rf b1`\n")
    put(beside, PLAIN)
    bad: dict[str, object] = {"prompt": "x", "subagent_type": "bad"}
    explore, tidy = dict(bad, subagent_type="Explore"), dict[str, object](skill="tidy")
    for given, tool in ((bad, "Agent"), (explore, "Agent"), (tidy, "Skill")):
        step = await step_in(beside, given, tool, project=str(shop))
        assert word_for(step)[0] == "ask", given
        assert str(shop) in files_on(card_for(step))[-1], given
    assert word_for(await step_in(beside, project=str(beside)))[0] == "none"
    assert word_for(await step_in(beside, project="relative"))[0] == "ask"
    put(shop / "part", PLAIN.replace("tidy", "part"), "skills/part/SKILL.md")
    (shop / "other").mkdir()
    part = await step_in(shop / "other", {"skill": "part"}, project=str(shop), home=shop.parent)
    assert word_for(part)[0] == "none"


async def test_a_file_that_cannot_be_read_whole_is_said_to_be_so_and_only_its_own_call_asks(shop: Path) -> None:
    put(shop, PLAIN)
    for kind, name in (("skills/big/SKILL.md", "big"), ("commands/big2.md", "big2")):
        path = put(shop, "!`git status`\n" + "x" * FILE_BYTES_MAX, kind)
        request = await asked(shop, {"skill": name})
        assert files_on(request) == [f"{path} (too large to read: 65 KB)"]
        assert request.left_out == len("!`git status`\n")
        shown, risk = read_permission(permission_of(request), Mind(), "")
        assert (shown.dialog_only, risk) == (True, Risk.MEDIUM)
    assert await says(shop) == ("none", "")


async def test_so_is_one_that_is_no_file_or_no_text(shop: Path) -> None:
    put(shop, PLAIN)
    no_text = put(shop, "", "skills/odd/SKILL.md")
    no_text.write_bytes(b"\xff\xfe")
    for name in ("pipe", "gone"):
        (shop / ".claude" / "skills" / name).mkdir()
    os.mkfifo(shop / ".claude" / "skills" / "pipe" / "SKILL.md")
    (shop / ".claude" / "skills" / "gone" / "SKILL.md").symlink_to(shop / "nowhere")
    for name, doubt in (("odd", "it is not UTF-8 text"), ("pipe", "it cannot be read"), ("gone", "it cannot be read")):
        request = await asked(shop, {"skill": name})
        assert files_on(request)[0].endswith(f"({doubt})")
        assert request.left_out == 1
        assert (await says(shop, {"skill": name}))[0] == "ask"
    assert await says(shop) == ("none", "")


async def test_a_helpers_file_that_is_too_large_asks_by_the_name_at_its_top(shop: Path) -> None:
    put(shop, HELPER.replace("helper", "Explore") + "x" * FILE_BYTES_MAX, "agents/other.md")
    assert (await says(shop, {"prompt": "x", "subagent_type": "Explore"}, "Agent"))[0] == "ask"
    assert (await says(shop, {"prompt": "x", "subagent_type": "Plan"}, "Agent"))[0] == "none"


PACKAGED = "node_modules/p"


def repository(shop: Path, ignores: str = "node_modules/\n") -> None:
    git(shop, "init", "-q")
    (shop / ".gitignore").write_text(ignores)


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=folder, check=True)


async def is_walked(shop: Path) -> bool:
    """Return True if a skill in a package counts beside the plain one of its name."""
    put(shop, PLAIN)
    put(shop / PACKAGED, f"{PLAIN}!`rm -rf b1`\n")
    return (await says(shop))[0] == "ask"


@pytest.mark.parametrize(
    "ignores", ["node_modules/\n", "dist\n/node_modules \n!.env.example\n", "!x\n**/node_modules\r\n", "node_modules\r"]
)
async def test_what_git_surely_ignores_is_not_walked(shop: Path, ignores: str) -> None:
    repository(shop, ignores)
    assert not await is_walked(shop)


@pytest.mark.parametrize(
    "ignores",
    [
        *("", "#node_modules\n", "node_modules\n!node_modules\n", "node_modules\n!n*/\n", "packages\n"),
        *("node_modules\r\r\n", "node_modules\r \n", "node_modules//\n", "**/node_modules//\n", "/node_modules//\n"),
        *("node_modules\n!NODE_MODULES\n", "node_modules\n!node_modules\0x\n"),
    ],
)
async def test_any_other_folder_of_packages_is(shop: Path, ignores: str) -> None:
    repository(shop, ignores)
    assert await is_walked(shop)


@pytest.mark.parametrize(
    "lines", ["\ufeff!node_modules\n", "!node_modules\n" + "#" * GITIGNORE_BYTES_MAX], ids=["byte order mark", "large"]
)
async def test_so_is_one_below_a_gitignore_that_cannot_be_read_plainly(shop: Path, lines: str) -> None:
    repository(shop)
    put(shop, PLAIN)
    put(shop / "part" / PACKAGED, f"{PLAIN}!`rm -rf b1`\n")
    assert (await says(shop))[0] == "none"
    (shop / "part" / ".gitignore").write_text(lines)
    assert (await says(shop))[0] == "ask"


@pytest.mark.parametrize("made", [Path.symlink_to, lambda path, _: os.mkfifo(path), lambda path, _: path.mkdir()])
async def test_so_is_one_that_a_link_or_what_is_no_file_names(shop: Path, made: Callable[[Path, Path], None]) -> None:
    repository(shop)
    assert not await is_walked(shop)
    (shop / ".gitignore").rename(shop / "names")
    made(shop / ".gitignore", shop / "names")
    assert await is_walked(shop)


@pytest.mark.parametrize("part", ["HEAD", "objects", "refs"])
async def test_so_is_one_around_which_git_finds_no_repository(shop: Path, part: str) -> None:
    repository(shop)
    assert not await is_walked(shop)
    (shop / ".git" / part).rename(shop / ".git" / "other")
    assert await is_walked(shop)


async def test_so_is_one_that_a_link_leads_to_out_of_the_repository(shop: Path) -> None:
    repository(shop)
    assert not await is_walked(shop)
    outside = shop.parent / "outside"
    put(outside, PLAIN)
    put(outside / PACKAGED, f"{PLAIN}!`rm -rf b1`\n")
    (shop / "linked").symlink_to(outside)
    assert (await says(shop / "linked"))[0] == "ask"


async def test_what_is_ignored_and_tracked_all_the_same_is_walked(shop: Path) -> None:
    repository(shop)
    assert not await is_walked(shop)
    git(shop, "add", "-f", PACKAGED)
    assert await is_walked(shop)


@pytest.mark.parametrize("written", [b"Node_Modules/p/x", b"sdir\0\0\0\0"], ids=["of another case", "as a folder"])
async def test_so_is_what_an_index_may_name_otherwise(shop: Path, written: bytes) -> None:
    repository(shop)
    (shop / "x").write_bytes(written)
    git(shop, "add", "x")
    assert not await is_walked(shop)
    index = shop / ".git" / "index"
    index.write_bytes(index.read_bytes() + written)
    assert await is_walked(shop)


async def test_outside_a_repository_and_in_one_within_another_nothing_is_ignored(shop: Path) -> None:
    (shop / ".gitignore").write_text("node_modules\n")
    assert await is_walked(shop)
    git(shop, "init", "-q")
    assert not await is_walked(shop)
    (shop / "part").mkdir()
    repository(shop / "part")
    put(shop / "part" / PACKAGED, f"{PLAIN}!`rm -rf b1`\n")
    assert (await says(shop))[0] == "ask"


@pytest.mark.parametrize(
    ("commands", "risk"),
    [
        (("echo '", "rm -rf b1 #'"), Risk.MEDIUM),
        (("x=echo", "$x rm -rf ~"), Risk.HIGH),
        (("echo '", "rm -rf ~ #'"), Risk.HIGH),
        (("cat <<E", "rm -rf b1", "E"), Risk.MEDIUM),
    ],
)
async def test_each_command_of_a_skill_is_read_alone(shop: Path, commands: tuple[str, ...], risk: Risk) -> None:
    put(shop, PLAIN + "".join(f"!`{one}`\n" for one in commands))
    assert await says(shop) == ("ask", "Pulse: it would delete something.")
    request = await asked(shop)
    assert all(one in json.loads(request.text)["commands"] for one in commands)
    shown, judged = read_permission(permission_of(request), Mind(), "")
    assert (judged, Effect.DELETES in shown.effects) == (risk, True)


async def test_a_file_written_since_the_agent_began_asks_and_the_card_says_so(shop: Path) -> None:
    path = put(shop, PLAIN)
    written_s = path.stat().st_ctime
    assert await says(shop, began=lambda: written_s) == ("none", "")
    for began, doubt in (
        (written_s - 1, "changed since Claude started: it may run what it read before"),
        (None, "it is unknown when Claude started: it may run what it read before"),
    ):
        step = await step_in(shop, began=lambda: began)  # noqa: B023  called before the next one
        assert word_for(step) == ("ask", f"Pulse: a person must check what it would run with (skill file: {doubt}).")
        assert files_on(card_for(step)) == [f"{path} ({doubt})"]
        assert read_permission(permission_of(card_for(step)), Mind(), "")[1] is Risk.MEDIUM


def next_tick(folder: Path) -> float:
    """Return the moment after all that was written so far, by the clock of the file system, which has steps."""
    clock = folder / "clock"
    clock.write_text("")
    before = clock.stat().st_ctime
    while (now := clock.stat().st_ctime) == before:
        clock.touch()
    return now


async def test_so_does_one_that_something_else_was_put_in_the_place_of(shop: Path) -> None:
    for name in ("a", "b"):
        put(shop / name, PLAIN)
        (shop / name / ".claude" / "skills" / "tidy").rename(shop / name / "tidy")
    (shop / "s").symlink_to("a")
    (shop / ".claude" / "skills").mkdir(parents=True)
    (shop / ".claude" / "skills" / "tidy").symlink_to("../../s/tidy")
    put(shop / "part", PLAIN.replace("tidy", "other"), "skills/other/SKILL.md")
    began_s = next_tick(shop)
    given: tuple[dict[str, object], ...] = ({"skill": "tidy"}, {"skill": "other"})
    for one in given:
        assert (await says(shop, one, began=lambda: began_s))[0] == "none"
    next_tick(shop)
    (shop / "s").unlink()
    (shop / "s").symlink_to("b")
    (shop / "part").rename(shop / "parts")
    for one in given:
        assert (await says(shop, one, began=lambda: began_s))[0] == "ask"


async def test_a_project_may_itself_lie_below_a_folder_of_settings(shop: Path) -> None:
    tree = shop / ".claude" / "worktrees" / "w"
    put(tree / "part", PLAIN)
    began_s = next_tick(shop)
    assert word_for(await step_in(tree, began=lambda: began_s, home=shop.parent)) == ("none", "")
    next_tick(shop)
    (tree / "part").rename(tree / "parts")
    assert word_for(await step_in(tree, began=lambda: began_s, home=shop.parent))[0] == "ask"


async def test_the_start_of_the_agent_is_asked_for_where_it_matters_alone(shop: Path) -> None:
    def never() -> float:
        raise AssertionError

    assert (await says(shop, {"command": "git status", "description": "Look"}, "Bash", began=never))[0] == "none"
