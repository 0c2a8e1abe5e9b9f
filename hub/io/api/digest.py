"""What waits, all at once: to read, and to be told of on every device."""

from msgspec.structs import replace

from hub.contract.alone import DaySummary
from hub.contract.events import DigestReady
from hub.domain.requests import DayShown, DigestGiven, GiveDigest, LookAtDay, Refused
from hub.domain.storage import OpenCards
from hub.io.api import cards
from hub.io.api.call import Call, Nothing
from hub.io.api.look_first import note_list
from hub.io.http.loop_requests import ask_loop
from hub.io.http.parts import ApiParts
from hub.loop.digests import digest_of

WAITING_MAX = 200
NOT_GIVEN = ""
"""The id of a digest that was only looked at."""


async def digest(call: Call[Nothing, Nothing]) -> DigestReady:
    """Return what a digest would have just now; nobody is told."""
    parts = call.parts
    waiting = await parts.store.read(OpenCards(user=parts.user, limit=WAITING_MAX, now=parts.clock.now()))
    day = await told_day(parts)
    found = digest_of(cards.views(parts, waiting), NOT_GIVEN, parts.hub_api.status().away, day)
    note_list(call, found.cards)
    return found


async def told_day(parts: ApiParts) -> DaySummary | None:
    """Return what the day brings, once the person was told; None before, and where there is nothing."""
    shown = await ask_loop(parts.hub_api, LookAtDay(), DayShown)
    return None if isinstance(shown, Refused) else shown.day


async def give_digest(call: Call[Nothing, Nothing]) -> DigestReady | Refused:
    """Send the digest to every device now and return it; callers without the scope `read` get it without the cards."""
    reply = await ask_loop(call.parts.hub_api, GiveDigest(), DigestGiven)
    if isinstance(reply, Refused):
        return reply
    told, may_read = reply.digest, call.client is None or "read" in call.client.scopes
    if may_read:
        note_list(call, told.cards)
    return told if may_read else replace(told, cards=(), more=told.more + len(told.cards), away=None, day=None)
