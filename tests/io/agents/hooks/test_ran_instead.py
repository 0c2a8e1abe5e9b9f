"""What an agent says that a tool was given is held against what was approved; what it adds by itself is no alarm."""

import json

import pytest

from hub.cli.hook_shorten import shorten
from hub.io.agents.hooks.claude_code import CLAUDE_CODE
from hub.io.agents.hooks.gemini import GEMINI
from hub.io.agents.hooks.ran_instead import DIFFERENCE_CHARS_MAX, RAN_CHARS_MAX, RanInstead, ran_instead
from hub.io.agents.hooks.step import Dialect, HookStep

BASH = {"command": "rm -rf build", "description": "Delete the build"}
WRITE = {"file_path": "/shop/a.txt", "content": "one\ntwo\nthree\n"}


def step(event: str, given: object, tool: str = "Bash", dialect: Dialect = CLAUDE_CODE) -> HookStep:
    said = {"hook_event_name": event, "session_id": "s1", "cwd": "/shop", "tool_name": tool, "tool_input": given}
    read = dialect.read(json.dumps(said).encode())
    assert isinstance(read, HookStep)
    return read


def other(before: object, after: object, tool: str = "Bash") -> RanInstead | None:
    return ran_instead(CLAUDE_CODE, step("PreToolUse", before, tool), step("PostToolUse", after, tool))


@pytest.mark.parametrize(
    ("tool", "before", "after", "text", "difference"),
    [
        ("Bash", BASH, BASH | {"command": "rm -rf build keep"}, "rm -rf build keep", "rm -rf build keep"),
        (
            "Bash",
            BASH,
            BASH | {"dangerouslyDisableSandbox": True},
            "rm -rf build",
            "dangerouslyDisableSandbox: true",
        ),
        ("Bash", BASH | {"timeout": 1}, BASH | {"timeout": True}, "rm -rf build", "timeout: true"),
        ("Read", {"file_path": "/a"}, {"file_path": "/etc/shadow"}, "Read /etc/shadow", "file_path: /etc/shadow"),
        ("mcp__x__run", {"dry_run": True}, {}, "Use mcp__x__run\n{}", "dry_run: ∅"),
        (
            "Write",
            WRITE,
            WRITE | {"content": "one\n2\nthree\n"},
            "Change /shop/a.txt\none\n2\nthree",
            "-two\n+2",
        ),
    ],
)
def test_each_field_that_differs_is_told(tool: str, before: object, after: object, text: str, difference: str) -> None:
    found = other(before, after, tool)
    assert found is not None
    assert (found.text.strip(), found.difference) == (text, difference)


@pytest.mark.parametrize(
    ("tool", "before", "after"),
    [
        ("Bash", BASH, dict(reversed(BASH.items()))),
        (
            "SendMessage",
            {
                "to": "x",
                "summary": "y",
                "message": "y",
                "type": "message",
                "recipient": "x",
                "recipient_kind": "name",
                "content": "y",
            },
            {"to": "x", "summary": "y", "message": "y"},
        ),
        ("AskUserQuestion", {"questions": []}, {"questions": [], "answers": {"a": "b"}}),
        ("ExitPlanMode", {"plan": "x", "planFilePath": "/p.md"}, {"plan": "x, as the person edited it"}),
    ],
)
def test_what_an_agent_changes_by_itself_is_no_difference(tool: str, before: object, after: object) -> None:
    assert other(before, after, tool) is None


def test_what_an_agent_leaves_out_after_a_tool_is_told_where_it_is_another() -> None:
    found = other(
        {"to": "x", "message": "y", "content": "y"}, {"to": "x", "message": "y", "content": "z"}, "SendMessage"
    )
    assert found is not None
    assert found.difference == "content: z"


def test_what_is_told_has_an_end() -> None:
    found = other(BASH, BASH | {"command": "x" * 100_000})
    assert found is not None
    assert (len(found.difference), len(found.text)) == (DIFFERENCE_CHARS_MAX, RAN_CHARS_MAX)


def test_gemini_tells_what_its_tool_was_given_as_well() -> None:
    tool = "run_shell_command"
    before, after = (
        step(event, {"command": command}, tool, GEMINI)
        for event, command in (("BeforeTool", "rm -rf build"), ("AfterTool", "rm -rf build keep"))
    )
    assert ran_instead(GEMINI, before, before) is None
    found = ran_instead(GEMINI, before, after)
    assert found is not None
    assert found.difference == "rm -rf build keep"


def cut(event: str, content: str, bytes_max: int) -> HookStep:
    said = {
        "hook_event_name": event,
        "session_id": "s1",
        "tool_name": "Write",
        "tool_input": WRITE | {"content": content},
    }
    read = CLAUDE_CODE.read(shorten(json.dumps(said).encode(), bytes_max))
    assert isinstance(read, HookStep)
    return HookStep(**{name: getattr(read, name) for name in read.__struct_fields__} | {"shortened": True})


def test_of_a_text_that_was_cut_what_is_left_and_how_long_it_was_are_held_against_each_other() -> None:
    whole = "x" * 50_000
    before = cut("PreToolUse", whole, 44_000)
    assert ran_instead(CLAUDE_CODE, before, cut("PostToolUse", whole, 44_000)) is None
    assert ran_instead(CLAUDE_CODE, before, cut("PostToolUse", whole, 5_000)) is None  # cut shorter
    assert ran_instead(CLAUDE_CODE, before, cut("PostToolUse", whole + "x", 44_000)) is not None
    assert ran_instead(CLAUDE_CODE, before, cut("PostToolUse", "y" + whole[1:], 44_000)) is not None
