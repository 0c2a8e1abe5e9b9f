"""`pulse mcp`: agents without hooks ask through MCP tools. Only who serves loads the SDK."""

import click

from hub import __version__
from hub.cli import times
from hub.cli.api import address_at_port, record_of
from hub.cli.command import CommandContext, command
from hub.cli.mcp_clients import program_words, steps
from hub.contract.errors import UserError
from hub.kit.hub_api import UNIX, HubAddress

WAIT_S_MAX = 86_400


@command()
@click.option(
    "--wait", default="", metavar="TIME", help="How long a tool waits for you; by default as long as the client allows."
)
@click.option("--port", type=click.IntRange(1, 65_535), help="Serve over HTTP on this port, for several agents.")
@click.option("--how", is_flag=True, help="Show how to add it to your agents, then exit.")
@click.pass_obj
def mcp(context: CommandContext, *, wait: str, port: int | None, how: bool) -> None:
    """Let any agent that speaks MCP ask you.

    Your agent starts it and gets the tools ask_human, notify_human and check_answer (docs/howto/mcp.md). With --port
    it serves http://127.0.0.1:PORT/mcp instead, for anyone with a Pulse token that has the scope `ask`.

    Example: pulse mcp --how
    """
    if how:
        _say_how(context)
        return
    wait_s = _wait_s(wait)
    if port is None:
        from hub.io.agents.mcp_server.server import run_streams  # noqa: PLC0415  55 MB

        run_streams(lambda: _at_socket(context), __version__, wait_s)
        return
    from hub.io.agents.mcp_server.web import serve_web  # noqa: PLC0415  55 MB

    serve_web(lambda token: address_at_port(context.home, token), port, __version__, wait_s)


def _say_how(context: CommandContext) -> None:
    found = steps(program_words(context.home))
    if context.printed(found):
        return
    for step in found:
        context.say(f"{step.title}: {step.where}", bold=True)
        for line in step.text.splitlines():
            context.say(f"  {line}")
    context.say("Then start a new session and say: use ask_human to check that you can reach me.")


def _at_socket(context: CommandContext) -> HubAddress | None:
    record = record_of(context.home)
    return None if record is None else HubAddress(api=f"{UNIX}{record.socket}", token="")


def _wait_s(said: str) -> float | None:
    if not said:
        return None
    wait_s = times.length(said).total_seconds()
    if not 0 <= wait_s <= WAIT_S_MAX:
        raise UserError(f"{said} is too long a wait.", fix="At most one day: --wait 1d.")
    return wait_s
