"""An agent that works without asking is found by its transcript; nothing is said where that is not sure."""

import json
import os
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hub.io.agents.heard_sessions import RAN_FOR_S, HeardSessions
from hub.io.agents.hooks.unasked import GROWN_WITHIN_S, SETTLED_S, UnaskedWork, transcripts_of

SESSION = "50de0f31-0d8a-4a85-bdd0-299af7fa2778"
OTHER = "c6f88b29-3dd9-4b96-95d6-9672265d9a6e"
AGENT = "claude-code"
PROJECT = "/home/ada/shop"


def line(at_s: float, block: Mapping[str, object], **more: object) -> str:
    """Return one line as Claude Code writes it."""
    at = datetime.fromtimestamp(at_s, UTC).isoformat().replace("+00:00", "Z")
    said = {"type": "assistant", "isSidechain": False, "timestamp": at, "cwd": PROJECT, "sessionId": SESSION}
    return json.dumps({**said, "message": {"role": "assistant", "content": [block]}, **more}) + "\n"


TEXT = {"type": "text", "text": "I begin."}
USE = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "rm -rf build"}}


class Stand:
    """An agent's folder, a clock, and the look."""

    def __init__(self, folder: Path) -> None:
        self.folder = transcripts_of(folder / ".claude" / "settings.json")
        self.connected_s = time.time() - 600.0
        self.now_s = time.time()
        self.run_s = 0.0
        self.heard = HeardSessions(seconds=lambda: self.run_s)
        self.work = UnaskedWork(self.heard, now_s=lambda: self.now_s)

    def write(self, *lines: str, name: str = f"-home-ada-shop/{SESSION}.jsonl") -> Path:
        """Write a transcript."""
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text('{"type":"mode","mode":"normal"}\n' + "".join(lines))
        return file

    def works(self, **more: object) -> tuple[str, str]:
        """Return the lines of a session that begins and uses a tool a minute ago."""
        ago_s = self.now_s - 60.0
        return line(ago_s, TEXT, **more), line(ago_s + 1.0, USE, **more)

    def said(self) -> list[str]:
        """Look, and return what is said."""
        return [one.why.text for one in self.work.look(self.folder, {AGENT: self.connected_s})]


@pytest.fixture
def stand(tmp_path: Path) -> Stand:
    return Stand(tmp_path)


def test_a_session_that_uses_tools_and_was_never_heard_is_told_of(stand: Stand) -> None:
    stand.write(*stand.works())
    told = (
        f"A session of it works in {PROJECT} without asking Pulse. "
        "To connect it again: pulse connect claude-code, then restart it."
    )
    assert stand.said() == [told]
    stand.now_s += 86_400.0
    assert stand.said() == [told]  # it has not asked since


def test_one_whose_hook_was_heard_is_not(stand: Stand) -> None:
    stand.write(*stand.works())
    stand.heard.hear(AGENT, SESSION)
    assert stand.said() == []


def test_one_that_asks_at_last_is_told_of_no_more(stand: Stand) -> None:
    stand.write(*stand.works())
    assert stand.said()
    stand.heard.hear(AGENT, OTHER)
    stand.heard.hear("codex", SESSION)
    assert stand.said()
    stand.heard.hear_unread(AGENT, b'{"session_id": "%s", "tool_na' % SESSION.encode())
    assert stand.said() == []


def test_it_is_over_when_the_person_connects_the_agent_again(stand: Stand) -> None:
    stand.write(*stand.works())
    assert stand.said()
    stand.connected_s = stand.now_s
    assert stand.said() == []


@pytest.mark.parametrize("ago_s", [0.0, SETTLED_S - 1.0])
def test_one_that_began_before_its_agent_was_connected_is_not(stand: Stand, ago_s: float) -> None:
    stand.connected_s = stand.now_s - 60.0 - ago_s
    stand.write(*stand.works())
    assert stand.said() == []


def test_one_that_only_talks_is_not(stand: Stand) -> None:
    stand.write(line(stand.now_s - 60.0, TEXT))
    assert stand.said() == []


def test_a_tool_of_this_moment_may_still_be_heard_of(stand: Stand) -> None:
    stand.write(line(stand.now_s - 60.0, TEXT), line(stand.now_s - SETTLED_S + 1.0, USE))
    assert stand.said() == []
    stand.now_s += 2.0
    assert stand.said()


def test_what_its_subagents_do_is_not_its_own(stand: Stand) -> None:
    stand.write(*stand.works(isSidechain=True))
    for name in (f"-home-ada-shop/{SESSION}/subagents/agent-1.jsonl", "-home-ada-shop/agent-aa3baa15450c16c9e.jsonl"):
        stand.write(*stand.works(), name=name)
    assert stand.said() == []


def test_one_that_pulse_runs_is_not_told_of_nor_one_that_it_ran_just_now(stand: Stand) -> None:
    stand.write(*stand.works(cwd=f"{PROJECT}/below"))
    stand.heard.run_begins(PROJECT)
    stand.heard.run_begins(PROJECT)
    stand.heard.run_ends(PROJECT)
    assert stand.said() == []
    stand.run_s = 2 * RAN_FOR_S
    assert stand.said() == []
    stand.heard.run_ends(PROJECT)
    assert stand.said() == []
    stand.run_s += RAN_FOR_S + 1.0
    assert stand.said()


def test_a_folder_beside_one_in_which_pulse_runs_something_is_another(stand: Stand) -> None:
    stand.write(*stand.works(cwd=f"{PROJECT}-2"))
    stand.heard.run_begins(PROJECT)
    assert stand.said()


def test_one_that_was_not_written_to_lately_is_not_read(stand: Stand) -> None:
    stand.write(*stand.works())
    stand.now_s += GROWN_WITHIN_S + 1.0
    assert stand.said() == []


def test_setting_its_times_back_hides_nothing(stand: Stand) -> None:
    file = stand.write(*stand.works())
    for one in (file, file.parent):
        os.utime(one, (0, 0))
    assert stand.said()


def test_an_agent_that_is_not_connected_is_looked_for_nowhere(stand: Stand) -> None:
    stand.write(*stand.works())
    assert stand.work.look(stand.folder, {"gemini": stand.connected_s}) == ()
    assert stand.said()
    assert stand.work.look(stand.folder, {}) == ()


def test_what_is_no_transcript_says_nothing(stand: Stand, tmp_path: Path) -> None:
    real = stand.write(*stand.works(), name=f"elsewhere/{SESSION}.jsonl")
    moved = tmp_path / "moved.jsonl"
    real.rename(moved)
    real.symlink_to(moved)
    os.mkfifo(real.with_name(f"{OTHER}.jsonl"))
    assert stand.said() == []
    real.unlink()
    real.write_text('{"timestamp": 5}\n[]\n{"timestamp": "0001-01-01T00:00:00+23:00"}\n' + "[" * 100_000)
    assert stand.said() == []
    real.write_text(stand.works()[1].replace(PROJECT, "/a\\u0000\\ud800\\n") + "half a li")
    assert len(stand.said()) == 1


def test_a_folder_that_is_not_there_says_nothing(stand: Stand) -> None:
    assert stand.said() == []
