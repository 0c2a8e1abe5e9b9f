"""A program that commits as fast as it can and says what is durable, until it is killed.

Usage: python crash_child.py FILE FIRST_NUMBER
"""

import asyncio
import os
import sys
from itertools import count
from pathlib import Path

from hub.domain.storage import AddCard, Committed
from hub.io.store.sqlite import open_store
from tests.conformance.store.samples import card, send, step

WRITERS = 8


async def write_for_ever(path: Path, first: int) -> None:
    store = await open_store(path)
    numbers = count(first)

    async def write() -> None:
        for number in numbers:
            id_ = f"c{number}"
            outcome = await store.commit([(AddCard(card=card(id_)), step(id_), send(id_))])
            assert outcome == (Committed(),)
            os.write(sys.stdout.fileno(), f"{id_}\n".encode())

    await asyncio.gather(*(write() for _ in range(WRITERS)))


if __name__ == "__main__":
    asyncio.run(write_for_ever(Path(sys.argv[1]), int(sys.argv[2])))
