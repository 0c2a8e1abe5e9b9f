"""Connecting an agent that has a server of its own: nothing of its own changes, Pulse becomes one more client of it."""

import asyncio
import os
import shutil
import time
from pathlib import Path

import click
import msgspec

from hub import __version__
from hub.app.attached import codex_place
from hub.app.surfaces import keep_set_up, settings_at
from hub.cli import letting_in
from hub.cli.api import open_api, read
from hub.cli.command import EXIT_FAILED, CommandContext
from hub.cli.connect_test import NOTHING_RAN, TEST_ASKS
from hub.cli.connecting import AgentFound
from hub.contract.attached import AttachedAgents, AttachRequest
from hub.contract.control import PermissionReply
from hub.contract.errors import UserError
from hub.domain.provenance import say
from hub.io.agents.hooks.step import TEST_SESSION
from hub.io.attached.codex.asked import AGENT, request_of, told_of
from hub.io.attached.codex.place import CodexPlace
from hub.io.attached.codex.work import command
from hub.io.home.folder import Home
from hub.io.home.set_up import kept_at
from hub.kit.hub_api import NotRunningError
from hub.kit.loose_json import LooseJson

TITLE = "Codex"
TABLE = "codex"
ANSWER_S_MAX = 300
SAYS = (
    say("Codex's own settings are not changed: Pulse attaches to its background server, as its terminal does."),
    say("What it asks by its own rules becomes a card, and its own dialog stays open as well."),
    say("The first answer counts, wherever you give it."),
    say("While Pulse is not running, Codex asks in its own terminal, as it does now."),
)
NOT_NOW = "Codex's server is not running. Pulse attaches as soon as you start `codex`."
SAMPLE: LooseJson = {"command": "echo This is a test of Pulse", "availableDecisions": ["accept", "cancel"]}


def attach(context: CommandContext, wait_s: int, *, yes: bool) -> int:
    """Attach to Codex's server from now on; return the exit status."""
    moved = os.environ.get("CODEX_HOME", "")
    wanted = {"attach": True, "wait_s": wait_s, **({"home": str(Path(moved).absolute())} if moved else {})}
    changed = _kept(context.home) != wanted
    if changed:
        for line in () if context.as_json else SAYS:
            context.say(line.text)
        if not _agreed(context, "Attach to it?", yes=yes):
            return EXIT_FAILED
    letting_in.before_connecting(context, AGENT)
    if changed:
        keep_set_up(Home(context.home).set_up, TABLE, wanted)
    settings = settings_at(Home(context.home).config).codex
    if not settings.attach:
        fix = "Take `attach` out of its `[codex]` table."
        raise UserError(f"{Home(context.home).config} says not to attach to Codex, and takes precedence.", fix=fix)
    runs = _tell(context.home, attach=True, reattach=changed)
    if context.as_json:
        _say_json(context, changed=changed, connected=True)
        return 0
    context.say(
        f"✓ {TITLE} is connected." if changed else f"{TITLE} is already connected.", "green" if changed else None
    )
    for note in _notes(codex_place(settings), is_up=runs):
        context.hint(f"  {note}")
    if changed:
        context.hint("  Pulse is a client of its server. For sessions without a server: pulse connect codex --hooks")
        context.hint(f"  Try it: pulse connect {AGENT} --test")
    return 0


def detach(context: CommandContext, *, yes: bool) -> int:
    """Attach to it no more."""
    changed = is_attached(context.home)
    if changed and not _agreed(context, "Leave Codex's server?", yes=yes):
        return EXIT_FAILED
    letting_in.before_disconnecting([context.home], AGENT)
    leave(context.home)
    if context.as_json:
        _say_json(context, changed=changed, connected=False)
        return 0
    context.say(f"✓ {TITLE} is no longer connected." if changed else f"{TITLE} is not connected.")
    return 0


def is_attached(home: Path) -> bool:
    """Return True if Pulse is set up to attach to it."""
    return bool(_kept(home))


def leave(home: Path) -> None:
    """Attach to it no more, also where Pulse runs."""
    if is_attached(home):
        keep_set_up(Home(home).set_up, TABLE, {})
    _tell(home, attach=False)


def look(home: Path) -> AgentFound:
    """Return whether Pulse attaches to it, and what stands in the way."""
    wanted = settings_at(Home(home).config).codex
    place = codex_place(wanted)
    found = AgentFound(agent=AGENT, title=TITLE, file=str(place.socket), state="not connected")
    if not wanted.attach:
        notes = () if shutil.which(AGENT) else (f"`{AGENT}` is not on your PATH.",)
        return msgspec.structs.replace(found, notes=notes)
    return msgspec.structs.replace(found, state="connected", notes=_notes(place, is_up=_is_up(home)))


def run_test(context: CommandContext) -> int:
    """See that its server answers, then ask as Codex would, and wait for the answer."""
    api = open_api(context.home)
    place = codex_place(settings_at(Home(context.home).config).codex)
    began = time.monotonic()
    version = asyncio.run(_version(place))
    context.say(f"✓ Codex's server {version} answers, in {(time.monotonic() - began) * 1_000:.0f} ms", "green")
    put = command(SAMPLE)
    request = None if put is None else request_of(put, TEST_SESSION, "test", ANSWER_S_MAX, f"test-{began}")
    if put is None or request is None:
        raise AssertionError("our own sample can be used")
    context.say(TEST_ASKS)
    reply = read(api.call("POST", "/permissions", request, timeout_s=ANSWER_S_MAX + 10.0), PermissionReply)
    told = told_of(put, reply)
    if told is None:
        context.say("✗ Nobody answered.", "red")
        return EXIT_FAILED
    context.say(f"✓ Answered after {time.monotonic() - began:.1f} s. {TITLE} would be told:", "green")
    context.say(msgspec.json.format(msgspec.json.encode(told.result), indent=2).decode())
    context.say(NOTHING_RAN)
    return 0


async def _version(place: CodexPlace) -> str:
    from hub.io.attached.codex.connection import introduce, open_line  # noqa: PLC0415  only the test speaks with it

    async with open_line(place.socket) as line:
        hearing = asyncio.create_task(line.hear())
        try:
            await introduce(line, __version__)
        finally:
            hearing.cancel()
        return line.version


def _agreed(context: CommandContext, question: str, *, yes: bool) -> bool:
    if context.as_json and not yes:
        raise UserError("--json cannot ask for confirmation.", fix="Run it without --json, or add --yes.")
    if yes or click.confirm(question, default=True):
        return True
    context.say("Nothing was changed.")
    return False


def _kept(home: Path) -> dict[str, object]:
    return kept_at(Home(home).set_up).get(TABLE, {})


def _tell(home: Path, *, attach: bool, reattach: bool = False) -> bool:
    """Have the running hub do it at once; return True if one runs. `reattach`: it is to read what was changed."""
    try:
        api = open_api(home)
    except NotRunningError:
        return False
    for wanted in (False, True) if attach and reattach else (attach,):
        read(api.call("POST", "/agents/attached", AttachRequest(agent=AGENT, attach=wanted)), AttachedAgents)
    return True


def _is_up(home: Path) -> bool:
    try:
        open_api(home)
    except NotRunningError:
        return False
    return True


def _notes(place: CodexPlace, *, is_up: bool) -> tuple[str, ...]:
    notes = () if is_up else ("Pulse is not running; it attaches once you run: pulse up",)
    return notes if place.socket.exists() else (*notes, NOT_NOW)


def _say_json(context: CommandContext, *, changed: bool, connected: bool) -> None:
    file = str(Home(context.home).set_up)
    done = {"agent": AGENT, "file": file, "changed": changed, "connected": connected, "copy": ""}
    context.document(msgspec.json.encode(done))
