"""Where other programs of the same user can read a terminal, nothing is shown that lets somebody in."""

import pytest

from hub.io.agents import own_screen
from hub.io.agents.own_screen import EDITORS, SIGNS, OwnScreen
from hub.io.agents.process_table import ProcessEntry

KEPT = "other programs can read"


@pytest.fixture(autouse=True)
def _at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the hub in the foreground of a terminal, with one program above it."""
    for sign in (*SIGNS, EDITORS[0]):
        monkeypatch.delenv(sign, raising=False)

    def entry(pid: int) -> ProcessEntry:
        return ProcessEntry(pid=pid, parent=1 if pid == 7 else 7, group=5, foreground=5, terminal=34_816)

    monkeypatch.setattr(own_screen, "entry", entry)
    monkeypatch.setattr(own_screen, "called", lambda _pid: "alacritty")


def test_a_terminal_of_its_own_is_the_persons() -> None:
    assert OwnScreen().trouble() == ""


@pytest.mark.parametrize("sign", [*SIGNS, EDITORS[0]])
def test_a_sign_of_one_that_keeps_what_is_shown_is_enough(sign: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(sign, EDITORS[1])
    assert KEPT in OwnScreen().trouble()


@pytest.mark.parametrize("program", ["tmux: server", "wezterm-gui", "konsole", "code-insiders", "Cursor", "expect"])
def test_so_is_its_program_above(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_screen, "called", lambda _pid: program)
    assert KEPT in OwnScreen().trouble()
