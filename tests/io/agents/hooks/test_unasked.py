"""An agent that works without asking is found by its transcript; nothing is said where that is not sure."""

import contextlib
import json
import os
import sqlite3
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hub.domain.cut_off import CutOffAgent
from hub.io.agents.heard_sessions import RAN_FOR_S, HeardSessions
from hub.io.agents.hooks.connections import AgentConnection
from hub.io.agents.hooks.unasked import GROWN_WITHIN_S, SETTLED_S, UnaskedWork

SESSION = "50de0f31-0d8a-4a85-bdd0-299af7fa2778"
OTHER = "c6f88b29-3dd9-4b96-95d6-9672265d9a6e"
AGENT = "claude-code"
PROJECT = "/home/ada/shop"


def line(at_s: float, block: Mapping[str, object], **more: object) -> str:
    """Return one line as Claude Code writes it."""
    said = {"type": "assistant", "isSidechain": False, "timestamp": stamp(at_s), "cwd": PROJECT, "sessionId": SESSION}
    return json.dumps({**said, "message": {"role": "assistant", "content": [block]}, **more}) + "\n"


TEXT = {"type": "text", "text": "I begin."}
USE = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "rm -rf build"}}


def stamp(at_s: float) -> str:
    return datetime.fromtimestamp(at_s, UTC).isoformat().replace("+00:00", "Z")


class Stand:
    """An agent's folder, a clock, and the look."""

    def __init__(self, folder: Path) -> None:
        self._home = folder
        self.folder = folder / ".claude" / "projects"
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

    def said(self, agent: str = AGENT) -> list[str]:
        """Look, and return what is said of one agent that is connected."""
        return [one.why.text for one in self.look({agent: self.connected_s})]

    def look(self, since_s: Mapping[str, float]) -> tuple[CutOffAgent, ...]:
        """Look for agents that are connected since then."""
        return self.work.look(self._settings, since_s)

    def _settings(self, which: AgentConnection) -> Path:
        return self._home / which.user


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
    assert stand.look({"gemini": stand.connected_s}) == ()
    assert stand.said()
    assert stand.look({}) == ()


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


def others_say(agent: str, folder: str, ago_s: float) -> tuple[str, list[dict[str, object]]]:
    """Return where another agent writes a session down, and what it writes there when it has used a tool."""
    at, time_s = stamp(ago_s), {"timestamp": stamp(ago_s)}
    match agent:
        case "codex":
            about = {"id": SESSION, "cwd": folder, "source": "exec"}
            call = {"type": "function_call", "name": "exec_command"}
            return f".codex/sessions/2026/11/30/rollout-2026-11-30T05-15-46-{SESSION}.jsonl", [
                {**time_s, "type": "session_meta", "payload": about},
                {**time_s, "type": "response_item", "payload": call},
            ]
        case "copilot":
            return f".copilot/session-state/{SESSION}/events.jsonl", [
                {**time_s, "type": "session.start", "data": {"sessionId": SESSION, "context": {"cwd": folder}}},
                {**time_s, "type": "tool.execution_start", "data": {"toolName": "bash"}},
            ]
    return f".gemini/tmp/shop/chats/session-2026-11-30T05-18-{SESSION[:8]}.jsonl", [
        {"sessionId": SESSION, "startTime": at, "kind": "main"},
        {**time_s, "type": "gemini", "toolCalls": [{"name": "run_shell_command"}]},
    ]


OTHERS = ("codex", "copilot", "gemini")


class OtherStand(Stand):
    """The same for an agent that is not Claude Code."""

    def says(self, agent: str, folder: str = PROJECT, **first: object) -> None:
        """Write a session down as that agent does."""
        name, lines = others_say(agent, folder, self.now_s - 60.0)
        file = self.folder.parents[1] / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if agent == "gemini":
            (file.parent.parent / ".project_root").write_text(folder)
        lines[0] |= first
        file.write_text("".join(json.dumps(one) + "\n" for one in lines))


@pytest.fixture
def other(tmp_path: Path) -> OtherStand:
    return OtherStand(tmp_path)


@pytest.mark.parametrize("agent", OTHERS)
def test_other_agents_that_write_their_sessions_down_are_noticed_as_well(other: OtherStand, agent: str) -> None:
    other.says(agent)
    command = {"codex": "codex --hooks"}.get(agent, agent)
    (told,) = other.said(agent)
    assert told.startswith(f"A session of it works in {PROJECT} without asking Pulse.")
    assert f"pulse connect {command}, then restart it." in told
    other.heard.hear(agent, SESSION)
    assert other.said(agent) == []


@pytest.mark.parametrize("agent", OTHERS)
def test_of_several_agents_each_is_told_of(other: OtherStand, agent: str) -> None:
    other.write(*other.works())
    other.says(agent)
    assert {one.agent for one in other.look({AGENT: other.connected_s, agent: other.connected_s})} == {AGENT, agent}


@pytest.mark.parametrize("agent", OTHERS)
def test_one_in_which_pulse_runs_something_is_not(other: OtherStand, agent: str) -> None:
    other.says(agent)
    other.heard.run_begins(PROJECT)
    assert other.said(agent) == []


def test_a_session_of_codexs_server_may_be_one_to_which_pulse_is_attached(other: OtherStand) -> None:
    other.says("codex", payload={"id": SESSION, "cwd": PROJECT, "source": "vscode"})
    assert other.said("codex") == []


def test_a_helper_of_geminis_is_none_of_its_sessions(other: OtherStand) -> None:
    other.says("gemini", kind="subagent")
    assert other.said("gemini") == []


class OpenCodeStand(Stand):
    """OpenCode, which keeps its sessions in a database."""

    def opens(self, session: str = "ses_1", parent: str | None = None, kind: str = "tool") -> None:
        """Write a session down as OpenCode does."""
        ago_ms = (self.now_s - 60.0) * 1_000
        file = self.folder.parents[1] / ".local/share/opencode/opencode.db"
        file.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.closing(sqlite3.connect(file)) as database:
            database.execute(
                "CREATE TABLE IF NOT EXISTS session (id, directory, parent_id, time_created, time_updated)"
            )
            database.execute("CREATE TABLE IF NOT EXISTS part (session_id TEXT, time_created INTEGER, data TEXT)")
            database.execute("INSERT INTO session VALUES (?, ?, ?, ?, ?)", (session, PROJECT, parent, ago_ms, ago_ms))
            database.execute("INSERT INTO part VALUES (?, ?, ?)", (session, ago_ms, json.dumps({"type": kind})))
            database.commit()


@pytest.fixture
def opencode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OpenCodeStand:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    return OpenCodeStand(tmp_path)


def test_opencodes_sessions_are_read_from_its_database(opencode: OpenCodeStand) -> None:
    assert opencode.said("opencode") == []
    opencode.opens("ses_0", kind="text")
    opencode.opens("ses_2", parent="ses_0")
    assert opencode.said("opencode") == []
    opencode.opens()
    (told,) = opencode.said("opencode")
    assert f"works in {PROJECT} without asking Pulse" in told
    opencode.heard.hear("opencode", "ses_1")
    assert opencode.said("opencode") == []


@pytest.mark.slow
def test_a_database_that_is_none_or_would_be_read_without_end_says_nothing(opencode: OpenCodeStand) -> None:
    opencode.opens()
    file = opencode.folder.parents[1] / ".local/share/opencode/opencode.db"
    with contextlib.closing(sqlite3.connect(file)) as database:
        database.execute("ALTER TABLE part RENAME TO kept")
        endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT"
        data = """'{"type": ' || i || '}' data"""
        database.execute(f"CREATE VIEW part AS {endless} 'ses_1' session_id, 0 time_created, {data} FROM n")
        database.commit()
    assert opencode.said("opencode") == []
    file.write_bytes(b"no database" * 1_000)
    assert opencode.said("opencode") == []
