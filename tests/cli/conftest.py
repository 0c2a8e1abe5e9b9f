"""Calling `pulse` inside the test's process, in a home of its own."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from hub.cli import main
from tests.cli.real_hub import RealHub, running_hub
from tests.cli.small_hub import SmallHub, small_hub


class Said(NamedTuple):
    """What a command printed, and how it ended."""

    code: int
    out: str
    err: str


Pulse = Callable[..., Said]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PULSE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("NO_COLOR", "1")
    return tmp_path / "home"


@pytest.fixture
def pulse(home: Path, capsys: pytest.CaptureFixture[str]) -> Pulse:
    def call(*arguments: str) -> Said:
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        captured = capsys.readouterr()
        code = ended.value.code
        return Said(code if isinstance(code, int) else 1, captured.out, captured.err)

    assert home.parent.exists()
    return call


@pytest.fixture
def hub(home: Path) -> Iterator[SmallHub]:
    with small_hub(home) as running:
        yield running


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealHub]:
    with running_hub(tmp_path_factory.mktemp("real")) as running:
        yield running
