"""`python -m surfaces.apprise`: started by the hub; with `check` it reads the addresses that the set-up was told."""

import argparse
import asyncio
import logging
import sys

import msgspec

from hub.kit.hub_api import hub_address_from
from hub.kit.process import run, take_told
from surfaces.apprise.app import serve, told_by
from surfaces.apprise.settings import URLS


def main() -> int:
    """Run the surface or the check of the set-up."""
    parser = argparse.ArgumentParser(prog="pulse apprise")
    parser.add_argument("what", nargs="?", choices=("serve", "discover"), default="serve")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s")
    told = take_told(URLS)
    if arguments.what == "discover":
        from surfaces.apprise.discovery import discover  # noqa: PLC0415  only the set-up needs it

        sys.stdout.buffer.write(msgspec.json.encode(asyncio.run(discover(told_by(told)))))
        return 0
    asyncio.run(serve(hub_address_from(told), told_by(told)))
    return 0


if __name__ == "__main__":
    sys.exit(run(main))
