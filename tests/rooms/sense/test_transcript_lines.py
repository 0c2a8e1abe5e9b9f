import json
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.sense.transcripts import (
    Reader,
    Source,
    Utterance,
    claude_line,
    codex_line,
    conversation,
    gist,
    open_question,
)
from tests.fakes.plain_words import plain

AT = datetime(2026, 3, 1, 10, 0, tzinfo=UTC)


def claude(kind: str, content: object, minute: int = 0, **more: object) -> bytes:
    at = f"2026-03-01T10:{minute:02}:00.000Z"
    return json.dumps(
        {"type": kind, "timestamp": at, "sessionId": "s", "message": {"role": kind, "content": content}, **more}
    ).encode()


def codex(line: str, minute: int = 0, **payload: object) -> bytes:
    return json.dumps({"timestamp": f"2026-03-01T10:{minute:02}:00.000Z", "type": line, "payload": payload}).encode()


def text(words: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": words}]


def talk(lines: Sequence[bytes], read: Reader, source: Source = "claude-code") -> tuple[object, ...] | None:
    all_of_it = gist(lines, read)
    found = conversation("id", source, all_of_it, all_of_it)
    if found is None:
        return None
    person = found.person_at and found.person_at.minute
    return found.last_at.minute, found.last_from, plain(found.open_question), plain(found.topic), person


def test_where_claude_works_and_whether_it_is_done() -> None:
    work = [{"type": "tool_use", "name": "Bash", "input": {}}]
    lines = [claude("user", "Mend it", cwd="/a"), claude("assistant", text("Done."), 2, cwd="/a/b")]
    for end, folder, is_done in (([], "/a/b", True), ([claude("assistant", work, 3, cwd="/a")], "/a", False)):
        all_of_it = gist([*lines, *end], claude_line)
        found = conversation("id", "claude-code", all_of_it, all_of_it)
        assert found is not None
        assert (found.folder, found.is_done) == (folder, is_done)


def test_an_open_question_of_claude() -> None:
    lines = [
        b'{"type":"summary","summary":"x"}',
        claude("user", "Fix the  login\nbug", 1),
        claude("assistant", [{"type": "thinking", "thinking": "hm"}], 2),
        claude("assistant", [*text("I will look."), {"type": "tool_use", "name": "Read", "input": {"a": 1}}], 3),
        claude("user", [{"type": "tool_result", "content": "x"}], 4, toolUseResult="text"),
        claude("assistant", text("Done. It was a race.\n\n**Shall I add a test?**"), 5),
        b"not json",
    ]
    assert talk(lines, claude_line) == (5, "agent", "Shall I add a test?", "Fix the login bug", 1)


def test_an_answered_question_is_closed() -> None:
    lines = [claude("user", "go", 1), claude("assistant", text("Which one?"), 2), claude("user", text("the left"), 3)]
    assert talk(lines, claude_line) == (3, "person", "", "go", 3)


def test_work_after_a_question_closes_it() -> None:
    lines = [
        claude("assistant", text("Shall I?"), 1),
        claude("assistant", [{"type": "tool_use", "name": "Bash", "input": {}}], 2),
    ]
    assert talk(lines, claude_line) == (2, "agent", "", "", None)


def test_the_question_tool_asks_and_its_answer_is_a_person() -> None:
    asked = {"type": "tool_use", "name": "AskUserQuestion", "input": {"questions": [{"question": "Red or blue?"}]}}
    lines = [claude("assistant", [asked], 1)]
    assert talk(lines, claude_line) == (1, "agent", "Red or blue?", "", None)
    lines.append(claude("user", [{"type": "tool_result"}], 2, toolUseResult={"answers": {"q": "Red"}}))
    assert talk(lines, claude_line) == (2, "person", "", "", 2)


@pytest.mark.parametrize(
    "line",
    [
        claude("user", "hello", isMeta=True),
        claude("user", "hello", isSidechain=True),
        claude("user", "hello", isCompactSummary=True),
        claude("user", "<local-command-stdout>x</local-command-stdout>"),
        claude("user", "hello", origin={"kind": "task-notification"}),
        claude("system", "hello"),
        b'{"type":"user","message":{"content":"no time"}}',
        b'{"type":"user","timestamp":"2026-03-01T10:00:00","message":{"content":"no zone"}}',
        b'{"type":"user","timestamp":"2026-03-01T10:00:00Z","message":{"content":7}}',
        b"[]",
        b"",
    ],
)
def test_what_no_person_said(line: bytes) -> None:
    assert claude_line(line) is None


def test_a_command_is_an_act_without_words() -> None:
    assert claude_line(claude("user", "<command-name>/clear</command-name>")) == Utterance(at=AT, who="person")


def test_sessions_driven_by_programs_do_not_count() -> None:
    assert talk([claude("user", "brief", entrypoint="sdk-cli")], claude_line) is None
    meta = codex("session_meta", originator="codex_exec", source="exec")
    assert talk([meta, codex("event_msg", type="user_message", message="x")], codex_line, "codex") is None
    child = codex("session_meta", originator="codex_cli_rs", source={"subagent": "review"})
    assert talk([child, codex("event_msg", type="user_message", message="x")], codex_line, "codex") is None


def test_a_codex_session() -> None:
    lines = [
        codex("session_meta", originator="codex_cli_rs", source="cli", id="x"),
        codex("response_item", type="message", role="user", content=[{"type": "input_text", "text": "<env>"}]),
        codex("event_msg", 1, type="user_message", message="Sort the list", kind="plain"),
        codex("response_item", 2, type="function_call", name="shell", arguments="{}"),
        codex("event_msg", 3, type="agent_message", message="Sorted. Descending?"),
        codex("response_item", 3, type="message", role="assistant", content=text("Sorted. Descending?")),
        codex("event_msg", 4, type="token_count", info=None),
        codex("turn_context", 4, cwd="/x"),
    ]
    assert talk(lines, codex_line, "codex") == (3, "agent", "Descending?", "Sort the list", 1)


@pytest.mark.parametrize(
    ("words", "question"),
    [
        ("All done.", ""),
        ("", ""),
        ("What? No.", ""),
        ("One. Two! Three?", "Three?"),
        ("Is it a? Or b?", "Or b?"),
        ("- pick `x.py`?", "pick `x.py`?"),
        ("好きですか？", "好きですか？"),  # noqa: RUF001  full-width marks are meant
        ("x" * 500 + "?", "x" * 199 + "…"),
        ("?", "?"),
    ],
)
def test_questions_are_the_last_sentence(words: str, question: str) -> None:
    assert open_question(Utterance(at=AT, who="agent", text=words)) == question


@pytest.mark.slow
@given(st.binary(max_size=200))
def test_garbage_lines_never_raise(raw: bytes) -> None:
    claude_line(raw)
    codex_line(raw)
