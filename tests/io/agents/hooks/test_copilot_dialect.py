"""What Copilot CLI says through its hooks, and what it is told."""

import json

import pytest

from hub.contract.permission import Act
from hub.io.agents.hooks.asking import first_word, request_of
from hub.io.agents.hooks.copilot import COPILOT, EVENTS
from hub.io.agents.hooks.step import At, HookStep, Unreadable, Word

BASE = {"session_id": "c-1", "cwd": "/home/me/shop", "timestamp": "2026-11-23T00:00:00Z"}
DELETES = {"command": "rm -rf build", "description": "Delete the build"}


def read(event: str = "PermissionRequest", tool: str = "Bash", given: object = None) -> HookStep:
    said = {**BASE, "hook_event_name": event, "tool_name": tool, "tool_input": DELETES if given is None else given}
    step = COPILOT.read(json.dumps(said).encode())
    assert isinstance(step, HookStep)
    return step


@pytest.mark.parametrize("event", EVENTS)
def test_every_event_is_known_by_its_place_in_the_work(event: str) -> None:
    assert (read(event).at, read(event).session, read(event).folder) == (EVENTS[event], "c-1", "/home/me/shop")


def test_a_request_for_leave_is_read_as_the_program_sends_it() -> None:
    raw = (
        b'{"hookName":"permissionRequest","sessionId":"2e1a2823-b897-47b9-b800-eb08425973a1",'
        b'"timestamp":1795535811810,"cwd":"/home/me/shop","toolName":"bash",'
        b'"toolInput":{"command":"rm -rf build"},"permissionSuggestions":[]}'
    )
    step = COPILOT.read(raw)
    assert isinstance(step, HookStep)
    assert (step.at, step.session[:8], step.folder, step.tool) == (At.BEFORE, "2e1a2823", "/home/me/shop", "bash")
    assert COPILOT.wanted(step).text == "rm -rf build"
    assert first_word(COPILOT, step, stopped=bool).says == "ask"
    assert json.loads(COPILOT.write(step, Word(says="allow")).text) == {"behavior": "allow"}


def test_before_a_tool_it_is_told_in_that_events_own_words() -> None:
    step = read("PreToolUse")
    assert json.loads(COPILOT.write(step, Word(says="allow")).text) == {"permissionDecision": "allow"}
    no = {"permissionDecision": "deny", "permissionDecisionReason": "Not now."}
    assert json.loads(COPILOT.write(step, Word(says="deny", reason="Not now.")).text) == no
    assert COPILOT.write(step, Word()).text == ""


def test_arguments_that_are_plain_text_are_shown() -> None:
    wanted = COPILOT.wanted(read("PreToolUse", "Edit", "*** Begin Patch"))
    assert (wanted.act, wanted.text) == (Act.OTHER, '{"input":"*** Begin Patch"}')


def test_what_is_no_hook_is_unreadable_and_what_is_new_is_passed_over() -> None:
    assert read("PreCompact").at is At.ELSE
    for raw in (b"", b"[]", b"{}", b'{"hook_event_name": "PermissionRequest"}'):
        assert isinstance(COPILOT.read(raw), Unreadable)


@pytest.mark.parametrize(
    ("tool", "given", "act", "text", "target"),
    [
        ("Bash", DELETES, Act.COMMAND, "rm -rf build", ""),
        ("bash", json.dumps(DELETES), Act.COMMAND, "rm -rf build", ""),
        ("create", {"path": "/a", "file_text": "x"}, Act.EDIT, "x", "/a"),
        ("Read", {"path": "/a"}, Act.READ, "", "/a"),
        ("web_fetch", {"url": "https://example.org"}, Act.FETCH, "", "https://example.org"),
        ("github-create_issue", {"title": "x"}, Act.OTHER, '{"title":"x"}', ""),
    ],
)
def test_a_tool_is_shown_as_what_it_would_do(tool: str, given: object, act: Act, text: str, target: str) -> None:
    wanted = COPILOT.wanted(read(tool=tool, given=given))
    assert (wanted.act, wanted.text, wanted.target, wanted.text_in) == (act, text, target, "")


def test_an_edit_is_shown_as_a_diff() -> None:
    wanted = COPILOT.wanted(read(tool="Edit", given={"path": "/a", "old_str": "one", "new_str": "two"}))
    assert wanted.target == "/a"
    assert {"-one", "+two"} <= set(wanted.text.splitlines())


DIFF = "\ndiff --git a/home/me/shop/a.txt b/home/me/shop/a.txt\n@@ -1,2 +1,2 @@\n-a\n+b\n \n"


@pytest.mark.parametrize(
    ("beside", "unknown"),
    [
        ({}, []),
        ({"new_str": "evil"}, ["new_str"]),
        ({"file_text": "evil", "old_string": "a"}, ["file_text", "old_string"]),
    ],
)
def test_a_change_is_read_by_its_diff_and_what_it_says_beside_is_unknown(
    beside: dict[str, str], unknown: list[str]
) -> None:
    """So Copilot 1.0.102 asks, for a file that it makes and for one that it changes."""
    step = read(tool="edit", given={"file_path": "/home/me/shop/a.txt", "diff": DIFF, **beside})
    asked = request_of(COPILOT, step, 60)
    assert asked is not None
    assert (asked.act, asked.target, asked.text) == (Act.EDIT, "/home/me/shop/a.txt", DIFF)
    assert [one.name for one in asked.unknown_fields] == unknown
    assert first_word(COPILOT, step, stopped=lambda: False).says == ("ask" if unknown else "none")


def test_a_file_that_is_written_shows_its_text_and_no_other_change_with_it() -> None:
    given = {"path": "/home/me/shop/a.txt", "file_text": "x", "new_str": "evil"}
    asked = request_of(COPILOT, read(tool="edit", given=given), 60)
    assert asked is not None
    assert (asked.text, [one.name for one in asked.unknown_fields]) == ("x", ["new_str"])


@pytest.mark.parametrize("tool", ["bash", "view", "report_intent", "task"])
def test_a_servers_tool_is_named_with_its_server(tool: str) -> None:
    """Copilot 1.0.102 says `SERVER/TOOL`, run with a server called `evil`."""
    raw = {"hookName": "permissionRequest", "sessionId": "s", "cwd": "/w", "toolName": f"evil/{tool}"}
    step = COPILOT.read(json.dumps({**raw, "toolInput": {"command": "rm -rf ~"}}).encode())
    assert isinstance(step, HookStep)
    assert (COPILOT.wanted(step).act, first_word(COPILOT, step, stopped=lambda: False).says) == (Act.OTHER, "ask")


def test_what_is_harmless_is_left_to_its_own_rules_and_the_rest_is_asked() -> None:
    assert first_word(COPILOT, read(given={"command": "git status"}), stopped=bool).says == "none"
    assert first_word(COPILOT, read(), stopped=bool).says == "ask"
    assert first_word(COPILOT, read(), stopped=lambda: True).says == "deny"


def test_an_answer_counts_in_the_place_of_its_dialog() -> None:
    assert json.loads(COPILOT.write(read(), Word(says="allow")).text) == {"behavior": "allow"}
    said = json.loads(COPILOT.write(read(), Word(says="deny", reason="not now")).text)
    assert said == {"behavior": "deny", "message": "not now"}


def test_without_an_answer_its_own_dialog_opens() -> None:
    assert COPILOT.write(read(), Word(says="ask", reason="it would delete")).text == ""
    assert COPILOT.write(read("Stop"), Word(says="deny", reason="no")).text == ""
