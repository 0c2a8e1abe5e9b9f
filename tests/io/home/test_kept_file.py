"""What another program writes into a file of the hub's own does not stay there."""

import os
from pathlib import Path

import pytest

from hub.io.home.kept_file import KeptFile


def test_what_another_program_writes_or_takes_away_is_put_back(tmp_path: Path) -> None:
    file = KeptFile(tmp_path / "secrets" / "users.json")
    file.write("ours")
    assert not file.put_back()
    file.path.write_text("theirs")
    assert file.put_back()
    assert (file.path.read_text(), file.path.stat().st_mode & 0o777) == ("ours", 0o600)
    file.path.unlink()
    assert file.put_back()
    assert file.path.read_text() == "ours"


def test_a_file_that_was_not_there_goes(tmp_path: Path) -> None:
    file = KeptFile(tmp_path / "users.json")
    assert file.read() is None
    file.path.write_text("theirs")
    assert file.put_back()
    assert not file.path.exists()


def test_what_could_not_be_written_is_not_put_back(tmp_path: Path) -> None:
    file = KeptFile(tmp_path / "users.json")
    file.write("ours")
    file.path.unlink()
    (file.path / "in the way").mkdir(parents=True)
    with pytest.raises(OSError, match=r"users\.json"):
        file.write("new")
    (file.path / "in the way").rmdir()
    file.path.rmdir()
    assert file.put_back()
    assert file.path.read_text() == "ours"


@pytest.mark.parametrize("was", ["ours", ""])
def test_a_pipe_in_its_place_is_not_waited_for(tmp_path: Path, was: str) -> None:
    file = KeptFile(tmp_path / "users.json")
    if was:
        file.write(was)
        file.path.unlink()
    os.mkfifo(file.path)
    assert file.put_back()
    assert (file.path.read_text() if file.path.exists() else "") == was


def test_what_is_closed_to_its_owner_is_put_back(tmp_path: Path) -> None:
    file = KeptFile(tmp_path / "users.json")
    file.write("ours")
    file.path.chmod(0)
    assert file.put_back()
    assert file.path.stat().st_mode & 0o777 == 0o600


def test_its_folder_is_made_again_where_something_else_stands(tmp_path: Path) -> None:
    file = KeptFile(tmp_path / "secrets" / "users.json")
    file.write("ours")
    file.path.parent.rename(tmp_path / "elsewhere")
    file.path.parent.symlink_to("nowhere")
    assert file.put_back()
    assert (file.path.read_text(), file.path.parent.is_symlink()) == ("ours", False)
    assert file.path.parent.stat().st_mode & 0o777 == 0o700
