"""Commands that need no hub: settings, rails, doctor, and how failures to start are said."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hub import __version__
from hub.cli import homeassistant, surface_setup
from hub.cli.checkup import CheckResult, State, standing_of
from hub.cli.command import CommandContext
from hub.cli.doctor import show_finding, verdict_of
from hub.contract.access import TerminalList, TerminalView
from hub.io.home.folder import Home, default_home
from tests.cli.conftest import Pulse
from tests.house.source import ROOT
from tests.surfaces.terminal.scenes import NOW


def test_config(pulse: Pulse, home: Path) -> None:
    assert "defaults" in pulse("config", "check").out
    assert pulse("config", "path").out.strip() == str(home / "config.toml")
    assert 'person.name = "me"' in pulse("config", "show").out
    assert json.loads(pulse("config", "show", "--json").out)["costs"]["hour_usd"] == 2.0
    home.mkdir()
    (home / "config.toml").write_text("[costs]\nhour_usdd = 3\n")
    said = pulse("config", "check")
    assert said.code == 1
    assert "did you mean `hour_usd`?" in said.err
    assert "[bad-settings]" in pulse("up").err
    (home / "config.toml").write_text("[costs]\nhour_usd = 3\n")
    assert "is valid" in pulse("config", "check").out


def test_rails(pulse: Pulse, tmp_path: Path) -> None:
    file = tmp_path / "corpus.jsonl"
    file.write_text('{"prompt": "rm -rf /", "label": "block"}\n{"prompt": "run the tests", "label": "pass"}\n')
    report = json.loads(pulse("rails", "test", str(file), "--json").out)
    assert (report["recall"], report["falseBlockRate"], report["misses"]) == (1.0, 0.0, [])
    assert "100.00%" in pulse("rails", "test", str(file)).out
    file.write_text('{"prompt": "run the tests", "label": "block"}\n')
    assert "run the tests" in pulse("rails", "test", str(file)).out
    file.write_text('{"prompt": "x"}\n')
    said = pulse("rails", "test", str(file))
    assert (said.code, "Line 1" in said.err) == (1, True)
    file.write_bytes(b"\xff\xfe")
    assert pulse("rails", "test", str(file)).code == 1
    file.write_bytes(b"\n")
    assert "holds no prompts" in pulse("rails", "test", str(file)).err
    assert pulse("rails", "test", str(tmp_path / "none")).code == 2


def test_rails_on_commands(pulse: Pulse, tmp_path: Path) -> None:
    file = tmp_path / "commands.jsonl"
    file.write_text('{"command": "rm -rf /", "dangerous": true}\n\n{"command": "git status", "dangerous": false}\n')
    report = json.loads(pulse("rails", "test", "--commands", str(file), "--json").out)
    assert (report["recall"], report["falseAlarmRate"], report["misses"]) == (1.0, 0.0, [])
    assert "100.00%" in pulse("rails", "test", str(file), "--commands").out
    file.write_text('{"command": "git status", "dangerous": true}\n{"command": "rm x", "dangerous": false}\n')
    said = pulse("rails", "test", "--commands", str(file)).out
    assert ("git status" in said, "deletes" in said) == (True, True)
    file.write_text('{"command": "x"}\n')
    said_wrong = pulse("rails", "test", "--commands", str(file))
    assert (said_wrong.code, "Line 1" in said_wrong.err) == (1, True)
    file.write_bytes(b"\n")
    assert "holds no commands" in pulse("rails", "test", "--commands", str(file)).err


@pytest.mark.parametrize("timeout", ["3x", "0s", "2d"])
def test_a_question_that_could_not_be_asked_is_neither_rejected_nor_timed_out(pulse: Pulse, timeout: str) -> None:
    said = pulse("ask", "Deploy?", "--timeout", timeout)
    assert (said.code, timeout in said.err) == (3, True)


def test_rails_check(pulse: Pulse) -> None:
    assert pulse("rails", "check", "run the tests").code == 0
    said = pulse("rails", "check", "rm -rf /")
    assert (said.code, "content.deletes" in said.out) == (1, True)
    assert json.loads(pulse("rails", "check", "rm -rf /", "--json").out)["blocked"] is True


def test_doctor(pulse: Pulse, home: Path) -> None:
    said = pulse("doctor")
    assert (said.code, "No problems found." in said.out, "`pulse up`" in said.out) == (0, True, True)
    assert f"✓ Pulse {__version__}: 7 checks passed (--all lists them)" in said.out
    assert "broker program" not in said.out
    assert "✓ broker program" in pulse("doctor", "--all").out
    home.mkdir()
    (home / "config.toml").write_text('[agents.mine]\nkind = "command"\nargv = ["no-such-program-here"]\n')
    said = pulse("doctor", "--json")
    assert said.code == 1
    broken = [finding for finding in json.loads(said.out)["findings"] if finding["state"] == "broken"]
    assert [finding["name"] for finding in broken] == ["agent mine"]
    assert broken[0]["fix"]
    assert pulse("doctor").out.endswith("1 check failed: see → above.\n")


@pytest.mark.parametrize(
    ("states", "says"),
    [
        (("ok", "note"), "No problems found."),
        (("ok", "warning"), "Nothing is broken, but there is 1 warning: see → above."),
        (("broken", "broken", "warning"), "2 checks failed: see → above."),
    ],
)
def test_the_doctor_ends_with_what_it_found(states: tuple[State, ...], says: str) -> None:
    assert verdict_of([CheckResult(name="x", state=one, detail="") for one in states])[0] == says


THIS = TerminalView(id="a", title="bash", how="word", let_in_at=NOW, this=True)
OTHER = TerminalView(id="b", title="zsh", how="word", let_in_at=NOW)


@pytest.mark.parametrize(
    ("terminals", "detail", "fix"),
    [
        ((), "this one is not let in, so it can only look, ask and stop", "Let it in, once: `pulse devices let-in`"),
        ((THIS,), "this one (bash) counts as yours", ""),
        ((THIS, OTHER), "this one (bash) counts as yours, and so does 1 other (`pulse devices`)", ""),
        (
            (OTHER, OTHER),
            "this one is not let in, so it can only look, ask and stop; 2 others are let in (`pulse devices`)",
            "Let it in, once: `pulse devices let-in`",
        ),
    ],
)
def test_the_doctor_says_how_this_terminal_stands(terminals: tuple[TerminalView, ...], detail: str, fix: str) -> None:
    known = TerminalList(terminals=terminals, count=len(terminals), needed=True)
    assert standing_of(known) == CheckResult(name="terminals", state="note", detail=detail, fix=fix)


def test_a_long_finding_goes_on_below_its_beginning(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "40")
    found = CheckResult(name="reach", state="warning", detail="one two three four five six seven", fix="do this " * 5)
    show_finding(CommandContext(tmp_path, as_json=False, colour=False), found, 8)
    assert capsys.readouterr().out.splitlines() == [
        "! reach    one two three four five six",
        "           seven",
        "           → do this do this do this",
        "             do this do this",
    ]


def test_acl(pulse: Pulse) -> None:
    assert "user pulse-hub" in pulse("broker", "acl").out
    assert "user pulse-hub" in json.loads(pulse("broker", "acl", "--json").out)["acl"]


def test_failures_to_start_say_what_to_do(pulse: Pulse, home: Path, tmp_path: Path) -> None:
    said = pulse("up", "--workspace", str(tmp_path / "nowhere"))
    assert (said.code, "[no-workspace]" in said.err, "--workspace DIR" in said.err) == (1, True, True)
    home.parent.joinpath("file").write_text("")
    said = pulse("up", "--home", str(tmp_path / "file" / "below"))
    assert (said.code, "[home-unusable]" in said.err, "Traceback" in said.err) == (1, True, False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "environment", "coloured"),
    [
        ((), {}, True),
        (("--no-color",), {}, False),
        ((), {"NO_COLOR": "1"}, False),
        ((), {"TERM": "dumb"}, False),
    ],
)
def test_colours_are_for_terminals_that_want_them(
    tmp_path: Path, arguments: tuple[str, ...], environment: dict[str, str], *, coloured: bool
) -> None:
    ours, theirs = os.openpty()
    env = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    env |= {"PULSE_HOME": str(tmp_path), "TERM": "xterm", **environment}
    program = [sys.executable, "-m", "hub", "config", "check", *arguments]
    subprocess.run(program, cwd=ROOT, env=env, stdout=theirs, check=True)
    os.close(theirs)
    assert (b"\x1b[" in os.read(ours, 4_096)) is coloured
    os.close(ours)


@pytest.mark.slow
def test_what_is_piped_has_no_colours(tmp_path: Path) -> None:
    env = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    env |= {"PULSE_HOME": str(tmp_path), "TERM": "xterm"}
    program = [sys.executable, "-m", "hub", "config", "check"]
    piped = subprocess.run(program, cwd=ROOT, env=env, capture_output=True, check=True)
    assert b"\x1b" not in piped.stdout


@pytest.mark.parametrize("at_a_terminal", [True, False])
def test_watch_says_at_once_that_it_connects(
    pulse: Pulse, monkeypatch: pytest.MonkeyPatch, *, at_a_terminal: bool
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: at_a_terminal)
    said = pulse("watch")
    assert ("Connecting to Pulse" in said.out, "[not-running]" in said.err) == (at_a_terminal, True)


TOLD_BY_DISCORD = {"guild_id": "900000000000000777", "owner": "ann", "voters": [{"name": "ann", "id": "9" * 18}]}


DISCORD_TOKEN = f"{'h' * 24}.ushush.{'h' * 30}"
DISCORD_DOUBLE = f"""
import json, os, pathlib, sys
assert os.environ["PULSE_DISCORD_TOKEN"] == {DISCORD_TOKEN!r}
if sys.argv[1] == "discover":
    print({json.dumps(TOLD_BY_DISCORD)!r})
else:
    assert json.loads(os.environ["PULSE_DISCORD_CONFIG"])["owner"] == "ann"
with pathlib.Path(os.environ["DISCORD_LOG"]).open("a") as log:
    log.write(sys.argv[1] + chr(10))
"""


@pytest.mark.slow
def test_what_discord_tells_is_kept_and_its_token_apart_from_that(
    pulse: Pulse, home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    log, token = tmp_path / "asked", Home(home).secret_path("PULSE_DISCORD_TOKEN")
    monkeypatch.setattr(surface_setup, "program_of", lambda _surface: [sys.executable, "-c", DISCORD_DOUBLE])
    monkeypatch.setenv("PULSE_DISCORD_TOKEN", DISCORD_TOKEN)
    monkeypatch.setenv("DISCORD_LOG", str(log))
    for asked in (["discover", "setup"], ["discover", "setup", "setup"]):  # what is known is not asked for again
        said = pulse("discord", "setup")
        assert (said.code, DISCORD_TOKEN in said.out, "Now start Pulse" in said.out) == (0, False, True)
        assert log.read_text().split() == asked
    assert json.loads((home / "set-up.json").read_text()) == {"discord": TOLD_BY_DISCORD}
    assert (token.read_text(), token.stat().st_mode & 0o077) == (DISCORD_TOKEN, 0)
    assert "Forgotten" in pulse("discord", "setup", "--remove").out
    assert (json.loads((home / "set-up.json").read_text()), token.exists()) == ({}, False)


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ("", "✓ The phone: mobile_app_ann.\nWhat could ask aloud (--satellite): assist_satellite.kitchen."),
        ("assist_satellite.attic", "assist_satellite.attic is not there. What could ask aloud"),
        ("assist_satellite.kitchen", "✓ The phone: mobile_app_ann.\n✓ Kept in"),
    ],
)
def test_the_set_up_of_home_assistant_says_what_could_ask_aloud(
    pulse: Pulse, home: Path, monkeypatch: pytest.MonkeyPatch, chosen: str, said: str
) -> None:
    found = {"phones": ["mobile_app_ann"], "person": "person.ann", "satellites": ["assist_satellite.kitchen"]}
    monkeypatch.setattr(homeassistant, "ask_surface", lambda *_, **__: found)
    monkeypatch.setenv("PULSE_HOMEASSISTANT_TOKEN", "eyJh.eyJh.hush")
    done = pulse("homeassistant", "setup", "--url", "http://127.0.0.1:8123", "--satellite", chosen)
    assert (done.code, said in done.out) == (0, True), done.out + done.err
    kept = json.loads((home / "set-up.json").read_text())["homeassistant"]
    assert kept.get("satellite", "") == chosen


def test_lab_score(pulse: Pulse, tmp_path: Path) -> None:
    file = tmp_path / "offers.jsonl"
    row = {"obs": [{"event": "The terminal shows an error."}], "pred_task": "Explain the error", "valid": True}
    file.write_text(f"{json.dumps(row)}\n{json.dumps({**row, 'pred_task': None, 'valid': False})}\n")
    report = json.loads(pulse("lab", "score", str(file), "--json").out)
    assert (report["rows"], report["labelled"], report["offers"]["rows"]) == (2, 2, 1)
    said = pulse("lab", "score", str(file), "--reliability").out
    assert ("with an offer" in said, "expected" in said) == (True, True)
    file.write_text("[]\n")
    bad = pulse("lab", "score", str(file))
    assert (bad.code, "[bad-rows]" in bad.err, "Line 1" in bad.err) == (1, True, True)


@pytest.mark.parametrize(
    ("chat", "tokens", "found"),
    [
        ("telegram", (f"12345:{'s3cret' * 6}",), {"person_id": "4242"}),
        ("slack", ("xoxb-s3cret", "xapp-s3cret"), {"team_id": "T1", "channel_id": "D1", "person_id": "U1"}),
    ],
)
def test_who_sent_the_code_in_a_chat_is_kept_and_the_tokens_apart_from_that(
    pulse: Pulse, monkeypatch: pytest.MonkeyPatch, chat: str, tokens: tuple[str, ...], found: dict[str, str]
) -> None:
    home = default_home()
    secrets = dict(zip(surface_setup.SPECS[chat].secrets, tokens, strict=True))
    check = f"import os; assert {secrets!r}.items() <= os.environ.items()"
    told = [sys.executable, "-c", f"{check}; print({json.dumps(found)!r})"]
    monkeypatch.setattr(surface_setup, "program_of", lambda _surface: told)
    for name, secret in secrets.items():
        monkeypatch.setenv(name, secret)
    said = pulse(chat, "setup")
    assert (said.code, "s3cret" in said.out) == (0, False)
    assert json.loads((home / "set-up.json").read_text()) == {chat: found}
    for name, secret in secrets.items():
        kept = Home(home).secret_path(name)
        assert (kept.read_text(), kept.stat().st_mode & 0o077) == (secret, 0)
    assert "Forgotten" in pulse(chat, "setup", "--remove").out
    assert json.loads((home / "set-up.json").read_text()) == {}
    assert not any(Home(home).secret_path(name).exists() for name in secrets)
