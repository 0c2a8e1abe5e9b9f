"""`python -m surfaces.ntfy`: started by the hub, which tells it where it is."""

import argparse
import asyncio
import logging
import sys

from hub.kit.hub_api import hub_address_from
from hub.kit.process import run, take_told
from surfaces.ntfy.app import serve, told_by
from surfaces.ntfy.settings import REPLY_TOPIC, TOKEN, TOPIC


def main() -> int:
    """Run the surface."""
    argparse.ArgumentParser(prog="pulse ntfy").parse_args()
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s")
    told = take_told(TOPIC, REPLY_TOPIC, TOKEN)
    asyncio.run(serve(hub_address_from(told), told_by(told)))
    return 0


if __name__ == "__main__":
    sys.exit(run(main))
