from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from tests.io.sensors.git_repo import NOW, Repo


@pytest.fixture(autouse=True)
def _own_git_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    configuration = tmp_path / "person.gitconfig"
    configuration.write_text("")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(configuration))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


@pytest.fixture
def make_repo(tmp_path: Path) -> Callable[[str], Repo]:
    return lambda name: Repo(tmp_path / name)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "work")
    made.commit("README.md", at=NOW - timedelta(days=3))
    return made
