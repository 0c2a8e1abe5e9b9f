"""A language without letters: what is still readable in one of its sentences is from no phrase."""

import re

from hub.kit.phrase_files import phrases
from hub.kit.phrasebook import Phrases

_SLOT = re.compile(r"\{\w+\}")


def masked() -> Phrases:
    """Return the German phrases with each letter of theirs masked."""
    texts = {
        name: "".join(
            part if _SLOT.fullmatch(part) else re.sub(r"\w", "ж", part) for part in re.split(r"(\{\w+\})", text)
        )
        for name, text in phrases("de").texts.items()
    }
    return Phrases(language="de", texts={**texts, "decimal": ","})
