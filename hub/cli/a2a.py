"""`pulse a2a`: other agents ask by the protocol in which agents speak to each other."""

import click

from hub import __version__
from hub.cli.api import address_at_port
from hub.cli.command import CommandContext, command
from hub.contract.errors import UserError


@command()
@click.option("--port", type=click.IntRange(1, 65_535), default=8422, show_default=True, help="Where to serve.")
@click.option(
    "--push-to",
    multiple=True,
    metavar="URL",
    help="Where to send agents their answers; by default only on this machine.",
)
@click.option("--no-push", is_flag=True, help="Do not push answers; agents have to ask for them.")
@click.pass_obj
def a2a(context: CommandContext, *, port: int, push_to: tuple[str, ...], no_push: bool) -> None:
    """Let agents that speak A2A ask you.

    It serves http://127.0.0.1:PORT/a2a for anyone with a Pulse token that has the scope `ask` (docs/howto/a2a.md).

    Example: pulse a2a --port 8422 --push-to https://agents.example.org
    """
    from hub.io.agents.a2a_server.push_allow_list import PushAllowList, place_of  # noqa: PLC0415  with what comes next
    from hub.io.agents.a2a_server.web import serve_a2a  # noqa: PLC0415  a web server, for who serves

    named = {url: place_of(url) for url in push_to}
    if unusable := [url for url, place in named.items() if not place]:
        raise UserError(f"{unusable[0]!r} cannot be used.", fix="Give https://HOST, or http:// on this machine.")

    places = None if no_push else PushAllowList(named=tuple(named.values()))
    serve_a2a(lambda token: address_at_port(context.home, token), port, __version__, places, context.home)
