"""`pulse a2a`: other agents ask by the protocol in which agents speak to each other."""

import click

from hub import __version__
from hub.cli.api import record_of
from hub.cli.command import CommandContext, command
from hub.kit.hub_api import HubAddress


@command()
@click.option("--port", type=click.IntRange(1, 65_535), default=8422, show_default=True, help="Where to serve.")
@click.pass_obj
def a2a(here: CommandContext, *, port: int) -> None:
    """Let agents that speak A2A ask you.

    It serves http://127.0.0.1:PORT/a2a to whoever has a token of Pulse's that may ask (docs/howto/a2a.md).

    Example: pulse a2a --port 8422
    """
    from hub.io.agents.a2a_server.web import serve_a2a  # noqa: PLC0415  a web server, for who serves

    def find(token: str) -> HubAddress | None:
        record = record_of(here.home)
        return None if record is None else HubAddress(api=record.api, token=token)

    serve_a2a(find, port, __version__)
