"""`pulse open` hands the browser a private file: the one-time code stands on no command line."""

import os
import pty
import stat
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hub.contract.access import PairingAnswer
from hub.io.home.redirect_file import redirect_file_of, remove_redirect_file, write_redirect_file
from tests.cli.small_hub import small_hub
from tests.house.source import ROOT

URL = "http://127.0.0.1:8420/#pair=ABCDEFGH"
OPENER = """#!/bin/sh
tr '\\0' ' ' < /proc/$$/cmdline > "$SEEN"
"""


@pytest.mark.slow
def test_the_browser_is_handed_a_private_file_and_no_code(tmp_path: Path) -> None:
    home, seen, opener = tmp_path / "home", tmp_path / "seen", tmp_path / "bin" / "xdg-open"
    opener.parent.mkdir()
    opener.write_text(OPENER)
    opener.chmod(0o755)
    environment = {**os.environ, "PATH": f"{opener.parent}:{os.environ['PATH']}", "SEEN": str(seen), "DISPLAY": ":0"}
    screen, terminal = pty.openpty()
    with small_hub(home) as hub:
        invitation = PairingAnswer(code="ABCD-EFGH", url=URL, expires_at=datetime.now(UTC), qr=())
        hub.answer("POST /api/v1/pairing", invitation)
        command = [sys.executable, "-m", "hub", "open", "--home", str(home)]
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=terminal, check=True, timeout=60)
    os.close(terminal)
    os.close(screen)
    assert done.returncode == 0
    redirect_file = redirect_file_of(home)
    said = seen.read_text()
    assert str(redirect_file) in said
    assert "ABCD" not in said
    assert stat.S_IMODE(redirect_file.stat().st_mode) == 0o600
    assert f"url={URL}" in redirect_file.read_text()


def test_the_file_is_removed_when_its_time_is_over(tmp_path: Path) -> None:
    redirect_file = write_redirect_file(tmp_path, URL)
    remove_redirect_file(redirect_file, older_than_s=600)
    assert redirect_file.exists()
    os.utime(redirect_file, (0, 0))
    remove_redirect_file(redirect_file, older_than_s=600)
    assert not redirect_file.exists()
    remove_redirect_file(redirect_file)
    remove_redirect_file(None)


def test_an_address_cannot_leave_its_place_in_the_file(tmp_path: Path) -> None:
    assert "<script>" not in write_redirect_file(tmp_path, 'http://h/"><script>').read_text()
