"""A file that is replaced: whole at any moment, its owner's alone, and nothing left beside it."""

import os
import resource
from pathlib import Path

import pytest

from hub.kit.files import read_regular, replace_file


@pytest.mark.parametrize("lasting", [False, True])
def test_it_is_its_owners_alone_and_nothing_is_left_beside_it(tmp_path: Path, lasting: bool) -> None:  # noqa: FBT001  a parameter
    path = tmp_path / "login.json"
    path.write_text("old")
    path.chmod(0o644)
    replace_file(path, b"new", lasting=lasting)
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"new", 0o600)
    assert list(tmp_path.iterdir()) == [path]


def test_what_lies_where_the_draft_goes_is_not_written_through(tmp_path: Path) -> None:
    path, elsewhere = tmp_path / "login.json", tmp_path / "elsewhere"
    elsewhere.write_text("theirs")
    (tmp_path / ".login.json.new").symlink_to(elsewhere)
    replace_file(path, b"ours")
    assert (path.read_bytes(), elsewhere.read_text(), path.is_symlink()) == (b"ours", "theirs", False)


def test_what_cannot_be_written_leaves_the_old_one_and_no_draft(tmp_path: Path) -> None:
    path = tmp_path / "login.json"
    path.write_text("old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, hard))
    try:
        with pytest.raises(OSError, match="too large"):
            replace_file(path, b"x" * 100)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_read_is_a_regular_file_and_no_more_of_it_than_was_asked_for(tmp_path: Path) -> None:
    path, pipe = tmp_path / "file", tmp_path / "pipe"
    path.write_bytes(b"abcdef")
    os.mkfifo(pipe)
    assert read_regular(path, 3, start=1)[0] == b"bcd"
    for other in (pipe, tmp_path):
        with pytest.raises(OSError, match=r"regular file|directory"):
            read_regular(other, 3)
