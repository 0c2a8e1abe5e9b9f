"""What one client asks, and asked lately: a page of its own questions, those that changed last first."""

from datetime import datetime
from typing import Annotated

from msgspec import Meta

from hub.contract.api import Aware
from hub.contract.base import Message
from hub.contract.control import PLACE_PATTERN, PermissionList, question_place
from hub.contract.words import Status
from hub.domain.reports import AsksOf
from hub.domain.suggestion import Card
from hub.io.access.tokens import LOCAL_ID
from hub.io.api.call import Call, Nothing
from hub.io.api.cards import StatusWord, view
from hub.io.api.local_caller import share_of
from hub.io.http.bodies import sane_time
from hub.io.http.errors import FromARunError
from hub.loop.permissions import reply_of

PAGE_MAX = 100
ENDED_MAX = 1_000
"""Of all cards so many that ended last are looked through."""


class PermissionsQuery(Message):
    """Query of `GET /api/v1/permissions`: which of one's own questions, and after which place."""

    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = 50
    after: Annotated[str, Meta(pattern=PLACE_PATTERN)] | None = None
    tool: Annotated[str, Meta(max_length=128)] = ""
    session: Annotated[str, Meta(max_length=128)] = ""
    status: StatusWord | None = None
    since: Aware | None = None


async def listed(call: Call[Nothing, PermissionsQuery]) -> PermissionList:
    """Return a page of what this client asked leave for, those that changed last first.

    Raises:
        FromARunError: this client stands for several agents, and none is told of another's questions.
    """
    whose = LOCAL_ID if call.client is None else call.client.id
    if share_of(whose, 0) is not None:
        raise FromARunError(
            "Agents on this machine get no list, because it would include each other's questions.",
            fix="Use a token of your own with the scope `ask`.",
        )
    parts, query = call.parts, call.query
    since = sane_time(query.since, parts.clock.now())
    cards = await parts.store.read(AsksOf(user=parts.user, client=whose, ended_max=ENDED_MAX))
    fit = sorted((card for card in cards if _fits(card, query, since)), key=_place, reverse=True)
    left = [card for card in fit if query.after is None or _place(card) < query.after]
    page = left[: query.limit]
    return PermissionList(
        permissions=tuple([reply_of(await view(parts, card), card) for card in page]),
        count=len(fit),
        next=_place(page[-1]) if len(left) > len(page) else "",
    )


def _place(card: Card) -> str:
    return question_place(card.stands_since, card.id)


def _fits(card: Card, query: PermissionsQuery, since: datetime | None) -> bool:
    asked = card.permission
    return (
        asked is not None
        and query.tool in {"", asked.tool}
        and query.session in {"", asked.session}
        and (query.status is None or card.status is Status(query.status))
        and (since is None or card.stands_since >= since)
    )
