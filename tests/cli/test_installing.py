"""`pulse install` says what it changes, `pulse uninstall` takes back all of it, to the byte."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from hub.cli import installing, service_units
from hub.io.agents.hooks.connections import CONNECTIONS
from hub.io.home.last_port import LastPort
from hub.io.http.errors import NoPortError
from hub.io.server.listening import IPV6, PORT_DEFAULT, can_bind
from tests.cli.conftest import Pulse
from tests.cli.small_hub import SmallHub
from tests.house.source import ROOT

SETTINGS = '{\n\t"model": "opus",   "permissions": {"allow": ["Bash(ls:*)"]}\n}'
"""As nobody's program would write it."""


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's home, with bash and systemd, and nothing of Pulse on the path."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SHELL", "/bin/bash")
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "systemctl").write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/systemctl-said\n')
    (programs / "systemctl").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "home").mkdir(mode=0o700, exist_ok=True)
    return tmp_path


def everything(folder: Path, *but: str) -> dict[str, bytes]:
    """Return all that stands in a folder, by its path."""
    files = (path for path in folder.rglob("*") if path.is_file() or path.is_symlink())
    return {
        name: path.read_bytes()
        for path in files
        if not (name := str(path.relative_to(folder))).startswith(("home/", "programs/", *but))
    }


def test_a_look_changes_nothing(pulse: Pulse, person: Path) -> None:
    before = everything(person)
    said = pulse("install", "--dry-run")
    assert (said.code, everything(person)) == (0, before)
    units = (".config/systemd/user/pulse.service", ".config/systemd/user/pulse.socket")
    for path in (".local/bin/pulse", *units, "bash-completion/completions/pulse"):
        assert path in said.out
    told = json.loads(pulse("install", "--dry-run", "--json").out)
    assert (len(told["changes"]), told["done"], everything(person)) == (4, False, before)


def test_what_is_put_in_works_and_all_of_it_goes_again(pulse: Pulse, person: Path) -> None:
    before = everything(person)
    assert "✓ Done." in pulse("install", "--yes", "--workspace", str(person / "my shop")).out
    link = person / ".local" / "bin" / "pulse"
    assert link.resolve() == ROOT / "pulse"
    unit = (person / ".config" / "systemd" / "user" / "pulse.service").read_text()
    assert f'ExecStart={ROOT}/pulse up --workspace "{person}/my shop"' in unit
    assert "%h" not in unit
    completion = person / ".local" / "share" / "bash-completion" / "completions" / "pulse"
    checked = subprocess.run(["bash", "-n", str(completion)], check=False, capture_output=True)
    assert (checked.returncode, "_PULSE_COMPLETE" in completion.read_text()) == (0, True)
    assert "Everything is already installed" in pulse("install", "--yes", "--workspace", str(person / "my shop")).out
    assert json.loads(pulse("uninstall", "--yes", "--json").out)["done"] is True
    assert everything(person, "systemctl-said") == before
    assert (person / "systemctl-said").read_text() == "--user disable --now pulse.socket pulse.service\n"


def held(person: Path) -> tuple[list[str], str]:
    """Return where systemd is to listen, and the service's unit."""
    units = person / ".config" / "systemd" / "user"
    socket_unit = units / "pulse.socket"
    lines = socket_unit.read_text().splitlines() if socket_unit.exists() else []
    listening = [line.partition("=")[2] for line in lines if line.startswith("ListenStream=")]
    return listening, (units / "pulse.service").read_text()


def here(port: int) -> list[str]:
    return [f"127.0.0.1:{port}", *([f"[::1]:{port}"] if can_bind(IPV6, 0) else [])]


def test_the_address_that_pulse_has_is_held_for_it(pulse: Pulse, person: Path, home: Path) -> None:
    LastPort(home).keep(8_777)
    assert "systemctl --user enable --now pulse" in pulse("install", "--yes").out
    listening, service = held(person)
    assert listening == here(8_777)
    assert "\nRequires=pulse.socket\n" in service
    assert "\nAlso=pulse.socket\n" in service


def test_a_port_of_the_settings_is_held_and_another_one_later(pulse: Pulse, person: Path, home: Path) -> None:
    LastPort(home).keep(8_777)
    for port in (8_801, 8_802):
        (home / "config.toml").write_text(f"[api]\nport = {port}\n")
        said = pulse("install", "--yes").out
        assert held(person)[0] == here(port)
    assert "systemctl --user stop pulse.socket pulse" in said  # what holds the old one has to end first
    assert "already installed" in pulse("install", "--yes").out


def test_before_the_first_start_the_usual_port_is_held(pulse: Pulse, person: Path) -> None:
    pulse("install", "--yes")
    assert held(person)[0] == here(PORT_DEFAULT)


def test_where_the_page_is_not_of_this_machine_alone_nothing_is_held(pulse: Pulse, person: Path, home: Path) -> None:
    pulse("install", "--yes")
    (home / "config.toml").write_text('[api]\nhost = "0.0.0.0"\n')
    assert "pulse.socket" in pulse("install", "--yes").out
    listening, service = held(person)
    assert (listening, "pulse.socket" in service) == ([], False)


def test_a_start_by_hand_does_not_take_another_address_than_the_service_holds(
    pulse: Pulse, person: Path, home: Path
) -> None:
    LastPort(home).keep(8_777)
    pulse("install", "--yes")
    with pytest.raises(NoPortError):
        service_units.refuse_beside_service(home)
    said = pulse("up")
    assert (said.code, "[no-port]" in said.err, "systemctl --user start pulse" in said.err) == (1, True, True), said
    (home / "config.toml").write_text("[api]\nport = 8778\n")
    service_units.refuse_beside_service(home)  # another address than the service's
    (home / "config.toml").unlink()
    (person / "programs" / "systemctl").write_text("#!/bin/sh\nexit 3\n")  # it is not active
    service_units.refuse_beside_service(home)


ZSH = """
zmodload zsh/zpty
zpty shell "PS1='' zsh -f -i"
zpty -w shell {told}
zpty -w -n shell $'pulse versi\\t'
zpty -r -m shell said '*pulse version*'
print -r -- $said
"""
"""A person in zsh: they add what the installation says, and type the beginning of a command and Tab."""


@pytest.mark.slow
@pytest.mark.needs_zsh
def test_zsh_completes_it_once_it_is_told_where(pulse: Pulse, person: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELL", "/bin/zsh")
    before = everything(person)
    said = pulse("install", "--yes").out
    (told,) = (line.strip() for line in said.splitlines() if line.strip().startswith("fpath="))
    completion = person / ".local" / "share" / "zsh" / "site-functions" / "_pulse"
    assert completion.read_text().startswith("#compdef pulse\n")
    typed = ZSH.replace("{told}", shlex.quote(told))
    environment = {**os.environ, "PATH": f"{person}/.local/bin:{os.environ['PATH']}", "ZDOTDIR": str(person / "home")}
    done = subprocess.run(
        ["zsh", "-f", "-c", typed], env=environment, capture_output=True, check=False, timeout=60, text=True
    )
    assert "pulse version" in done.stdout, done
    assert pulse("uninstall", "--yes").code == 0
    assert everything(person, "systemctl-said") == before


def test_nobody_is_pressed(pulse: Pulse, person: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = everything(person)
    monkeypatch.setattr(click, "confirm", lambda *_, **__: False)
    assert "Nothing was changed" in pulse("install").out
    assert everything(person) == before
    assert "[bad-request]" not in pulse("install", "--json").out or everything(person) == before


def test_what_is_somebody_elses_stays(pulse: Pulse, person: Path) -> None:
    link = person / ".local" / "bin" / "pulse"
    link.parent.mkdir(parents=True)
    link.write_text("their own")
    assert "points elsewhere" in pulse("install", "--yes").err
    unit = person / ".config" / "systemd" / "user" / "pulse.service"
    unit.parent.mkdir(parents=True)
    unit.write_text("their own")
    pulse("uninstall", "--yes")
    assert (link.read_text(), unit.read_text()) == ("their own", "their own")


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("agent", sorted(name for name, which in CONNECTIONS.items() if not which.plugin))
def test_an_agents_settings_are_what_they_were_to_the_byte(
    pulse: Pulse, person: Path, agent: str, *, there: bool
) -> None:
    path = person / CONNECTIONS[agent].user
    if there:
        path.parent.mkdir(parents=True)
        path.write_text(SETTINGS)
    before = everything(person)
    for more in ((), ("--wait", "2h")):  # again, with something else: the copy of the first time is what counts
        assert pulse("connect", agent, "--yes", *more).code == 0
    assert everything(person) != before
    said = pulse("uninstall", "--yes")
    assert (said.code, "as it was before" in said.out) == (0, True), said
    assert everything(person) == before


def test_what_was_changed_meanwhile_stays(pulse: Pulse, person: Path) -> None:
    path = person / CONNECTIONS["claude-code"].user
    path.parent.mkdir(parents=True)
    path.write_text(SETTINGS)
    pulse("connect", "claude-code", "--yes")
    path.write_text(json.dumps({**json.loads(path.read_text()), "theme": "dark"}))
    pulse("uninstall", "--yes")
    assert json.loads(path.read_text()) == {**json.loads(SETTINGS), "theme": "dark"}


def test_it_says_what_stays_and_how_that_goes(pulse: Pulse, person: Path, home: Path) -> None:
    pulse("connect", "claude-code", "--yes")
    (person / ".bashrc").write_text('eval "$(pulse shell-hook bash)"\n')
    said = pulse("uninstall", "--yes").out
    for told in (f"rm -r {home}", ".bashrc", str(ROOT)):
        assert told in said


def test_a_pulse_that_still_runs_is_named_before_anything_changes(pulse: Pulse, person: Path, hub: SmallHub) -> None:
    said = pulse("uninstall", "--dry-run").out.splitlines()
    assert said[0] == "! Pulse still runs: stop it with Ctrl-C in its terminal."
    assert said[1].endswith(f"goes on, and writes to {hub.home}.")
    pulse("install", "--yes")
    unit = str(person / ".config" / "systemd" / "user" / "pulse.service")
    ends = pulse("uninstall", "--dry-run").out
    assert ("still runs" in ends, f"{unit}: the service is stopped and removed" in ends) == (False, True)


def test_it_is_offered_once_where_it_is_not_on_the_path(
    pulse: Pulse, person: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert "pulse install" in pulse("connect", "claude-code", "--yes").out
    assert "pulse install" not in pulse("connect", "gemini", "--yes").out
    assert installing.own_program() == ROOT / "pulse"
    assert os.access(person, os.W_OK)


@pytest.mark.slow
def test_the_link_starts_this_pulse_and_says_so(pulse: Pulse, person: Path) -> None:
    pulse("install", "--yes")
    plain = {**os.environ, "PULSE_HOME": str(person / "h")}
    on_path = {**plain, "PATH": f"{person}/.local/bin:{os.environ['PATH']}"}

    def said(program: str, environment: dict[str, str]) -> str:
        done = subprocess.run([program, "status"], cwd=ROOT, env=environment, capture_output=True, check=False)
        return done.stderr.decode()

    assert "`pulse up`" in said("pulse", on_path)
    assert "`pulse up`" in said("./pulse", on_path)
    assert "`./pulse up`" in said("./pulse", plain)
