"""`pulse hook`: what an agent's hook starts. `pulse connect` has agents start the same by a quicker way."""

import click

from hub.cli import hook_client
from hub.cli.command import CommandContext, command
from hub.cli.prompt_tool import PromptTool
from hub.contract.errors import UserError
from hub.io.agents.hooks.claude_code import CLAUDE_CODE
from hub.io.agents.hooks.dialects import DIALECTS


@command()
@click.argument("agent", type=click.Choice(sorted(DIALECTS)))
@click.option("--closed", is_flag=True, help="While Pulse is not running, refuse (exit status 2).")
@click.option("--within", type=float, metavar="SECONDS", help="Give up after this long; by default it waits for you.")
@click.option("--tool", "as_tool", is_flag=True, help="Serve `claude -p --permission-prompt-tool mcp__pulse__approve`.")
@click.pass_context
def hook(ctx: click.Context, /, agent: str, *, closed: bool, within: float | None, as_tool: bool) -> None:
    """Answer a coding agent's hook.

    The agent's request comes on standard input, the answer goes to standard output. `pulse connect` sets this up.
    While Pulse is not running it prints nothing and exits with 0, so the agent asks in its own terminal. With --tool it
    is an MCP server with one tool, which refuses while Pulse is not running.

    Example: pulse hook claude-code < hook.json
    """
    context: CommandContext = ctx.obj
    if as_tool:
        if agent != CLAUDE_CODE.name:
            raise UserError("Only Claude Code can ask through a tool.", fix="Say: pulse hook claude-code --tool")
        ctx.exit(PromptTool(context.home).run())
    options = [*(["--closed"] if closed else []), *([] if within is None else [f"--within={within}"])]
    ctx.exit(hook_client.main([agent, str(context.home), *options]))
