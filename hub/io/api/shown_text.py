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
from hub.contract.words import AFTER_FAILURE, GRANTING, Risk, Status, Verb
from hub.domain.storage import Client
from hub.io.http.judged_card import judged_card
from hub.io.http.parts import ApiParts
from hub.kit.announcing import announce
from hub.kit.phrase_files import all_phrases
from hub.kit.phrasebook import Phrases
from hub.kit.pushed_text import body_of
from hub.kit.text import visible
from hub.kit.wordings import event_in
from hub.loop.runs import RESULT_CHARS_MAX
from hub.loop.views import prediction_of


async def showed_all(parts: ApiParts, client: Client | None, card_id: str, said: ActionRequest) -> bool:
    """Return True if an answer may come from the notification that it was given beside.

    Only a browser's yes is compared: the push services' apps show what they are handed, and say so.
    """
    if client is None or not client.key or said.verb not in GRANTING:
        return True
    prediction = prediction_of(await judged_card(parts, card_id), parts.hub_api.policy())
    return prediction.risk is not Risk.HIGH and is_text_of(prediction, said.shown, all_phrases(), said.verb)


def is_text_of(card: Prediction, shown: str, known: Mapping[str, Phrases], verb: Verb = Verb.APPROVE) -> bool:
    """Return True if a text is all that this card says where `verb` is offered, in a language that we know.

    A repeated retry came beside an error that the card does not hold any more.
    """
    if verb not in AFTER_FAILURE:
        return shown in _texts(PredictionNew(prediction=card), card, known)
    error = visible(card.outcome)[:RESULT_CHARS_MAX] if card.status is Status.FAILED else ""
    event = ExecutionFailed(card_id=card.id, execution_id="", kind="failed", error=error, prediction=card)
    texts = _texts(event, card, known)
    return shown in texts or (card.status is not Status.FAILED and shown.startswith(tuple(f"{one}\n" for one in texts)))


def _texts(event: PredictionNew | ExecutionFailed, card: Prediction, known: Mapping[str, Phrases]) -> set[str]:
    delivery = CardDelivery(
        delivery_id="", event=event, loudness="silent", verbs=(), token="", expires_at=card.expires_at
    )
    return {
        body_of(said, delivery, words)
        for words in known.values()
        if (said := announce(event_in(event, words))) is not None
    } - {""}
