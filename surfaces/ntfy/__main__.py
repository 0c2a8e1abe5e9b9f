"""`python -m surfaces.ntfy`: started by the hub, which tells it where it is."""

import argparse
import asyncio
import logging
import sys

import msgspec

from hub.kit.hub_api import hub_address_from
from hub.kit.process import run, take_told
from surfaces.ntfy.app import discover, serve, told_by
from surfaces.ntfy.settings import REPLY_TOPIC, TOKEN, TOPIC


def main() -> int:
    """Run the surface or the check of the set-up."""
    parser = argparse.ArgumentParser(prog="pulse ntfy")
    parser.add_argument("what", nargs="?", choices=("serve", "discover"), default="serve")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s")
    told = take_told(TOPIC, REPLY_TOPIC, TOKEN)
    if arguments.what == "discover":
        sys.stdout.buffer.write(msgspec.json.encode(asyncio.run(discover(told_by(told)))))
        return 0
    asyncio.run(serve(hub_address_from(told), told_by(told)))
    return 0


if __name__ == "__main__":
    sys.exit(run(main))
