"""How the command was called, and that everything that is printed names it so."""

import re
import sys
from pathlib import Path

import pytest

from hub.cli.root import ENTRIES
from hub.kit.called import CALLED, as_called, called_as
from tests.cli.conftest import Pulse
from tests.house.source import ROOT

BARE = re.compile(r"(?<![\w/.:-])pulse (?:" + "|".join(ENTRIES) + r")\b")


def called(monkeypatch: pytest.MonkeyPatch, program: str, *, script: str = "", path: str = "/usr/bin") -> str:
    monkeypatch.setattr(sys, "argv", [program])
    monkeypatch.setenv("PATH", path)
    if script:
        monkeypatch.setenv(CALLED, script)
    else:
        monkeypatch.delenv(CALLED, raising=False)
    return called_as()


def test_it_is_called_as_it_was_called(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "bin" / "pulse"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    module = "/x/hub/__main__.py"
    on_path = str(program.parent)
    assert called(monkeypatch, str(program), path=on_path) == "pulse", "the path leads to it"
    assert called(monkeypatch, str(program)) == str(program), "another folder"
    detour = f"{tmp_path}/home/../bin/pulse"
    assert called(monkeypatch, detour) == detour, "there is no such folder, so nobody knows"
    (tmp_path / "home").mkdir()
    assert called(monkeypatch, f"{tmp_path}/home/../bin/./pulse") == str(program), "without detours"
    assert called(monkeypatch, module, script="./pulse") == "./pulse"
    assert called(monkeypatch, module, script=str(program), path=on_path) == "pulse", "a link on the path"
    assert called(monkeypatch, module, script="/my files/pulse") == "'/my files/pulse'"
    assert called(monkeypatch, module) == f"{sys.executable} -m hub"
    assert called(monkeypatch, module, path=str(Path(sys.executable).parent)).endswith("python -m hub")
    assert called(monkeypatch, "/x/bin/pytest") == "pulse", "as a library it has its own name"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Start it: `pulse up`.", "Start it: `./pulse up`."),
        ("Try it: pulse connect claude-code --test", "Try it: ./pulse connect claude-code --test"),
        ("See `pulse --help` or `pulse COMMAND --help`.", "See `./pulse --help` or `./pulse COMMAND --help`."),
        ("~/.local/bin/pulse up, a.pulse x, Pulse is up", "~/.local/bin/pulse up, a.pulse x, Pulse is up"),
    ],
)
def test_a_text_of_ours_names_it_so(monkeypatch: pytest.MonkeyPatch, text: str, shown: str) -> None:
    assert called(monkeypatch, "/x/hub/__main__.py", script="./pulse") == "./pulse"
    assert as_called(text) == shown


def test_a_guide_is_named_so_that_it_is_found_from_any_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    text = "See docs/howto/phone.md."
    monkeypatch.chdir(ROOT)
    assert as_called(text) == text
    monkeypatch.chdir(tmp_path)
    assert as_called(text) == f"See {ROOT / 'docs' / 'howto' / 'phone.md'}."


COMMANDS = (
    *((name, "--help") for name in ENTRIES),
    ("--help",),
    ("telegram", "setup"),
    ("status",),
    ("doctor",),
    ("setup",),
    ("devices",),
    ("connect", "--status"),
    ("connect", "claude-code", "--test"),
    ("statsu",),
    ("pause", "--nonsense"),
    ("phone",),
    ("undo", "x"),
    ("autopilot",),
)


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_all_output_names_it_so(
    pulse: Pulse, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PULSE_CALLED_AS", "./pulse")
    monkeypatch.setattr(sys, "argv", ["/x/hub/__main__.py"])
    said = pulse(*arguments)
    assert BARE.findall(said.out + said.err) == []
