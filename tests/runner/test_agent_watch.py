"""Connected agents whose settings change: the loop is told which no longer ask, once, and that they do again."""

import asyncio
import errno
import json
import os
import shutil
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hub.app.agent_watch import AgentWatch
from hub.cli import connecting
from hub.cli.connecting import AgentFound, addition, keep_program, removal, write
from hub.io.agents.heard_sessions import HEARD
from hub.io.agents.hooks import unasked
from hub.io.agents.hooks.connections import CODEX_HOOKS, CONNECTIONS, AgentConnection
from hub.io.agents.hooks.wiring import WAIT_S_DEFAULT, Fail, HookWish
from hub.io.home.agents_connected import AgentsConnected, HookTerms
from hub.io.sensors.watchers import Watcher
from hub.loop.events import AgentsSeen

CLAUDE = CONNECTIONS["claude-code"]
TERMS = HookTerms(wait_s=WAIT_S_DEFAULT)
WAIT_S_MAX = 10.0
QUIET_S = 0.6
"""Longer than the kernel collects changes for, and than a second look takes here."""


class Told:
    """What the loop was told: the agents that are cut off, each time."""

    def __init__(self) -> None:
        self.events: list[AgentsSeen] = []
        self.happened = asyncio.Event()

    def __call__(self, event: AgentsSeen) -> None:
        self.events.append(event)
        self.happened.set()

    @property
    def cut_off(self) -> dict[str, str]:
        return {one.agent: one.why.text for one in self.events[-1].cut_off}

    async def until(self, held: Callable[[], bool]) -> None:
        async with asyncio.timeout(WAIT_S_MAX):
            while not held():
                self.happened.clear()
                await self.happened.wait()


class Stand:
    """A home with its agents, and the watch over them."""

    def __init__(self, folder: Path) -> None:
        self.home, self.project = folder / "home", folder / "project"
        self.connected = AgentsConnected(self.home)
        self.told = Told()
        self.changed: list[str] = []
        self.watch = AgentWatch(
            self.home, (self.project,), self.connected, self.told, again_after_s=0.05, changed=self.changed.append
        )

    def connect(self, which: AgentConnection, terms: HookTerms = TERMS, *, is_told: bool = True) -> Path:
        """Do what `pulse connect` does, or an earlier one did; return the file of settings."""
        self.connected.comes(which.agent, terms if is_told else None)
        self.connected.note()
        keep_program(self.home, which)
        fail: Fail = "closed" if terms.closed else "open"
        wish = HookWish(program=str(connecting.program_of(self.home, which)), fail=fail, wait_s=terms.wait_s)
        write(addition(which, wish, project=False))
        return connecting.place_of(which, project=False)

    async def asks(self, which: AgentConnection) -> Path:
        """Connect an agent, and wait until it is known."""
        settings = self.connect(which)
        await until(lambda: which.agent in self.connected.agents)
        return settings


async def until(held: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT_S_MAX):
        while not held():  # noqa: ASYNC110  what is waited for tells nobody
            await asyncio.sleep(0.02)


@pytest.fixture
async def stand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Stand]:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "OPENCODE_CONFIG_DIR", "COPILOT_HOME"):
        monkeypatch.delenv(name, raising=False)
    made = Stand(tmp_path)
    for folder in (made.home, made.project):
        folder.mkdir()
    made.watch.start()
    yield made
    await made.watch.close()


@pytest.mark.parametrize("which", [*CONNECTIONS.values(), CODEX_HOOKS], ids=lambda one: one.title)
async def test_hooks_that_go_are_told_of_and_that_they_are_back(stand: Stand, which: AgentConnection) -> None:
    settings = await stand.asks(which)
    text = settings.read_text()
    settings.unlink()
    await stand.told.until(lambda: which.agent in stand.told.cut_off)
    again = f"pulse connect {which.agent}{' --hooks' if which is CODEX_HOOKS else ''}"
    assert (
        stand.told.cut_off[which.agent] == f"Nothing in {settings} starts Pulse anymore. To connect it again: {again}"
    )
    settings.write_text(text)
    await stand.told.until(lambda: not stand.told.cut_off)


async def test_one_hook_that_is_asked_less_is_told_of(stand: Stand) -> None:
    settings = await stand.asks(CLAUDE)
    document = json.loads(settings.read_text())
    document["hooks"]["PreToolUse"][0]["matcher"] = "Read"
    settings.write_text(json.dumps(document))
    await stand.told.until(lambda: bool(stand.told.cut_off))
    assert "(PreToolUse)" in stand.told.cut_off["claude-code"]


@pytest.mark.parametrize("which", [*CONNECTIONS.values(), CODEX_HOOKS], ids=lambda one: one.title)
async def test_another_wait_than_the_person_chose_is_told_of(stand: Stand, which: AgentConnection) -> None:
    settings = await stand.asks(which)
    settings.write_text(settings.read_text().replace("3600", "10"))
    await stand.told.until(lambda: which.agent in stand.told.cut_off)
    assert "To repair it" in stand.told.cut_off[which.agent] or "To update it" in stand.told.cut_off[which.agent]


async def test_that_it_is_no_longer_refused_while_pulse_is_away_is_told_of(stand: Stand) -> None:
    settings = await stand.asks(CLAUDE)
    closed = HookTerms(wait_s=7_200, closed=True)
    stand.connect(CLAUDE, closed)
    await until(lambda: stand.connected.terms(CLAUDE.agent) == (closed,))
    document = json.loads(settings.read_text())
    document["hooks"]["PreToolUse"][0]["hooks"][0]["args"].remove("--closed")
    settings.write_text(json.dumps(document))
    await stand.told.until(lambda: bool(stand.told.cut_off))
    assert stand.told.cut_off["claude-code"].endswith("pulse connect claude-code --wait 2h --closed")


async def test_a_person_who_connects_with_another_wait_hears_nothing(stand: Stand) -> None:
    await stand.asks(CLAUDE)
    for terms in (HookTerms(wait_s=60), HookTerms(wait_s=90, closed=True), TERMS):
        stand.connected.comes(CLAUDE.agent, terms)
        await asyncio.sleep(QUIET_S / 2)
        stand.connect(CLAUDE, terms)
        await until(lambda: stand.connected.terms(CLAUDE.agent) == (terms,))  # noqa: B023  awaited here
    assert [one for one in stand.told.events if one.cut_off] == []


async def test_what_was_connected_before_terms_were_kept_counts_as_it_is_found(stand: Stand) -> None:
    two_hours = HookTerms(wait_s=7_200)
    settings = stand.connect(CLAUDE, two_hours, is_told=False)
    await until(lambda: stand.connected.terms(CLAUDE.agent) == (two_hours,))
    settings.write_text(settings.read_text().replace("7200", "60"))
    await stand.told.until(lambda: bool(stand.told.cut_off))


async def test_another_pulse_that_takes_over_is_told_of(stand: Stand, tmp_path: Path) -> None:
    settings = await stand.asks(CLAUDE)
    settings.write_text(settings.read_text().replace(str(stand.home), str(tmp_path / "other")))
    await stand.told.until(lambda: "claude-code" in stand.told.cut_off)
    assert "another Pulse" in stand.told.cut_off["claude-code"]


async def test_a_projects_settings_that_switch_hooks_off_are_told_of(stand: Stand) -> None:
    await stand.asks(CLAUDE)
    switch = stand.project / ".claude" / "settings.local.json"
    switch.parent.mkdir()
    switch.write_text('{"disableAllHooks": true}')
    await stand.told.until(lambda: bool(stand.told.cut_off))
    assert f"switched off in {switch}" in stand.told.cut_off["claude-code"]
    switch.unlink()
    await stand.told.until(lambda: not stand.told.cut_off)


async def test_an_agent_that_is_refused_while_pulse_is_away_is_told_of_by_what_is_wrong(stand: Stand) -> None:
    settings = await stand.asks(CLAUDE)
    stand.connect(CLAUDE, HookTerms(wait_s=WAIT_S_DEFAULT, closed=True))
    settings.write_text(json.dumps({**json.loads(settings.read_text()), "disableAllHooks": True}))
    await stand.told.until(lambda: bool(stand.told.cut_off))
    assert f"switched off in {settings}" in stand.told.cut_off["claude-code"]


async def test_settings_that_cannot_be_read_are_told_of(stand: Stand) -> None:
    settings = await stand.asks(CLAUDE)
    settings.write_text("{")
    await stand.told.until(lambda: bool(stand.told.cut_off))
    assert "is not JSON" in stand.told.cut_off["claude-code"]
    assert stand.told.cut_off["claude-code"].endswith("To connect it again: pulse connect claude-code")


@pytest.mark.parametrize("text", [None, "#!/bin/sh\nexit 0\n"])
async def test_a_program_that_goes_or_is_changed_is_put_back(stand: Stand, text: str | None) -> None:
    await stand.asks(CLAUDE)
    program = connecting.program_of(stand.home, CLAUDE)
    was = program.read_text()
    await asyncio.sleep(QUIET_S)
    assert stand.changed == []
    if text is None:
        program.unlink()
    else:
        program.write_text(text)
    async with asyncio.timeout(WAIT_S_MAX):
        while not (program.exists() and program.read_text() == was):  # noqa: ASYNC110  a file, which tells nobody
            await asyncio.sleep(0.02)
    await asyncio.sleep(QUIET_S)
    assert os.access(program, os.X_OK)
    assert stand.changed == [str(program)]
    assert [one for one in stand.told.events if one.cut_off] == []


async def test_a_program_that_cannot_be_put_back_is_told_of(stand: Stand) -> None:
    await stand.asks(CLAUDE)
    program = connecting.program_of(stand.home, CLAUDE)
    program.with_name(f".{program.name}.new").mkdir()
    program.unlink()
    await stand.told.until(lambda: bool(stand.told.cut_off))
    assert "is missing" in stand.told.cut_off["claude-code"]
    assert stand.changed == []


async def test_who_disconnects_it_hears_nothing(stand: Stand) -> None:
    await stand.asks(CLAUDE)
    stand.connected.leaves(CLAUDE.agent)
    write(removal(CLAUDE, project=False))
    await asyncio.sleep(QUIET_S)
    assert [one for one in stand.told.events if one.cut_off] == []
    assert stand.connected.agents == frozenset()


async def test_settings_that_are_just_being_written_are_no_news(stand: Stand) -> None:
    settings = await stand.asks(CLAUDE)
    stand.watch._again_after_s = QUIET_S  # noqa: SLF001  as long as in life, beside how fast a test writes
    text = settings.read_text()
    settings.write_text("")
    await asyncio.sleep(QUIET_S / 2)
    settings.write_text(text)
    await asyncio.sleep(2 * QUIET_S)
    assert [one for one in stand.told.events if one.cut_off] == []


async def test_hooks_that_are_off_for_a_moment_are_told_of(stand: Stand) -> None:
    settings = await stand.asks(CLAUDE)
    stand.watch._again_after_s = WAIT_S_MAX  # noqa: SLF001  longer than they are off
    text = settings.read_text()
    settings.write_text(json.dumps({**json.loads(text), "disableAllHooks": True}))
    await asyncio.sleep(QUIET_S)
    settings.write_text(text)
    await stand.told.until(lambda: not stand.told.cut_off)
    assert [one.cut_off[0].agent for one in stand.told.events if one.cut_off] == ["claude-code"]


async def test_what_is_half_written_keeps_nothing_else_from_being_told_of(stand: Stand) -> None:
    settings, other = await stand.asks(CLAUDE), await stand.asks(CONNECTIONS["gemini"])
    stand.watch._again_after_s = WAIT_S_MAX * 2  # noqa: SLF001  longer than is waited for here
    other.write_text("{")
    await asyncio.sleep(QUIET_S)
    settings.write_text('{"model": "opus"}')
    await stand.told.until(lambda: bool(stand.told.cut_off))
    assert set(stand.told.cut_off) == {"claude-code"}


@pytest.mark.parametrize("matcher", [[], {}])
async def test_settings_of_an_odd_form_hide_nothing(stand: Stand, matcher: object) -> None:
    settings = await stand.asks(CLAUDE)
    document = json.loads(settings.read_text())
    document["hooks"]["PreToolUse"].insert(0, {"matcher": matcher, "hooks": []})
    settings.write_text(json.dumps({**document, "disableAllHooks": True}))
    await stand.told.until(lambda: bool(stand.told.cut_off))
    assert "switched off" in stand.told.cut_off["claude-code"]


async def test_settings_at_which_a_look_breaks_are_told_of(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    settings, other = await stand.asks(CLAUDE), await stand.asks(CONNECTIONS["gemini"])
    whole = connecting.look

    def look(home: Path, which: AgentConnection, projects: Sequence[Path] | None = None) -> list[AgentFound]:
        if which is CLAUDE:
            raise TypeError
        return whole(home, which, projects)

    monkeypatch.setattr(connecting, "look", look)
    other.unlink()
    await stand.told.until(lambda: set(stand.told.cut_off) == {"claude-code", "gemini"})
    assert f"make sense of {settings}" in stand.told.cut_off["claude-code"]


async def test_a_pipe_beside_the_settings_hides_nothing(stand: Stand) -> None:
    settings = await stand.asks(CLAUDE)
    beside = settings.with_name("settings.local.json")
    os.mkfifo(beside)
    await stand.told.until(lambda: bool(stand.told.cut_off))
    assert f"{beside} cannot be read" in stand.told.cut_off["claude-code"]
    settings.unlink()
    await stand.told.until(lambda: "starts Pulse" in stand.told.cut_off["claude-code"])


@pytest.mark.parametrize("text", ['{"disableAllHooks": /* x */ true}', "{", '{"model": "opus"}' + " " * 4_200_000])
async def test_a_file_beside_that_pulse_cannot_read_is_told_of(stand: Stand, text: str) -> None:
    await stand.asks(CLAUDE)
    switch = stand.project / ".claude" / "settings.json"
    switch.parent.mkdir()
    switch.write_text(text)
    await stand.told.until(lambda: bool(stand.told.cut_off))
    assert str(switch) in stand.told.cut_off["claude-code"]


async def test_a_link_that_leads_to_itself_hides_nothing(stand: Stand) -> None:
    settings = await stand.asks(CLAUDE)
    settings.with_name("settings.local.json").symlink_to("settings.local.json")
    settings.unlink()
    await stand.told.until(lambda: "starts Pulse" in stand.told.cut_off.get("claude-code", ""))


async def test_a_folder_that_was_moved_and_copied_back_hides_nothing(stand: Stand) -> None:
    settings = await stand.asks(CLAUDE)
    folder = settings.parent
    folder.rename(folder.with_name("elsewhere"))
    shutil.copytree(folder.with_name("elsewhere"), folder)
    await asyncio.sleep(QUIET_S)
    settings.write_text('{"model": "opus"}')
    await stand.told.until(lambda: bool(stand.told.cut_off))


async def test_an_agent_that_still_asks_a_minute_after_it_was_disconnected_counts_again(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stand.asks(CLAUDE)
    for module in ("hub.app.agent_watch", "hub.io.home.agents_connected"):
        monkeypatch.setattr(f"{module}.LEAVING_S", QUIET_S)
    stand.connected.leaves(CLAUDE.agent)
    assert stand.connected.agents == frozenset()
    await until(lambda: CLAUDE.agent in stand.connected.agents)


async def test_where_the_system_could_not_tell_of_edits_it_is_asked_again(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hub.app import agent_watch  # noqa: PLC0415  patched here alone

    def none_left(*_: object) -> Watcher:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(agent_watch, "UNWATCHED_S", 0.05)
    with monkeypatch.context() as patched:
        patched.setattr(agent_watch, "traces_watcher", none_left)
        stand.connect(CLAUDE)
        await asyncio.sleep(QUIET_S)
    await stand.asks(CLAUDE)
    connecting.place_of(CLAUDE, project=False).unlink()
    await stand.told.until(lambda: bool(stand.told.cut_off))


OTHERS = {"hooks": {"PermissionRequest": [{"hooks": [{"type": "command", "command": "cat o.json"}]}]}}


@pytest.mark.parametrize("where", ["user", "project"])
async def test_a_hook_of_others_that_comes_later_is_told_of_apart(stand: Stand, where: str) -> None:
    settings = await stand.asks(CLAUDE)
    await until(lambda: "beside=" in (stand.home / "agents-connected").read_text())
    if where == "user":
        document = json.loads(settings.read_text())
        document["hooks"]["PermissionRequest"] += OTHERS["hooks"]["PermissionRequest"]
        settings.write_text(json.dumps(document))
    else:
        settings = stand.project / ".claude" / "settings.json"
        settings.parent.mkdir()
        settings.write_text(json.dumps(OTHERS))
    await stand.told.until(lambda: "claude-code-hooks" in stand.told.cut_off)
    said = stand.told.cut_off["claude-code-hooks"]
    assert f"added in {settings} (PermissionRequest: cat o.json)" in said
    assert said.endswith("pulse connect claude-code")
    assert "claude-code" in {one.agent for one in stand.told.events[-1].asking}
    (Path.home() / ".claude" / "settings.json").write_text("{}")
    await stand.told.until(lambda: "claude-code" in stand.told.cut_off)


async def test_hooks_of_others_that_were_there_when_it_was_connected_are_no_news(stand: Stand) -> None:
    (stand.project / ".claude").mkdir()
    (stand.project / ".claude" / "settings.json").write_text(json.dumps(OTHERS))
    await stand.asks(CLAUDE)
    await until(lambda: "beside=" in (stand.home / "agents-connected").read_text())
    again = AgentWatch(stand.home, (stand.project,), AgentsConnected(stand.home), stand.told, again_after_s=0.05)
    again.start()
    try:
        await asyncio.sleep(QUIET_S)
    finally:
        await again.close()
    assert [one for one in stand.told.events if one.cut_off] == []


async def test_who_connects_again_takes_the_hooks_that_are_there(stand: Stand) -> None:
    await stand.asks(CLAUDE)
    await until(lambda: "beside=" in (stand.home / "agents-connected").read_text())
    (stand.project / ".claude").mkdir()
    (stand.project / ".claude" / "settings.json").write_text(json.dumps(OTHERS))
    await stand.told.until(lambda: bool(stand.told.cut_off))
    stand.connect(CLAUDE)
    await stand.told.until(lambda: not stand.told.cut_off)


async def test_what_no_change_tells_of_is_found_at_the_next_look(stand: Stand, tmp_path: Path) -> None:
    settings = await stand.asks(CLAUDE)
    linked = tmp_path / "linked"
    linked.hardlink_to(settings)
    often = AgentWatch(stand.home, (), stand.connected, stand.told, again_after_s=0.05, every_s=0.1)
    often.start()
    try:
        await asyncio.sleep(QUIET_S)
        assert [one for one in stand.told.events if one.cut_off] == []
        linked.write_text("{}")
        await stand.told.until(lambda: bool(stand.told.cut_off))
    finally:
        await often.close()


async def test_one_that_works_without_asking_is_told_of(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unasked, "SETTLED_S", 0.0)
    settings = await stand.asks(CLAUDE)
    file = settings.parent / "projects" / "-home-ada-shop" / "50de0f31-0d8a-4a85-bdd0-299af7fa2778.jsonl"
    file.parent.mkdir(parents=True)
    used = {"role": "assistant", "content": [{"type": "tool_use", "name": "Bash", "input": {}}]}
    about = {"isSidechain": False, "cwd": "/home/ada/shop", "message": used}
    file.write_text(json.dumps({"timestamp": datetime.now(UTC).isoformat(), **about}) + "\n")
    settings.write_text(settings.read_text())
    await stand.told.until(lambda: bool(stand.told.cut_off))
    assert "works in /home/ada/shop without asking Pulse" in stand.told.cut_off["claude-code"]
    HEARD.hear("claude-code", file.stem)
    settings.write_text(settings.read_text())
    await stand.told.until(lambda: not stand.told.cut_off)


async def test_while_no_agent_was_ever_connected_nothing_is_read(stand: Stand) -> None:
    (Path.home() / ".claude").mkdir()
    (Path.home() / ".claude" / "settings.json").write_text("{}")
    await asyncio.sleep(QUIET_S)
    assert stand.told.events == []
    assert not (stand.home / "agents-connected").exists()
