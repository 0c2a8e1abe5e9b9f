"""What is printed at a narrow terminal breaks between words, and never within a command that is to be copied."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from hub.cli.command import CommandContext
from hub.cli.failure import show
from hub.contract.errors import UserError
from hub.kit.called import CALLED

COLUMNS = 60
PROGRAM = "/home/ada/src/pulse/pulse"
HINT = "  To run it from anywhere, `pulse install --dry-run` shows each change first, and `pulse install` makes them."


def narrow(monkeypatch: pytest.MonkeyPatch) -> CommandContext:
    for stream in (sys.stdout, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setattr(shutil, "get_terminal_size", lambda *_: os.terminal_size((COLUMNS, 24)))
    monkeypatch.setattr(sys, "argv", ["/x/hub/__main__.py"])
    monkeypatch.setenv(CALLED, PROGRAM)
    return CommandContext(Path("/x"), as_json=False, colour=False)


def require_whole(said: str, words: str) -> list[str]:
    """Return the lines, each within the terminal, that together say the words, with each command on one line."""
    lines = said.rstrip("\n").split("\n")
    assert len(lines) > 1
    assert all(len(line) <= COLUMNS for line in lines), lines
    assert " ".join(said.split()) == " ".join(words.replace("`pulse", f"`{PROGRAM}").split())
    return lines


def test_a_hint_breaks_between_words(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    narrow(monkeypatch).hint(HINT)
    lines = require_whole(capsys.readouterr().out, HINT)
    assert all(line.startswith("  ") for line in lines), "what follows stands below the beginning"
    assert any(f"`{PROGRAM} install --dry-run`" in line for line in lines), "a command stays on one line"


def test_a_failure_breaks_between_words(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    detail = "Pulse is not running, so nothing was asked and nothing was changed in any of its files."
    show(narrow(monkeypatch), UserError(detail, fix=HINT.strip()))
    require_whole(capsys.readouterr().err, f"✗ {detail} [{UserError.code}] {HINT}")


def test_where_nobody_looks_nothing_is_wrapped(capsys: pytest.CaptureFixture[str]) -> None:
    CommandContext(Path("/x"), as_json=False, colour=False).hint("word " * 80)
    assert capsys.readouterr().out == f"{'word ' * 80}\n"
