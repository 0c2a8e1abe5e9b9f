"""No look at a repository runs a program that it names."""

from pathlib import Path

import pytest

from tests.hostile.git_traps import PROGRAM_KEYS, Trapped, sprung_by_us

COMMANDS = (
    ("status",),
    ("diff",),
    ("log", "-p"),
    ("diff", "HEAD~2"),
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "key",
    [
        *("core.fsmonitor", "filter.evil2.clean", "filter.a=b.Clean", "filter.evil.process", "filter.evil.clean"),
        *("diff.evil.command", "diff.evil.textconv", "diff.external", "gpg.program"),
    ],
)
def test_a_trap_closes_on_plain_git(tmp_path: Path, key: str) -> None:
    trapped = Trapped(tmp_path, (key,))
    for command in COMMANDS:
        trapped.git(*command)
    assert {key, "remote.origin.url"} <= trapped.sprung()


@pytest.mark.slow
def test_no_look_of_ours_runs_any_of_them(tmp_path: Path) -> None:
    assert sprung_by_us(tmp_path) == set()


def test_every_trap_is_told_apart() -> None:
    assert len(set(PROGRAM_KEYS)) == len(PROGRAM_KEYS)
