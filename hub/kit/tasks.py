"""Ending what one has begun."""

import asyncio
from collections.abc import Iterable
from typing import Any


async def end_all(tasks: Iterable[asyncio.Future[Any]]) -> None:
    """Cancel all, and return when they have ended; how they did is nobody's business any more."""
    ending = tuple(tasks)
    for task in ending:
        task.cancel()
    await asyncio.gather(*ending, return_exceptions=True)
