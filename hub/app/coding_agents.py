"""The coding agents on this machine as `pulse connect` sees them: how each is connected, and what that would change."""

import difflib
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from hub.app.attached import codex_place
from hub.app.surfaces import settings_at
from hub.cli import attaching, connecting
from hub.cli.plugin_file import SettingsUnreadableError
from hub.contract.coding_agents import CodingAgentList, CodingAgentView, ConnectionState, MissingAgentView
from hub.domain.canonical import visible, wording_for
from hub.domain.provenance import Wording, as_said, say
from hub.io.agents.hooks.connections import CODEX_HOOKS, CONNECTIONS, AgentConnection
from hub.io.agents.hooks.wiring import HookWish
from hub.io.attached.codex.asked import AGENT as CODEX
from hub.io.attached.openclaw.kept_device import AGENT as OPENCLAW
from hub.io.attached.openclaw.kept_device import OpenClawDeviceError, device_at
from hub.io.home.folder import Home
from hub.kit.called import called_as

LINES_MAX = 300
"""So many changed lines are told: all of any settings; a plugin may be longer, and is Pulse's own as a whole."""
OWN_FOLDERS = (".local/bin", "bin", ".bun/bin", ".npm-global/bin", ".opencode/bin", ".claude/local")
"""Where agents' installers put programs, below the person's home; a hub that runs as a service has a shorter PATH."""
STATES: dict[str, ConnectionState] = {
    "connected": "connected",
    "incomplete": "incomplete",
    "another Pulse": "another-pulse",
}
OPENCLAW_SAYS = (say("Pulse becomes one more client of OpenClaw's gateway; what it asks becomes a card."),)


KNOWN = (
    *((one.agent, one.title, one.program, one.get) for one in CONNECTIONS.values()),
    (CODEX, "Codex", CODEX, CODEX_HOOKS.get),
    (OPENCLAW, "OpenClaw", OPENCLAW, "npm install -g openclaw@latest"),
)


def coding_agents(home: Path, projects: Sequence[Path] = ()) -> CodingAgentList:
    """Return the agents that are on this machine or connected, and the others that Pulse knows.

    `projects` are the folders whose own settings may switch an agent's hooks off.
    """
    agents = tuple(_found(home, projects))
    here = {view.agent for view in agents}
    missing = tuple(
        MissingAgentView(agent=agent, title=title, program=program, command=_command(agent), get=get)
        for agent, title, program, get in KNOWN
        if agent not in here
    )
    return CodingAgentList(agents=agents, count=len(agents), missing=missing)


def _found(home: Path, projects: Sequence[Path]) -> Iterator[CodingAgentView]:
    for which in CONNECTIONS.values():
        state, notes = _state(home, which, projects)
        if state != "not-connected" or notes or _is_here(which.program):
            yield _with_change(home, which, _view(which.agent, which.title, state, notes))
    yield from _codex(home)
    yield from _openclaw(home)


def _codex(home: Path) -> Iterator[CodingAgentView]:
    settings = settings_at(Home(home).config).codex
    if settings.attach:
        waits = () if codex_place(settings).socket.exists() else (say("Pulse attaches as soon as you start `codex`."),)
        yield _view(CODEX, "Codex", "connected", waits)
    elif _is_here(CODEX):
        yield _telling(_view(CODEX, "Codex", "not-connected"), attaching.SAYS)


def _openclaw(home: Path) -> Iterator[CodingAgentView]:
    try:
        is_connected = device_at(home) is not None
    except OpenClawDeviceError as error:
        yield _view(OPENCLAW, "OpenClaw", "unreadable", (say("{detail}", detail=error.detail),))
        return
    if is_connected or _is_here(OPENCLAW):
        view = _view(OPENCLAW, "OpenClaw", "connected" if is_connected else "not-connected")
        yield view if is_connected else _telling(view, OPENCLAW_SAYS)


def _state(home: Path, which: AgentConnection, projects: Sequence[Path]) -> tuple[ConnectionState, tuple[Wording, ...]]:
    """Return how the person's own settings connect it; a project's are asked for where the project is."""
    found = connecting.look(home, which, projects)[0]
    if found.state == "unreadable":
        return "unreadable", tuple(say("{detail}", detail=note) for note in found.notes)
    state = STATES.get(found.state, "not-connected")
    if state == "not-connected" and not found.was_connected:
        return state, ()
    return state, tuple(as_said(note, code) for note, code in zip(found.notes, found.notes_worded, strict=True))


def _view(agent: str, title: str, state: ConnectionState, notes: tuple[Wording, ...] = ()) -> CodingAgentView:
    command = _command(agent, removes=state == "connected")
    return CodingAgentView(
        agent=agent,
        title=title,
        state=state,
        command=command,
        notes=tuple(visible(note.text) for note in notes),
        notes_worded=tuple(wording_for(note.worded, note.text) for note in notes),
    )


def _command(agent: str, *, removes: bool = False) -> str:
    return f"{called_as()} connect {agent}{' --remove' if removes else ''}"


def _with_change(home: Path, which: AgentConnection, view: CodingAgentView) -> CodingAgentView:
    """Add what its command would change: only the lines that come and go, and nothing that stands around them."""
    path = connecting.place_of(which, project=False)
    removes = view.state == "connected"
    try:
        wish = HookWish(program=str(connecting.program_of(home, which)))
        change = (
            connecting.removal(which, project=False) if removes else connecting.addition(which, wish, project=False)
        )
    except SettingsUnreadableError as error:
        return replace(view, file=str(path), state="unreadable", notes=(visible(error.detail),), notes_worded=())
    indent = connecting.indent_of(change.before)
    lines = _changed(_laid_out(change.before, indent), _laid_out(change.after, indent))
    shown = lines[:LINES_MAX]
    changing = replace(
        view,
        file=str(path),
        adds=tuple(visible(line[1:]) for line in shown if line.startswith("+")),
        removes=tuple(visible(line[1:]) for line in shown if line.startswith("-")),
        more=len(lines) - len(shown),
        since=connecting.connected_since(home, which) if removes else None,
    )
    return changing if removes else _telling(changing, which.says)


def _telling(view: CodingAgentView, says: tuple[Wording, ...]) -> CodingAgentView:
    """Add what a person should know before they connect it, in English and as codes."""
    return replace(view, says=tuple(one.text for one in says), says_worded=tuple(one.wording for one in says))


def _laid_out(text: str, indent: int | str) -> list[str]:
    """Return the lines of settings as Pulse writes them, so that none differs by how it was written."""
    try:
        return json.dumps(json.loads(text), indent=indent, ensure_ascii=False).splitlines()
    except ValueError:  # a plugin's source, or no file
        return text.splitlines()


def _changed(before: list[str], after: list[str]) -> list[str]:
    """Return the lines that go and come, as they stand there; a line that only gains or loses its comma stays."""
    plain_before, plain_after = ([line.rstrip(",") for line in lines] for lines in (before, after))
    alike = difflib.SequenceMatcher(None, plain_before, plain_after, autojunk=False)
    return [
        line
        for kind, old, old_end, new, new_end in alike.get_opcodes()
        if kind != "equal"
        for line in (*(f"-{one}" for one in before[old:old_end]), *(f"+{one}" for one in after[new:new_end]))
    ]


def _is_here(program: str) -> bool:
    """Return True if the program can be started, or lies where its installer puts it."""
    own = os.pathsep.join(str(Path.home() / folder) for folder in OWN_FOLDERS)
    return bool(shutil.which(program) or shutil.which(program, path=own))
