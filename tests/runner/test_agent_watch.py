"""Connected agents whose settings change: the loop is told which no longer ask, once, and that they do again."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from hub.app.agent_watch import AgentWatch
from hub.cli import connecting
from hub.cli.connecting import addition, keep_program, removal, write
from hub.io.agents.hooks.connections import CODEX_HOOKS, CONNECTIONS, AgentConnection
from hub.io.agents.hooks.wiring import HookWish
from hub.io.home.agents_connected import AgentsConnected
from hub.loop.events import AgentsSeen

CLAUDE = CONNECTIONS["claude-code"]
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
        self.watch = AgentWatch(self.home, (self.project,), self.connected, self.told, again_after_s=0.05)

    def connect(self, which: AgentConnection) -> Path:
        """Do what `pulse connect` does; return the file of settings."""
        self.connected.comes(which.agent)
        self.connected.note()
        keep_program(self.home, which)
        wish = HookWish(program=str(connecting.program_of(self.home, which)))
        write(addition(which, wish, project=False))
        return connecting.place_of(which, project=False)

    async def asks(self, which: AgentConnection) -> Path:
        """Connect an agent, and wait until it is known."""
        settings = self.connect(which)
        async with asyncio.timeout(WAIT_S_MAX):
            while which.agent not in self.connected.agents:  # noqa: ASYNC110  what is waited for tells nobody
                await asyncio.sleep(0.02)
        return settings


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


async def test_another_pulse_that_takes_over_is_told_of(stand: Stand, tmp_path: Path) -> None:
    settings = await stand.asks(CLAUDE)
    settings.write_text(settings.read_text().replace(str(stand.home), str(tmp_path / "other")))
    await stand.told.until(lambda: bool(stand.told.cut_off))
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
    wish = HookWish(program=str(connecting.program_of(stand.home, CLAUDE)), fail="closed")
    write(addition(CLAUDE, wish, project=False))
    settings.write_text(json.dumps({**json.loads(settings.read_text()), "disableAllHooks": True}))
    await stand.told.until(lambda: bool(stand.told.cut_off))
    assert f"switched off in {settings}" in stand.told.cut_off["claude-code"]


async def test_settings_that_cannot_be_read_are_told_of(stand: Stand) -> None:
    settings = await stand.asks(CLAUDE)
    settings.write_text("{")
    await stand.told.until(lambda: bool(stand.told.cut_off))
    assert "is not JSON" in stand.told.cut_off["claude-code"]
    assert stand.told.cut_off["claude-code"].endswith("To connect it again: pulse connect claude-code")


async def test_a_program_that_is_gone_is_told_of(stand: Stand) -> None:
    await stand.asks(CLAUDE)
    connecting.program_of(stand.home, CLAUDE).unlink()
    await stand.told.until(lambda: bool(stand.told.cut_off))
    assert "is missing" in stand.told.cut_off["claude-code"]


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


async def test_what_says_that_it_is_connected_is_put_back(stand: Stand) -> None:
    await stand.asks(CLAUDE)
    file = stand.home / "agents-connected"
    file.write_text("")
    async with asyncio.timeout(WAIT_S_MAX):
        while file.read_text() != "claude-code\n":  # noqa: ASYNC110  a file, which tells nobody
            await asyncio.sleep(0.02)


async def test_while_no_agent_was_ever_connected_nothing_is_read(stand: Stand) -> None:
    (Path.home() / ".claude").mkdir()
    (Path.home() / ".claude" / "settings.json").write_text("{}")
    await asyncio.sleep(QUIET_S)
    assert stand.told.events == []
    assert not (stand.home / "agents-connected").exists()
