"""Having an agent do something, over HTTP: what would run is shown on a card, and runs by a yes."""

from hub.contract.world_api import WorldAnswer, WorldSpawnBody
from hub.domain.requests import Refused
from hub.domain.world_requests import SpawnSession, WorldSaid
from hub.io.access.claims import CLI, UNSAID, answering_as
from hub.io.access.in_person import is_in_person
from hub.io.access.tokens import LOCAL_ID
from hub.io.api.call import Call, Nothing
from hub.io.http.errors import InvalidBodyError
from hub.io.http.loop_requests import ask_loop
from hub.loop.world_views import session_view


async def spawn(call: Call[WorldSpawnBody, Nothing]) -> WorldAnswer | Refused:
    """Have an agent of the person's do something, as a session; `predictionId` is the card that says what would run."""
    body = call.body
    if body.folder and not body.folder.startswith("/"):
        raise InvalidBodyError("`folder` is a full path, such as /home/me/project.")
    is_local = call.client is None or call.client.id == LOCAL_ID
    sender = answering_as(call.parts, call.client, CLI if is_local else UNSAID, UNSAID)
    request = SpawnSession(
        task=body.task,
        need=body.need,
        agent=body.agent,
        session=body.session,
        channel=body.channel,
        folder=body.folder,
        surface=sender.surface,
        device=sender.device,
        in_person=is_in_person(call.client),
    )
    reply = await ask_loop(call.parts.hub_api, request, WorldSaid)
    if isinstance(reply, Refused):
        return reply
    shown = None if reply.session is None else session_view(reply.session)
    return WorldAnswer(session=shown, card_id=reply.card_id or None)
