"""`python -m surfaces.discord --name bridge` serves, with `setup` prepares the server, with `discover` finds it."""

import argparse
import asyncio
import sys

import msgspec

from hub.kit.hub_api import hub_address_from
from hub.kit.process import run, take_told
from hub.kit.setup_faults import SetupPermissionError
from surfaces.discord.errors import DiscordTokenError
from surfaces.discord.settings import DISCORD, BadDiscordConfigError, Config

WHERE_FROM = "Set PULSE_DISCORD_TOKEN to the bot's token; docs/howto/discord.md says where it comes from."


def main() -> int:
    """Run the surface or the set-up."""
    parser = argparse.ArgumentParser(prog="pulse surface discord")
    parser.add_argument("what", nargs="?", choices=("serve", "setup", "discover"), default="serve")
    parser.add_argument("--name", default="bridge")
    parser.add_argument("--guild", default="")
    arguments = parser.parse_args()
    return asyncio.run(_run(arguments.what, arguments.name, arguments.guild))


async def _run(what: str, name: str, guild: str) -> int:
    told = take_told("PULSE_DISCORD_TOKEN", "PULSE_DISCORD_CONFIG")
    token = told.get("PULSE_DISCORD_TOKEN", "").strip()
    config = (
        Config() if what == "discover" else DISCORD.read(told.get("PULSE_DISCORD_CONFIG", ""), BadDiscordConfigError)
    )
    if not token:
        raise DiscordTokenError("There is no token for Discord.", fix=WHERE_FROM)
    if what == "discover":
        from surfaces.discord.discovery import discover  # noqa: PLC0415  only the set-up needs it

        found = await discover(token, guild, _say)
        sys.stdout.buffer.write(msgspec.json.encode(found))
        return 0
    if what == "setup":
        from surfaces.discord.setup import setup  # noqa: PLC0415  only the set-up needs it

        if await setup(token, config, _say):
            raise SetupPermissionError("Something is still missing in Discord; see above.", fix="Do that.")
        return 0
    from surfaces.discord.app import serve  # noqa: PLC0415  a mistake in the settings is told before discord.py is loaded

    await serve(hub_address_from(told), name, token, config)
    return 0


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201  its output; what is found goes to the other stream


if __name__ == "__main__":
    sys.exit(run(main))
