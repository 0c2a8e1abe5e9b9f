"""Revocations that the store could not take: kept in room that is there already."""

import errno
import os
from pathlib import Path

import pytest

from hub.contract.topics import DeviceAddress
from hub.io.home.private_files import write_private
from hub.io.home.revocations import PLACE_BYTES, PLACES, Revocations, of_client, of_device

PHONE = DeviceAddress(surface="phone", device="mine")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "revocations"


def test_what_was_noted_is_there_after_a_restart_until_it_is_settled(path: Path) -> None:
    first = Revocations(path)
    assert first.pending() == ()
    assert first.note(of_device(PHONE))
    assert first.note(of_client("client_a1"))
    assert first.note(of_device(PHONE)), "the same again is no second one"
    again = Revocations(path)
    assert again.pending() == ("device phone/mine", "client client_a1")
    assert again.devices() == (PHONE,)
    again.settle(of_device(PHONE))
    assert Revocations(path).pending() == ("client client_a1",)


def test_it_never_grows_and_is_private(path: Path) -> None:
    made = Revocations(path)
    size = path.stat().st_size
    assert size == PLACES * PLACE_BYTES
    assert path.stat().st_blocks * 512 >= size, "the room is taken, not promised"
    for number in range(PLACES):
        assert made.note(of_client(f"client_{number}"))
    assert not made.note(of_client("one_more"))
    assert "client one_more" in made.pending(), "in memory it holds"
    assert (path.stat().st_size, path.stat().st_mode & 0o777) == (size, 0o600)


def test_where_even_that_cannot_be_written_it_is_said(path: Path) -> None:
    made = Revocations(path)
    path.unlink()
    assert not made.note(of_device(PHONE))
    assert made.devices() == (PHONE,)
    made.settle(of_device(PHONE))
    assert made.pending() == ()


def test_garbage_in_the_file_shuts_nobody_out_by_accident(path: Path) -> None:
    path.write_bytes(os.urandom(PLACE_BYTES * 3))
    assert Revocations(path).pending() == ()


def test_a_shorter_list_fits_where_nothing_else_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk has no room for a second copy; who is taken off the list is off it all the same."""
    path = tmp_path / "users.json"
    write_private(path, "[1, 2, 3]")
    opened = os.open

    def full(name: Path, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_CREAT:
            raise OSError(errno.ENOSPC, "no space")
        return opened(name, flags, mode)

    monkeypatch.setattr(os, "open", full)
    write_private(path, "[1, 3]")
    assert path.read_text() == "[1, 3]"
    with pytest.raises(OSError, match="no space"):
        write_private(path, "[1, 3, 4, 5]")
    assert path.read_text() == "[1, 3]"
