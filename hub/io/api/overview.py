"""Everything that a device shows at once, as of one place in the live feed."""

from hub.contract.insight import SyncAnswer
from hub.domain.reports import SettledCards
from hub.domain.storage import OpenCards, Tasks
from hub.io.api import cards, tasks
from hub.io.api.agents import agent_views
from hub.io.api.call import Call, Nothing
from hub.io.api.digest import told_day

OPEN_MAX = 500
RECENT_MAX = 20
TASKS_MAX = 10


async def sync(call: Call[Nothing, Nothing]) -> SyncAnswer:
    """Return all that a device shows, and from where in the live feed to go on.

    The place is read before the store: what happens in between is seen here and heard again, never missed.
    """
    parts, seq, feed = call.parts, call.to.broadcaster.seq, call.to.broadcaster.id
    now = parts.clock.now()
    waiting = await parts.store.read(OpenCards(user=parts.user, limit=OPEN_MAX, now=now, snoozed=True))
    settled = await parts.store.read(SettledCards(user=parts.user, limit=RECENT_MAX))
    gone = {card.id for card in settled}  # answered between the two readings
    found = await parts.store.read(Tasks(user=parts.user, limit=TASKS_MAX))
    return SyncAnswer(
        status=parts.hub_api.status(),
        open=cards.views(parts, [card for card in waiting if card.id not in gone]),
        recent=tuple([await cards.view(parts, card) for card in settled]),
        agents=await agent_views(parts),
        tasks=tuple(tasks.view(task, now) for task in found),
        seq=seq,
        feed=feed,
        timestamp=now,
        day=await told_day(parts),
        zone=parts.hub_api.policy().zone,
    )
