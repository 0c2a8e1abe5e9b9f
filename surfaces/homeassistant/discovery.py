"""What the set-up finds in Home Assistant: whose token it is, which phones and satellites there are."""

import asyncio
import random
from typing import Any

from hub.contract.base import Value
from hub.contract.errors import WorldError
from hub.kit.bounded import BoundedMap
from surfaces.homeassistant.errors import HomeAssistantTokenError
from surfaces.homeassistant.socket import HomeSocket

FIND_S_MAX = 20.0
PHONES = "mobile_app_"


class HomeAwayError(WorldError):
    """Home Assistant does not answer at that address. Open the address in a browser, and correct it."""

    code = "homeassistant-away"


class FoundHome(Value):
    """What there is to choose from."""

    phones: tuple[str, ...] = ()
    satellites: tuple[str, ...] = ()
    person: str = ""
    """The person whose token it is."""


async def discover(url: str, token: str) -> FoundHome:
    """Look what Home Assistant has.

    Raises:
        HomeAssistantTokenError: it does not take the token.
        HomeAwayError: it does not answer.
    """
    socket = HomeSocket(url, token, random.random, lambda _why: None)
    found: asyncio.Future[FoundHome] = asyncio.get_running_loop().create_future()

    async def look() -> None:
        if not found.done():
            found.set_result(await _look(socket))

    staying = asyncio.create_task(socket.stay_connected(look))
    try:
        async with asyncio.timeout(FIND_S_MAX):
            either: set[asyncio.Future[Any]] = {staying, found}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    except TimeoutError as error:
        raise HomeAwayError(f"Home Assistant does not answer at {url}.") from error
    finally:
        staying.cancel()
        (ended,) = await asyncio.gather(staying, return_exceptions=True)
    if isinstance(ended, HomeAssistantTokenError):
        raise ended
    return found.result()


async def _look(socket: HomeSocket) -> FoundHome:
    user, services, states = [await socket.call(kind) for kind in ("auth/current_user", "get_services", "get_states")]
    notify = services.result.get("notify", {}) if isinstance(services.result, dict) else {}
    rows = [one for one in states.result if isinstance(one, dict)] if isinstance(states.result, list) else []
    user_id = user.result.get("id") if isinstance(user.result, dict) else None
    ids = BoundedMap[str, object](10_000, ((str(one.get("entity_id")), one.get("attributes")) for one in rows))
    mine = [name for name, about in ids.items() if isinstance(about, dict) and about.get("user_id") == user_id]
    return FoundHome(
        phones=tuple(sorted(name for name in notify if name.startswith(PHONES))),
        satellites=tuple(sorted(name for name in ids if name.startswith("assist_satellite."))),
        person=next((name for name in mine if user_id and name.startswith("person.")), ""),
    )
