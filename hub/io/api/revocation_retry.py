"""Handing the store, again and again, the revocations that it could not take; see hub/io/home/revocations.py."""

import asyncio
import random

from hub.contract.errors import PulseError
from hub.domain.storage import Clients
from hub.io.api.call import Services
from hub.io.api.clients import shut_out
from hub.io.home.revocations import of_client
from hub.kit.backoff import RetryPolicy, retry_delay_s

RETRY = RetryPolicy(base_s=5.0, cap_s=60.0)


async def keep_revoking(services: Services) -> None:
    """Try as long as anything is pending, ever less often; without end."""
    revocations, noted = services.parts.revocations, asyncio.Event()
    revocations.noted = noted.set
    while True:
        attempt = 0
        while revocations.pending():
            await try_again(services)
            await asyncio.sleep(retry_delay_s(attempt, RETRY, random.random))
            attempt += 1
        noted.clear()
        await noted.wait()


async def try_again(services: Services) -> None:
    """Hand over everything that is pending, once."""
    parts = services.parts
    for address in parts.revocations.devices():
        try:
            await parts.pairing.revoke(address)
        except PulseError:
            return  # the store does not take it yet; health says why
    try:
        for client in await parts.store.read(Clients(user=parts.user)):
            if of_client(client.id) in parts.revocations.pending():
                await shut_out(services, client)
    except PulseError:
        return  # not even read
