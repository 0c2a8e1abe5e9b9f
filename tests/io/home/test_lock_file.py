"""The lock of a home is where others look for it, as long as it is held."""

from pathlib import Path

import pytest

from hub.io.home.lock_file import HomeHeldError, LockFile


def test_one_that_is_taken_away_or_replaced_is_put_back(tmp_path: Path) -> None:
    lock = LockFile(tmp_path / "lock")
    lock.take()
    assert not lock.put_back()
    lock.path.unlink()
    other = LockFile(lock.path)
    other.take()
    assert lock.put_back()
    with pytest.raises(HomeHeldError):
        LockFile(lock.path).take()
    lock.path.rename(tmp_path / "elsewhere")
    assert lock.put_back()
    lock.path.chmod(0)
    assert lock.put_back()
    other.release()
    lock.release()
    assert not lock.put_back(), "it is nobody's"
    LockFile(lock.path).take()
