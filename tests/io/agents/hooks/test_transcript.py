"""A no at Claude's terminal is found in its transcript: the right call, in the right file, a few times and no more."""

import json
import os
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hub.io.agents.hooks.claude_code import CLAUDE_CODE, deed_in
from hub.io.agents.hooks.opencode import OPENCODE
from hub.io.agents.hooks.step import At, HookStep
from hub.io.agents.hooks.transcript import LOOKS_AFTER_S, READ_BYTES_MAX, TranscriptLooker, is_transcript
from hub.kit.given_answers import Deed
from tests.fakes.hub_api import NOON
from tests.io.api.running import FixedClock

REFUSED, BROKEN_OFF = Deed(went_on=False), Deed(went_on=True, broken_off=True)


def line(call: str = "toolu_1", **more: object) -> bytes:
    """Return the line that Claude Code 2.1.330 writes for a call that was refused in its dialog."""
    result = {"type": "tool_result", "content": "The user doesn't want to proceed", "is_error": True}
    said = {
        "type": "user",
        "message": {"role": "user", "content": [{**result, "tool_use_id": call}]},
        "toolUseResult": "User rejected tool use",
        "toolDenialKind": "user-rejected",
        "toolDenialBeforeRun": True,
    }
    return json.dumps({name: value for name, value in (said | more).items() if value is not None}).encode() + b"\n"


RULE = line(toolDenialKind="permission-rule", toolDenialBeforeRun=None)
RAN = line(toolDenialKind=None, toolDenialBeforeRun=None, toolUseResult={"stdout": ""})


@pytest.mark.parametrize(
    ("lines", "deed"),
    [
        (line(), REFUSED),
        (b"{}\n" + RAN + line(), REFUSED),
        (line(toolDenialBeforeRun=None), BROKEN_OFF),
        (line(toolDenialBeforeRun=False), BROKEN_OFF),
        (line(call="toolu_2"), None),
        (RULE, None),  # this is our own no, or one of another hook
        (RAN, None),
        (b'{"toolDenialKind": "user-rejected", cut', None),
        (b'["toolDenialKind", "toolu_1"]', None),
        (line(message="toolu_1"), None),
        (line(message={"content": ["toolu_1", {"tool_use_id": "toolu_1"}]}), None),
        (b"\xff\x00 toolDenialKind toolu_1\n", None),
        (b"", None),
    ],
)
def test_what_the_lines_tell_of_a_call(lines: bytes, deed: Deed | None) -> None:
    assert deed_in(lines, "toolu_1") == deed


def asks(path: Path, session: str = "s1") -> HookStep:
    return HookStep(at=At.LEAVE, event="PermissionRequest", session=session, transcript=str(path))


async def found(path: Path, clock: FixedClock | None = None, *, is_open: bool = True) -> Deed | None:
    looker = TranscriptLooker(clock or FixedClock())
    return await looker.find(CLAUDE_CODE, asks(path), "toolu_1", lambda: is_open)


async def test_it_is_found_at_the_end_of_a_long_transcript(tmp_path: Path) -> None:
    path = tmp_path / "s1.jsonl"
    path.write_bytes(b"x" * 3 * READ_BYTES_MAX + b"\n" + line())
    assert await found(path) == REFUSED


async def test_what_is_written_later_is_found_later(tmp_path: Path) -> None:
    path = tmp_path / "s1.jsonl"

    class Writes(FixedClock):
        async def sleep_until(self, moment: datetime) -> None:
            await super().sleep_until(moment)
            if self.moment >= NOON + timedelta(seconds=LOOKS_AFTER_S[3]):
                path.write_bytes(line())

    clock = Writes()
    assert await found(path, clock) == REFUSED
    assert clock.moment == NOON + timedelta(seconds=LOOKS_AFTER_S[3])


async def test_it_is_looked_for_no_longer_than_that(tmp_path: Path) -> None:
    path, clock = tmp_path / "s1.jsonl", FixedClock()
    path.write_bytes(RAN)
    assert await found(path, clock) is None
    assert clock.moment == NOON + timedelta(seconds=LOOKS_AFTER_S[-1])


async def test_and_not_once_it_is_known_otherwise(tmp_path: Path) -> None:
    path, clock = tmp_path / "s1.jsonl", FixedClock()
    path.write_bytes(line())
    assert await found(path, clock, is_open=False) is None
    assert clock.moment == NOON + timedelta(seconds=LOOKS_AFTER_S[0])


async def test_neither_a_link_nor_a_pipe_nor_a_folder_is_read(tmp_path: Path) -> None:
    path, real = tmp_path / "s1.jsonl", tmp_path / "real.jsonl"
    real.write_bytes(line())
    path.symlink_to(real)
    assert await found(path) is None
    path.unlink()
    os.mkfifo(path)
    assert await found(path) is None
    path.unlink()
    path.mkdir()
    assert await found(path) is None


@pytest.mark.parametrize(
    "path",
    ["", "s1.jsonl", "/home/ana/.ssh/id_rsa", "/t/s2.jsonl", "/t/s1.jsonl.txt", "/t/s1.jsonl/x", "/t\0/s1.jsonl"],
)
def test_a_file_that_is_not_named_like_the_session_is_not_looked_at(path: str) -> None:
    assert not is_transcript(HookStep(at=At.LEAVE, event="x", session="s1", transcript=path))
    assert is_transcript(asks(Path("/t/s1.jsonl")))


async def test_of_an_agent_that_tells_by_its_hooks_nothing_is_read(tmp_path: Path) -> None:
    path, clock = tmp_path / "s1.jsonl", FixedClock()
    path.write_bytes(line())
    assert await TranscriptLooker(clock).find(OPENCODE, asks(path), "toolu_1", lambda: True) is None
    assert clock.moment == NOON
