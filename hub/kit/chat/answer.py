"""Reads what a chat's service answered: one JSON object, and no more of it than there may be."""

from typing import Any

import aiohttp
import msgspec

PART_BYTES = 65_536


async def read_object(answer: aiohttp.ClientResponse, bytes_max: int) -> dict[str, Any]:
    """Return the object that was answered.

    Raises:
        ValueError: it is longer, no JSON, or no object.
    """
    found = bytearray()
    async for part in answer.content.iter_chunked(PART_BYTES):
        found += part
        if len(found) > bytes_max:
            raise ValueError("the answer is too long")
    return msgspec.json.decode(found, type=dict[str, Any])
