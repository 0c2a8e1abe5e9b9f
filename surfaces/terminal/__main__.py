"""`python -m surfaces.terminal [--name NAME]`: started by `pulse watch`, which says where the hub is."""

import argparse
import asyncio
import sys

from hub.kit.called import called_as
from hub.kit.hub_api import hub_address_from
from hub.kit.process import run, take_told
from surfaces.terminal.app import watch


def main() -> int:
    """Run the surface."""
    parser = argparse.ArgumentParser(prog=f"{called_as()} watch")
    parser.add_argument("--name", default="local")
    name = parser.parse_args().name
    asyncio.run(watch(hub_address_from(take_told()), name))
    return 0


sys.exit(run(main))
