"""`pulse hook`: what an agent's hook starts. `pulse connect` has agents start the same by a quicker way."""

import click

from hub.cli import hook_client
from hub.cli.command import CommandContext, command
from hub.io.agents.front.dialects import DIALECTS


@command()
@click.argument("agent", type=click.Choice(sorted(DIALECTS)))
@click.option("--closed", is_flag=True, help="While Pulse is away, refuse (exit status 2).")
@click.option("--within", type=float, metavar="SECONDS", help="Give up after so long; else it waits for you.")
@click.pass_context
def hook(ctx: click.Context, /, agent: str, *, closed: bool, within: float | None) -> None:
    """Answer a coding agent's hook.

    What the agent says comes on standard input, its answer goes to standard output; `pulse connect` sets it up.
    While Pulse is away it says nothing and ends with 0, so that the agent asks at its own terminal.

    Example: pulse hook claude-code < hook.json
    """
    here: CommandContext = ctx.obj
    options = [*(["--closed"] if closed else []), *([] if within is None else [f"--within={within}"])]
    ctx.exit(hook_client.main([agent, str(here.home), *options]))
