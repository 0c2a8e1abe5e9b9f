"""Whether a browser's notification showed what a yes beside it lets run.

Theory: a push says what its sender wrote, and any program that reads the keys in Pulse's folder can send one, with a
button beside words of its own. So a yes brings along the text that stood beside its button, and counts only where that
is the text of this very card, as the hub itself words it. What is of high risk is approved on the page.
"""

from collections.abc import Mapping

from hub.contract.access import ActionRequest
from hub.contract.api import Prediction
from hub.contract.events import ExecutionFailed, PredictionNew
from hub.contract.surface import CardDelivery
from hub.contract.words import GRANTING, Risk
from hub.domain.storage import CardById, Client
from hub.io.http.parts import ApiParts
from hub.kit.announcing import announce
from hub.kit.phrase_files import all_phrases
from hub.kit.phrasebook import Phrases
from hub.kit.pushed_text import body_of
from hub.kit.wordings import event_in
from hub.loop.views import prediction_of


async def showed_all(parts: ApiParts, client: Client | None, card_id: str, said: ActionRequest) -> bool:
    """Return True if an answer may come from the notification that it was given beside.

    Only a browser's yes is compared: the push services' apps show what they are handed, and say so.
    """
    if client is None or not client.key or said.verb not in GRANTING:
        return True
    card = await parts.store.read(CardById(user=parts.user, card_id=card_id))
    if card is None:
        return True  # there is nothing to be run
    prediction = prediction_of(card, parts.hub_api.policy())
    return prediction.risk is not Risk.HIGH and is_text_of(prediction, said.shown, all_phrases())


def is_text_of(card: Prediction, shown: str, known: Mapping[str, Phrases]) -> bool:
    """Return True if a text begins with that of this card, in a language that we know; what came of it may follow."""
    return any(shown == text or shown.startswith(f"{text}\n") for text in _texts(card, known))


def _texts(card: Prediction, known: Mapping[str, Phrases]) -> set[str]:
    events = (
        PredictionNew(prediction=card),
        ExecutionFailed(card_id=card.id, execution_id="", kind="failed", error="", prediction=card),
    )
    deliveries = [
        CardDelivery(delivery_id="", event=one, loudness="silent", verbs=(), token="", expires_at=card.expires_at)
        for one in events
    ]
    return {
        body_of(said, one, words)
        for one in deliveries
        for words in known.values()
        if (said := announce(event_in(one.event, words))) is not None
    } - {""}
