"""Secrets: stable, private, and the same for everybody however many make them at once."""

import os
import secrets
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from hub.io.home.folder import SECRET_BYTES, Home, HomeError, secret_trouble
from hub.io.home.set_up import keep_secret, kept_secret

RACERS = 6
ROUNDS = 40
RACER = """
import pathlib, sys
from hub.io.home.folder import Home
from hub.io.home.set_up import keep_secret, kept_secret

home = Home(pathlib.Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(sys.argv[2])):
    print(home.secret(f"raced-{number}").decode(), flush=True)
"""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "home")
    made.prepare()
    return made


def test_a_secret_is_the_same_after_a_restart(home: Home) -> None:
    first = home.secret("hub.key")
    assert len(first) > SECRET_BYTES
    assert Home(home.folder).secret("hub.key") == first


def test_each_name_and_each_home_has_its_own(home: Home, tmp_path: Path) -> None:
    other = Home(tmp_path / "other")
    other.prepare()
    assert len({home.secret("a"), home.secret("b"), other.secret("a")}) == 3


def test_only_the_owner_may_read_it_and_no_draft_stays(home: Home) -> None:
    home.secret("hub.key")
    (made,) = (home.folder / "secrets").iterdir()
    assert stat.S_IMODE(made.stat().st_mode) == 0o600


@pytest.mark.parametrize("content", [b"", b"short", bytes(43), b"\xff" * 64, b"0123456789" * 5], ids=repr)
def test_a_damaged_secret_is_said_and_not_replaced(home: Home, content: bytes) -> None:
    path = home.folder / "secrets" / "hub.key"
    path.write_bytes(content)
    with pytest.raises(HomeError, match="damaged") as caught:
        home.secret("hub.key")
    assert "backup" in caught.value.fix
    assert path.read_bytes() == content


def test_a_secret_that_others_could_read_is_not_used(home: Home) -> None:
    home.secret("hub.key")
    path = home.folder / "secrets" / "hub.key"
    path.chmod(0o640)
    with pytest.raises(HomeError, match="readable by other users") as caught:
        home.secret("hub.key")
    assert "chmod 600" in caught.value.fix
    path.chmod(0o600)
    assert home.secret("hub.key")


def test_a_secret_of_another_user_is_not_used(home: Home) -> None:
    home.secret("hub.key")
    path = home.folder / "secrets" / "hub.key"
    if os.geteuid() == 0:
        os.chown(path, 65_534, -1)
    else:
        path = Path("/etc/hostname")
    trouble = secret_trouble(path, secrets.token_bytes(SECRET_BYTES))
    assert trouble is not None
    assert "another user" in trouble.detail


def test_a_secret_that_cannot_be_read_or_made_is_said(home: Home, tmp_path: Path) -> None:
    (home.folder / "secrets" / "hub.key").mkdir()
    with pytest.raises(HomeError, match=r"hub\.key"):
        home.secret("hub.key")
    with pytest.raises(HomeError, match="unprepared"):
        Home(tmp_path / "unprepared").secret("hub.key")


@pytest.mark.slow
def test_processes_that_make_it_at_once_get_the_same(home: Home) -> None:
    words = [sys.executable, "-c", RACER, str(home.folder), str(ROUNDS)]
    racers = [
        subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(RACERS)
    ]
    for racer in racers:
        assert racer.stdout is not None
        assert racer.stdout.readline() == "ready\n"
    for racer in racers:
        assert racer.stdin is not None
        racer.stdin.write("\n")
        racer.stdin.flush()
    said = [racer.communicate(timeout=30) for racer in racers]
    assert [errors for _, errors in said] == [""] * RACERS
    assert len({secrets for secrets, _ in said}) == 1
    assert len(said[0][0].split()) == ROUNDS


def test_a_surfaces_secret_is_its_owners_alone_and_the_environment_is_stronger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home(tmp_path)
    monkeypatch.delenv("PULSE_LAMP_TOKEN", raising=False)
    assert kept_secret(home, "PULSE_LAMP_TOKEN") == ""
    keep_secret(home, "PULSE_LAMP_TOKEN", "bright")
    path = home.secret_path("PULSE_LAMP_TOKEN")
    assert (kept_secret(home, "PULSE_LAMP_TOKEN"), path.stat().st_mode & 0o077) == ("bright", 0)
    monkeypatch.setenv("PULSE_LAMP_TOKEN", "brighter")
    assert kept_secret(home, "PULSE_LAMP_TOKEN") == "brighter"
    monkeypatch.delenv("PULSE_LAMP_TOKEN")
    keep_secret(home, "PULSE_LAMP_TOKEN", "")
    assert (kept_secret(home, "PULSE_LAMP_TOKEN"), path.exists()) == ("", False)
