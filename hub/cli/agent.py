"""`pulse agent`: let a coding agent work for Pulse, try it, and take that back."""

import asyncio
import os
import shutil
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import click
import msgspec

from hub.app.surfaces import keep_set_up, settings_at
from hub.cli.agent_name import AgentName
from hub.cli.command import EXIT_FAILED, CommandContext, group
from hub.contract.errors import UserError
from hub.domain.policy import Agent
from hub.io.agents.acp.handshake import greet
from hub.io.agents.acp.known import KNOWN, KnownAgent
from hub.io.home.folder import Home
from hub.io.home.set_up import kept_at
from hub.kit.text import listed
from hub.settings import Settings
from hub.settings.schema import AgentSettings, default_channels

AGENTS, CHANNELS = "agents", "channels"
CHANNEL = "koji-core"
"""Where code goes unless the person says otherwise."""
BY_NAME = {one.name: one for one in KNOWN}


@group()
def agent() -> None:
    """Let a coding agent do work for Pulse. You see what it does live, and it asks before anything risky.

    See docs/howto/agent.md.
    """


@agent.command("list")
@click.pass_obj
def agent_list(context: CommandContext) -> None:
    """List the coding agents Pulse knows, and which are installed and in use."""
    settings = settings_at(Home(context.home).config)
    rows = [_row(one, settings) for one in KNOWN]
    if context.printed({"agents": rows}):
        return
    for one, row in zip(KNOWN, rows, strict=True):
        state = (
            f"works in {listed(row['channels'])}" if row["channels"] else "installed, not in use" if row["here"] else ""
        )
        tone = "green" if row["channels"] else None
        context.say(f"{one.name:<10} {one.title:<12} {state or f'not here: {one.get}'}", tone)


@agent.command("setup")
@click.argument("name", type=AgentName(BY_NAME), required=False)
@click.option("--channel", default=CHANNEL, show_default=True, help="The channel it works for.")
@click.option("--yes", is_flag=True, help="Save it without asking.")
@click.pass_context
def agent_setup(ctx: click.Context, name: str | None, *, channel: str, yes: bool) -> None:
    """Find a coding agent, check that it answers and is signed in, and give it a channel's work.

    The agent's own settings are not changed. `pulse agent remove` undoes this.

    Example: pulse agent setup opencode
    """
    context: CommandContext = ctx.obj
    home = Home(context.home)
    settings = settings_at(home.config)
    known = _found(name)
    if channel not in settings.channels:
        raise UserError(f"There is no channel {channel}.", fix=f"Known: {listed(sorted(settings.channels))}.")
    _not_written(home.config, known, channel)
    entry = _entry(known)
    _try(context, known, entry)
    _show(context, known, entry, channel, home)
    if not yes and not context.as_json and not click.confirm("Save it?", default=True):
        context.say("Nothing was saved.")
        ctx.exit(EXIT_FAILED)
    _keep(home, known.name, entry, channel)
    if context.printed({"agent": known.name, "channel": channel, "file": str(home.set_up)}):
        return
    context.say(f"✓ Saved in {home.set_up}. Restart Pulse, and {known.title} does the work for {channel}.", "green")


@agent.command("test")
@click.argument("name", type=AgentName(BY_NAME))
@click.pass_obj
def agent_test(context: CommandContext, name: str) -> None:
    """Start an agent and check that it answers and is signed in. It is given nothing to do.

    Example: pulse agent test opencode
    """
    known = _found(name)
    settings = settings_at(Home(context.home).config).agents.get(name)
    _try(context, known, settings or _entry(known))
    if context.as_json:
        context.document(msgspec.json.encode({"agent": name, "ok": True}))


@agent.command("remove")
@click.argument("name", type=AgentName(BY_NAME))
@click.pass_obj
def agent_remove(context: CommandContext, name: str) -> None:
    """Undo `pulse agent setup`.

    Example: pulse agent remove opencode
    """
    home = Home(context.home)
    kept = kept_at(home.set_up)
    agents, channels = dict(kept.get(AGENTS, {})), kept.get(CHANNELS, {})
    was = agents.pop(name, None) is not None
    keep_set_up(home.set_up, CHANNELS, {one: said for one, said in channels.items() if said.get("agent") != name})
    keep_set_up(home.set_up, AGENTS, agents)
    if not context.printed({"agent": name, "removed": was}):
        context.say("✓ Removed. Restart Pulse." if was else f"{BY_NAME[name].title} is not set up here.")


def _row(known: KnownAgent, settings: Settings) -> dict[str, Any]:
    names = {name for name, one in settings.agents.items() if one.kind == "acp" and _program(one) == known.argv[0]}
    return {
        "name": known.name,
        "here": shutil.which(known.argv[0]) is not None,
        "channels": [channel for channel, one in settings.channels.items() if one.agent in names],
    }


def _program(entry: AgentSettings) -> str:
    return Path(entry.argv[0]).name if entry.argv else ""


def _found(name: str | None) -> KnownAgent:
    """Return the agent that is meant, or the only one that is here."""
    found = [one for one in KNOWN if shutil.which(one.argv[0])]
    if name is None and len(found) == 1:
        return found[0]
    if name is None and found:
        raise UserError("Several agents are installed here.", fix=f"Name one: {listed([one.name for one in found])}.")
    known = BY_NAME.get(name or "")
    if known is None:
        raise UserError("No coding agent that Pulse knows is installed here.", fix=f"For one: {KNOWN[0].get}")
    if known not in found:
        raise UserError(f"{known.argv[0]} is not on PATH.", fix=f"Install it: {known.get}")
    return known


def _not_written(config: Path, known: KnownAgent, channel: str) -> None:
    """Refuse where the person's own file says something else: it is stronger, and is never written.

    Raises:
        UserError: it names this agent or this channel.
    """
    written = tomllib.loads(config.read_text(encoding="utf-8")) if config.exists() else {}
    for table, name in ((AGENTS, known.name), (CHANNELS, channel)):
        if name in written.get(table, {}):
            raise UserError(
                f"{config} already has a table [{table}.{name}], which takes precedence.",
                fix="Change it there (docs/howto/agent.md), or choose another --channel.",
            )


def _entry(known: KnownAgent) -> AgentSettings:
    """Return what is kept: the program by its full path, so that no other on another PATH is run for it."""
    program = shutil.which(known.argv[0]) or known.argv[0]
    keys = tuple(name for name in known.keys if os.environ.get(name))
    return AgentSettings(kind="acp", argv=(program, *known.argv[1:]), environment=keys)


def _try(context: CommandContext, known: KnownAgent, entry: AgentSettings) -> None:
    if not context.as_json:
        context.say(f"Starting {known.title} to check that it answers …")
    tried = Agent(name=known.name, kind="acp", argv=entry.argv, environment=entry.environment, mode=entry.mode)
    with tempfile.TemporaryDirectory(prefix="pulse-agent-", ignore_cleanup_errors=True) as folder:
        problem = asyncio.run(greet(tried, Path(folder), os.environ))
    if problem:
        raise UserError(
            f"{known.title} cannot be used yet: {problem}", fix=f"Fix that, then run: pulse agent test {known.name}"
        )
    if not context.as_json:
        context.say(f"✓ {known.title} answers and opens a session.", "green")


def _show(context: CommandContext, known: KnownAgent, entry: AgentSettings, channel: str, home: Home) -> None:
    """Show what is about to be kept."""
    if context.as_json:
        return
    context.say(f"In {home.set_up}:", bold=True)
    context.say(f"  the agent {known.name}: {' '.join(entry.argv)}")
    if entry.environment:
        context.say(f"  it is given {listed(entry.environment)} from the environment you start Pulse in")
    context.say(f"  the channel {channel}: its work goes to {known.name}")
    context.say(
        "It starts nothing without your yes. "
        "After that it does what is harmless in the project, and asks about the rest."
    )


def _keep(home: Home, name: str, entry: AgentSettings, channel: str) -> None:
    kept = kept_at(home.set_up)
    said = {"kind": entry.kind, "argv": list(entry.argv), "environment": list(entry.environment)}
    served = default_channels().get(channel)
    words = {"specialty": served.specialty, "affinities": list(served.affinities)} if served else {}
    keep_set_up(home.set_up, AGENTS, {**kept.get(AGENTS, {}), name: said})
    keep_set_up(home.set_up, CHANNELS, {**kept.get(CHANNELS, {}), channel: {**words, "agent": name}})
