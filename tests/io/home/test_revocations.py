"""Revocations that the store could not take: kept in room that already exists."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hub.contract.topics import DeviceAddress
from hub.io.home.private_files import write_private
from hub.io.home.revocations import (
    PLACE_BYTES,
    PLACES,
    Revocations,
    RevocationsDamagedError,
    of_client,
    of_device,
)

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


@pytest.mark.parametrize(
    "hurt",
    [
        lambda _whole: b"",
        lambda whole: bytes(len(whole)),
        lambda whole: whole[:-1],
        lambda whole: whole + b"\0",
        lambda whole: whole + whole[:PLACE_BYTES],
        lambda whole: bytes(PLACE_BYTES) + whole[PLACE_BYTES:],
        lambda whole: whole[PLACE_BYTES : 2 * PLACE_BYTES] + whole[PLACE_BYTES:],
        lambda whole: whole.replace(b"client_a1", b"client_b1"),
        lambda whole: whole.replace(b"client client_a1", b"nobody at all!!!"),
        lambda whole: os.urandom(len(whole)),
    ],
)
def test_a_damaged_file_never_reads_as_if_nobody_was_revoked(path: Path, hurt: Callable[[bytes], bytes]) -> None:
    Revocations(path).note(of_client("client_a1"))
    before = hurt(path.read_bytes())
    path.write_bytes(before)
    with pytest.raises(RevocationsDamagedError, match="unknown which"):
        Revocations(path)
    assert path.read_bytes() == before, "it is left as it is"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=st.integers(0, PLACES * PLACE_BYTES - 1), bit=st.integers(0, 7))
def test_no_flipped_bit_goes_unseen(path: Path, at: int, bit: int) -> None:
    path.unlink(missing_ok=True)
    Revocations(path).note(of_device(PHONE))
    whole = bytearray(path.read_bytes())
    whole[at] ^= 1 << bit
    path.write_bytes(whole)
    with pytest.raises(RevocationsDamagedError):
        Revocations(path)


def _without_seals(*entries: str) -> bytes:
    places = [entry.encode().ljust(PLACE_BYTES, b"\0") for entry in entries]
    return b"".join(places).ljust(PLACES * PLACE_BYTES, b"\0")


def test_what_an_earlier_version_kept_is_taken_over_once(path: Path, tmp_path: Path) -> None:
    earlier = tmp_path / "earlier"
    earlier.write_bytes(_without_seals("device phone/mine", "", "client client_a1"))
    assert Revocations(path, earlier).pending() == ("device phone/mine", "client client_a1")
    assert not earlier.exists()
    assert Revocations(path, earlier).devices() == (PHONE,)


@pytest.mark.parametrize("content", [b"", b"\0", _without_seals("device phone/mine", "\x01"), os.urandom(600)])
def test_what_an_earlier_version_kept_and_is_damaged_is_refused(path: Path, tmp_path: Path, content: bytes) -> None:
    earlier = tmp_path / "earlier"
    earlier.write_bytes(content)
    with pytest.raises(RevocationsDamagedError):
        Revocations(path, earlier)
    assert (earlier.read_bytes(), path.exists()) == (content, False)


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
