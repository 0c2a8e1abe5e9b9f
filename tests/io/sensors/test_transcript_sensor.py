import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hub.domain.readings import ConversationReading
from hub.domain.situation import Conversation
from hub.io.sensors.transcripts import (
    FILES_MAX,
    HEAD_BYTES_MAX,
    RESCAN_AFTER,
    TAIL_BYTES_MAX,
    TranscriptSensor,
    default_folders,
)
from tests.fakes.plain_words import plain

NOW = datetime(2026, 6, 10, 12, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def line(kind: str, words: str, at: datetime) -> str:
    content = [{"type": "text", "text": words}]
    return json.dumps({"type": kind, "timestamp": at.isoformat(), "message": {"role": kind, "content": content}}) + "\n"


def claude_file(home: Path, name: str, *lines: str, at: datetime = NOW) -> Path:
    path = home / ".claude/projects/-work" / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(lines))
    os.utime(path, (at.timestamp(), at.timestamp()))
    return path


async def look(sensor: TranscriptSensor, now: datetime = NOW) -> tuple[Conversation, ...]:
    body = (await sensor.read(now)).body
    assert isinstance(body, ConversationReading), body
    return body.conversations


@pytest.fixture
def sensor(tmp_path: Path) -> TranscriptSensor:
    return TranscriptSensor(default_folders(tmp_path))


async def test_no_agent_was_ever_used(sensor: TranscriptSensor) -> None:
    assert await look(sensor) == ()


async def test_conversations_of_both_agents_newest_first(sensor: TranscriptSensor, tmp_path: Path) -> None:
    claude_file(
        tmp_path,
        "one",
        line("user", "Write docs", NOW - 30 * MINUTE),
        line("assistant", "Done. Publish them?", NOW - 20 * MINUTE),
    )
    rollout = (
        tmp_path / ".codex/sessions/2026/06/10/rollout-2026-06-10T11-00-00-01234567-89ab-cdef-0123-456789abcdef.jsonl"
    )
    rollout.parent.mkdir(parents=True)
    said = {"type": "user_message", "message": "Fix it"}
    at = (NOW - 5 * MINUTE).isoformat()
    rollout.write_text(json.dumps({"timestamp": at, "type": "event_msg", "payload": said}) + "\n")
    os.utime(rollout, (NOW.timestamp(), NOW.timestamp()))
    codex, claude = await look(sensor)
    assert plain((codex.id, codex.source)) == ("01234567-89ab-cdef-0123-456789abcdef", "codex")
    assert (codex.last_from, codex.person_at) == ("person", NOW - 5 * MINUTE)
    assert plain((claude.id, claude.source, claude.topic)) == ("one", "claude-code", "Write docs")
    assert plain((claude.open_question, claude.last_at, claude.person_at)) == (
        "Publish them?",
        NOW - 20 * MINUTE,
        NOW - 30 * MINUTE,
    )


async def test_a_new_line_and_a_new_session_are_seen_at_once(sensor: TranscriptSensor, tmp_path: Path) -> None:
    path = claude_file(tmp_path, "one", line("assistant", "Shall I?", NOW - 20 * MINUTE))
    assert [plain(each.open_question) for each in await look(sensor)] == ["Shall I?"]
    with path.open("a") as file:
        file.write(line("user", "yes", NOW - MINUTE))
    assert plain([(each.last_from, each.open_question) for each in await look(sensor)]) == [("person", "")]
    claude_file(tmp_path, "two", line("user", "hi", NOW))
    assert [plain(each.id) for each in await look(sensor)] == ["two", "one"]


async def test_an_unchanged_file_is_not_read_again(sensor: TranscriptSensor, tmp_path: Path) -> None:
    path = claude_file(tmp_path, "one", line("user", "aaa", NOW))
    before = await look(sensor)
    path.write_text(line("user", "bbb", NOW))
    os.utime(path, (NOW.timestamp(), NOW.timestamp()))
    assert await look(sensor) == before


async def test_an_old_session_taken_up_again_is_seen_at_the_next_scan(sensor: TranscriptSensor, tmp_path: Path) -> None:
    path = claude_file(tmp_path, "old", line("user", "aaa", NOW - timedelta(days=3)), at=NOW - timedelta(days=3))
    assert await look(sensor) == ()
    with path.open("a") as file:
        file.write(line("user", "back again", NOW))
    os.utime(path, (NOW.timestamp(), NOW.timestamp()))
    assert [plain(each.id) for each in await look(sensor, NOW + RESCAN_AFTER)] == ["old"]


async def test_only_the_end_of_a_long_session_is_read_but_its_topic_stays(
    sensor: TranscriptSensor, tmp_path: Path
) -> None:
    filler = line("assistant", "x" * 1000, NOW - 9 * MINUTE)
    many = filler * ((HEAD_BYTES_MAX + TAIL_BYTES_MAX) // len(filler) + 10)
    claude_file(tmp_path, "long", line("user", "The topic", NOW - 10 * MINUTE), many, line("assistant", "Ok?", NOW))
    (found,) = await look(sensor)
    assert plain((found.topic, found.open_question, found.person_at)) == ("The topic", "Ok?", NOW - 10 * MINUTE)


async def test_garbage_half_lines_and_helpers_of_agents(sensor: TranscriptSensor, tmp_path: Path) -> None:
    claude_file(tmp_path, "garbage", "\x00\x01 not json\n{}\n[]\n")
    claude_file(tmp_path, "empty", "")
    claude_file(tmp_path, "agent-1234", line("user", "a program's brief", NOW))
    claude_file(tmp_path, "half", line("user", "whole", NOW), '{"type":"user","timesta')
    (tmp_path / ".claude/projects/-work/folder.jsonl").mkdir()
    (tmp_path / ".claude/projects/-work/pipe.jsonl").symlink_to("/dev/zero")
    (tmp_path / ".claude/projects/loop").symlink_to(tmp_path, target_is_directory=True)
    assert [plain(each.id) for each in await look(sensor)] == ["half"]


async def test_the_number_of_files_is_bounded(sensor: TranscriptSensor, tmp_path: Path) -> None:
    for number in range(FILES_MAX + 10):
        claude_file(tmp_path, f"{number:03}", line("user", "x", NOW), at=NOW - number * MINUTE)
    found = await look(sensor)
    assert {plain(each.id) for each in found} == {f"{number:03}" for number in range(FILES_MAX)}
