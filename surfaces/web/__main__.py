"""`python -m surfaces.web`: the Web Push gateway, started by the hub, which tells it where it is."""

import argparse
import asyncio
import logging
import sys

from hub.kit.hub_api import hub_address_from
from hub.kit.process import run, take_told
from surfaces.web.app import serve, told_by


def main() -> int:
    """Run the gateway."""
    parser = argparse.ArgumentParser(prog="pulse surface web")
    parser.add_argument("--name", default="gateway", help="Accepted but ignored: the hub names its gateways itself.")
    parser.parse_args()
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s")
    told = take_told("PULSE_VAPID_KEY")
    asyncio.run(serve(hub_address_from(told), told_by(told)))
    return 0


sys.exit(run(main))
