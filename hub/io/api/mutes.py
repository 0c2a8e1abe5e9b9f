"""What the person wants less of, or never: the list, one more, and one taken back."""

from hub.contract.mutes import MuteList, MuteRequest
from hub.contract.topics import is_segment
from hub.domain.mind import Mind
from hub.domain.requests import AddMute, DropMute, Noted, Refused
from hub.domain.storage import MindOf
from hub.io.access.in_person import is_in_person
from hub.io.api.call import Call, Nothing
from hub.io.http.loop_requests import ask_loop
from hub.io.http.parts import ApiParts
from hub.loop.mute_views import list_of


async def mutes(call: Call[Nothing, Nothing]) -> MuteList:
    """Return what the person wants less of or never, and what was learnt from dismissals in a row."""
    return await _list(call.parts)


async def add_mute(call: Call[MuteRequest, Nothing]) -> MuteList | Refused:
    """Want less or none of a kind, a repository or a channel, or always be asked about it; return all of it."""
    said = call.body
    wish = AddMute(
        degree=said.degree,
        card_id=said.card_id,
        kind=said.kind,
        repository=said.repository,
        channel=said.channel,
        in_person=is_in_person(call.client),
    )
    return await _changed(call.parts, wish)


async def drop_mute(call: Call[Nothing, Nothing]) -> MuteList | Refused:
    """Take back a wish, or forget the dismissals that made a kind rarer; return what is left."""
    mute_id = call.path["id"]
    return await _changed(call.parts, DropMute(mute_id=mute_id if is_segment(mute_id) else ""))


async def _changed(parts: ApiParts, request: AddMute | DropMute) -> MuteList | Refused:
    reply = await ask_loop(parts.hub_api, request, Noted)
    return reply if isinstance(reply, Refused) else await _list(parts)


async def _list(parts: ApiParts) -> MuteList:
    mind = await parts.store.read(MindOf(user=parts.user))
    return list_of(Mind() if mind is None else mind)
