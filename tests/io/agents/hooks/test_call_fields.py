"""Fields of a call that stand on the card beside its text: settings, unknown ones, another folder."""

import json

import pytest

from hub.contract.permission import CALL_FIELDS_MAX, FIELD_CHARS_MAX, CallField, PermissionRequest
from hub.io.agents.hooks.asking import about_to, first_word, request_of
from hub.io.agents.hooks.dialects import DIALECTS
from hub.io.agents.hooks.step import Dialect, HookStep

CLAUDE, GEMINI, COPILOT, CODEX = (DIALECTS[name] for name in ("claude-code", "gemini", "copilot", "codex"))


def step_of(dialect: Dialect, tool: str, given: dict[str, object]) -> HookStep:
    said = {"hook_event_name": dialect.before, "session_id": "s", "cwd": "/w/shop", "tool_name": tool}
    found = dialect.read(json.dumps({**said, "tool_input": given}).encode())
    assert isinstance(found, HookStep)
    return found


def asked(dialect: Dialect, tool: str, given: dict[str, object]) -> PermissionRequest:
    found = request_of(dialect, step_of(dialect, tool, given), 600)
    assert found is not None
    return found


def word(dialect: Dialect, tool: str, given: dict[str, object]) -> tuple[str, str]:
    said = first_word(dialect, step_of(dialect, tool, given), stopped=lambda: False)
    return said.says, said.reason


@pytest.mark.parametrize(
    ("dialect", "tool", "given", "settings"),
    [
        (CLAUDE, "Bash", {"command": "ls", "dangerouslyDisableSandbox": True}, {"dangerouslyDisableSandbox": "true"}),
        (CLAUDE, "Bash", {"command": "ls", "run_in_background": True}, {"run_in_background": "true"}),
        (CLAUDE, "Bash", {"command": "ls", "timeout": 5}, {"timeout": "5"}),
        (CLAUDE, "Edit", {"file_path": "/w/a", "old_string": "a", "new_string": "b", "replace_all": True}, None),
        (CLAUDE, "MultiEdit", {"file_path": "/w/a", "edits": [{"old_string": "a", "replace_all": True}]}, None),
        (CLAUDE, "NotebookEdit", {"notebook_path": "/w/a", "edit_mode": "delete"}, {"edit_mode": '"delete"'}),
        (CLAUDE, "ExitPlanMode", {"plan": "x", "allowedPrompts": [{"tool": "Bash"}]}, None),
        (CODEX, "Bash", {"command": "ls", "sandbox_permissions": "require_escalated"}, None),
        (COPILOT, "bash", {"command": "ls", "detach": True}, {"detach": "true"}),
        (GEMINI, "run_shell_command", {"command": "ls", "is_background": True}, {"is_background": "true"}),
        (GEMINI, "replace", {"file_path": "/w/a", "old_string": "a", "allow_multiple": True}, None),
    ],
)
def test_what_changes_how_a_call_runs_is_shown(
    dialect: Dialect, tool: str, given: dict[str, object], settings: dict[str, str] | None
) -> None:
    found = asked(dialect, tool, given)
    assert found.unknown_fields == ()
    assert len(found.settings) == 1
    if settings is not None:
        assert found.settings == tuple(CallField(name=name, value=value) for name, value in settings.items())


@pytest.mark.parametrize(
    ("dialect", "tool", "given", "name"),
    [
        (CLAUDE, "Bash", {"command": "ls", "env": {"LD_PRELOAD": "./x"}}, "env"),
        (CLAUDE, "Bash", {"command": "ls", "cwd": "/"}, "cwd"),
        (CLAUDE, "Edit", {"file_path": "/w/shop/a", "old_string": "a", "edits": [{"new_string": "b"}]}, "edits"),
        (CLAUDE, "MultiEdit", {"file_path": "/w/shop/a", "edits": [{"file_path": "/etc/x"}]}, "edits 1: file_path"),
        (CLAUDE, "Write", {"file_path": "/w/shop/a", "content": "x", "mode": "0777"}, "mode"),
        (GEMINI, "run_shell_command", {"command": "ls", "dir_path": ["/"]}, "dir_path"),
        (COPILOT, "bash", {"command": "ls", "": 1}, '""'),
        (CLAUDE, "Read", {"file_path": "/w/shop/a", "new": 1}, "new"),
        (CLAUDE, "Agent", {"prompt": "x", "cwd": "/"}, "cwd"),
        (COPILOT, "view", {"path": "a", "paths": ["/etc"]}, "paths"),
        (GEMINI, "glob", {"pattern": "*", "roots": ["/"]}, "roots"),
    ],
)
def test_an_unknown_field_is_shown_and_asked_about(
    dialect: Dialect, tool: str, given: dict[str, object], name: str
) -> None:
    assert [one.name for one in asked(dialect, tool, given).unknown_fields] == [name]
    says, why = word(dialect, tool, given)
    assert (says, name in why) == ("ask", True)
    permission = about_to(dialect, step_of(dialect, tool, given))
    assert permission is not None
    assert [one.name for one in permission.unknown_fields] == [name]


def test_leaving_the_sandbox_asks_and_an_ordinary_setting_does_not() -> None:
    assert word(CLAUDE, "Bash", {"command": "ls", "dangerouslyDisableSandbox": True})[0] == "ask"
    assert word(CLAUDE, "Bash", {"command": "ls", "dangerouslyDisableSandbox": False})[0] == "none"
    assert word(CLAUDE, "Bash", {"command": "ls", "timeout": 5, "description": "Look"})[0] == "none"
    assert word(CLAUDE, "Read", {"file_path": "/w/shop/a", "offset": 5})[0] == "none"


@pytest.mark.parametrize(
    ("dialect", "tool", "given", "folder"),
    [
        (GEMINI, "run_shell_command", {"command": "ls", "dir_path": "../other"}, "/w/other"),
        (GEMINI, "run_shell_command", {"command": "ls", "dir_path": "/etc"}, "/etc"),
        (CODEX, "Bash", {"command": "ls", "workdir": "sub"}, "/w/shop/sub"),
        (COPILOT, "bash", {"command": "ls"}, "/w/shop"),
    ],
)
def test_a_command_is_asked_about_in_the_folder_that_it_runs_in(
    dialect: Dialect, tool: str, given: dict[str, object], folder: str
) -> None:
    assert asked(dialect, tool, given).folder == folder
    permission = about_to(dialect, step_of(dialect, tool, given))
    assert permission is not None
    assert permission.folder == folder


def test_many_fields_and_long_values_are_cut_and_say_so() -> None:
    found = asked(CLAUDE, "Bash", {"command": "ls", **{f"x{number}": "y" * 1_000 for number in range(100)}})
    assert len(found.unknown_fields) == CALL_FIELDS_MAX
    assert found.unknown_fields[-1] == CallField(name="…", value=f"{100 - CALL_FIELDS_MAX + 1} more")
    assert "more characters" in found.unknown_fields[0].value
    assert len(found.unknown_fields[0].value) <= FIELD_CHARS_MAX


def test_a_file_that_an_editor_would_make_is_shown_whole() -> None:
    found = asked(COPILOT, "str_replace_editor", {"command": "create", "path": "/w/shop/a", "file_text": "all of it"})
    assert found.text == "all of it"
    assert found.settings == (CallField(name="command", value='"create"'),)


@pytest.mark.parametrize(
    ("dialect", "tool", "given", "name"),
    [
        (GEMINI, "run_shell_command", {"command": "ls", "dir_path": "a", "directory": "/etc"}, "directory"),
        (CODEX, "Bash", {"command": "ls", "workdir": "a", "cwd": "/etc"}, "cwd"),
        (COPILOT, "create", {"path": "a", "file_path": ".git/hooks/x", "file_text": "x"}, "file_path"),
        (COPILOT, "edit", {"path": "a", "old_str": "x", "file_text": "z"}, "old_str"),
    ],
)
def test_of_two_names_for_one_thing_the_second_is_unknown(
    dialect: Dialect, tool: str, given: dict[str, object], name: str
) -> None:
    assert [one.name for one in asked(dialect, tool, given).unknown_fields] == [name]
    assert word(dialect, tool, given)[0] == "ask"


def test_what_is_no_text_counts_as_said_as_well() -> None:
    given: dict[str, object] = {"path": ["a"], "file_path": "b", "file_text": "x"}
    assert [one.name for one in asked(COPILOT, "create", given).unknown_fields] == ["path", "file_path"]
    assert word(COPILOT, "create", given)[0] == "ask"


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)
def test_what_is_known_of_the_fields_of_each_tool_of_an_agents_own_is_said(dialect: Dialect) -> None:
    assert set(dialect.own_tools) <= set(dialect.fields)


@pytest.mark.parametrize(
    ("dialect", "given"),
    [
        (GEMINI, {"command": "touch a", "dir_path": "../other"}),
        (GEMINI, {"command": "npm test", "dir_path": "/home/anna/other"}),
        (CODEX, {"command": "touch a", "workdir": "/w"}),
        (CODEX, {"command": "git status", "shell": "./sh"}),
    ],
)
def test_what_a_call_does_beside_the_folder_or_by_a_shell_of_its_own_asks(
    dialect: Dialect, given: dict[str, object]
) -> None:
    tool = "run_shell_command" if dialect is GEMINI else "Bash"
    assert word(dialect, tool, given)[0] == "ask"


def test_a_look_beside_the_folder_and_an_ordinary_shell_ask_nothing() -> None:
    assert word(GEMINI, "run_shell_command", {"command": "ls", "dir_path": "../other"})[0] == "none"
    assert word(CODEX, "Bash", {"command": "ls", "workdir": "sub", "shell": "/bin/bash"})[0] == "none"
