"""How the hub's process deals with its memory once it is up."""

import gc

GARBAGE_OBJECTS_MAX = 10_000
"""So many new objects are made before garbage is looked for; at Python's own 700 that takes a tenth of a busy hub."""


def trim() -> None:
    """Give back what only the start needed, and stop looking at what will live as long as the process."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_OBJECTS_MAX)
