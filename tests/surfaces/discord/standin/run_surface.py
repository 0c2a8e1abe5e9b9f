"""`python -m tests.surfaces.discord.standin.run_surface PORT …`: the surface itself, its Discord on loopback."""

import sys

from surfaces.discord.__main__ import main
from tests.surfaces.discord.standin.server import pointed_at

if __name__ == "__main__":
    with pointed_at(int(sys.argv.pop(1))):
        sys.exit(main())
