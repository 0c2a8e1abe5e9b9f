"""Ask a port whether it speaks MQTT, without a login."""

import asyncio

CONNACK = 0x20
ANONYMOUS_CONNECT = b"\x10\x0c\x00\x04MQTT\x04\x02\x00\x0a\x00\x00"
"""CONNECT of MQTT 3.1.1 (section 3.1): clean session, 10 s keep-alive, no client id, no login."""


async def speaks_mqtt(host: str, port: int, timeout_s: float = 1.0) -> bool:
    """Return True if something at ``host:port`` answers an anonymous CONNECT, be it with a refusal.

    A broker handles its signals between two rounds of its loop, and this takes two rounds. So an answer to a probe
    that was begun after SIGHUP also says that the reload is done.
    """
    try:
        async with asyncio.timeout(timeout_s):
            reader, writer = await asyncio.open_connection(host, port)
            try:
                writer.write(ANONYMOUS_CONNECT)
                first = await reader.readexactly(1)
            finally:
                writer.close()
    except (OSError, TimeoutError, asyncio.IncompleteReadError):
        return False
    return first[0] == CONNACK
