"""What the set-up finds in Home Assistant: whose token it is, which phones and satellites there are."""

import asyncio
import random
from typing import Any

from hub.contract.base import Value
from hub.kit.bounded import BoundedMap
from hub.kit.setup_faults import SetupNoNetworkError, SetupPermissionError, SetupWrongTokenError
from surfaces.homeassistant.errors import HomeAssistantTokenError
from surfaces.homeassistant.settings import HOMEASSISTANT
from surfaces.homeassistant.socket import PRESSED, HomeSocket

FIND_S_MAX = 20.0
PHONES = "mobile_app_"
ADMINISTRATOR = "Make your user an administrator (Settings, People, Users), or take the token of one."


class FoundHome(Value):
    """What there is to choose from."""

    phones: tuple[str, ...] = ()
    satellites: tuple[str, ...] = ()
    person: str = ""
    """The person whose token it is."""


async def discover(url: str, token: str) -> FoundHome:
    """Look what Home Assistant has.

    Raises:
        SetupError: it does not take the token, does not allow what is needed, or does not answer.
    """
    found: asyncio.Future[FoundHome] = asyncio.get_running_loop().create_future()

    def trouble(why: str) -> None:
        if why and not found.done():
            found.set_exception(_away(f"{why} at {url}."))

    socket = HomeSocket(url, token, random.random, trouble)

    async def look() -> None:
        try:
            there = await _look(socket)
        except SetupPermissionError as error:
            found.set_exception(error)
        else:
            if not found.done():
                found.set_result(there)

    staying = asyncio.create_task(socket.stay_connected(look))
    try:
        async with asyncio.timeout(FIND_S_MAX):
            either: set[asyncio.Future[Any]] = {staying, found}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    except TimeoutError as error:
        raise _away(f"Home Assistant does not answer at {url}.") from error
    finally:
        staying.cancel()
        (ended,) = await asyncio.gather(staying, return_exceptions=True)
    if isinstance(ended, HomeAssistantTokenError):
        field = HOMEASSISTANT.asks[-1]
        raise SetupWrongTokenError("Home Assistant does not accept the token.", fix=field.where, field=field.name)
    return found.result()


def _away(detail: str) -> SetupNoNetworkError:
    return SetupNoNetworkError(detail, fix="Open that address in a browser on this machine.", field="url")


async def _look(socket: HomeSocket) -> FoundHome:
    heard = await socket.listen("subscribe_events", lambda _event: None, event_type=PRESSED)
    if not heard.ok and heard.code == "unauthorized":
        raise SetupPermissionError("That user may not hear what is pressed on the phone.", fix=ADMINISTRATOR)
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
