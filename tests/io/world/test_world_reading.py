"""Every line is taken in once, whatever happens to the file."""

import shutil
import tempfile
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from hub.contract.world import LINE_BYTES_MAX, LineFault
from hub.domain.provenance import untrusted
from hub.domain.world import UNPARSED_CHARS_MAX, Unparsed
from hub.domain.world_file import LogGap
from hub.io.world.cursor import BEGINNING, LogCursor
from hub.io.world.errors import WorldLogError
from hub.io.world.files import siblings
from hub.io.world.reading import LogBatch, end_of, read_on
from hub.io.world.writing import WorldLog
from tests.io.world.lines import NOON, all_from, echo, event, said_in


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "world.log"


def write(path: Path, *numbers: int) -> None:
    """Append numbered lines with times."""
    for number in numbers:
        WorldLog(path).append(event(str(number), number))


def numbered(batch: LogBatch) -> list[int]:
    return [int(text) for text in said_in(batch)]


def test_nothing_is_read_of_what_is_not_there(path: Path) -> None:
    assert read_on(path, BEGINNING) == LogBatch(lines=(), cursor=BEGINNING)


def test_each_call_goes_on_where_the_last_one_ended(path: Path) -> None:
    write(path, *range(7))
    first = read_on(path, BEGINNING, lines_max=3)
    assert (numbered(first), first.has_more) == ([0, 1, 2], True)
    rest = all_from(path, first.cursor)
    assert numbered(rest) == [3, 4, 5, 6]
    assert read_on(path, rest.cursor) == LogBatch(lines=(), cursor=rest.cursor)


def test_a_cursor_can_be_stored(path: Path) -> None:
    write(path, 1, 2)
    cursor = read_on(path, BEGINNING, lines_max=1).cursor
    stored = msgspec.json.decode(msgspec.json.encode(cursor), type=LogCursor)
    assert stored == cursor
    assert numbered(read_on(path, stored)) == [2]


def test_a_half_line_waits_for_its_new_line(path: Path) -> None:
    cursor = BEGINNING
    for piece in ("[event:", "bash][te", "st] 1"):
        echo(path, piece)
        batch = read_on(path, cursor)
        assert (batch.lines, batch.has_more) == ((), False)
        cursor = batch.cursor
    echo(path, "2\n[event:bash][test] 3")
    assert numbered(read_on(path, cursor)) == [12]


@pytest.mark.parametrize("bytes_max", [1_000, 2 * 1024 * 1024, 64 * 1024 * 1024])
def test_a_line_of_ten_megabytes_becomes_one_that_is_kept_by_its_beginning(path: Path, bytes_max: int) -> None:
    size = 10 * 1024 * 1024
    echo(path, "[event:bash][test] 1\n[event:bash][test] ")
    cursor = read_on(path, BEGINNING).cursor
    for _ in range(2):
        echo(path, "x" * (size // 2))
        batch = read_on(path, cursor, bytes_max=bytes_max)
        assert batch.lines == ()
        cursor = batch.cursor
    echo(path, "\n[event:bash][test] 2\n")
    batches = [read_on(path, cursor, bytes_max=bytes_max)]
    while batches[-1].has_more and len(batches) < 1_000:
        batches.append(read_on(path, batches[-1].cursor, bytes_max=bytes_max))
    kept, last = [each.line for batch in batches for each in batch.lines]
    assert isinstance(kept, Unparsed)
    assert (kept.fault, kept.size_bytes) == (LineFault.TOO_LONG, size + 19)
    assert untrusted(kept.text) == ("[event:bash][test] " + "x" * size)[:UNPARSED_CHARS_MAX]
    assert last == event("2")
    assert len(batches) <= 2 + size // max(bytes_max, LINE_BYTES_MAX)


@pytest.mark.parametrize("length", [LINE_BYTES_MAX - 1, LINE_BYTES_MAX, LINE_BYTES_MAX + 1])
def test_the_limit_is_the_same_in_one_piece_and_in_many(path: Path, length: int) -> None:
    echo(path, "x" * (length - 1))
    cursor = read_on(path, BEGINNING).cursor
    echo(path, "\n")
    whole, pieces = read_on(path, BEGINNING).lines, read_on(path, cursor).lines
    assert whole == pieces
    assert isinstance(whole[0].line, Unparsed)
    assert whole[0].line.size_bytes == length - 1


def test_binary_is_kept_line_by_line_and_blank_lines_are_nothing(path: Path) -> None:
    path.write_bytes(b"\x7fELF\x00\xff\xfe\n\n  \n\r\n\x00\n[event:bash][test] 1\r\n")
    assert said_in(read_on(path, BEGINNING)) == ["Unparsed", "Unparsed", "1"]


def test_what_was_put_aside_is_read_to_its_end_also_what_comes_late(path: Path) -> None:
    log = WorldLog(path, rotate_bytes=1)
    write(path, 1, 2)
    cursor = read_on(path, BEGINNING, lines_max=1).cursor
    with path.open("ab", buffering=0) as kept_open:  # as by a shell's `exec 3>>world.log`
        aside = log.rotate(NOON)
        write(path, 3)
        kept_open.write(b"[event:bash][test] 4\n")
        batch = all_from(path, cursor)
        assert numbered(batch) == [2, 4, 3]
        kept_open.write(b"[event:bash][test] 5\n")
    write(path, 6)
    late = all_from(path, batch.cursor)
    assert numbered(late) == [5, 6]
    assert aside is not None
    path.with_name(aside).unlink()
    assert [mark.name for mark in read_on(path, late.cursor).cursor.marks] == ["world.log"]


def test_several_rotations_between_two_looks_lose_nothing(path: Path) -> None:
    log = WorldLog(path, rotate_bytes=1)
    write(path, 1)
    cursor = read_on(path, BEGINNING).cursor
    for number in range(2, 8, 2):
        write(path, number, number + 1)
        log.rotate(NOON + timedelta(seconds=number))
    assert numbered(all_from(path, cursor)) == [2, 3, 4, 5, 6, 7]
    assert numbered(all_from(path, BEGINNING)) == [1, 2, 3, 4, 5, 6, 7]


def test_a_log_that_others_rename_is_read_to_its_end(path: Path) -> None:
    write(path, 1, 2)
    cursor = read_on(path, BEGINNING, lines_max=1).cursor
    path.rename(path.with_name("yesterday.txt"))
    write(path, 3)
    batch = all_from(path, cursor)
    assert (numbered(batch), batch.gaps) == ([2, 3], ())
    write(path.with_name("yesterday.txt"), 4)
    assert numbered(all_from(path, batch.cursor)) == [4]


def test_a_log_that_is_gone_is_said_and_one_that_comes_back_goes_on(path: Path, tmp_path: Path) -> None:
    write(path, 1, 2)
    cursor = read_on(path, BEGINNING, lines_max=1).cursor
    (tmp_path / "folder").mkdir()
    path.rename(tmp_path / "folder" / "away")
    gone = read_on(path, cursor)
    assert (gone.lines, gone.gaps) == ((), (LogGap.GONE,))
    shutil.copy(tmp_path / "folder" / "away", path)
    assert numbered(read_on(path, gone.cursor)) == [2]


def test_an_emptied_log_is_read_from_its_beginning(path: Path) -> None:
    write(path, 1, 2)
    cursor = read_on(path, BEGINNING).cursor
    path.write_bytes(b"")
    cursor = read_on(path, cursor).cursor
    write(path, 3, 4)
    batch = all_from(path, cursor)
    assert (numbered(batch), batch.gaps) == ([3, 4], (LogGap.REPLACED,))


@pytest.mark.parametrize("more", [1, 2, 5])
def test_another_log_in_its_place_is_read_whole_whatever_its_length(path: Path, more: int) -> None:
    write(path, 1, 2)
    cursor = read_on(path, BEGINNING).cursor
    path.unlink()
    write(path, *range(10, 10 + more))
    assert numbered(all_from(path, cursor)) == list(range(10, 10 + more))


def test_a_log_that_was_cut_gives_only_what_is_later(path: Path) -> None:
    write(path, *range(20))
    cursor = read_on(path, BEGINNING).cursor
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:15]))
    write(path, 20, 21)
    batch = all_from(path, cursor)
    assert (numbered(batch), batch.gaps) == ([20, 21], (LogGap.CUT,))
    write(path, 22)
    assert numbered(all_from(path, batch.cursor)) == [22]


def test_an_edited_log_gives_only_what_is_later(path: Path) -> None:
    write(path, *range(20))
    cursor = read_on(path, BEGINNING).cursor
    draft = path.with_name("draft")
    kept = path.read_bytes().splitlines(keepends=True)
    draft.write_bytes(b"".join([*kept[:10], b"# a heading that somebody added\n", *kept[10:]]))
    draft.replace(path)
    write(path, 20)
    assert numbered(all_from(path, cursor)) == [20]


def test_a_log_that_is_written_anew_in_pieces_gives_nothing_twice(path: Path) -> None:
    write(path, *range(20))
    cursor = read_on(path, BEGINNING).cursor
    whole = path.read_bytes()
    path.write_bytes(b"")
    seen: list[int] = []
    for start in range(0, len(whole), 150):
        echo(path, whole[start : start + 150].decode())
        batch = all_from(path, cursor)
        cursor, seen = batch.cursor, [*seen, *numbered(batch)]
    write(path, 20)
    assert (seen, numbered(all_from(path, cursor))) == ([], [20])


def test_a_new_reader_begins_after_the_last_whole_line(path: Path) -> None:
    write(path, 1)
    WorldLog(path, rotate_bytes=1).rotate(NOON)
    write(path, 2)
    echo(path, "[event:bash][test] 3")
    cursor = end_of(path)
    assert all_from(path, cursor).lines == ()
    echo(path, "\n")
    write(path, 4)
    assert numbered(all_from(path, cursor)) == [3, 4]
    assert end_of(path.with_name("none")) == BEGINNING


def test_a_log_that_may_not_be_read_is_an_error_and_takes_nothing_in(path: Path, tmp_path: Path) -> None:
    write(path, 1)
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    assert read_on(path, BEGINNING).lines == ()  # a link is no log
    path.unlink()
    (tmp_path / "file").touch()
    with pytest.raises(WorldLogError):
        read_on(tmp_path / "file" / "world.log", BEGINNING)


class Life(RuleBasedStateMachine):
    """Writers, rotations, renames, copies and halves in any order: each line is taken in once."""

    @initialize()
    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.path = self.folder / "world.log"
        self.log = WorldLog(self.path, rotate_bytes=1)
        self.cursor = BEGINNING
        self.written: list[str] = []
        self.taken: list[str] = []
        self.count = 0

    @rule(half=st.booleans())
    def append(self, half: bool) -> None:  # noqa: FBT001  a draw
        self.count += 1
        self.log.append(event(f"line {self.count}", self.count))
        self.written.append(f"line {self.count}")
        if half:
            echo(self.path, "[event:bash")
            self.written.append("Unparsed")

    @rule()
    def rotate(self) -> None:
        self.log.rotate(NOON)

    @rule()
    def rename(self) -> None:
        if self.path.exists() and any(mark.name == "world.log" for mark in self.cursor.marks):
            self.log.end_half_line()
            self.read()
            self.path.rename(self.path.with_name(f"old {self.count} {len(list(siblings(self.path)))}"))

    @rule()
    def copy(self) -> None:
        if self.path.exists():
            shutil.copy(self.path, self.folder / "copy")
            (self.folder / "copy").replace(self.path)

    @rule(lines_max=st.integers(1, 4))
    def read_some(self, lines_max: int) -> None:
        batch = read_on(self.path, self.cursor, lines_max=lines_max)
        self.cursor = batch.cursor
        self.taken += said_in(batch)

    @rule()
    def read(self) -> None:
        batch = all_from(self.path, self.cursor)
        self.cursor = batch.cursor
        self.taken += said_in(batch)

    @invariant()
    def never_twice(self) -> None:
        lines = [text for text in getattr(self, "taken", []) if text != "Unparsed"]
        assert len(lines) == len(set(lines))

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.log.end_half_line()
            self.read()
            assert sorted(self.taken) == sorted(self.written)
            shutil.rmtree(self.folder)


@pytest.mark.slow
class TestLife(Life.TestCase):  # type: ignore[misc,valid-type]  # hypothesis makes it when it is asked for
    settings = settings(max_examples=60, stateful_step_count=25)
