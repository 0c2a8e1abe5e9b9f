"""The lines of the world log: as the source writes them, as people write them, and written and read back."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.contract.world import (
    LINE_BYTES_MAX,
    OLD_MARKER,
    SOURCES,
    AgentStatus,
    BadWorldEntryError,
    EntryKind,
    LineFault,
    UnknownSourceError,
    WorldEntry,
    WorldLineTooLongError,
    check_source,
    entry_of,
    escaped,
    is_session_id,
    plain,
    written,
)

TEN = datetime(2026, 1, 9, 10, tzinfo=UTC)

texts = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=60),
    st.text(st.sampled_from("\\]|[ \n\r\tneed:NEEDu{}1b\x00\x1b\u202e\u2028é有"), max_size=30),
)
times = st.none() | st.datetimes(timezones=st.just(UTC))
names = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._:@-]{0,20}", fullmatch=True)
events = st.builds(
    WorldEntry,
    at=times,
    kind=st.just(EntryKind.EVENT),
    tag=st.from_regex(r"[a-z][a-z0-9_-]{0,31}", fullmatch=True),
    name=texts,
    text=texts,
)
agents = st.builds(
    WorldEntry,
    at=times,
    kind=st.just(EntryKind.AGENT),
    tag=st.sampled_from([status.value for status in AgentStatus]),
    name=names,
    text=texts,
    need=texts,
)
marks = st.builds(
    WorldEntry,
    at=times,
    kind=st.just(EntryKind.READ),
    tag=names,
    name=st.integers(0, 10**12 - 1).map(str),
    text=texts,
)


def agent(text: str, need: str = "", at: datetime | None = None, status: str = "failed") -> WorldEntry:
    return WorldEntry(at=at, kind=EntryKind.AGENT, tag=status, name="abc123", text=text, need=need)


@pytest.mark.slow
@given(st.one_of(events, agents, marks))
@example(agent("a | need: b", "c | need: d"))
@example(agent("", "c"))
@example(agent(" ", " "))
@example(agent("a |", "c"))
@example(agent("a\\", "c"))
@example(agent("a\\| NEED:", ""))
@example(WorldEntry(kind=EntryKind.EVENT, tag="file", name="a[0]\\].txt", text=" ] x"))
def test_what_is_written_is_read_back(entry: WorldEntry) -> None:
    line = written(entry)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert entry_of(line[:-1]) == entry


@given(st.binary(max_size=200) | texts.map(lambda text: text.encode()))
def test_any_bytes_are_an_entry_or_have_a_fault_and_an_entry_can_be_written(raw: bytes) -> None:
    found = entry_of(raw)
    if isinstance(found, WorldEntry):
        assert entry_of(written(found)[:-1]) == found


@given(st.text(max_size=60))
def test_an_escaped_text_steers_nothing_and_keeps_its_meaning(text: str) -> None:
    safe = escaped(text)
    assert len(safe.splitlines()) <= 1
    assert not set(safe) & {chr(number) for number in range(0x20) if number != 0x09}
    assert plain(safe) == "".join("\ufffd" if 0xD800 <= ord(char) < 0xE000 else char for char in text)


SOURCE_LINES = {
    "[agent:start][abc123] Book Tokyo flight | need: confirmation number": agent(
        "Book Tokyo flight", "confirmation number", status="start"
    ),
    "[agent:active][abc123] searching flights": agent("searching flights", status="active"),
    "[event:chrome][kayak.com] found 15 flights": WorldEntry(
        kind=EntryKind.EVENT, tag="chrome", name="kayak.com", text="found 15 flights"
    ),
    "[agent:finish][abc123] Booked JAL $450, confirmation #XYZ789": agent(
        "Booked JAL $450, confirmation #XYZ789", status="finish"
    ),
    "[agent:failed][abc123] captcha required | need: solve captcha": agent("captcha required", "solve captcha"),
    "[event:user][abc123] captcha text: XKCD42": WorldEntry(
        kind=EntryKind.EVENT, tag="user", name="abc123", text="captcha text: XKCD42"
    ),
    "[agent:retry][abc123] Retrying with user input: captcha text": agent(
        "Retrying with user input: captcha text", status="retry"
    ),
}


@pytest.mark.parametrize("line", SOURCE_LINES)
def test_the_lines_of_the_source_are_read_as_they_stand_and_with_a_timestamp(line: str) -> None:
    entry = SOURCE_LINES[line]
    assert entry_of(line.encode()) == entry
    assert written(entry) == f"{line}\n".encode()
    assert entry_of(f"[2026-01-09T10:00:00Z]{line}".encode()) == replace(entry, at=TEN)


@pytest.mark.parametrize(
    ("stamp", "at"),
    [
        ("2026-01-09T10:00:00Z", TEN),
        ("2026-01-09T10:00Z", TEN),
        ("2026-01-09 10:00:00", TEN),
        ("2026-01-09T12:00:00+02:00", TEN),
        ("2026-01-09T04:30:00-0530", TEN),
        ("2026-01-09T10:00:00.5Z", TEN + timedelta(milliseconds=500)),
        ("2026-01-09T10:00:00.123456789Z", TEN + timedelta(microseconds=123456)),
    ],
)
def test_times_are_utc_whoever_wrote_them(stamp: str, at: datetime) -> None:
    found = entry_of(f"[{stamp}][agent:failed][abc123] x".encode())
    assert found == agent("x", at=at)


def test_a_time_is_written_in_utc() -> None:
    there = TEN.astimezone(timezone(timedelta(hours=5)))
    assert written(agent("x", at=there)) == b"[2026-01-09T10:00:00Z][agent:failed][abc123] x\n"
    with pytest.raises(BadWorldEntryError, match="without a time zone"):
        written(agent("x", at=TEN.replace(tzinfo=None)))


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (b"", LineFault.NO_ENTRY),
        (b"just words", LineFault.NO_ENTRY),
        (b"[timestamp][event:source][identifier] output", LineFault.NO_ENTRY),
        (b"[agent:start] no session", LineFault.NO_ENTRY),
        (b"[2026-13-09T10:00:00Z][agent:start][a] x", LineFault.BAD_TIME),
        (b"[0001-01-01T00:00:00+09:00][agent:start][a] x", LineFault.BAD_TIME),
        (b"[1767952800][agent:start][a] x", LineFault.BAD_TIME),
        (b"[event:Chrome][a] x", LineFault.BAD_SOURCE),
        (b"[agent:done][a] x", LineFault.BAD_STATUS),
        (b"[agent:start][a b] x", LineFault.BAD_NAME),
        (b"[agent:start][] x", LineFault.BAD_NAME),
        (b"[read:a][many]", LineFault.BAD_NAME),
        (b"\x00\xff\x7fELF", LineFault.NO_ENTRY),
        (b"[agent:active][a] " + b"x" * LINE_BYTES_MAX, LineFault.TOO_LONG),
    ],
)
def test_what_is_no_entry_says_why(line: bytes, fault: LineFault) -> None:
    assert entry_of(line) is fault


@pytest.mark.parametrize(
    ("line", "text", "need"),
    [
        (b"[agent:failed][abc123] captcha|need:solve it", "captcha", "solve it"),
        (b"[agent:failed][abc123] captcha | Need: solve it\r", "captcha", "solve it"),
        (b"[agent:failed] [abc123] ls | wc | need: a count", "ls | wc", "a count"),
        (rb"[agent:failed][abc123] C:\dir \| need: x", r"C:\dir | need: x", ""),
        (rb"[agent:failed][abc123] two\nlines \u{d800} \u{110000} \q", "two\nlines \\u{d800} \\u{110000} \\q", ""),
        (b"[agent:failed][abc123] caf\xe9", "caf\ufffd", ""),
        (b"[agent:failed][abc123]", "", ""),
    ],
)
def test_people_write_as_they_like(line: bytes, text: str, need: str) -> None:
    assert entry_of(line) == agent(text, need)


def test_the_marker_of_old_logs_is_read_and_written() -> None:
    found = entry_of(OLD_MARKER.encode())
    assert isinstance(found, WorldEntry)
    assert (found.kind, found.tag) == (EntryKind.READ, "")
    assert written(found) == f"{OLD_MARKER}\n".encode()


def test_what_no_line_can_say_is_refused_with_what_to_do() -> None:
    for entry in (
        WorldEntry(kind=EntryKind.EVENT, tag="My Source", name="x"),
        WorldEntry(kind=EntryKind.AGENT, tag="done", name="x"),
        WorldEntry(kind=EntryKind.AGENT, tag="start", name="x y"),
        WorldEntry(kind=EntryKind.READ, tag="reader", name="-1"),
    ):
        with pytest.raises(BadWorldEntryError, match="is no entry") as refused:
            written(entry)
        assert refused.value.fix
    with pytest.raises(WorldLineTooLongError, match="65536"):
        written(agent("x" * LINE_BYTES_MAX))


def test_the_longest_line_is_read_back() -> None:
    empty = len(written(agent("x"))) - 1
    line = written(agent("x" * (LINE_BYTES_MAX - empty)))
    assert len(line) == LINE_BYTES_MAX
    assert isinstance(entry_of(line[:-1]), WorldEntry)


def test_a_new_source_is_registered_first() -> None:
    with pytest.raises(UnknownSourceError) as refused:
        check_source("calendar")
    assert refused.value.fix == "Use one of: api, bash, chrome, file, system, user."
    check_source("calendar", SOURCES | {"calendar"})
    assert is_session_id("a-1.b:c@d_e")
    assert not is_session_id("a" * 129)
