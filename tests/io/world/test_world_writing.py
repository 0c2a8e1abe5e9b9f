"""Appending to the world log: one write a line, whole or not at all."""

import fcntl
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from hub.contract.world import BadWorldEntryError, WorldLineTooLongError
from hub.domain.provenance import LogText
from hub.domain.world import WorldEvent
from hub.domain.world_lines import write_line
from hub.io.world.cursor import BEGINNING
from hub.io.world.errors import WorldLogError, WorldLogFullError
from hub.io.world.files import archives_of
from hub.io.world.reading import read_on
from hub.io.world.recent import recent
from hub.io.world.writing import AT_ONCE_BYTES_MAX, WorldLog
from tests.io.world.lines import NOON, echo, event, said, said_in


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "world.log"


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """No file of this process grows beyond a size: what a full disk is like."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_line_is_appended_and_known_again_by_its_place(path: Path) -> None:
    log = WorldLog(path)
    places = [log.append(event("one", 1)), log.append(event("two\nlines", 2))]
    assert path.read_text() == (
        "[2026-01-09T12:00:01Z][event:bash][test] one\n[2026-01-09T12:00:02Z][event:bash][test] two\\nlines\n"
    )
    assert path.stat().st_mode & 0o777 == 0o600
    batch = read_on(path, BEGINNING)
    assert [each.place for each in batch.lines] == places
    assert said_in(batch) == ["one", "two\nlines"]


def test_what_somebody_left_half_stays_alone(path: Path) -> None:
    echo(path, "[agent:sta")
    place = WorldLog(path).append(event("mine"))
    assert path.read_bytes().splitlines() == [b"[agent:sta", b"[event:bash][test] mine"]
    assert said_in(read_on(path, BEGINNING)) == ["Unparsed", "mine"]
    assert read_on(path, BEGINNING).lines[1].place == place


def test_a_half_line_can_be_ended(path: Path) -> None:
    log = WorldLog(path)
    assert not log.end_half_line()
    echo(path, "[event:bash][test] no new line")
    assert said_in(read_on(path, BEGINNING)) == []
    assert log.end_half_line()
    assert not log.end_half_line()
    assert said_in(read_on(path, BEGINNING)) == ["no new line"]


def test_many_lines_are_appended_in_order_with_one_write(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[int] = []
    write = os.write

    def counting(descriptor: int, data: bytes) -> int:
        written.append(len(data))
        return write(descriptor, data)

    echo(path, "half")
    monkeypatch.setattr(os, "write", counting)
    WorldLog(path).append_all([write_line(event(f"line {n}")) for n in range(500)])
    assert said_in(read_on(path, BEGINNING)) == ["Unparsed", *(f"line {n}" for n in range(500))]
    assert len(written) == 1


def test_more_lines_than_are_written_at_once_are_all_there_and_none_is_cut(path: Path) -> None:
    lines = [write_line(event(f"{n} " + "x" * 20_000)) for n in range(10)]
    assert sum(map(len, lines)) > 2 * AT_ONCE_BYTES_MAX
    WorldLog(path).append_all(lines)
    assert path.read_bytes() == b"".join(lines)


@pytest.mark.parametrize("free", [0, 1, 60])
def test_on_a_full_disk_no_line_of_many_is_there_in_part(path: Path, free: int) -> None:
    log = WorldLog(path)
    log.append(event("one"))
    before = path.read_bytes()
    with room_for(len(before) + free), pytest.raises(WorldLogFullError, match="No space"):
        log.append_all([write_line(event("two, which may fit")), write_line(event("three, which does not"))])
    assert path.read_bytes() == before
    log.append_all([])
    assert path.read_bytes() == before


@pytest.mark.parametrize("free", [0, 1, 20])
def test_on_a_full_disk_nothing_of_a_line_is_written_and_whoever_wrote_it_is_told(path: Path, free: int) -> None:
    log = WorldLog(path)
    log.append(event("one"))
    before = path.read_bytes()
    with room_for(len(before) + free), pytest.raises(WorldLogFullError, match="No space") as refused:
        log.append(event("two, which does not fit"))
    assert refused.value.retryable
    assert path.read_bytes() == before
    log.append(event("three"))
    assert said_in(read_on(path, BEGINNING)) == ["one", "three"]


def test_what_no_line_can_say_changes_nothing(path: Path) -> None:
    log = WorldLog(path)
    with pytest.raises(BadWorldEntryError):
        log.append(WorldEvent(source="Not a source", identifier=LogText("x")))
    with pytest.raises(WorldLineTooLongError):
        log.append(event("x" * 70_000))
    assert not path.exists()


def test_a_link_a_pipe_a_folder_or_nothing_to_write_to_is_refused(tmp_path: Path, path: Path) -> None:
    (tmp_path / "elsewhere").touch()
    path.symlink_to(tmp_path / "elsewhere")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for place in (path, tmp_path / "folder", tmp_path / "pipe", tmp_path / "not" / "there"):
        with pytest.raises(WorldLogError, match="cannot be used") as refused:
            WorldLog(place).append(event("x"))
        assert refused.value.fix


def test_who_holds_the_lock_for_ever_keeps_nobody_from_writing(path: Path) -> None:
    waits: list[float] = []
    log = WorldLog(path, lock_s_max=0.1, sleep=waits.append)
    log.append(event("one"))
    with path.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        log.append(event("two"))
        assert log.rotate(NOON) is None
    assert said_in(read_on(path, BEGINNING)) == ["one", "two"]
    assert 0.1 <= sum(waits) / 2 < 0.2


def test_who_waited_while_the_log_was_put_aside_writes_into_the_new_one(path: Path) -> None:
    echo(path, "[event:bash][test] old\n")
    held = path.open("rb")
    fcntl.flock(held, fcntl.LOCK_EX)

    def put_aside(_s: float) -> None:
        if not held.closed:
            path.rename(path.with_name("aside"))
            held.close()

    WorldLog(path, sleep=put_aside).append(event("new"))
    assert said_in(read_on(path, BEGINNING)) == ["new"]
    assert path.with_name("aside").read_bytes() == b"[event:bash][test] old\n"


def test_a_large_log_is_put_aside_under_names_in_order_and_the_oldest_go(path: Path) -> None:
    log = WorldLog(path, rotate_bytes=40, archives_max=2)
    log.append(event("small"))
    assert log.rotate(NOON) is None
    names = []
    for number in range(4):
        log.append(event(f"number {number} of the long ones"))
        names.append(log.rotate(NOON - timedelta(days=number)))  # a clock that goes back
    assert names[0] == "world.log.20260109T120000.000000Z"
    assert [one.name for one in archives_of(path)] == names[-2:] == sorted(filter(None, names))[-2:]
    assert not path.exists()
    log.append(event("the newest"))
    assert said(recent(path, 2)) == ["number 3 of the long ones", "the newest"]


def test_a_half_line_is_ended_before_the_log_is_put_aside(path: Path) -> None:
    echo(path, "[event:bash][test] a line of more than forty bytes")
    name = WorldLog(path, rotate_bytes=40).rotate(NOON)
    assert name is not None
    assert path.with_name(name).read_bytes().endswith(b"bytes\n")


@pytest.mark.parametrize("count", [0, 1, 3, 700, 5_000])
def test_the_last_lines_are_read_from_the_end(path: Path, count: int) -> None:
    texts = [f"number {number} {'x' * (number % 300)}" for number in range(1_500)]
    aside = path.with_name("world.log.20260109T120000.000000Z")
    echo(aside, "".join(f"[event:bash][test] {text}\n" for text in texts[:1_000]))
    echo(path, "".join(f"[event:bash][test] {text}\n\n" for text in texts[1_000:]) + "[event:bash][test] half")
    assert said(recent(path, count)) == texts[len(texts) - min(count, 1_000) :]


def test_of_no_log_there_are_no_last_lines(path: Path) -> None:
    assert recent(path, 10) == ()
