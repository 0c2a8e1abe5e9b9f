"""What a name says of itself: `make deploy`, `npm run db:reset`, `./send-invoices.sh`, `acme users delete`."""

import re

from hub.contract.effects import Effect
from hub.screening.commands.operands import is_production
from hub.screening.commands.table import word_effects

_WORD = re.compile(r"[A-Za-z][a-z]*|[A-Z]+")
_NAME = re.compile(r"[\w./:@+\\-]{1,80}")


def by_name(name: str, *, production: bool = True) -> Effect | None:
    """Return what a name's verb says, or None; a name with `test`, `check` or `build` in it says nothing."""
    if not _NAME.fullmatch(name) or name.istitle():
        return None
    words = [word.lower() for word in _WORD.findall(re.split(r"[/\\]", name.rstrip("/\\"))[-1])]
    if any(word_effects("(quiet)", word) for word in words):
        return None
    found = next((effect for word in words for effect in word_effects("(verb)", word)), None)
    if found is None and production and is_production(name) and not {"start", "install"}.intersection(words):
        return Effect.TOUCHES_PRODUCTION
    return found
