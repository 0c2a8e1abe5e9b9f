"""The hub's key for push messages: made once, kept, private, and of the form that browsers and the gateway take."""

import base64
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from hub.io.home.vapid import VapidKeyError, load_or_make


def test_it_is_made_once_and_is_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "secrets" / "push-key.json"
    first = load_or_make(path)
    assert load_or_make(path) == first
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(path.parent.iterdir()) == [path]


def test_its_halves_belong_together(tmp_path: Path) -> None:

    key = load_or_make(tmp_path / "push-key.json")
    private = int.from_bytes(base64.urlsafe_b64decode(f"{key.private}="))
    public = ec.derive_private_key(private, ec.SECP256R1()).public_key()
    point = public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    assert base64.urlsafe_b64decode(f"{key.public}=") == point


def test_processes_that_start_together_have_the_same_one(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        keys = list(pool.map(lambda _: load_or_make(tmp_path / "push-key.json"), range(8)))
    assert len(set(keys)) == 1


@pytest.mark.parametrize("content", ["", "{}", '{"private":"a","public":"b"}', "[]"])
def test_a_damaged_one_is_said_and_not_replaced(tmp_path: Path, content: str) -> None:
    path = tmp_path / "push-key.json"
    path.write_text(content)
    with pytest.raises(VapidKeyError):
        load_or_make(path)
    assert path.read_text() == content


def test_it_is_not_shown(tmp_path: Path) -> None:
    key = load_or_make(tmp_path / "push-key.json")
    assert key.private not in repr(key)
