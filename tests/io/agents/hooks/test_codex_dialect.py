"""What Codex says through its hooks, and what it is told: yes or no where it asks for leave, and nothing else."""

import json

import pytest

from hub.contract.permission import FILES_MAX, Act
from hub.io.agents.hooks.asking import request_of
from hub.io.agents.hooks.codex import CODEX
from hub.io.agents.hooks.step import At, HookStep, Unreadable, Word
from hub.loop.permissions import permission_of, title_of

BASE = {"session_id": "s1", "turn_id": "t1", "cwd": "/home/me/shop", "model": "gpt-5.4", "permission_mode": "default"}
ADD = "*** Begin Patch\n*** Add File: hello.txt\n+hi\n*** End Patch"
TWO = "*** Begin Patch\n*** Update File: a.py\n+hi\n*** Update File: ../../.bashrc\n+hi\n*** End Patch"


def read(event: str = "PermissionRequest", tool: str = "Bash", given: object = None) -> HookStep:
    given = {"command": "touch x"} if given is None else given
    said = {**BASE, "hook_event_name": event, "tool_name": tool, "tool_input": given}
    step = CODEX.read(json.dumps(said).encode())
    assert isinstance(step, HookStep)
    return step


@pytest.mark.parametrize(
    ("event", "at"),
    [
        ("PermissionRequest", At.LEAVE),
        ("PreToolUse", At.BEFORE),
        ("PostToolUse", At.AFTER),
        ("UserPromptSubmit", At.PROMPT),
        ("SessionStart", At.BEGIN),
        ("Stop", At.TURN_END),
        ("SubagentStart", At.ELSE),
    ],
)
def test_every_event_is_known_by_its_place_in_the_work(event: str, at: At) -> None:
    assert read(event).at is at


@pytest.mark.parametrize("raw", [b"", b"\xff\xfe", b"[]", b"{}", b'{"hook_event_name": "PermissionRequest"}'])
def test_what_is_no_hook_is_unreadable(raw: bytes) -> None:
    assert isinstance(CODEX.read(raw), Unreadable)


@pytest.mark.parametrize(
    ("tool", "given", "act", "text", "target"),
    [
        ("Bash", {"command": "rm -rf build", "description": "Tidy up"}, Act.COMMAND, "rm -rf build", ""),
        ("apply_patch", {"command": ADD}, Act.EDIT, ADD, "/home/me/shop/hello.txt"),
        ("apply_patch", {"command": TWO}, Act.EDIT, TWO, "/home/me/shop/../../.bashrc"),
        ("apply_patch", {"command": ADD.replace("Add", "Delete")}, Act.EDIT, None, "/home/me/shop/hello.txt"),
        ("apply_patch", {"command": "*** Begin Patch\n*** End Patch"}, Act.OTHER, None, ""),
        ("apply_patch", {"command": ADD.replace("hello.txt", "/etc/passwd")}, Act.EDIT, None, "/etc/passwd"),
        ("apply_patch", {}, Act.OTHER, "", ""),
        ("mcp__shop__buy", {"what": "a"}, Act.OTHER, '{"what":"a"}', ""),
    ],
)
def test_a_tool_is_shown_as_what_it_would_do(
    tool: str, given: dict[str, object], act: Act, text: str | None, target: str
) -> None:
    wanted = CODEX.wanted(read(tool=tool, given=given))
    assert (wanted.act, wanted.target, wanted.text_in) == (act, target, "")
    assert text is None or wanted.text == text


def test_a_card_of_it_can_neither_be_edited_nor_given_lasting_leave() -> None:
    said = {**BASE, "hook_event_name": "PermissionRequest", "tool_name": "Bash", "tool_input": {"command": "ls"}}
    offer = {"type": "setMode", "mode": "acceptEdits", "destination": "session"}
    step = CODEX.read(json.dumps({**said, "permission_suggestions": [offer]}).encode())
    assert isinstance(step, HookStep)
    request = request_of(CODEX, step, 60)
    assert request is not None
    assert (request.editable, request.options) == (False, ())


def test_it_is_told_yes_or_no_where_it_asks_for_leave() -> None:
    yes = json.loads(CODEX.write(read(), Word(says="allow", input={"command": "ls"}, echoes=({"a": 1},))).text)
    assert yes["hookSpecificOutput"] == {"hookEventName": "PermissionRequest", "decision": {"behavior": "allow"}}
    no = json.loads(CODEX.write(read(), Word(says="deny", reason="Not now")).text)
    assert no["hookSpecificOutput"]["decision"] == {"behavior": "deny", "message": "Not now"}


@pytest.mark.parametrize(
    ("event", "says", "told"),
    [
        ("PreToolUse", "ask", False),
        ("PreToolUse", "allow", False),
        ("PreToolUse", "deny", True),
        ("Stop", "deny", False),
    ],
)
def test_it_is_told_nothing_that_it_does_not_take(event: str, says: str, told: bool) -> None:  # noqa: FBT001  a table
    word = Word(says=says)  # type: ignore[arg-type]  # one of its words
    assert bool(CODEX.write(read(event), word).text) is told


HOOK = "/home/me/shop/.git/hooks/pre-commit"


BLANKS = ("  ", "\t", "\u00a0", "\u2003", "\u2028", "\u3000", "\x0b", "\x85", "\r")


@pytest.mark.parametrize(
    "head",
    ["*** Add File: ", "*** Update File: a\n*** Move to: ", *(f"{blank}*** Add File: " for blank in BLANKS)],
)
def test_a_patch_of_several_files_is_judged_by_the_riskiest_and_names_all(head: str) -> None:
    patch = f"*** Begin Patch\n*** Update File: src/a.py\n@@\n+x\n{head}.git/hooks/pre-commit\n+x\n*** End Patch"
    wanted = CODEX.wanted(read(tool="apply_patch", given={"command": patch}))
    assert (wanted.act, wanted.target, wanted.text) == (Act.EDIT, HOOK, patch)
    assert wanted.others[0] == "/home/me/shop/src/a.py"
    request = request_of(CODEX, read(tool="apply_patch", given={"command": patch}), 600)
    assert request is not None
    assert title_of(permission_of(request)).startswith(f"Change {HOOK}, /home/me/shop/src/a.py")


def test_a_patch_of_more_files_than_can_be_named_is_not_understood() -> None:
    patch = "\n".join(f"*** Add File: a{number}" for number in range(FILES_MAX + 1))
    assert CODEX.wanted(read(tool="apply_patch", given={"command": patch})).act is Act.OTHER
