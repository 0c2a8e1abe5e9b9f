"""What ran and what was asked, where a person had other words run: the same on every surface. Pure."""

from hub.contract.api import Prediction
from hub.kit.phrasebook import Phrases
from hub.kit.text import visible


def changed_said(card: Prediction | None, words: Phrases) -> tuple[str, ...]:
    """Return what ran and what was asked, a line each; nothing where nobody changed anything."""
    if card is None or not card.asked:
        return ()
    texts = {"ran": card.prompt, "asked": card.asked}
    return tuple(words.title(f"{name}.told", text=visible(text)) for name, text in texts.items())


def changed_text(card: Prediction | None, words: Phrases, otherwise: str) -> str:
    """Return both as one text, or what is said `otherwise`."""
    return "\n".join(changed_said(card, words)) or otherwise
