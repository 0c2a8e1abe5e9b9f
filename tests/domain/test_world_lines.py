"""Values to lines and back; whose words they are goes along."""

from datetime import UTC

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.contract.world import LINE_BYTES_MAX, AgentStatus, LineFault, WorldLineTooLongError
from hub.domain.provenance import LogText
from hub.domain.world import (
    UNPARSED_CHARS_MAX,
    AgentLine,
    ReadMarker,
    Remark,
    SessionProcess,
    Unparsed,
    WorldEntryLine,
    WorldEvent,
)
from hub.domain.world_lines import folder_of, folder_words, process_of, process_words, read_line, session_of, write_line

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40).map(LogText)
times = st.none() | st.datetimes(timezones=st.just(UTC))
names = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._:@-]{0,20}", fullmatch=True)
sources = st.from_regex(r"[a-z][a-z0-9_-]{0,31}", fullmatch=True)
lines = st.one_of(
    st.builds(WorldEvent, at=times, source=sources, identifier=texts, text=texts),
    st.builds(AgentLine, at=times, status=st.sampled_from(AgentStatus), session=names, text=texts, need=texts),
    st.builds(ReadMarker, at=times, reader=names, entries=st.integers(0, 10**12 - 1)),
    st.builds(Remark, text=texts),
)


@given(lines)
def test_a_line_is_read_as_what_was_written(line: WorldEntryLine) -> None:
    assert read_line(write_line(line)[:-1]) == line


@given(st.binary(max_size=200))
def test_every_line_is_something(raw: bytes) -> None:
    line = read_line(raw)
    if isinstance(line, Unparsed):
        assert line.size_bytes == len(raw)
    else:
        assert read_line(write_line(line)[:-1]) == line


def test_the_sources_own_headings_are_remarks() -> None:
    assert read_line(b"# Events (facts, no tracking)") == Remark(text=LogText(" Events (facts, no tracking)"))


def test_a_line_that_is_too_long_keeps_its_size_and_its_beginning() -> None:
    for raw in (b"[agent:active][a] " + b"x" * LINE_BYTES_MAX, b"#" + b"x" * LINE_BYTES_MAX):
        kept = read_line(raw)
        beginning = LogText(raw[:UNPARSED_CHARS_MAX].decode())
        assert kept == Unparsed(fault=LineFault.TOO_LONG, size_bytes=len(raw), text=beginning)
    with pytest.raises(WorldLineTooLongError):
        write_line(Remark(text=LogText("x" * LINE_BYTES_MAX)))


def test_what_was_written_is_the_worlds_text() -> None:
    line = read_line(b"[agent:failed][abc123] captcha | need: solve it")
    assert isinstance(line, AgentLine)
    with pytest.raises(TypeError):
        f"{line.text}"
    assert "captcha" not in repr(line)


def test_a_session_is_named_by_its_agent_a_person_or_the_system_and_by_no_page() -> None:
    assert session_of(read_line(b"[agent:start][abc123] x")) == "abc123"
    assert session_of(read_line(b"[event:user][abc123] x")) == "abc123"
    assert session_of(read_line(b"[event:system][abc123] x")) == "abc123"
    assert session_of(read_line(b"[event:user][two words] x")) == ""
    assert session_of(read_line(b"[event:chrome][kayak.com] x")) == ""
    assert session_of(read_line(b"[read:abc123][3]")) == ""


def test_a_process_is_known_again_by_its_words() -> None:
    process = SessionProcess(pid=4242, started=812_345)
    event = WorldEvent(source="system", identifier=LogText("abc123"), text=process_words(process))
    assert write_line(event) == b"[event:system][abc123] process 4242 since 812345\n"
    assert process_of(event) == process
    for words in ("process 0 since 1", "process 4242", "the process 4242 since 8"):
        assert process_of(WorldEvent(source="system", identifier=LogText("a"), text=LogText(words))) is None
    assert process_of(WorldEvent(source="bash", identifier=LogText("a"), text=process_words(process))) is None


def test_a_folder_is_known_again_by_its_words() -> None:
    event = WorldEvent(source="system", identifier=LogText("abc123"), text=folder_words("/home/anna/a shop"))
    assert write_line(event) == b"[event:system][abc123] folder /home/anna/a shop\n"
    assert folder_of(event) == "/home/anna/a shop"
    assert folder_of(WorldEvent(source="bash", identifier=LogText("a"), text=folder_words("/x"))) == ""
    for words in ("folder x", "folder ", "the folder /x", "folder /x\n/y", "folder /" + "x" * 1_024, "folder /\x1b[2J"):
        assert folder_of(WorldEvent(source="system", identifier=LogText("a"), text=LogText(words))) == ""
