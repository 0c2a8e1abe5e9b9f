"""How the hub's process deals with its memory: while its code is loaded, and once it is up."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

GARBAGE_OBJECTS_MAX = 10_000
"""So many new objects are made before garbage is looked for; at Python's own 700 that takes a tenth of a busy hub."""


@contextmanager
def loading() -> Iterator[None]:
    """Look for garbage only once in what is imported meanwhile, and never again: code lives as long as the process.

    There are 60,000 objects and hardly any garbage; to look at them again and again took a fifth of a start. What they
    leave is given back before anything else is made: so is what Python remembers of the folders that it imported from.
    """
    gc.disable()
    try:
        yield
    finally:
        sys.path_importer_cache.clear()
        gc.collect()
        gc.freeze()
        gc.enable()


def trim() -> None:
    """Give back what only the start needed, and stop looking at what will live as long as the process."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_OBJECTS_MAX)
