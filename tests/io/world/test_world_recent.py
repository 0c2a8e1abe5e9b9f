"""The last lines of the log: what they cost is bounded, however much was put aside."""

from pathlib import Path

from hub.contract.world import LINE_BYTES_MAX
from hub.domain.world_lines import write_line
from hub.io.world.recent import RECENT_BYTES_MAX, RECENT_MAX, recent

LINE = b"[event:bash][x] "


def put_aside(path: Path, number: int, content: bytes) -> None:
    path.with_name(f"{path.name}.2026010{number}T100000.000000Z").write_bytes(content)


def test_of_all_files_together_no_more_is_read_than_fits(tmp_path: Path) -> None:
    path = tmp_path / "world.log"
    long = LINE + b"x" * (LINE_BYTES_MAX - len(LINE) - 1) + b"\n"
    path.write_bytes(long * 100)
    for number in range(1, 4):
        put_aside(path, number, long * 100)
    found = recent(path, RECENT_MAX)
    assert 100 < len(found) < RECENT_BYTES_MAX // len(long) + 1


def test_lines_that_were_put_aside_come_first(tmp_path: Path) -> None:
    path = tmp_path / "world.log"
    path.write_bytes(LINE + b"three\n")
    put_aside(path, 1, LINE + b"one\n")
    put_aside(path, 2, LINE + b"two\n")
    assert [write_line(one) for one in recent(path, 2)] == [LINE + b"two\n", LINE + b"three\n"]  # type: ignore[arg-type]  # facts
    assert len(recent(path, 9)) == 3
    assert recent(path, 0) == ()
