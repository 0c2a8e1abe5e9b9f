"""Looking at several parts of a need at once, also while a file system hangs."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hub.domain.provenance import LogText, untrusted
from hub.domain.world_proof import FileNeed, ProofFinding, UrlNeed
from hub.io.world import proving
from hub.io.world.proof_files import ProofPlaces
from hub.io.world.proving import LOOKS_MAX, Prover

SINCE = datetime.now(UTC) - timedelta(minutes=1)
FILE = FileNeed(pattern=LogText("a.txt"))


class HangingDisk:
    """A file system that answers nothing until it is let go."""

    def __init__(self) -> None:
        self.mended = threading.Event()

    def __call__(
        self, need: FileNeed, _folder: str, _since: datetime, _places: ProofPlaces, _is_late: Callable[[], bool]
    ) -> ProofFinding:
        if not self.mended.wait(60.0):
            raise AssertionError("nobody let it go")
        return ProofFinding(part=need, state="there", words=LogText("Found"))


def nothing_of_ours() -> frozenset[int]:
    return frozenset()


async def test_each_part_is_looked_at_and_told_in_its_place(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    prover = Prover(ProofPlaces(home="/nowhere", workspaces=(str(tmp_path),)), own_ports=lambda: frozenset({9}))
    parts = (FILE, UrlNeed(url=LogText("http://127.0.0.1:9/")), FileNeed(pattern=LogText("b.txt")))
    found = await prover.prove(parts, "", SINCE)
    assert [(one.part, one.state) for one in found] == list(zip(parts, ("there", "unknown", "missing"), strict=True))
    assert await prover.prove((), "", SINCE) == ()


async def test_a_file_system_that_hangs_is_given_up_and_looked_at_again_once_it_is_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(proving, "GRACE_S", 0.05)
    disk = HangingDisk()
    prover = Prover(ProofPlaces(home="/nowhere"), own_ports=nothing_of_ours, look=disk, look_s_max=0.05)
    found = await prover.prove((FILE,) * (2 * LOOKS_MAX), "", SINCE)
    assert {(one.state, untrusted(one.words)) for one in found} == {
        ("unknown", "The file system did not answer in time")
    }
    assert sum(one.name == "proof" for one in threading.enumerate()) == LOOKS_MAX
    disk.mended.set()
    monkeypatch.setattr(proving, "GRACE_S", 60.0)
    assert [one.state for one in await prover.prove((FILE,), "", SINCE)] == ["there"]


async def test_a_bug_while_looking_is_raised_where_the_look_is_awaited() -> None:
    def broken(*_: object) -> ProofFinding:
        raise RuntimeError("a bug")

    prover = Prover(ProofPlaces(home="/nowhere"), own_ports=nothing_of_ours, look=broken)
    for _ in range(LOOKS_MAX + 1):  # each gives its turn back
        with pytest.raises(RuntimeError, match="a bug"):
            await prover.prove((FILE,), "", SINCE)
