"""After a start: questions whose agents do not come back for their answers are taken back.

A hub that was killed could not see its connections end. An agent that still waits asks again with the same key.
"""

from datetime import timedelta

from hub.contract.api import AnswerReply
from hub.domain.storage import OpenCards
from hub.io.api.call import Services
from hub.io.api.permissions import OPEN_MAX, taken_back
from hub.io.http.loop_requests import ask_loop

COME_BACK_S = 15.0


async def take_back_left(services: Services) -> None:
    """Give agents a while to come back, then take back what nobody waits for."""
    parts = services.parts
    now = parts.clock.now()
    cards = await parts.store.read(OpenCards(user=parts.user, limit=OPEN_MAX, now=now, snoozed=True))
    left = [card for card in cards if card.is_attended]
    if not left:
        return
    await parts.clock.sleep_until(now + timedelta(seconds=COME_BACK_S))
    for card in left:
        if not services.waiting.waits_for(card.id):
            gone = taken_back(card.id, card.owner, "ended")
            await ask_loop(parts.hub_api, gone, AnswerReply)
