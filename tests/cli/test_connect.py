"""`pulse connect`: what is put into an agent's settings, kept, and taken out again."""

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from hub.app.coding_agents import coding_agents
from hub.cli.command import EXIT_UNREACHABLE
from hub.contract.access import DeviceList, DeviceView, TerminalAnswer, TerminalList, TerminalRequest
from hub.io.home.agents_connected import AgentsConnected, HookTerms
from hub.io.home.folder import Home
from hub.io.server.unix_socket import LocalSocket
from tests.cli.conftest import Pulse
from tests.cli.small_hub import SmallHub, record_of, small_hub

TERMINALS = ("POST", "/api/v1/terminals")
SUMMARY_LINES_MAX = 9
"""What fits beside a question, with the answer to it."""
THEIRS = """{
    "model": "opus",
    "hooks": {
        "Stop": [{"hooks": [{"type": "command", "command": "say"}]}]
    }
}
"""


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "claude" / "settings.json"


def hooks_in(settings: Path) -> dict[str, list[dict[str, list[dict[str, object]]]]]:
    return dict(json.loads(settings.read_text())["hooks"])


def state(pulse: Pulse) -> str:
    return str(json.loads(pulse("connect", "claude-code", "--status", "--json").out)["agents"][0]["state"])


def test_a_first_connection(pulse: Pulse, settings: Path, home: Path) -> None:
    assert state(pulse) == "not connected"
    done = pulse("connect", "claude-code", "--yes")
    assert (done.code, "✓ Claude Code is connected." in done.out) == (0, True)
    (gate,) = hooks_in(settings)["PreToolUse"][0]["hooks"]
    assert gate["command"] == str(home / "hooks" / "pulse-claude-code")
    assert state(pulse) == "connected"


def test_what_would_change_is_shown_and_asked(pulse: Pulse, settings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.parent.mkdir()
    settings.write_text(THEIRS)
    asked = []
    monkeypatch.setattr("click.confirm", lambda text, **_: asked.append(text))
    done = pulse("connect", "claude-code")
    assert (done.code, asked) == (1, ["Make this change?"])
    assert len(done.out.splitlines()) <= SUMMARY_LINES_MAX
    assert '"PermissionRequest"' not in done.out
    assert f"Adds     14 hooks to {settings}. Your other settings stay." in done.out
    undo = "`pulse connect claude-code --remove`"
    for said in ("first answer counts", "While Pulse is not running", undo, "`--diff`"):
        assert said in " ".join(done.out.split())
    assert settings.read_text() == THEIRS


def test_the_exact_change_is_shown_on_request(pulse: Pulse, settings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.parent.mkdir()
    settings.write_text(THEIRS)
    monkeypatch.setattr("click.confirm", lambda *_, **__: False)
    done = pulse("connect", "claude-code", "--diff")
    assert '+        "PermissionRequest": [' in done.out
    assert '-        "model"' not in done.out
    assert settings.read_text() == THEIRS


def test_what_is_put_in_beside_hooks_is_named(pulse: Pulse, settings: Path) -> None:
    out = pulse("connect", "claude-code", "--yes", "--tools").out
    assert "mcp__pulse" in out
    assert "new file" in out
    assert str(settings) in out


def test_what_is_removed_is_counted(pulse: Pulse, settings: Path) -> None:
    settings.parent.mkdir()
    settings.write_text(THEIRS)
    pulse("connect", "claude-code", "--yes")
    out = pulse("connect", "claude-code", "--remove", "--yes").out
    assert "14 hooks" in out
    assert "Your other settings stay." in out
    assert "it is deleted" not in out
    settings.unlink()
    pulse("connect", "claude-code", "--yes")
    assert "it is deleted" in pulse("connect", "claude-code", "--remove", "--yes").out


@pytest.mark.parametrize("agent", ["codex", "gemini", "copilot", "cursor", "opencode"])
def test_each_agent_has_a_short_summary(
    pulse: Pulse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, agent: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("click.confirm", lambda *_, **__: False)
    out = pulse("connect", agent, *(["--hooks"] if agent == "codex" else [])).out
    assert len(out.splitlines()) <= SUMMARY_LINES_MAX + 3, "with what this agent has to be told"
    assert "hook" in out or "plugin" in out


def test_what_was_there_stays_is_kept_and_comes_back(pulse: Pulse, settings: Path) -> None:
    settings.parent.mkdir()
    settings.write_text(THEIRS)
    settings.chmod(0o644)
    pulse("connect", "claude-code", "--yes")
    assert json.loads(settings.read_text())["model"] == "opus"
    assert hooks_in(settings)["Stop"][0]["hooks"][0]["command"] == "say"
    assert settings.with_name("settings.json.before-pulse").read_text() == THEIRS
    assert settings.stat().st_mode & 0o777 == 0o644
    before = settings.read_text()
    assert "already connected" in pulse("connect", "claude-code", "--yes").out
    assert settings.read_text() == before
    assert "no longer connected" in pulse("connect", "claude-code", "--remove", "--yes").out
    assert json.loads(settings.read_text()) == json.loads(THEIRS)
    assert "is not connected" in pulse("connect", "claude-code", "--remove", "--yes").out


def test_pulses_own_tools_need_no_leave_where_the_person_says_so(pulse: Pulse, settings: Path) -> None:
    settings.parent.mkdir()
    settings.write_text(json.dumps({"permissions": {"allow": ["Bash(ls *)"], "deny": ["Read(.env)"]}}))
    before = settings.read_text()
    assert "with `--tools`" in pulse("connect", "claude-code", "--yes").out
    assert "mcp__pulse" not in settings.read_text()
    done = pulse("connect", "claude-code", "--yes", "--tools")
    assert "with `--tools`" not in done.out
    for _ in range(2):
        allowed = json.loads(settings.read_text())["permissions"]
        assert allowed == {"allow": ["Bash(ls *)", "mcp__pulse"], "deny": ["Read(.env)"]}
        pulse("connect", "claude-code", "--yes")
    pulse("connect", "claude-code", "--remove", "--yes")
    assert json.loads(settings.read_text()) == json.loads(before)
    assert "Leave out --tools" in pulse("connect", "gemini", "--tools", "--yes").err


def test_closed_refuses_while_pulse_is_away(pulse: Pulse, settings: Path) -> None:
    pulse("connect", "claude-code", "--yes", "--closed")
    (gate,) = hooks_in(settings)["PreToolUse"][0]["hooks"]
    assert (gate["onFailure"], gate["args"]) == ("block", ["--within=8", "--wait=3600", "--closed"])
    (note,) = hooks_in(settings)["Stop"][0]["hooks"]
    assert "--closed" not in note["args"]  # type: ignore[operator]  # JSON of ours: a list
    assert "it is refused" in pulse("connect", "claude-code", "--status").out


def test_one_project_alone(pulse: Pulse, settings: Path, tmp_path: Path) -> None:
    pulse("connect", "claude-code", "--project", "--yes")
    assert not settings.exists()
    assert "PermissionRequest" in hooks_in(tmp_path / ".claude" / "settings.local.json")
    assert "--project --remove`" in pulse("connect", "claude-code", "--project", "--yes", "--closed").out


@pytest.mark.parametrize("hooks", ["there", "none"])
def test_disconnecting_a_project_forgets_nothing_of_the_persons_own_connection(
    pulse: Pulse, settings: Path, home: Path, hooks: str
) -> None:
    pulse("connect", "claude-code", "--yes")
    if hooks == "there":
        pulse("connect", "claude-code", "--project", "--yes")
    assert pulse("connect", "claude-code", "--project", "--remove", "--yes").code == 0
    assert "PermissionRequest" in hooks_in(settings)
    assert AgentsConnected(home).agents == {"claude-code"}
    pulse("connect", "claude-code", "--remove", "--yes")
    assert AgentsConnected(home).agents == frozenset()


@pytest.mark.parametrize("link", [".claude", ".claude/settings.local.json"])
@pytest.mark.parametrize("option", ["--yes", "--remove", "--status"])
def test_no_link_of_a_repository_is_followed(
    pulse: Pulse, settings: Path, tmp_path: Path, link: str, option: str
) -> None:
    """Whoever wrote the repository would choose which file of the person's gets Pulse's hooks, or loses its own."""
    elsewhere = tmp_path / "elsewhere"
    target = elsewhere if link == ".claude" else elsewhere / "settings.local.json"
    elsewhere.mkdir()
    (elsewhere / "settings.local.json").write_text(THEIRS)
    (tmp_path / link).parent.mkdir(exist_ok=True)
    (tmp_path / link).symlink_to(target)
    done = pulse("connect", "claude-code", "--project", option, *(["--yes"] if option == "--remove" else []))
    assert "is a link" in done.err + done.out
    assert (elsewhere / "settings.local.json").read_text() == THEIRS
    assert [one.name for one in elsewhere.iterdir()] == ["settings.local.json"]
    assert not settings.exists()


def test_a_link_that_comes_after_the_look_is_not_followed(
    pulse: Pulse, settings: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file behind it is as empty as the one that was shown."""
    (tmp_path / "elsewhere").mkdir()

    def swapped(_text: str, **_more: object) -> bool:
        (tmp_path / ".claude").symlink_to(tmp_path / "elsewhere")
        return True

    monkeypatch.setattr("click.confirm", swapped)
    done = pulse("connect", "claude-code", "--project")
    assert (done.code, "is a link" in done.err, list((tmp_path / "elsewhere").iterdir())) == (1, True, [])
    assert not settings.exists()


@pytest.mark.parametrize("content", ["{", "[]", '{"hooks": []}', "\x00"])
def test_settings_that_cannot_be_read_are_left_alone(pulse: Pulse, settings: Path, content: str) -> None:
    settings.parent.mkdir()
    settings.write_text(content)
    done = pulse("connect", "claude-code", "--yes")
    assert (done.code, "[agent-settings-unreadable]" in done.err) == (1, True)
    assert settings.read_text() == content
    assert "unreadable" in pulse("connect", "claude-code", "--status").out


def test_a_link_into_somebodys_dotfiles_stays_a_link(pulse: Pulse, settings: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text(THEIRS)
    settings.parent.mkdir()
    settings.symlink_to(real)
    pulse("connect", "claude-code", "--yes")
    assert settings.is_symlink()
    assert "PermissionRequest" in json.loads(real.read_text())["hooks"]


def test_what_the_agent_or_a_repository_switched_off_is_said(pulse: Pulse, settings: Path) -> None:
    pulse("connect", "claude-code", "--yes")
    document = json.loads(settings.read_text())
    del document["hooks"]["PostToolUse"]
    settings.write_text(json.dumps({**document, "disableAllHooks": True}))
    said = pulse("connect", "claude-code", "--status").out
    assert "incomplete" in said
    assert "missing: PostToolUse" in said
    assert f"switched off in {settings}" in " ".join(said.split())


HOOKS_OFF = '{"disableAllHooks": true}'
OFF = (
    ("claude-code", "project/.claude/settings.json", HOOKS_OFF),
    ("claude-code", "project/.claude/settings.local.json", HOOKS_OFF),
    ("claude-code", "person/.claude/settings.local.json", HOOKS_OFF),
    ("codex", "person/.codex/config.toml", "[features]\nhooks = false\n"),
    ("gemini", "project/.gemini/settings.json", '{"hooksConfig": {"enabled": false}}'),
    ("copilot", "person/.copilot/config.json", f"// Written by Copilot\n{HOOKS_OFF}"),
    ("copilot", "project/.github/copilot/settings.json", HOOKS_OFF),
)


@pytest.mark.parametrize("off", OFF, ids=[one[1] for one in OFF])
def test_a_file_beside_the_hooks_that_switches_them_off_is_named(
    pulse: Pulse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, off: tuple[str, str, str]
) -> None:
    agent, file, text = off
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    assert pulse("connect", agent, "--yes", *(["--hooks"] if agent == "codex" else [])).code == 0
    switch = tmp_path / file
    switch.parent.mkdir(parents=True, exist_ok=True)
    switch.write_text(text)
    agents = json.loads(pulse("connect", agent, "--status", "--json").out)["agents"]
    told = [one for one in agents if f"switched off in {switch}" in " ".join(one["notes"])]
    assert [one["state"] for one in told] == ["incomplete"]
    switch.unlink()
    assert "switched off" not in pulse("connect", agent, "--status").out


def test_an_agent_that_was_connected_is_told_from_one_that_never_was(pulse: Pulse, settings: Path, home: Path) -> None:
    nobody = "nobody disconnected it"
    assert nobody not in pulse("connect", "claude-code", "--status").out
    pulse("connect", "claude-code", "--yes")
    settings.unlink()
    assert nobody in pulse("connect", "claude-code", "--status").out
    assert [nobody in one.notes[0] for one in coding_agents(home).agents] == [True]
    pulse("connect", "claude-code", "--remove", "--yes")
    assert nobody not in pulse("connect", "claude-code", "--status").out


def test_a_hook_that_was_changed_is_no_connection(pulse: Pulse, settings: Path, home: Path) -> None:
    pulse("connect", "claude-code", "--yes", "--wait", "2h")
    assert state(pulse) == "connected"
    document = json.loads(settings.read_text())
    document["hooks"]["PreToolUse"][0]["matcher"] = "Read"
    settings.write_text(json.dumps(document))
    assert state(pulse) == "incomplete"
    assert "(PreToolUse)" in pulse("connect", "claude-code", "--status").out
    pulse("connect", "claude-code", "--yes")
    assert state(pulse) == "connected"
    program = home / "hooks" / "pulse-claude-code"
    for wrong in ("#!/bin/sh\nexit 0\n", program.read_text() + "\n"):
        program.write_text(wrong)
        assert state(pulse) == "incomplete"
        assert f"{program} is not as Pulse writes it" in pulse("connect", "claude-code", "--status").out
        pulse("connect", "claude-code", "--yes")
        assert state(pulse) == "connected"
    program.unlink()
    assert state(pulse) == "incomplete"


TWO_HOURS = HookTerms(wait_s=7_200, closed=True)


def test_another_wait_than_the_person_chose_is_no_connection(pulse: Pulse, settings: Path, home: Path) -> None:
    chosen = ("connect", "claude-code", "--yes", "--wait", "2h", "--closed")
    pulse(*chosen)
    assert AgentsConnected(home).terms("claude-code") == (TWO_HOURS,)
    for written, wrong in (("7200", "10"), ('\n              "--closed"', '\n              "--within=8"')):
        assert written in settings.read_text()
        settings.write_text(settings.read_text().replace(written, wrong))
        assert state(pulse) == "incomplete"
        assert "pulse connect claude-code --wait 2h --closed" in pulse("connect", "claude-code", "--status").out
        pulse(*chosen)
        assert state(pulse) == "connected"
    pulse("connect", "claude-code", "--yes", "--wait", "90s")
    assert state(pulse) == "connected"
    assert AgentsConnected(home).terms("claude-code") == (HookTerms(wait_s=90),)


def test_a_projects_wait_changes_nothing_of_the_persons_own(pulse: Pulse, settings: Path, home: Path) -> None:
    pulse("connect", "claude-code", "--yes", "--wait", "2h", "--closed")
    pulse("connect", "claude-code", "--project", "--yes", "--wait", "1m")
    assert AgentsConnected(home).terms("claude-code") == (TWO_HOURS,)
    assert state(pulse) == "connected"
    assert settings.exists()


@pytest.mark.usefixtures("settings")
def test_a_running_hub_is_told_what_the_person_chose(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer(" ".join(TERMINALS), TerminalAnswer())
    for options in (("--wait", "2h", "--closed"), ("--project",)):
        assert pulse("connect", "claude-code", "--yes", *options).code == 0
    told = [msgspec.json.decode(body, type=TerminalRequest) for *asked, body in hub.asked if (*asked,) == TERMINALS]
    with_terms = TerminalRequest(agent="claude-code", wait_s=7_200, closed=True)
    assert told == [with_terms, TerminalRequest(agent="claude-code")]


def test_a_plugin_that_waits_less_or_does_more_is_no_connection(pulse: Pulse, plugin: Path) -> None:
    pulse("connect", "opencode", "--yes", "--wait", "10m")
    text = plugin.read_text()
    for wrong in (text.replace('Number("600")', 'Number("10")'), text.replace('Number("600");', 'Number("600"); x();')):
        plugin.write_text(wrong)
        assert opencode_state(pulse) == "incomplete"


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity"])
def test_settings_that_only_python_can_read_are_no_connection(pulse: Pulse, settings: Path, value: str) -> None:
    pulse("connect", "claude-code", "--yes")
    ours = settings.read_text().strip().removesuffix("}")
    settings.write_text(f'{ours}, "cleanupPeriodDays": {value}}}')
    assert state(pulse) == "unreadable"
    assert f"{value} is not JSON" in pulse("connect", "claude-code", "--status").out


@pytest.mark.parametrize("wait", ["1s", "9s"])
def test_an_agent_that_waits_for_nobody_is_not_connected(pulse: Pulse, settings: Path, wait: str) -> None:
    done = pulse("connect", "claude-code", "--yes", "--wait", wait)
    assert (done.code, f"{wait} is too short a wait." in done.err) == (1, True)
    assert not settings.exists()


def test_settings_that_changed_meanwhile_are_not_overwritten(
    pulse: Pulse, settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.parent.mkdir()
    settings.write_text(THEIRS)

    def agent_rewrites(*_: object, **__: object) -> bool:
        settings.write_text("{}")
        return True

    monkeypatch.setattr("click.confirm", agent_rewrites)
    done = pulse("connect", "claude-code")
    assert (done.code, "[agent-settings-changed]" in done.err) == (1, True)
    assert settings.read_text() == "{}"


def test_gemini_is_connected_in_its_own_form(
    pulse: Pulse, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    pulse("connect", "gemini", "--yes", "--wait", "10m")
    (gate,) = hooks_in(tmp_path / ".gemini" / "settings.json")["BeforeTool"][0]["hooks"]
    assert (gate["command"], gate["timeout"]) == (f"{home}/hooks/pulse-gemini --wait=600", 600_000)
    pulse("connect", "gemini", "--remove", "--yes")
    assert not (tmp_path / ".gemini" / "settings.json").exists(), "it was not there before"


@pytest.mark.parametrize(
    "wired",
    [
        ("copilot", ".copilot/hooks/pulse.json", "PermissionRequest"),
        ("cursor", ".cursor/hooks.json", "beforeShellExecution"),
    ],
)
def test_agents_whose_hooks_stand_in_a_plain_list(
    pulse: Pulse, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wired: tuple[str, str, str]
) -> None:
    agent, file, event = wired
    monkeypatch.setenv("HOME", str(tmp_path))
    theirs = {"command": "./audit.sh"}
    (tmp_path / file).parent.mkdir(parents=True)
    (tmp_path / file).write_text(json.dumps({"version": 1, "hooks": {event: [theirs]}}))
    pulse("connect", agent, "--yes")
    pulse("connect", agent, "--yes")
    kept, ours = json.loads((tmp_path / file).read_text())["hooks"][event]
    assert kept == theirs
    started = ours["command"].split() if agent == "cursor" else [ours["exec"], *ours["args"]]
    assert started == [str(home / "hooks" / f"pulse-{agent}"), "--wait=3600"]
    pulse("connect", agent, "--remove", "--yes")
    assert json.loads((tmp_path / file).read_text()) == {"version": 1, "hooks": {event: [theirs]}}


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[SmallHub]:
    """A hub that runs with another folder than the one that `pulse` is called with."""
    with small_hub(tmp_path / "elsewhere") as running:
        yield running


CHANGES = [
    ("connect", "claude-code", "--yes"),
    ("connect", "claude-code", "--yes", "--closed"),
    ("connect", "claude-code", "--remove", "--yes"),
    ("uninstall", "--yes"),
]


@pytest.mark.parametrize("change", CHANGES, ids=" ".join)
def test_the_pulse_that_is_connected_is_asked_whichever_folder_is_named(
    pulse: Pulse,
    elsewhere: SmallHub,
    settings: Path,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    change: tuple[str, ...],
) -> None:
    elsewhere.answer("POST /api/v1/terminals", TerminalAnswer())
    monkeypatch.setenv("HOME", str(home.parent / "person"))
    monkeypatch.setenv("PULSE_HOME", str(elsewhere.home))
    assert pulse("connect", "claude-code", "--yes").code == 0
    before = settings.read_text()
    monkeypatch.setenv("PULSE_HOME", str(home))
    elsewhere.refuse("POST /api/v1/terminals", 403, "not-at-a-terminal", "No person typed this.")
    done = pulse(*change)
    assert (done.code, "[not-at-a-terminal]" in done.err) == (1, True), done
    assert settings.read_text() == before
    elsewhere.answer("POST /api/v1/terminals", TerminalAnswer())
    elsewhere.asked.clear()
    assert pulse(*change).code == 0
    assert str(elsewhere.home) not in (settings.read_text() if settings.exists() else "")
    asked = [json.loads(body) for method, path, body in elsewhere.asked if (method, path) == TERMINALS]
    assert [one["removes"] for one in asked] == [True]


def test_a_pulse_that_does_not_answer_gives_no_leave(pulse: Pulse, settings: Path, home: Path) -> None:
    assert pulse("connect", "claude-code", "--yes").code == 0
    before = settings.read_text()
    nobody = LocalSocket(home.parent)
    nobody.close()
    Home(home).write_record(record_of(nobody))
    for change in CHANGES[1:]:
        done = pulse(*change)
        assert (done.code, "[not-running]" in done.err) == (EXIT_UNREACHABLE, True), done
    assert settings.read_text() == before


def test_a_test_needs_a_running_pulse(pulse: Pulse, settings: Path) -> None:
    assert not settings.exists()
    assert "[not-running]" in pulse("connect", "claude-code", "--test").err


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OPENCODE_CONFIG_DIR", str(tmp_path / "opencode"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "opencode" / "plugins" / "pulse.js"


def opencode_state(pulse: Pulse) -> str:
    return str(json.loads(pulse("connect", "opencode", "--status", "--json").out)["agents"][0]["state"])


def test_an_agent_may_be_connected_by_a_plugin_of_its_own(pulse: Pulse, plugin: Path, home: Path) -> None:
    assert opencode_state(pulse) == "not connected"
    assert pulse("connect", "opencode", "--yes", "--wait", "10m").code == 0
    assert f'"{home / "hooks" / "pulse-opencode"}"' in plugin.read_text()
    assert 'Number("600")' in plugin.read_text()
    assert opencode_state(pulse) == "connected"
    assert "already connected" in pulse("connect", "opencode", "--yes", "--wait", "10m").out
    assert pulse("connect", "opencode", "--remove", "--yes").code == 0
    assert not plugin.exists()
    assert opencode_state(pulse) == "not connected"


def test_a_plugin_that_another_version_put_in_is_told_of_and_mended(pulse: Pulse, plugin: Path) -> None:
    pulse("connect", "opencode", "--yes", "--wait", "10m")
    plugin.write_text(plugin.read_text().replace("open.handed = ", "const handed = "))
    (found,) = json.loads(pulse("connect", "opencode", "--status", "--json").out)["agents"]
    assert found["state"] == "incomplete"
    assert "another version of Pulse" in found["notes"][-1]
    pulse("connect", "opencode", "--yes")
    assert opencode_state(pulse) == "connected"


def test_a_plugin_of_that_name_that_is_somebody_elses_stays(pulse: Pulse, plugin: Path) -> None:
    plugin.parent.mkdir(parents=True)
    plugin.write_text("export const Mine = 1;\n")
    done = pulse("connect", "opencode", "--yes")
    assert (done.code, "[agent-settings-unreadable]" in done.err) == (1, True)
    assert opencode_state(pulse) == "unreadable"
    assert plugin.read_text() == "export const Mine = 1;\n"


@pytest.mark.parametrize("ended", [True, False])
@pytest.mark.usefixtures("settings")
def test_it_is_said_that_the_pairing_link_has_ended(pulse: Pulse, hub: SmallHub, *, ended: bool) -> None:
    """Agents could read the link in the terminal that `pulse up` runs in."""
    hub.answer("POST /api/v1/terminals", TerminalAnswer(links_ended=ended))
    said = pulse("connect", "claude-code", "--yes")
    assert said.code == 0, said.err
    assert ("The link that `pulse up` showed no longer works" in said.out) is ended
    assert ("No page yet? Run `pulse open` in a terminal outside tmux" in said.out) is ended
    assert "showed no longer works" not in pulse("connect", "claude-code", "--yes", "--json").out


@pytest.mark.parametrize("agent", [("claude-code",), ("codex",), ("codex", "--hooks"), ("gemini", "--diff")])
@pytest.mark.usefixtures("settings")
def test_the_hub_hears_of_no_agent_before_the_person_agreed(
    pulse: Pulse, hub: SmallHub, monkeypatch: pytest.MonkeyPatch, agent: tuple[str, ...]
) -> None:
    """To the hub the first agent is the end of each link and of each terminal that was not let in."""
    monkeypatch.setattr("click.confirm", lambda *_, **__: False)
    said = pulse("connect", *agent)
    assert (said.code, "Nothing was changed." in said.out) == (1, True)
    assert [path for method, path, _ in hub.asked if method == "POST"] == []


@pytest.mark.usefixtures("settings")
def test_the_link_that_ends_is_to_be_opened_first(pulse: Pulse, hub: SmallHub, monkeypatch: pytest.MonkeyPatch) -> None:
    hub.answer("GET /api/v1/terminals", TerminalList(terminals=(), count=0, links_end=True))
    asked: list[tuple[str, bool]] = []

    def enter(text: str, *, default: bool) -> bool:
        asked.append((text, default))
        return default

    monkeypatch.setattr("click.confirm", enter)
    said = pulse("connect", "claude-code")
    assert said.out.startswith("No browser is signed in yet. Open the link that `pulse up` shows first: connecting")
    assert (said.code, asked) == (1, [("Connect without opening it?", False)])
    assert "Open the link, then run this again." in said.err
    assert [method for method, _, _ in hub.asked if method == "POST"] == []
    assert "No browser is signed in yet" in pulse("connect", "claude-code", "--yes").out
    assert len(asked) == 1, "--yes asks nothing"
    hub.answer("GET /api/v1/terminals", TerminalList(terminals=(), count=0))
    assert "No browser is signed in" not in pulse("connect", "claude-code").out


@pytest.mark.usefixtures("settings")
def test_the_first_connect_names_what_is_signed_in_already(
    pulse: Pulse, hub: SmallHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before it, any program could sign a page in."""
    page = DeviceView(surface="browser", device="4ced", profile="browser", online=False, title="Chrome (Linux)")
    watch = DeviceView(surface="watch", device="mine", profile="watch", online=False)
    hub.answer("GET /api/v1/devices", DeviceList(devices=(page, watch), count=2))
    hub.answer("GET /api/v1/terminals", TerminalList(terminals=(), count=0))
    asked: list[str] = []

    def no(text: str, **_: object) -> bool:
        asked.append(text)
        return False

    monkeypatch.setattr("click.confirm", no)
    said = pulse("connect", "claude-code")
    assert "These can already answer for you: Chrome (Linux) (browser/4ced), watch/mine." in said.out
    assert "Once an agent is connected, they can answer it, too. Answer No if one of them is not yours." in said.out
    assert ("pulse devices revoke" in said.err, said.code, asked) == (True, 1, ["Are all of these yours?"])
    monkeypatch.setattr("click.confirm", lambda text, **_: text == "Are all of these yours?")
    assert "Nothing was changed." in pulse("connect", "claude-code").out
    assert "can already answer" in pulse("connect", "claude-code", "--yes").out
    hub.answer("GET /api/v1/terminals", TerminalList(terminals=(), count=1, needed=True))
    assert "can already answer" not in pulse("connect", "claude-code").out
