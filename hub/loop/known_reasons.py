"""Which reasons were said already: kept in the state and in the store, so that nothing is said twice."""

from msgspec.structs import replace

from hub.domain.mind import Known
from hub.domain.situation import Situation
from hub.domain.storage import Remember
from hub.kit.bounded import last_of
from hub.loop.draft import Draft
from hub.loop.state import KNOWN_MAX
from hub.what import ended, joined

NOTHING_SAID = ""
"""The signature that covers no other: what is remembered of a matter that ended."""


def remember(draft: Draft, key: str, signature: str) -> None:
    """Remember that a reason was said; the oldest of too many are forgotten."""
    others = {each: said for each, said in draft.state.known.items() if each != key}
    draft.state = replace(draft.state, known=last_of({**others, key: signature}, KNOWN_MAX))
    draft.changes.append(Remember(user=draft.state.user, known=Known(key=key, signature=signature, at=draft.now)))


def forget_ended(draft: Draft, situation: Situation) -> None:
    """Let what is surely over be news when it begins again."""
    over = (key for key, said in draft.state.known.items() if said != NOTHING_SAID)
    for key in ended(situation).intersection(over):
        remember(draft, key, NOTHING_SAID)


def join_open(draft: Draft, situation: Situation) -> None:
    """Count what others bring and an open card says already as said with that card."""
    for idea in joined(draft.ideas(situation), situation, draft.facts.open_keys):
        if draft.state.known.get(idea.reason_key) != idea.signature:
            remember(draft, idea.reason_key, idea.signature)
