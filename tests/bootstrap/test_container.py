"""The container file, as far as it can be run without an engine: its wheel, its user, its folders and its settings."""

import re
import shutil
from pathlib import Path

import pytest

from tests.bootstrap.wheel import got, install_wheel, running
from tests.house.source import ROOT
from tests.io.api.test_api_outside import free_port

FILE = (ROOT / "Containerfile").read_text(encoding="utf-8")
LAST = FILE.rpartition("\nFROM ")[2]


def test_it_runs_as_an_ordinary_user_with_its_state_in_a_volume() -> None:
    before, _, after = LAST.partition("\nUSER pulse\n")
    assert "useradd --uid 1000" in before
    assert 'ENTRYPOINT ["pulse"]' in after
    assert "VOLUME /data" in after
    assert "PULSE_HOME=/data" in after
    assert "USER root" not in FILE


def test_the_port_is_published_on_loopback_alone() -> None:
    guide = (ROOT / "docs" / "howto" / "container.md").read_text(encoding="utf-8")
    assert {port for port in re.findall(r"-p (\S+)", guide) if port[-1].isdigit()} == {"127.0.0.1:8420:8420"}
    assert "EXPOSE 8420" in FILE


@pytest.mark.slow
def test_it_runs_in_bubblewrap_as_the_file_says(tmp_path: Path) -> None:
    """As that user, with its folders alone writable, and its settings; an engine is not here."""
    assert shutil.which("bwrap"), "system-packages.txt names it"
    program = install_wheel(tmp_path)
    data, work, port = tmp_path / "data", tmp_path / "work", free_port()
    data.mkdir()
    work.mkdir()
    settings = (ROOT / "container.toml").read_text(encoding="utf-8")
    (data / "config.toml").write_text(settings.replace("8420", str(port)))
    whose = ("--unshare-user", "--uid", "1000", "--gid", "1000", "--unshare-pid", "--die-with-parent")
    places = ("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc")
    installed = ("--ro-bind", str(program.parents[1]), str(program.parents[1]))
    own = (*installed, "--bind", str(data), str(data), "--bind", str(work), str(work), "--chdir", str(work))
    environment = {"PULSE_HOME": str(data), "HOME": str(work), "PATH": f"{program.parent}:/usr/bin:/bin"}
    with running(["bwrap", *whose, *places, *own, str(program), "up"], work, environment):
        assert "<title>" in got(f"http://127.0.0.1:{port}")
        assert (data / "secrets").is_dir()
