"""However a person ends `pulse up`, it ends in order and leaves nothing behind."""

import contextlib
import signal
from pathlib import Path

import pytest

from tests.cli.real_hub import ENDED_WELL, running_hub

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_ends_in_order(tmp_path: Path, number: signal.Signals) -> None:
    with running_hub(tmp_path) as hub:
        assert (hub.home / "run.json").exists()
        assert hub.stop(number) == ENDED_WELL
        assert not (hub.home / "run.json").exists()
        assert not [command for command in commands() if str(hub.home).encode() in command]


def commands() -> list[bytes]:
    """Return the command lines of all processes; one that ends meanwhile has none."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            found.append(path.read_bytes())
    return found
