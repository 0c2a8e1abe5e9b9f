"""The process of a gateway: a connection to the hub for each surface that it serves, and what arrives, in order."""

import asyncio
import logging
import random
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

import msgspec

from hub.contract import topics
from hub.contract.access import AddressList
from hub.contract.base import Message
from hub.contract.errors import UserError
from hub.contract.insight import SyncAnswer
from hub.kit.gateway.carrier import Outside
from hub.kit.gateway.gateway import Gateway
from hub.kit.hub_api import HubAddress, NotPairedError, NotRunningError, ask_hub, pair_gateway
from hub.kit.mqtt.device import DeviceLink, Heard, LinkChanged
from hub.kit.process import until_told

ASK_AGAIN_S = 2.0
Make = Callable[[Outside], Gateway[Any, Any]]
M = TypeVar("M", bound=Message)
log = logging.getLogger("pulse.gateway")


async def serve_gateways(
    hub: HubAddress,
    gateways: Mapping[str, Make],
    *,
    refused: Callable[[str], UserError],
    clock: Callable[[], datetime],
) -> None:
    """Carry for these surfaces, each by the gateway that is made for it, until the process is told to end.

    Raises:
        NotRunningError: Pulse is not running.
        NotPairedError: it does not take a gateway.
        UserError: `refused`, where the push service accepts nothing with our settings.
    """
    failed: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def fail(why: str) -> None:
        if not failed.done():
            failed.set_result(why)

    async def until_failed() -> None:
        raise refused(await failed)

    async with AsyncExitStack() as stack:
        begin = partial(_begin, hub, stack, partial(Outside, fail=fail, clock=clock, draw=random.random))
        hearing = [await begin(surface, make) for surface, make in gateways.items()]
        await until_told([*hearing, asyncio.create_task(until_failed())])


async def _begin(
    hub: HubAddress, stack: AsyncExitStack, outside: Callable[..., Outside], surface: str, make: Make
) -> asyncio.Task[None]:
    pairing = partial(pair_gateway, hub, surface)
    login = await asyncio.to_thread(pairing)
    link: DeviceLink
    gateway = make(outside(tell=lambda device, receipt: link.send_receipt(receipt, device)))
    events = (f"{topics.ROOT}/{login.user}/event/#",) if gateway.follows_cards else ()
    link = DeviceLink(login, also=(topics.state(login.user), *events), pair_again=pairing)
    await stack.enter_async_context(link)
    await stack.enter_async_context(gateway)
    return asyncio.create_task(_hear(hub, link, gateway, surface))


async def _hear(hub: HubAddress, link: DeviceLink, gateway: Gateway[Any, Any], surface: str) -> None:
    """Handle what arrives in order; after each connection addresses and cards are read before anything else."""
    async for item in link.items():
        match item:
            case Heard():
                gateway.hear(item.topic, item.payload)
            case LinkChanged(state="up"):
                await _learn(hub, gateway, surface)
            case LinkChanged():
                log.info("the broker at %s: %s %s", item.broker, item.state, item.note)


async def _learn(hub: HubAddress, gateway: Gateway[Any, Any], surface: str) -> None:
    """Ask for the addresses until the hub answers; what arrives meanwhile waits in the queue, then in the outbox."""
    while (known := await _asked(hub, f"/api/v1/addresses/{surface}", AddressList)) is None:  # noqa: ASYNC110  no signal says when the hub is back
        await asyncio.sleep(ASK_AGAIN_S * (0.5 + random.random()))  # noqa: S311  spreads requests, no secret
    gateway.learn_addresses(known)
    if gateway.follows_cards and (cards := await _asked(hub, "/api/v1/sync", SyncAnswer)) is not None:
        gateway.learn_cards(cards)  # else it learns of them as they come


async def _asked(hub: HubAddress, path: str, kind: type[M]) -> M | None:
    try:
        return msgspec.json.decode(await asyncio.to_thread(ask_hub, hub, "GET", path), type=kind)
    except (NotRunningError, NotPairedError, msgspec.DecodeError) as error:
        log.warning("%s cannot be read: %s", path, type(error).__name__)
        return None
