"""The card that an answer to it is judged by: where there is none, nothing can be said of what would run."""

from hub.contract.errors import UserError
from hub.domain.storage import CardById
from hub.domain.suggestion import Card
from hub.io.http.parts import ApiParts
from hub.loop.refusals import unknown_card
from hub.loop.reworded import with_words


class UnknownCardError(UserError):
    """There is no suggestion with that id. `pulse cards` lists the open ones."""

    code = "unknown-card"
    status = 404


async def judged_card(parts: ApiParts, card_id: str, words: str | None = None) -> Card:
    """Return a card whose answer is to be judged; where the answer brings other words, the card with those.

    Raises:
        UnknownCardError: there is none, so nothing lets an answer through.
    """
    card = await parts.store.read(CardById(user=parts.user, card_id=card_id))
    if card is None:
        refused = unknown_card(card_id)
        raise UnknownCardError(refused.detail, fix=refused.fix)
    return card if words is None else with_words(card, words)
