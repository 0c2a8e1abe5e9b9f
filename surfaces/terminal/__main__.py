"""`python -m surfaces.terminal [--name NAME]`: started by `pulse watch`, which says where the hub is."""

import argparse
import asyncio
import sys

from hub.errors import PulseError
from hub.kit.hub_api import NotRunningError, door_from
from surfaces.process import take_told
from surfaces.terminal.app import watch

EXIT_UNREACHABLE = 3


def main() -> int:
    """Run the surface; an expected failure is said in two lines."""
    parser = argparse.ArgumentParser(prog="pulse watch")
    parser.add_argument("--name", default="local")
    name = parser.parse_args().name
    try:
        asyncio.run(watch(door_from(take_told()), name))
    except PulseError as error:
        print(f"{error.detail} [{error.code}]\n{error.fix}".strip(), file=sys.stderr)  # noqa: T201  a program's last words
        return EXIT_UNREACHABLE if isinstance(error, NotRunningError) else 1
    return 0


sys.exit(main())
