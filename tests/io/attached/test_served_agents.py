"""A hook of the process to which Pulse is attached is known by its parents; nobody else's is taken for it."""

import os
from collections.abc import Iterator

import pytest

from hub.io.agents.lineage import is_served, note_server

NOBODY = 2**22 + 1
"""No process has this number: the kernel's are smaller."""


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    yield
    note_server("codex", 0)


def test_a_process_below_the_server_is_its_own() -> None:
    assert not is_served("codex", os.getpid())
    note_server("codex", os.getppid())
    assert is_served("codex", os.getpid())
    assert not is_served("openclaw", os.getpid())
    note_server("codex", 0)
    assert not is_served("codex", os.getpid())


@pytest.mark.parametrize("pid", [0, 1, -1, NOBODY])
def test_who_cannot_be_found_is_nobodys(pid: int) -> None:
    note_server("codex", os.getpid())
    assert not is_served("codex", pid)
    note_server("codex", pid)
    assert not is_served("codex", os.getpid())
