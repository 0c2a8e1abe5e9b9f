"""Claude Code's permission prompts as a tool: the lines of the protocol, and what each answer becomes."""

import json
from typing import Any

import pytest

from hub.io.agents.hooks.asking import request_of
from hub.io.agents.hooks.claude_code import CLAUDE_CODE
from hub.io.agents.hooks.prompt_tool import NOBODY, PromptCall, answer, read_line, refusal
from hub.io.agents.hooks.step import At, HookStep, Word

GIVEN = {"command": "rm -rf build", "description": "Delete the build"}


def line(method: str, params: object = None, number: object = 7) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}).encode()


def a_call() -> PromptCall:
    arguments = {"tool_name": "Bash", "input": GIVEN, "tool_use_id": "toolu_1"}
    found = read_line(line("tools/call", {"name": "approve", "arguments": arguments}), "/home/me/shop", "s")
    assert isinstance(found, PromptCall)
    return found


def result_of(raw: bytes | PromptCall | None) -> dict[str, Any]:
    assert isinstance(raw, bytes)
    said = json.loads(raw)
    assert said["id"] == 7
    return dict(said["result"])


def said_in(raw: bytes) -> dict[str, Any]:
    (block,) = result_of(raw)["content"]
    assert block["type"] == "text"
    return dict(json.loads(block["text"]))


def test_what_it_asks_cannot_be_changed_for_no_word_of_that_would_reach_the_model() -> None:
    step = CLAUDE_CODE.read(a_call().said)
    assert isinstance(step, HookStep)
    request = request_of(CLAUDE_CODE, step, 60)
    assert request is not None
    assert not request.editable


def test_it_introduces_itself_and_its_one_tool() -> None:
    hello = result_of(read_line(line("initialize", {"protocolVersion": "2025-06-18"}), "/", "s"))
    assert (hello["protocolVersion"], hello["serverInfo"]["name"]) == ("2025-06-18", "pulse")
    assert [one["name"] for one in result_of(read_line(line("tools/list"), "/", "s"))["tools"]] == ["approve"]
    assert result_of(read_line(line("ping"), "/", "s")) == {}


@pytest.mark.parametrize("raw", [b"", b"no JSON", b"[]", b'{"method": "notifications/initialized"}'])
def test_what_wants_no_reply_gets_none(raw: bytes) -> None:
    assert read_line(raw, "/", "s") is None


@pytest.mark.parametrize(
    "raw",
    [
        line("resources/list"),
        line("tools/call", {"name": "approve", "arguments": {}}),
        line("tools/call", {"name": "other", "arguments": {"tool_name": "Bash", "input": {}}}),
    ],
)
def test_what_it_does_not_know_is_an_error(raw: bytes) -> None:
    found = read_line(raw, "/", "s")
    assert isinstance(found, bytes)
    assert json.loads(found)["error"]["code"] < 0


def test_a_prompt_is_asked_as_its_hook_would_ask() -> None:
    step = CLAUDE_CODE.read(a_call().said)
    assert isinstance(step, HookStep)
    assert (step.at, step.tool, step.input, step.folder) == (At.LEAVE, "Bash", GIVEN, "/home/me/shop")


@pytest.mark.parametrize(
    ("word", "said"),
    [
        (Word(says="allow"), {"behavior": "allow", "updatedInput": GIVEN}),
        (Word(says="allow", input={"command": "ls"}), {"behavior": "allow", "updatedInput": {"command": "ls"}}),
        (Word(says="deny", reason="not now"), {"behavior": "deny", "message": "not now"}),
        (Word(), {"behavior": "deny", "message": NOBODY}),
    ],
)
def test_each_answer_is_told_as_claude_wants_it(word: Word, said: dict[str, object]) -> None:
    call = a_call()
    step = CLAUDE_CODE.read(call.said)
    assert isinstance(step, HookStep)
    assert said_in(answer(call, CLAUDE_CODE.write(step, word).text.encode())) == said


def test_a_hub_that_cannot_be_asked_allows_nothing() -> None:
    assert said_in(refusal(a_call(), "Pulse is away."))["behavior"] == "deny"
    assert said_in(answer(a_call(), b"no JSON"))["behavior"] == "deny"
