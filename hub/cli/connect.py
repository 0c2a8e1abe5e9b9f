"""`pulse connect`: let a coding agent ask Pulse, and take that back."""

import textwrap
import time
from collections.abc import Iterable
from pathlib import Path

import click
import msgspec

from hub.cli import attaching, connecting, letting_in, times
from hub.cli.agent_name import AgentName
from hub.cli.command import EXIT_FAILED, CommandContext, command
from hub.cli.connect_test import run_test
from hub.cli.connecting import AgentFound, SettingsChange
from hub.cli.installing import offer
from hub.contract.errors import UserError
from hub.domain.lookalikes import reveal
from hub.io.agents.hooks.connections import CODEX_HOOKS, CONNECTIONS, AgentConnection
from hub.io.agents.hooks.wiring import WAIT_S_DEFAULT, WAIT_S_MAX, WAIT_S_MIN, HookWish
from hub.io.attached.codex.asked import AGENT
from hub.io.attached.openclaw.kept_device import AGENT as OPENCLAW
from hub.io.home.agents_connected import AgentsConnected
from hub.kit.line_diff import line_diff
from hub.kit.text import counted

LINE_CHARS_MAX = 118
TONES = {"+": "green", "-": "red", "@": "cyan"}
"""What each kind of line in a shown change is coloured."""


@command()
@click.argument("agent", type=AgentName([*CONNECTIONS, AGENT, OPENCLAW]), required=False)
@click.option("--project", is_flag=True, help="Only in this folder's project, not everywhere.")
@click.option("--closed", is_flag=True, help="While Pulse is not running, refuse what it would be asked about.")
@click.option("--wait", default="1h", show_default=True, metavar="TIME", help="How long the agent waits for you.")
@click.option("--tools", is_flag=True, help="Let it use Pulse's tools (MCP) to ask you, without asking for that first.")
@click.option("--hooks", is_flag=True, help="Connect Codex by hooks, for sessions without its background server.")
@click.option("--remove", is_flag=True, help="Disconnect the agent.")
@click.option("--status", is_flag=True, help="Show what is connected; change nothing.")
@click.option("--diff", "shows_diff", is_flag=True, help="Show the exact change to the agent's settings, then ask.")
@click.option(
    "--test", "is_test", is_flag=True, help="Ask a test question as the agent would, and wait for your answer."
)
@click.option("--yes", is_flag=True, help="Do not ask before changing the agent's settings.")
@click.pass_context
def connect(  # noqa: PLR0913  one option each
    ctx: click.Context,
    /,
    agent: str | None,
    *,
    project: bool,
    closed: bool,
    wait: str,
    tools: bool,
    hooks: bool,
    remove: bool,
    status: bool,
    shows_diff: bool,
    is_test: bool,
    yes: bool,
) -> None:
    """Let a coding agent ask you on every surface, or disconnect it.

    This says what would change in the agent's own settings, asks you, keeps a copy and leaves everything else as it
    is. While Pulse is not running the agent asks in its own terminal as before; with --closed it is refused instead.

    Example: pulse connect claude-code
    """
    context: CommandContext = ctx.obj
    if agent is None or status:
        _say_status(context, [agent] if agent else [*CONNECTIONS, AGENT, OPENCLAW])
        return
    if hooks and agent != AGENT:
        raise UserError("Only Codex can be connected in two ways.", fix=f"Run: pulse connect {agent}")
    if tools and (agent not in CONNECTIONS or not CONNECTIONS[agent].own_tools):
        raise UserError("Only Claude Code asks before it uses Pulse's tools.", fix="Leave out --tools.")
    if not (is_test or remove or context.as_json):
        letting_in.say_before_first(context, asks=not yes)
    if agent == AGENT and not hooks:
        ctx.exit(_attach(context, wait, project=project, closed=closed, remove=remove, is_test=is_test, yes=yes))
    if agent == OPENCLAW:
        from hub.cli.connect_openclaw import connect_openclaw  # noqa: PLC0415  brings a WebSocket's client along

        _require_plain(project=project, closed=closed)
        ctx.exit(connect_openclaw(context, remove=remove, is_test=is_test, yes=yes))
    which = CODEX_HOOKS if hooks else CONNECTIONS[agent]
    if is_test:
        ctx.exit(run_test(context, which))
    change = (
        connecting.removal(which, project=project)
        if remove
        else connecting.addition(which, _wish(context.home, which, wait, closed=closed, tools=tools), project=project)
    )
    ctx.exit(_carry_out(context, which, change, yes=yes, shows_diff=shows_diff))


def _attach(
    context: CommandContext, wait: str, *, project: bool, closed: bool, remove: bool, is_test: bool, yes: bool
) -> int:
    if project:
        raise UserError(
            "Codex has one server for all projects.",
            fix="Leave out --project, or use hooks: --hooks --project",
        )
    if closed:
        raise _not_closable(attaching.TITLE)
    if is_test:
        return attaching.run_test(context)
    return attaching.detach(context, yes=yes) if remove else attaching.attach(context, _wait_s(wait), yes=yes)


def _require_plain(*, project: bool, closed: bool) -> None:
    if project or closed:
        raise UserError(
            "OpenClaw is connected once for everything it does, and decides itself what happens while "
            "nobody can be asked.",
            fix="Leave out --project and --closed; `askFallback` is in OpenClaw's own settings.",
        )


def _not_closable(title: str) -> UserError:
    return UserError(f"{title} cannot be set to refuse while Pulse is not running.", fix="Leave out --closed.")


def _wait_s(wait: str) -> int:
    wait_s = round(times.length(wait).total_seconds()) if wait else WAIT_S_DEFAULT
    if wait_s < WAIT_S_MIN:
        raise UserError(f"{wait} is too short a wait.", fix=f"At least {WAIT_S_MIN} seconds: --wait {WAIT_S_MIN}s.")
    if wait_s > WAIT_S_MAX:
        raise UserError(f"{wait} is too long a wait.", fix="At most one day: --wait 1d.")
    return wait_s


def _wish(home: Path, which: AgentConnection, wait: str, *, closed: bool, tools: bool) -> HookWish:
    if closed and not which.closable:
        raise _not_closable(which.title)
    program = str(connecting.program_of(home, which))
    return HookWish(program=program, fail="closed" if closed else "open", wait_s=_wait_s(wait), own_tools=tools)


def _carry_out(
    context: CommandContext, which: AgentConnection, change: SettingsChange, *, yes: bool, shows_diff: bool
) -> int:
    if context.as_json and not yes and change.after != change.before:
        raise UserError("--json cannot ask for confirmation.", fix="Run it without --json, or add --yes.")
    if change.after == change.before:
        if not change.removes:
            _put_in(context, which, change)
        elif which.agent in AgentsConnected(context.home).agents:  # its hooks went otherwise; now it is meant
            _before_disconnecting([context.home], which, change)
        _say_result(context, which, change, "")
        return 0
    if not context.as_json:
        context.say(f"This {'disconnects' if change.removes else 'connects'} {which.title}.", bold=True)
        if not change.removes:
            says = textwrap.wrap(" ".join(one.text for one in which.says), LINE_CHARS_MAX)
            for line in (*says, _when_away(which, closed=change.closed)):
                context.say(line)
        (_show_diff if shows_diff else _summarise)(context, which, change)
    if not yes and not click.confirm("Make this change?", default=True):
        context.say("Nothing was changed.")
        return EXIT_FAILED
    own = {context.home.resolve()}
    _before_disconnecting(own | change.homes if change.removes else change.homes - own, which, change)
    kept = connecting.write(change) if change.removes else _put_in(context, which, change)
    _say_result(context, which, change, kept)
    return 0


def _put_in(context: CommandContext, which: AgentConnection, change: SettingsChange) -> str:
    """Let this terminal in if it must be, and connect the agent; return where its settings from before are kept."""
    letting_in.before_connecting(context, which.agent, change.terms)
    connecting.keep_program(context.home, which)
    kept = "" if change.after == change.before else connecting.write(change)
    letting_in.after_connecting(context.home, which.agent, change.terms)
    return kept


def _before_disconnecting(homes: Iterable[Path], which: AgentConnection, change: SettingsChange) -> None:
    """Tell each hub that the agent leaves, where the person's own settings change: a project's connect it for none."""
    if connecting.is_persons(which, change.path):
        letting_in.before_disconnecting(homes, which.agent)


def _summarise(context: CommandContext, which: AgentConnection, change: SettingsChange) -> None:
    """Say in a few lines which file would change, by how much, and how that is undone."""
    again = f"{which.command} --project" if change.project else which.command
    hooks = connecting.hooks_in(change.before if change.removes else change.after, which)
    what = "Pulse's plugin" if which.plugin else counted(hooks, "hook")
    rest = "Your other settings stay."
    if change.removes:
        verb, where, back = "Removes", "from", again
        rest = "Nothing else is in it, so it is deleted." if change.is_whole else rest
    else:
        verb, where = ("Updates", "in") if change.has_ours else ("Adds", "to")
        back = f"{again} --remove"
        rest = rest if change.before else "It is a new file."
    context.say(f"  {verb:<8} {what} {where} {reveal(str(change.path))}. {rest}")
    if not change.removes:
        context.say(f"  Runs     {reveal(str(connecting.program_of(context.home, which)))}")
        if (rule := which.own_tools) and f'"{rule}"' in change.after and f'"{rule}"' not in change.before:
            context.say(f"  Allows   Pulse's tools without asking first ({rule})")
    context.hint(f"  Undo     `{back}`")
    context.hint("  Details  Add `--diff` to see the exact change.")


def _show_diff(context: CommandContext, _which: AgentConnection, change: SettingsChange) -> None:
    """Show exactly what would stand differently in the agent's settings."""
    context.say(f"In {change.path}:", bold=True)
    for line in line_diff(str(change.path), change.before, change.after, context=1)[2:]:
        context.say(f"  {reveal(line)}", TONES.get(line[:1]))


def _when_away(which: AgentConnection, *, closed: bool) -> str:
    if closed:
        return f"While Pulse is not running, every tool of {which.title} is refused."
    return f"While Pulse is not running, {which.title} asks in its own terminal, as it does now."


def _say_result(context: CommandContext, which: AgentConnection, change: SettingsChange, kept: str) -> None:
    if context.as_json:
        done = {"agent": which.agent, "file": str(change.path), "changed": bool(change.after != change.before)}
        context.document(msgspec.json.encode({**done, "connected": not change.removes, "copy": kept}))
        return
    if change.after == change.before:
        context.say(f"{which.title} is not connected." if change.removes else f"{which.title} is already connected.")
        return
    context.say(f"✓ {which.title} is {'no longer connected' if change.removes else 'connected'}.", "green")
    if kept:
        context.say(f"  The previous settings are saved in {kept}.")
    if not change.removes:
        if which.own_tools and f'"{which.own_tools}"' not in change.after:
            context.hint(
                f"  If you gave {which.title} Pulse's tools (`pulse mcp`), run this again with `--tools`, "
                "so that its questions reach you without a prompt of its own first."
            )
        context.say("  Restart running sessions for this to take effect.")
        context.hint(f"  Try it: {which.command} --test")
        offer(context)


def _say_status(context: CommandContext, asked: list[str]) -> None:
    found = [one for agent in asked for one in _looked(context.home, agent)]
    if context.printed({"at": round(time.time()), "agents": found}):
        return
    for one in found:
        tone = {"connected": "green", "not connected": None}.get(one.state, "yellow")
        context.say(f"{one.title:<14} {one.state:<14} {one.file}", tone)
        for note in one.notes:
            context.hint(f"  {note}")


def _looked(home: Path, agent: str) -> list[AgentFound]:
    if agent == OPENCLAW:
        from hub.cli.connect_openclaw import look_openclaw  # noqa: PLC0415  as above

        return [look_openclaw(home)]
    if agent != AGENT:
        return connecting.look(home, CONNECTIONS[agent])
    by_hooks = [one for one in connecting.look(home, CODEX_HOOKS) if one.state != "not connected"]
    return [attaching.look(home), *by_hooks]


__all__ = ["AgentFound", "connect"]
