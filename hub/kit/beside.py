"""What stands beside a card's prompt where it is shown as text: a yes is about that as well. Pure."""

from hub.contract.api import Prediction
from hub.kit.naming import elsewhere_said
from hub.kit.permissions import effects_line, sentence
from hub.kit.phrasebook import Phrases
from hub.kit.shown import yes_text
from hub.kit.text import visible
from hub.kit.wordings import unusual_said


def beside_prompt(card: Prediction, words: Phrases) -> tuple[str, ...]:
    """Return the lines that a yes is about and that the prompt does not have, and what is odd about them."""
    prompt, permission = visible(card.prompt).splitlines(), card.permission
    rest = [line for line in yes_text(card).splitlines() if line not in prompt]
    if permission is None:
        return (*rest, *filter(None, (elsewhere_said(card, words),)))
    place = sentence(permission, words)
    return (*filter(None, (place, effects_line(card, words))), *rest, *unusual_said(permission, words))
