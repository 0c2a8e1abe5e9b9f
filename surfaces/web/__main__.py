"""`python -m surfaces.web`: the Web Push gateway, started by the hub, which tells it where it is."""

import argparse
import asyncio
import logging
import sys

from hub.errors import PulseError
from hub.kit.hub_api import NotRunningError, door_from
from surfaces.process import take_told
from surfaces.web.app import serve, told_by

EXIT_UNREACHABLE = 3


def main() -> int:
    """Run the gateway; an expected failure is said in two lines."""
    parser = argparse.ArgumentParser(prog="pulse surface web")
    parser.add_argument("--name", default="gateway", help="Taken and not used: the hub names its gateways itself.")
    parser.parse_args()
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s")
    try:
        told = take_told("PULSE_VAPID_KEY")
        asyncio.run(serve(door_from(told), told_by(told)))
    except PulseError as error:
        print(f"{error.detail} [{error.code}]\n{error.fix}".strip(), file=sys.stderr)  # noqa: T201  a program's last words
        return EXIT_UNREACHABLE if isinstance(error, NotRunningError) else 1
    return 0


sys.exit(main())
