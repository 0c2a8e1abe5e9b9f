"""What holds for every agent's dialect: whatever it is sent, it is read or unreadable, and never an exception."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.contract.permission import Act
from hub.io.agents.hooks.asking import about_to, call_name, first_word, request_of
from hub.io.agents.hooks.codex import CODEX
from hub.io.agents.hooks.dialects import DIALECTS
from hub.io.agents.hooks.step import NAME_CHARS_MAX, At, Dialect, HookStep, Unreadable, Word

FIELDS = (
    *("hook_event_name", "event", "session_id", "conversation_id", "sessionID", "cwd", "folder", "workspace_roots"),
    *("tool_name", "toolName", "tool_input", "toolArgs", "command", "properties", "permission_suggestions", "message"),
)
EVENTS = (
    *("PreToolUse", "PermissionRequest", "BeforeTool", "beforeShellExecution", "beforeMCPExecution"),
    *("permission.asked", "question.asked", "Stop", "SessionStart", "OfALaterVersion"),
)
TOOLS = ("Bash", "Edit", "apply_patch", "run_shell_command", "replace", "AskUserQuestion", "ExitPlanMode", "Shell")
NAMES = ("command", "file_path", "path", "content", "old_string", "edits", "questions", "plan", "url", "metadata")
EVERY = pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)
junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=3),
    max_leaves=8,
)
said = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(FIELDS, junk)
    | {"hook_event_name": st.sampled_from(EVENTS) | junk, "event": st.sampled_from(EVENTS) | junk}
    | {"tool_name": st.sampled_from(TOOLS) | junk},
)


def all_of_it(dialect: Dialect, raw: bytes) -> HookStep | None:
    """Do with what was sent all that the hub does with it; return what was read."""
    step = dialect.read(raw)
    if isinstance(step, Unreadable):
        assert step.why
        return None
    assert max(len(step.session), len(step.tool), len(step.event)) <= NAME_CHARS_MAX
    first_word(dialect, step, stopped=bool)
    about_to(dialect, step)
    request_of(dialect, step, 60)
    assert call_name(step)
    for says in ("none", "allow", "ask", "deny"):
        text = dialect.write(step, Word(says=says, reason="…")).text
        assert not text or isinstance(json.loads(text), dict)
    return step


@EVERY
@pytest.mark.slow
@given(fields=said)
def test_fields_that_are_missing_or_of_another_kind_break_nothing(dialect: Dialect, fields: dict[str, Any]) -> None:
    all_of_it(dialect, json.dumps(fields).encode())


@EVERY
@pytest.mark.slow
@given(raw=st.binary(max_size=200))
def test_binary_is_unreadable(dialect: Dialect, raw: bytes) -> None:
    all_of_it(dialect, raw)


@EVERY
@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b"\xff\xfe\x00",
        b"\x00" * 64,
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"tool_name": "Bash"}',
    ],
)
def test_what_is_no_hook_is_unreadable(dialect: Dialect, raw: bytes) -> None:
    assert all_of_it(dialect, raw) is None


@EVERY
def test_an_event_of_a_later_version_is_passed_over(dialect: Dialect) -> None:
    fields = {"hook_event_name": "OfALaterVersion", "event": "of.a.later.version", "version": 99, "tool_name": "Bash"}
    step = all_of_it(dialect, json.dumps({**fields, "properties": {"id": "x"}}).encode())
    assert step is None or step.at is At.ELSE


@EVERY
def test_nothing_that_is_very_long_is_handed_on_whole(dialect: Dialect) -> None:
    long = "x" * 300_000
    fields = dict.fromkeys(FIELDS, long) | {"hook_event_name": "PermissionRequest", "tool_input": {"command": long}}
    step = all_of_it(dialect, json.dumps(fields).encode())
    asked = None if step is None else request_of(dialect, step, 60)
    assert asked is None or len(asked.text) < len(long)


def test_a_command_that_is_too_long_to_show_is_left_to_the_agents_own_dialog() -> None:
    said = {"hook_event_name": "PermissionRequest", "tool_name": "Bash", "tool_input": {"command": "ls " * 50_000}}
    step = CODEX.read(json.dumps(said).encode())
    assert isinstance(step, HookStep)
    assert CODEX.wanted(step).act is Act.COMMAND
    assert request_of(CODEX, step, 60) is None
