"""What may run without asking, by the person's word: the list, one before it is given, and one taken back."""

import posixpath

from msgspec.structs import replace

from hub.contract.grants import GrantChoice, GrantList, GrantPreview, GrantRecord, GrantRecordLine, KindRequest
from hub.contract.permission import PermissionAnswer
from hub.contract.topics import is_segment
from hub.domain.mind import Mind
from hub.domain.reports import AnsweredAsks, GrantEvents
from hub.domain.requests import AllowKind, DropGrant, Noted, Refused, RestoreGrant
from hub.domain.storage import MindOf
from hub.io.access.claims import place_of
from hub.io.access.in_person import is_in_person
from hub.io.agents.hooks.modes import MODES
from hub.io.api.call import Call, Nothing
from hub.io.api.cards import find, view
from hub.io.http.errors import InvalidBodyError
from hub.io.http.loop_requests import ask_loop
from hub.io.http.parts import ApiParts
from hub.loop.alone_views import alone_of
from hub.loop.grant_choices import ANSWERS_READ_MAX
from hub.loop.grant_choices import preview as preview_of
from hub.loop.refusals import does_not_fit, unknown_card
from hub.loop.standing_views import grants_of, kinds_of
from hub.loop.world import NotYourWordError

RECORD_LINES_MAX = 200


async def grants(call: Call[Nothing, Nothing]) -> GrantList:
    """Return all that may run without asking."""
    return await _list(call.parts)


async def allow_kind(call: Call[KindRequest, Nothing]) -> GrantList | Refused:
    """Let a kind of Pulse's own work run alone; return all that may.

    Raises:
        InvalidBodyError: the folder is not an absolute path.
        NotYourWordError: a program asks, and no person at their terminal or page.
    """
    said = call.body
    if not is_in_person(call.client):
        raise NotYourWordError(fix="Do it on the page, or with `pulse autopilot allow` in your own terminal.")
    if said.folder is not None and not posixpath.isabs(said.folder):
        raise InvalidBodyError("`folder` must be a full path.")
    request = AllowKind(
        kind=said.kind,
        folder="" if said.folder is None else posixpath.normpath(said.folder),
        threshold=said.threshold,
        for_s=said.for_s,
        by=place_of(call.client),
    )
    reply = await ask_loop(call.parts.hub_api, request, Noted)
    return reply if isinstance(reply, Refused) else await _list(call.parts)


async def drop_grant(call: Call[Nothing, Nothing]) -> GrantList | Refused:
    """Let something ask again before it runs; return what is left."""
    grant_id = call.path["id"]
    request = DropGrant(grant_id=grant_id if is_segment(grant_id) else "", by=place_of(call.client))
    reply = await ask_loop(call.parts.hub_api, request, Noted)
    return reply if isinstance(reply, Refused) else await _list(call.parts)


async def restore_grant(call: Call[Nothing, Nothing]) -> GrantList | Refused:
    """Let run again what was removed a moment ago, as it stood; return all that may.

    Raises:
        NotYourWordError: a program asks, and no person at their terminal or page.
    """
    if not is_in_person(call.client):
        raise NotYourWordError(fix="Undo it on the page on which it was removed.")
    grant_id = call.path["id"]
    request = RestoreGrant(grant_id=grant_id if is_segment(grant_id) else "", by=place_of(call.client))
    reply = await ask_loop(call.parts.hub_api, request, Noted)
    return reply if isinstance(reply, Refused) else await _list(call.parts)


async def record(call: Call[Nothing, Nothing]) -> GrantRecord:
    """Return what became of what agents may do: when each was let, used and ended, and every stop; the latest lines."""
    found = await call.parts.store.read(GrantEvents(user=call.parts.user, limit=RECORD_LINES_MAX))
    lines = tuple(
        GrantRecordLine(
            grant_id=one.grant_id, at=one.at, what=one.what, by=one.by, text=one.text, text_worded=one.text_worded
        )
        for one in found
    )
    return GrantRecord(lines=lines, count=len(lines))


async def preview(call: Call[GrantChoice, Nothing]) -> GrantPreview | Refused:
    """Say in words what a yes with this end and these files would let an agent do; nothing is saved by it."""
    card, said = await find(call.parts, call.path["id"]), call.body
    if card is None:
        return unknown_card(call.path["id"])
    option = next((one for one in card.grants if one.id == said.option), None)
    if option is None:
        return does_not_fit(await view(call.parts, card), "There is no such option.")
    answered = await call.parts.store.read(AnsweredAsks(user=call.parts.user, limit=ANSWERS_READ_MAX))
    answer = PermissionAnswer(option=said.option, until=said.until, paths=said.paths)
    return preview_of(option, answer, answered, call.parts.hub_api.policy(), call.parts.clock.now())


async def _list(parts: ApiParts) -> GrantList:
    mind = await parts.store.read(MindOf(user=parts.user))
    policy, now = parts.hub_api.policy(), parts.clock.now()
    known = Mind() if mind is None else mind
    granted = grants_of(known, policy.zone, now)
    return replace(granted, alone=alone_of(policy, MODES.latest(now)), kinds=kinds_of(known))
