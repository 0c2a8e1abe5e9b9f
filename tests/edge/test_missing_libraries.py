"""What pip cannot bring is named with the command that brings it; the libraries are hidden from the real loader."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from edge.link import Kept
from hub.contract.access import Login
from tests.house.source import ROOT

WAIT_S_MAX = 60
APT = "sudo apt install espeak-ng libportaudio2"
LOGIN = Login(
    url="mqtt://127.0.0.1:1", username="u", password="p", client_id="c", user="me", surface="glasses", device="glasses"
)
HIDDEN = {
    "libportaudio.so.2": ("speaker", "no-sound"),
    "libespeak-ng.so.1": ("mouth", "no-mouth"),
    "espeak-ng-data": ("mouth", "no-mouth"),
}
"""What is hidden: the doctor's part that misses it, and the code with which the glasses end."""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere loaders find libraries another way")


def without(name: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Call the glasses' command where a library cannot be loaded, or espeak-ng has no voices."""
    hiding, home = folder / "hiding", folder / "home"
    (hiding / "espeak-ng-data").mkdir(parents=True)
    if name.endswith("-data"):
        told = {"ESPEAK_DATA_PATH": str(hiding)}
    else:
        (hiding / name).write_text("no library\n")  # the loader looks here first, and gives up
        told = {"LD_LIBRARY_PATH": str(hiding)}
    home.mkdir()
    if "run" in arguments:  # the doctor would wait for that broker's answer
        Kept(home).keep_login(LOGIN)
    (home / "edge.toml").write_text('ear = "null"\n')
    return subprocess.run(
        [sys.executable, "-m", "edge", "--home", str(home), *arguments],
        cwd=ROOT,
        env={**os.environ, **told},
        capture_output=True,
        text=True,
        check=False,
        timeout=WAIT_S_MAX,
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", HIDDEN)
def test_the_doctor_names_what_brings_it(tmp_path: Path, name: str) -> None:
    done = without(name, tmp_path, "doctor", "--json")
    found = {one["part"]: one for one in json.loads(done.stdout)}
    part = found[HIDDEN[name][0]]
    assert (part["status"], APT in part["fix"]) == ("bad", True)
    assert "is missing" in part["detail"] or "are missing" in part["detail"]
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", HIDDEN)
def test_the_glasses_end_with_the_command_that_brings_it(tmp_path: Path, name: str) -> None:
    done = without(name, tmp_path, "run")
    assert done.returncode == 1
    assert f"[{HIDDEN[name][1]}]" in done.stderr
    assert APT in done.stderr
    assert "Traceback" not in done.stderr
