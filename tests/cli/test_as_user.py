"""`pulse up --as-user`: who it can be, and that user's environment. The rest is held live by tests/hostile."""

import os
import pwd
import subprocess
from configparser import ConfigParser
from pathlib import Path

import pytest

from hub.io.processes.as_user import CannotBecomeUserError, environment_of, find
from tests.cli.conftest import Pulse
from tests.house.source import ROOT

NOBODY = "nobody"
UNITS = ("pulse.service", "pulse-user.service")
WAIT_S_MAX = 30


def test_it_refuses_who_is_not_there_and_root(pulse: Pulse) -> None:
    for name, said in (("no-such-user", "There is no user"), ("root", "must not be root")):
        done = pulse("up", "--as-user", name)
        assert (done.code, said in done.err, "[cannot-become-user]" in done.err) == (1, True, True)


def test_only_root_can_become_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 4_711)
    with pytest.raises(CannotBecomeUserError, match="Only root"):
        find(NOBODY)


def test_nothing_of_the_session_goes_along() -> None:
    user = pwd.getpwnam(NOBODY)
    session = {
        "PATH": "/bin",
        "LC_ALL": "C",
        "HOME": "/root",
        "SSH_AUTH_SOCK": "/x",
        "DBUS_SESSION_BUS_ADDRESS": "/y",
        "XDG_RUNTIME_DIR": "/z",
        "SUDO_COMMAND": "pulse",
        "A_SECRET": "s",
    }
    assert environment_of(user, session) == {
        "PATH": "/bin",
        "LC_ALL": "C",
        "HOME": user.pw_dir,
        "USER": NOBODY,
        "LOGNAME": NOBODY,
        "SHELL": user.pw_shell,
    }


@pytest.mark.parametrize("unit", UNITS)
def test_the_units_start_what_there_is(unit: str) -> None:
    read = ConfigParser(strict=False, interpolation=None)
    read.optionxform = str  # type: ignore[assignment,method-assign]  # systemd's keys have capitals
    read.read(ROOT / "hub" / "systemd" / unit)
    command = read["Service"]["ExecStart"].split()
    assert (Path(command[0]).name, command[1]) == ("pulse", "up")
    assert read["Service"]["NoNewPrivileges"] == "yes"


@pytest.mark.slow
@pytest.mark.needs_systemd
@pytest.mark.parametrize("unit", UNITS)
def test_systemd_finds_nothing_wrong_with_them(tmp_path: Path, unit: str) -> None:
    """Its own check, with Pulse where the howto has it."""
    (tmp_path / "pulse").symlink_to(ROOT)
    written = []
    for shipped in (ROOT / "hub" / "systemd").glob(f"{Path(unit).stem}.*"):
        written.append(tmp_path / shipped.name.replace("-user", ""))
        written[-1].write_text(shipped.read_text().replace("/opt/pulse", str(tmp_path / "pulse")))
    manager = ["--user"] if "user" in unit else []
    done = subprocess.run(
        ["systemd-analyze", *manager, "verify", *written],
        env={**os.environ, "HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=WAIT_S_MAX,
    )
    assert (done.returncode, done.stderr) == (0, "")
