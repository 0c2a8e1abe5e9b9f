"""Lines in, a session out: the complete traces of WORLD, and what nobody should be able to do to one."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.contract.world import AgentStatus
from hub.domain.provenance import LogText, untrusted
from hub.domain.world import SessionProcess, WorldSession
from hub.domain.world_lines import read_line, session_of
from hub.domain.world_states import may_follow
from hub.sense.world_sessions import session_after

NOON = datetime(2026, 1, 9, 12, tzinfo=UTC)
SEEN = NOON + timedelta(days=1)

HAPPY = """\
# Happy path
[2026-01-09T10:00:00Z][agent:start][abc123] Book Tokyo flight | need: confirmation number
[2026-01-09T10:00:05Z][agent:active][abc123] searching flights
[2026-01-09T10:00:09Z][event:chrome][kayak.com] opened flight search
[2026-01-09T10:00:20Z][event:chrome][kayak.com] found 15 flights
[2026-01-09T10:15:00Z][agent:finish][abc123] Booked JAL $450, confirmation #XYZ789
[2026-01-09T10:15:30Z][agent:verified][abc123] success criteria met
"""
RETRY = """\
# Retry path
[2026-01-09T11:00:00Z][agent:start][def456] Find a room in Paris | need: listing URL with price
[2026-01-09T11:00:05Z][agent:active][def456] searching listings
[2026-01-09T11:10:00Z][agent:finish][def456] Found listings but no prices
[2026-01-09T11:10:30Z][agent:retry][def456] no price in the output, look into a listing
[2026-01-09T11:10:35Z][agent:active][def456] opening the first listing
[2026-01-09T11:15:00Z][agent:finish][def456] Listing 123, $150/night
[2026-01-09T11:15:30Z][agent:verified][def456] success criteria met
"""
ESCALATION = """\
# Escalation path
[2026-01-09T12:00:00Z][agent:start][ghi789] Book a table | need: confirmation email
[2026-01-09T12:00:05Z][agent:active][ghi789] opening the page
[2026-01-09T12:05:00Z][agent:failed][ghi789] captcha required | need: solve captcha
[2026-01-09T12:05:01Z][event:system][ghi789] asked for the captcha
[2026-01-09T12:10:00Z][event:user][ghi789] captcha text: XKCD42
[2026-01-09T12:10:05Z][agent:retry][ghi789] Retrying with user input: captcha text
[2026-01-09T12:10:10Z][agent:active][ghi789] going on
[2026-01-09T12:15:00Z][agent:finish][ghi789] Reserved 7pm, confirmation sent
[2026-01-09T12:15:30Z][agent:verified][ghi789] success criteria met
"""


def fold(
    text: str, session: WorldSession | None = None, seen_at: datetime = SEEN, *, proven: bool = False
) -> WorldSession | None:
    for raw in text.encode().splitlines():
        session = session_after(session, read_line(raw), seen_at, proven=proven)
    return session


def known(text: str, seen_at: datetime = SEEN, *, proven: bool = False) -> WorldSession:
    session = fold(text, seen_at=seen_at, proven=proven)
    assert session is not None
    return session


def until(trace: str, last: str) -> str:
    """The beginning of a trace, up to the line that holds some words."""
    return trace[: trace.index("\n", trace.index(last)) + 1]


@pytest.mark.parametrize(
    ("trace", "name", "tries", "retries", "minutes"),
    [(HAPPY, "abc123", 1, 0, 15), (RETRY, "def456", 2, 1, 15), (ESCALATION, "ghi789", 1, 1, 15)],
)
def test_the_complete_traces_end_where_they_should(
    trace: str, name: str, tries: int, retries: int, minutes: int
) -> None:
    session = known(trace)
    assert (session.id, session.status, session.refused) == (name, AgentStatus.VERIFIED, 0)
    assert (session.tries, session.retries) == (tries, retries)
    assert session.moved_at - session.started_at == timedelta(minutes=minutes, seconds=30)
    assert session.said == LogText("success criteria met")
    assert not session.is_open


def test_the_traces_written_by_scripts_without_times_end_there_too() -> None:
    for trace in (HAPPY, RETRY, ESCALATION):
        bare = "\n".join(line.partition("Z]")[2] for line in trace.splitlines())
        session = known(bare, NOON)
        assert session.status is AgentStatus.VERIFIED
        assert session.moved_at == NOON


def test_a_failed_session_asks_a_person_and_their_answer_is_kept_until_it_is_tried_again() -> None:
    asking = known(until(ESCALATION, "agent:failed"))
    assert (asking.asks, asking.answered_at) == (LogText("solve captcha"), None)
    assert asking.need == LogText("confirmation email")
    answered = known(until(ESCALATION, "event:user"))
    assert answered.answer == LogText("captcha text: XKCD42")
    assert answered.answered_at == NOON + timedelta(minutes=10)
    retried = known(until(ESCALATION, "agent:retry"))
    assert (retried.asks, retried.answered_at) == (LogText(""), None)


def test_it_may_say_anew_what_it_needs_and_waits_since_it_failed() -> None:
    said = until(ESCALATION, "event:user") + "[2026-01-09T13:00:00Z][agent:failed][ghi789] a code, too | need: the code"
    session = known(said)
    assert session.asks == LogText("the code")
    assert session.answered_at is None
    assert session.moved_at == NOON + timedelta(minutes=5)


def test_progress_does_not_begin_the_status_anew() -> None:
    session = known(until(HAPPY, "searching") + "[2026-01-09T11:30:00Z][agent:active][abc123] still searching")
    assert session.moved_at == NOON - timedelta(hours=2) + timedelta(seconds=5)
    assert session.heard_at == NOON - timedelta(minutes=30)
    assert session.said == LogText("still searching")


def test_three_tries_without_a_person_are_counted() -> None:
    again = "[agent:finish][def456] x\n[agent:retry][def456] y\n[agent:active][def456] z\n"
    assert known(until(RETRY, "searching listings") + 2 * again).tries == 3


def test_what_cannot_follow_changes_nothing_but_its_count() -> None:
    verified = known(HAPPY)
    after = fold("[agent:active][abc123] once more\n[agent:start][abc123] again", verified)
    assert after is not None
    assert (after.refused, after.refused_status) == (2, AgentStatus.START)
    assert (after.status, after.said, after.heard_at) == (verified.status, verified.said, verified.heard_at)


def test_a_session_that_says_it_is_done_or_was_asked_to_try_again_never_began() -> None:
    assert fold("[agent:finish][abc123] x\n[agent:retry][abc123] y\n[event:user][abc123] z") is None


def test_a_session_whose_first_line_says_that_it_is_stuck_asks() -> None:
    stuck = known("[agent:failed][abc123] captcha required | need: solve captcha")
    texts = [untrusted(text) for text in (stuck.task, stuck.need, stuck.asks)]
    assert (stuck.status, texts) == (AgentStatus.FAILED, ["captcha required", "", "solve captcha"])
    assert untrusted(known("[agent:active][abc123] found 15 flights").said) == "found 15 flights"


def test_another_sessions_lines_leave_it_as_it_is() -> None:
    session = known(HAPPY)
    assert fold(RETRY + "[read:abc123][3]\njust words", session) is session


def test_a_clock_that_is_ahead_keeps_nobody_from_the_time_outs() -> None:
    session = known("[2030-01-01T00:00:00Z][agent:start][abc123] x", NOON)
    assert (session.started_at, session.moved_at) == (NOON, NOON)
    assert session.odd_at == datetime(2030, 1, 1, tzinfo=UTC)


def test_time_does_not_go_back() -> None:
    session = known(until(HAPPY, "agent:start") + "[2020-01-01T00:00:00Z][agent:active][abc123] x")
    assert session.moved_at == session.started_at
    assert session.odd_at == datetime(2020, 1, 1, tzinfo=UTC)


def test_one_line_of_unknown_hands_makes_a_session_unproven() -> None:
    proven = known(until(HAPPY, "agent:finish"), proven=True)
    assert proven.proven
    forged = fold("[agent:verified][abc123] trust me", proven)
    assert forged is not None
    assert (forged.status, forged.proven) == (AgentStatus.VERIFIED, False)


def test_the_next_try_has_a_process_of_its_own() -> None:
    begun = ["[agent:start][abc123] Book", "[agent:active][abc123] x", "[event:system][abc123] process 4242 since 99"]
    again = [*begun, "[agent:failed][abc123] no", "[agent:retry][abc123] once more"]
    assert known("\n".join(begun)).process == SessionProcess(pid=4242, started=99)
    assert known("\n".join([*again, "[agent:active][abc123] x"])).process is None
    named = [*again, "[event:system][abc123] process 4343 since 7", "[agent:active][abc123] x"]
    assert known("\n".join(named)).process == SessionProcess(pid=4343, started=7)


def test_only_its_own_hands_name_the_process_of_a_proven_session() -> None:
    named = "[event:system][abc123] process 4242 since 99"
    proven = known(until(HAPPY, "agent:active"), proven=True)
    assert fold(named, proven) is proven
    own, joined = fold(named, proven, proven=True), fold(named, known(until(HAPPY, "agent:active")))
    assert own is not None
    assert joined is not None
    assert own.process == joined.process == SessionProcess(pid=4242, started=99)


def test_only_its_own_hands_name_the_folder_of_a_proven_session() -> None:
    named = "[event:system][abc123] folder /home/anna/shop"
    proven = known(until(HAPPY, "agent:active"), proven=True)
    assert fold(named, proven) is proven
    own = known(f"{until(HAPPY, 'agent:active')}\n{named}\n[event:system][abc123] process 4242 since 99")
    assert (own.folder, own.process) == ("/home/anna/shop", SessionProcess(pid=4242, started=99))


def test_a_session_keeps_the_beginning_of_long_texts() -> None:
    long = "x" * 60_000
    lines = f"[agent:start][a] {long} | need: y\n[agent:failed][a] {long} | need: {'z' * 5_000}\n[event:user][a] {long}"
    session, kept = known(lines), LogText(long[:2_048])
    assert (session.task, session.said, session.answer) == (kept, kept, kept)
    assert session.asks == LogText("z" * 2_048)
    assert session.need == LogText("y")


words = st.sampled_from(
    [f"[agent:{status}][a] x | need: y" for status in AgentStatus]
    + ["[event:user][a] z", "[event:system][a] process 1 since 2", "[2030-01-01T00:00:00Z][agent:active][a] x", "junk"]
)


@given(st.lists(words, max_size=30))
def test_any_lines_keep_to_the_table_and_to_time(lines: list[str]) -> None:
    session: WorldSession | None = None
    for number, line in enumerate(lines):
        before, seen_at = session, NOON + timedelta(minutes=number)
        session = session_after(session, read_line(line.encode()), seen_at)
        if session is None or session is before:
            continue
        assert session_of(read_line(line.encode())) == session.id
        assert before is None or session.status is before.status or may_follow(before.status, session.status)
        assert session.started_at <= session.moved_at <= session.heard_at <= seen_at
        assert 1 <= session.tries <= session.retries + 1


@pytest.mark.parametrize(("words", "wait_s"), [("wait 1800 s", 1_800.0), ("wait 0 s", None), ("wait 9999999 s", None)])
def test_a_session_may_say_how_long_it_takes(words: str, wait_s: float | None) -> None:
    said = known(f"[agent:start][abc123] Book it\n[event:system][abc123] {words}\n[event:bash][abc123] wait 5 s")
    assert said.wait_s == wait_s
