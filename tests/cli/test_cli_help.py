"""The table of commands: quick to list, true to the commands, and in the docs."""

import io
import json
import re
import subprocess
import sys

import click
import pytest

from hub.cli.root import ENTRIES, pulse
from tests.cli.conftest import Pulse
from tests.house.source import ROOT

CONTEXT = click.Context(pulse)
HEAVY = {"msgspec", "rich", "http.client", "fastapi", "websockets", "paho", "hub.app.start", "hub.io"}


@pytest.mark.parametrize("name", ENTRIES)
def test_a_command_exists_and_helps(name: str) -> None:
    command = pulse.get_command(CONTEXT, name)
    assert isinstance(command, click.Command)
    text = command.get_help(click.Context(command, info_name=name, parent=CONTEXT))
    assert (command.help or "").startswith(ENTRIES[name].help.rstrip(".")) or name == "hub"
    assert r"\b" not in text
    assert {"--json", "--home", "--no-color"} <= set(re.findall(r"--[a-z-]+", text))


@pytest.mark.slow
def test_asking_for_help_imports_nothing_heavy() -> None:
    run = "from hub.cli import main; main(['--help'])"
    probe = f"import sys\ntry:\n  {run}\nfinally:\n  print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", probe], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "Usage: pulse" in done.stdout
    assert HEAVY & set(done.stderr.split()) == set()


def test_every_command_is_documented() -> None:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert [name for name in ENTRIES if not re.search(rf"`(pulse )?{name}\b", page)] == []


def test_a_mistyped_command_names_the_nearest(pulse: Pulse) -> None:
    said = pulse("crads")
    assert said.code == 2
    assert said.err == "✗ There is no command 'crads'. [bad-usage]\n  Did you mean `pulse cards`?\n"
    assert "`pulse --help` lists all commands." in pulse("xyzzy").err


@pytest.mark.parametrize(
    ("word", "command"), [("list", "cards"), ("dismiss", "reject"), ("permission", "grants"), ("revoke", "devices")]
)
def test_a_word_from_the_help_leads_to_its_command(pulse: Pulse, word: str, command: str) -> None:
    assert f"`pulse {command}`" in pulse(word).err


def test_help_is_a_command_too(pulse: Pulse) -> None:
    assert pulse("help").out == pulse("--help").out
    assert pulse("help", "devices", "pair").out == pulse("devices", "pair", "--help").out
    assert "There is no command 'xyzzy'." in pulse("help", "xyzzy").err


def test_a_missing_id_is_asked_for(pulse: Pulse) -> None:
    said = pulse("stop")
    assert said.err.startswith("✗ Which suggestion? Give its id, or `latest`. [bad-usage]\n  Usage: `pulse stop ")


@pytest.mark.parametrize("written", [("approve",), ("status", "--jsn"), ("up", "--port", "abc"), ("tasks", "x")])
def test_a_command_that_was_written_wrongly(pulse: Pulse, written: tuple[str, ...]) -> None:
    said = pulse(*written)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("✗ ")
    assert "[bad-usage]\n  Usage: `pulse " in said.err
    assert "--help`." in said.err
    machine = pulse(*written, "--json")
    problem = json.loads(machine.out)
    assert (machine.code, machine.err, problem["code"], problem["title"]) == (2, "", "bad-usage", "Bad Request")
    assert problem["detail"] in said.err


def test_an_option_without_its_value_and_a_program_without_a_command(pulse: Pulse) -> None:
    assert "[bad-usage]\n  `pulse COMMAND --help` shows how" in pulse("snooze", "x", "--for").err
    alone = pulse()
    assert (alone.code, alone.err.startswith("Usage: pulse")) == (2, True)


def test_a_question_that_nobody_can_answer_is_said_to_be_one(pulse: Pulse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    said = pulse("connect", "claude-code")
    assert (said.code, "[no-terminal]" in said.err) == (1, True)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    assert pulse("connect", "claude-code").code == 130


@pytest.mark.parametrize("name", ["config", "rails", "agent", "drives"])
def test_a_group_says_of_each_command_a_whole_sentence(pulse: Pulse, name: str) -> None:
    listed = pulse(name, "--help").out.partition("Commands:")[2]
    assert listed.rstrip().endswith(".")
    assert "..." not in listed


def test_version_and_completion(pulse: Pulse) -> None:
    assert pulse("version").out.startswith("pulse 0.")
    assert '"version"' in pulse("version", "--json").out
    assert pulse("--version").out.startswith("pulse 0.")
    for shell in ("bash", "zsh", "fish"):
        assert "_PULSE_COMPLETE" in pulse("completion", shell).out
