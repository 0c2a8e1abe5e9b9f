"""`python -m surfaces.homeassistant`: started by the hub; with `discover` it looks what Home Assistant has for us."""

import argparse
import asyncio
import logging
import sys

import msgspec

from hub.kit.hub_api import hub_address_from
from hub.kit.process import run, take_told
from surfaces.homeassistant.app import serve, told_by
from surfaces.homeassistant.settings import BROKER_PASSWORD, TOKEN


def main() -> int:
    """Run the surface or the look around."""
    parser = argparse.ArgumentParser(prog="pulse homeassistant")
    parser.add_argument("what", nargs="?", choices=("serve", "discover"), default="serve")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s")
    told = take_told(TOKEN, BROKER_PASSWORD)
    if arguments.what == "discover":
        from surfaces.homeassistant.discovery import discover  # noqa: PLC0415  only the set-up needs it

        found = asyncio.run(discover(told_by(told).config.url, told.get(TOKEN, "")))
        sys.stdout.buffer.write(msgspec.json.encode(found))
        return 0
    asyncio.run(serve(hub_address_from(told), told_by(told)))
    return 0


if __name__ == "__main__":
    sys.exit(run(main))
