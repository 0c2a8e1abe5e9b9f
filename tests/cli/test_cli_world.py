"""`pulse world` against a real HTTP server with answers laid out: what is sent, what is printed, how it ends."""

import io
import json
import os
from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from hub.cli.draw import sessions_line
from hub.contract.world import AgentStatus
from hub.contract.world_api import (
    ANSWER_CHARS_MAX,
    SAID_CHARS_MAX,
    WorldAnswer,
    WorldLines,
    WorldLineView,
    WorldPath,
    WorldSessionsAnswer,
    WorldSessionView,
    WorldStatus,
)
from tests.cli.conftest import Pulse
from tests.cli.small_hub import SmallHub

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
EVENTS, AGENTS, CHECK = (f"POST /api/v1/world/{name}" for name in ("events", "agents", "check"))
SESSIONS = "GET /api/v1/world/sessions"
ONE = "GET /api/v1/world/sessions/abc123"
SESSION = WorldSessionView(
    id="abc123",
    status=AgentStatus.FAILED,
    task="Book Tokyo flight",
    need="confirmation number",
    said="captcha required\u202e",
    asks="solve captcha",
    started_at=NOON,
    moved_at=NOON,
    heard_at=NOON,
    tries=2,
    retries=1,
    proven=True,
)
LINES = (
    WorldLineView(kind="agent", at=NOON, tag="failed", name="abc123", text="captcha required", need="solve\u202e it"),
    WorldLineView(kind="event", at=NOON, tag="chrome", name="kayak.com", text="found\n15 flights"),
    WorldLineView(kind="read", tag="anna", name="7"),
    WorldLineView(kind="remark", text=" a heading"),
    WorldLineView(kind="unparsed", text="junk \x1b[2J", fault="no-entry", size_bytes=12_000),
)


@pytest.fixture
def lines_in(hub: SmallHub) -> SmallHub:
    hub.answer(EVENTS, WorldAnswer())
    hub.answer(AGENTS, WorldAnswer(session=SESSION))
    hub.answer("GET /api/v1/world/recent", WorldLines(lines=LINES))
    hub.answer(SESSIONS, WorldSessionsAnswer(sessions=(SESSION, replace(SESSION, id="def456")), more=3))
    hub.answer(ONE, SESSION)
    return hub


def sent(hub: SmallHub) -> list[tuple[str, dict[str, object]]]:
    """Return what was posted, by the last word of its path."""
    return [(path.rpartition("/")[2], json.loads(body)) for method, path, body in hub.asked if method == "POST"]


@pytest.mark.parametrize(
    ("typed", "output", "need"),
    [
        ("captcha required | need: solve captcha", "captcha required", "solve captcha"),
        ("captcha required", "captcha required", ""),
        ("| need: solve captcha", "", "solve captcha"),
        ("ls | wc -l | need: 3", "ls | wc -l", "3"),
        (r"literally \| need: this", "literally | need: this", ""),
        (r"C:\new | need: C:\dir", r"C:\new", r"C:\dir"),
        ("", "", ""),
    ],
)
def test_a_status_is_said_with_the_bar_of_the_source(
    pulse: Pulse, lines_in: SmallHub, typed: str, output: str, need: str
) -> None:
    said = pulse("world", "agent", "failed", "abc123", typed)
    assert said.code == 0
    body = {"status": "failed", "session": "abc123", "output": output, "need": need}
    assert sent(lines_in) == [("agents", body)]
    assert "✓ abc123 is failed" in said.out


def test_quotes_may_be_forgotten(pulse: Pulse, lines_in: SmallHub) -> None:
    pulse("world", "agent", "start", "abc123", "Book", "a", "flight")
    pulse("world", "event", "bash", "tests", "24", "passed")
    assert [body["output"] for _, body in sent(lines_in)] == ["Book a flight", "24 passed"]


def test_a_fact_with_a_key_and_what_was_said_before(pulse: Pulse, lines_in: SmallHub) -> None:
    assert "✓ written" in pulse("world", "event", "chrome", "kayak.com", "--key", "k1").out
    body = {"source": "chrome", "identifier": "kayak.com", "output": "", "idempotencyKey": "k1"}
    assert sent(lines_in) == [("events", body)]
    lines_in.answer(EVENTS, WorldAnswer(repeated=True))
    assert "said before" in pulse("world", "event", "chrome", "kayak.com", "--key", "k1").out


def test_long_text_comes_from_standard_input(pulse: Pulse, lines_in: SmallHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("one\ntwo | need: three\n"))
    pulse("world", "agent", "start", "abc123", "-")
    monkeypatch.setattr("sys.stdin", io.StringIO("x" * (SAID_CHARS_MAX + 1)))
    said = pulse("world", "event", "bash", "x", "-")
    assert (said.code, "[bad-world-entry]" in said.err) == (1, True)
    ((_, body),) = sent(lines_in)
    assert (body["output"], body["need"]) == ("one\ntwo", "three")


def test_a_start_names_its_process_and_folder(pulse: Pulse, lines_in: SmallHub) -> None:
    pid = str(os.getpid())
    assert pulse("world", "agent", "start", "abc123", "x", "--pid", pid, "--folder", "/srv/a shop").code == 0
    (_, start), (first, process), (second, folder) = sent(lines_in)
    assert start["status"] == "start"
    assert first == second == "events"
    assert (process["source"], process["identifier"], folder["output"]) == ("system", "abc123", "folder /srv/a shop")
    assert str(process["output"]).startswith(f"process {pid} since ")


@pytest.mark.parametrize(
    "command",
    [
        ("agent", "active", "abc123", "x", "--pid", "1"),
        ("agent", "start", "abc123", "x", "--pid", "4194304999"),
        ("agent", "start", "abc123", "x", "--pid", "0"),
        ("agent", "flying", "abc123"),
        ("agent", "start"),
        ("event", "bash"),
        ("query", "lost"),
        ("query", "active", "3"),
        ("query", "recent", "many"),
        ("query", "recent", "0"),
        ("query", "recent", "1001"),
        ("query", "session"),
        ("respond", "abc123"),
        ("tail", "-n", "0"),
        ("check", "anna", "--wait", "-1"),
    ],
)
def test_what_is_no_command_is_usage_and_sends_nothing(
    pulse: Pulse, lines_in: SmallHub, command: tuple[str, ...]
) -> None:
    assert pulse("world", *command).code == 2
    assert lines_in.asked == []


@pytest.mark.parametrize(
    "command",
    [
        ("agent", "start", "../x", "y"),
        ("agent", "start", "a b", "y"),
        ("event", "x" * 33, "y"),
        ("check", "no name"),
        ("respond", "abc123", "x" * (ANSWER_CHARS_MAX + 1)),
        ("respond", "abc123", ""),
    ],
)
def test_what_cannot_be_said_is_refused_before_it_is_sent(
    pulse: Pulse, lines_in: SmallHub, command: tuple[str, ...]
) -> None:
    said = pulse("world", *command)
    assert (said.code, "[bad-world-entry]" in said.err) == (1, True)
    assert lines_in.asked == []


def test_the_hubs_refusal_is_told(pulse: Pulse, lines_in: SmallHub) -> None:
    lines_in.refuse(AGENTS, 403, "session-of-another", "Somebody else began session abc123.", "Begin one of your own.")
    said = pulse("world", "agent", "active", "abc123", "x")
    assert (said.code, "[session-of-another]" in said.err) == (1, True)
    assert json.loads(pulse("world", "agent", "active", "abc123", "x", "--json").out)["code"] == "session-of-another"


def test_the_last_lines_are_aligned_and_safe_to_look_at(pulse: Pulse, lines_in: SmallHub) -> None:
    said = pulse("world", "query", "recent", "5")
    assert lines_in.asked[-1][1] == "/api/v1/world/recent?n=5"
    failed, chrome, read, remark, junk = said.out.splitlines()
    assert "failed     abc123  captcha required | need: solve" in failed
    assert "chrome     kayak.com  found 15 flights" in chrome
    assert "anna read 7" in read
    assert "# a heading" in remark
    assert "(no-entry, 12,000 bytes)" in junk
    assert not {"\u202e", "\x1b"} & set(said.out)


def test_sessions_as_a_table_and_how_many_more(pulse: Pulse, lines_in: SmallHub) -> None:
    said = pulse("world", "query", "failed", "--limit", "2")
    assert lines_in.asked[-1][1] == "/api/v1/world/sessions?kind=failed&limit=2"
    assert said.out.splitlines()[0].split() == ["session", "status", "for", "try", "task"]
    assert "Book Tokyo flight · asks you: solve captcha" in said.out
    assert "3 more sessions" in said.out
    pulse("world", "query")
    assert lines_in.asked[-1][1] == "/api/v1/world/sessions?limit=50"


def test_one_session_with_all_that_is_known(pulse: Pulse, lines_in: SmallHub) -> None:
    said = pulse("world", "query", "session", "abc123")
    assert said.code == 0
    for part in ("Book Tokyo flight", "confirmation number", "solve captcha", "2, 1 retry in all"):
        assert part in said.out
    assert "\u202e" not in said.out
    lines_in.refuse("GET /api/v1/world/sessions/nobody", 404, "unknown-session", "There is none.")
    assert pulse("world", "query", "session", "nobody").code == 1


def test_nothing_to_show_is_status_1(pulse: Pulse, lines_in: SmallHub) -> None:
    lines_in.answer(SESSIONS, WorldSessionsAnswer(sessions=()))
    said = pulse("world", "query", "pending")
    assert (said.code, said.out.strip()) == (1, "No session is pending.")
    lines_in.answer("GET /api/v1/world/recent", WorldLines(lines=()))
    assert pulse("world", "query", "recent").code == 1


def test_a_check_counts_as_read_once_it_was_printed(pulse: Pulse, lines_in: SmallHub) -> None:
    lines_in.answer(CHECK, WorldLines(lines=LINES[:1], batch="b1", has_more=True))
    said = pulse("world", "check", "anna")
    assert (said.code, "captcha required" in said.out, "There is more" in said.err) == (0, True, True)
    assert [body for _, body in sent(lines_in)] == [
        {"reader": "anna", "done": "", "most": 200},
        {"reader": "anna", "done": "b1", "most": 1},
    ]


def test_a_check_without_news_waits_as_long_as_it_is_told(
    pulse: Pulse, lines_in: SmallHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines_in.answer(CHECK, WorldLines(lines=()))
    said = pulse("world", "check")
    assert (said.code, said.out.strip()) == (1, "Nothing new.")

    def news(_: float) -> None:
        lines_in.answer(CHECK, WorldLines(lines=LINES[:1], batch="b1"))

    monkeypatch.setattr("hub.cli.world.time.sleep", news)
    assert pulse("world", "check", "--wait", "60").code == 0


def test_an_answer_goes_to_its_session(pulse: Pulse, lines_in: SmallHub) -> None:
    lines_in.answer("POST /api/v1/world/sessions/abc123/respond", WorldAnswer(session=SESSION))
    said = pulse("world", "respond", "abc123", "captcha", "text: XKCD42")
    assert (said.code, "answer was passed on" in said.out) == (0, True)
    assert json.loads(pulse("world", "respond", "abc123", "captcha text: XKCD42", "--json").out)["session"]
    assert sent(lines_in) == [("respond", {"text": "captcha text: XKCD42"})] * 2


@pytest.mark.parametrize(
    "command",
    [
        ("event", "bash", "x"),
        ("agent", "start", "abc123", "x"),
        ("query",),
        ("query", "session", "abc123"),
        ("query", "recent"),
        ("check",),
        ("path",),
    ],
)
def test_json_is_the_document_of_the_api(pulse: Pulse, lines_in: SmallHub, command: tuple[str, ...]) -> None:
    lines_in.answer(CHECK, WorldLines(lines=()))
    lines_in.answer("GET /api/v1/world/path", WorldPath(path="/srv/world.log"))
    assert isinstance(json.loads(pulse("world", *command, "--json").out), dict)


@pytest.mark.parametrize(
    ("active", "pending", "failed", "said"),
    [
        (0, 0, 0, ""),
        (2, 0, 0, "2 at work"),
        (2, 1, 0, "2 at work · 1 to be checked"),
        (0, 0, 1, "1 needs you: pulse world query session abc123"),
        (1, 0, 2, "1 at work · 2 need you: pulse world query session abc123"),
    ],
)
def test_the_status_has_a_line_where_something_is_open(active: int, pending: int, failed: int, said: str) -> None:
    asks = "abc123" if failed else ""
    assert sessions_line(WorldStatus(active=active, pending=pending, failed=failed, asks=asks)).plain == said
