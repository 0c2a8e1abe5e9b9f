"""A real hub in a process of its own, for benchmarks: `python -m tests.bench.hub_main HOME WORKSPACE`."""

import asyncio
import json
import sys
from pathlib import Path

from hub.app.memory import loading

with loading():  # as `pulse up` does
    from hub.app.start import Options, Running, up


def ready(running: Running) -> None:
    sys.stdout.write(json.dumps({"api": running.api, "broker": running.broker}) + "\n")
    sys.stdout.flush()


def main() -> None:
    options = Options(home=Path(sys.argv[1]), workspaces=(Path(sys.argv[2]),), port=0)
    asyncio.run(up(options, say=lambda _step: None, ready=ready))


if __name__ == "__main__":
    main()
