"""Pulse from its wheel, without the checkout: all that a clone can do it can do."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from hub import __version__
from hub.io.agents.hooks.connections import CONNECTIONS
from tests.bootstrap.wheel import Person, got, install_wheel, running
from tests.house.source import ROOT

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture
def person(installed: Path, tmp_path: Path) -> Iterator[Person]:
    """Somebody for whom Pulse runs."""
    somebody = Person(tmp_path, installed)
    with running(["pulse", "up", "--port", "0"], somebody.folder, somebody.environment):
        yield somebody


def test_whatever_git_keeps_beside_the_code_is_in_it(installed: Path) -> None:
    (place,) = installed.parents[1].glob("lib/python*/site-packages")
    listed = subprocess.run(["git", "ls-files", "hub", "surfaces", "edge"], cwd=ROOT, capture_output=True, check=True)
    assert [name for name in listed.stdout.decode().split() if not (place / name).exists()] == []


def test_what_a_clone_can_do_the_wheel_can_do(person: Person) -> None:
    assert person.pulse("--version").stdout == f"pulse {__version__}\n"
    assert json.loads(person.pulse("status", "--json").stdout)
    here = json.loads((person.home / "pulse" / "run.json").read_text())["api"]
    page = got(here)
    files = re.findall(r'(?:src|href)="(/[^"#]+\.(?:js|css|svg|png|webmanifest))"', page)
    assert len(files) > 2
    assert all(got(f"{here}{name}") for name in files)

    paired = person.pulse("devices", "pair", "glasses", "pi")
    assert paired.returncode == 0, f"the profiles are not there: {paired.stderr}"

    connected = person.pulse("connect", "claude-code", "--yes")
    assert "✓ Claude Code is connected" in connected.stdout, connected.stderr
    hooks = json.loads((person.home / ".claude" / "settings.json").read_text())["hooks"]
    program = hooks["PreToolUse"][0]["hooks"][0]["command"]
    asked = CONNECTIONS["claude-code"].sample_harmless
    done = subprocess.run(program, shell=True, input=asked, capture_output=True, env=person.environment, check=False)  # noqa: S602  as Claude Code runs it
    assert (done.returncode, done.stdout) == (0, b""), done.stderr

    asking = person.pulse("telegram", "setup")
    assert "[setup-nobody-to-ask]" in asking.stderr
    guide = person.pulse("telegram", "setup", "--help").stdout
    path = re.search(r"/\S+/docs/howto/telegram\.md", "".join(guide.split()))
    assert path is not None
    assert Path(path[0]).read_text().startswith("# Telegram")
    assert "✗" not in person.pulse("doctor").stdout
    assert "./pulse" not in connected.stdout + guide + asking.stderr
    assert person.pulse("install", "--dry-run").returncode == 0
    assert "as it was before" in person.pulse("uninstall", "--dry-run").stdout
