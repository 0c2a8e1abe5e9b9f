"""Bytes to a port and back, for what no proper client would send."""

import asyncio
from urllib.parse import urlsplit


async def exchange(address: str, sent: bytes, *, timeout_s: float = 5.0) -> bytes:
    """Send bytes and return everything that comes back until the other side closes."""
    where = urlsplit(address)
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    try:
        writer.write(sent)
        await writer.drain()
        async with asyncio.timeout(timeout_s):
            return await reader.read()
    finally:
        writer.close()
        await writer.wait_closed()
