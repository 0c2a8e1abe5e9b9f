"""Make a new model of a history, as a process of its own: `python -m hub.io.training.yes_worker`, rows in, a model out.

A process, because a training takes seconds of a processor, and the hub answers meanwhile. It opens nothing.
"""

import os
import sys

import msgspec

from hub.domain.teaching import Taught
from hub.learn.yes import fit

LESS_URGENT = 10
"""How much it gives way to everything else on the machine."""


def main() -> None:
    """Read the rows, write the model."""
    os.nice(LESS_URGENT)
    history = msgspec.json.decode(sys.stdin.buffer.read(), type=tuple[Taught, ...])
    sys.stdout.buffer.write(msgspec.json.encode(fit(history)))


if __name__ == "__main__":
    main()
