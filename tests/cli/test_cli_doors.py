"""`pulse doctor --security`: each door with what it asks for, and a word about what stands open."""

import json
from pathlib import Path

import pytest

from hub.cli.api import open_api
from hub.contract.access import TokenRequest
from tests.cli.conftest import Pulse
from tests.cli.real_hub import RealHub


def found(pulse: Pulse) -> dict[str, dict[str, str]]:
    return {door["name"]: door for door in json.loads(pulse("doctor", "--security", "--json").out)["doors"]}


def test_before_the_first_start_nothing_is_open(pulse: Pulse, home: Path) -> None:
    said = pulse("doctor", "--security")
    assert (said.code, "nothing is open" in said.out, "SECURITY.md" in said.out) == (0, True, True)
    assert not home.exists()


def test_files_that_others_can_open_are_broken(pulse: Pulse, home: Path) -> None:
    home.mkdir(mode=0o755)
    assert found(pulse)["files"]["state"] == "ok"
    (home / "notes.txt").write_text("")
    (home / "notes.txt").chmod(0o644)
    said = pulse("doctor", "--security")
    assert (said.code, "notes.txt" in said.out, f"chmod -R go= {home}" in said.out) == (1, True, True)
    home.chmod(0o700)
    assert found(pulse)["files"]["state"] == "ok"


def test_a_home_that_is_stopped_says_so(pulse: Pulse, home: Path) -> None:
    home.mkdir(mode=0o700)
    (home / "format").write_text("1\n")
    assert "resume --emergency" in found(pulse)["stop"]["fix"]
    (home / "armed").touch(mode=0o600)
    assert found(pulse)["stop"]["state"] == "ok"


@pytest.mark.parametrize(
    ("settings", "door"),
    [
        ('[mqtt]\nurl = "mqtt://broker.example:1883"\n', "broker"),
        ('[twin]\nenabled = true\nurl = "http://models.example/v1"\nmodel = "m"\n', "out: twin"),
        ('[agents.mine]\nkind = "command"\nargv = ["true"]\ncontain = "none"\n', "agent mine"),
        ('[ntfy]\nserver = "https://ntfy.example"\napproves = true\n', "approves: ntfy"),
        (
            '[homeassistant]\nurl = "https://home.example"\napproves = true\n',
            "approves: Home Assistant",
        ),
    ],
)
def test_what_stands_open_is_named_with_what_to_do(pulse: Pulse, home: Path, settings: str, door: str) -> None:
    home.mkdir(mode=0o700)
    (home / "config.toml").write_text(settings)
    assert (found(pulse)[door]["state"], bool(found(pulse)[door]["fix"])) == ("warning", True)


def test_settings_that_cannot_be_read_are_said(pulse: Pulse, home: Path) -> None:
    home.mkdir()
    (home / "config.toml").write_text("[mqtt\n")
    assert pulse("doctor", "--security").code == 1


@pytest.mark.slow
def test_a_running_hub_names_every_door(real: RealHub) -> None:
    api = open_api(real.home)
    api.call("POST", "/tokens", TokenRequest(name="ci", scopes=("ask",)))
    api.call("POST", "/tokens", TokenRequest(name="boss", scopes=("admin",)))
    said = json.loads(real.pulse("doctor", "--security", "--json").stdout)
    doors = {door["name"]: door for door in said["doors"]}
    named = {"commands", "page", "API", "token", "acting alone", "broker", "agent playbook", "files", "stop"}
    assert named <= set(doors)
    assert doors["page"]["state"] == "note"  # both halves of `localhost` are this hub's, as long as it runs
    assert "while Pulse is not running" in doors["page"]["where"]
    assert "pulse install" in doors["page"]["fix"]
    assert all(doors[name]["asks"] for name in ("commands", "page", "API", "broker"))
    states = {door["where"]: door["state"] for door in said["doors"] if door["name"] == "token"}
    assert states == {"'ci' may: ask": "note", "'boss' may: admin": "warning"}
    assert "requires: your" in real.pulse("doctor", "--security").stdout
