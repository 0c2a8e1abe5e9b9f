"""Requests of an agent that are alike are heard once: the others come silently, and the first after a minute is heard.

What is remembered of them lives as long as the hub does; a start forgets it, which costs one more sound and no answer.
"""

from datetime import timedelta

from msgspec.structs import replace

from hub.domain.suggestion import Card
from hub.loop.alike_views import alike_of
from hub.loop.draft import Draft
from hub.loop.state import AlikeOpen

HEARD_APART = timedelta(minutes=1)
ALIKE_OPEN_MAX = 200


def note_alike(draft: Draft, card: Card) -> tuple[int, bool]:
    """Note a card that is told now; return how many like it wait beside it, and whether this one is to be heard."""
    alike = alike_of(card)
    if not alike:
        return 0, True
    noted = tuple(one for one in draft.state.alike_open if one.card_id != card.id)
    others = [one for one in noted if one.alike == alike]
    heard_at = max((one.heard_at for one in others), default=None)
    is_heard = heard_at is None or not timedelta() <= draft.now - heard_at < HEARD_APART
    told_at = draft.now if is_heard or heard_at is None else heard_at
    made = AlikeOpen(card_id=card.id, alike=alike, heard_at=told_at)
    draft.state = replace(draft.state, alike_open=(*noted, made)[-ALIKE_OPEN_MAX:])
    return len(others), is_heard


def forget_alike(draft: Draft, card: Card) -> None:
    """Forget a card that waits no more."""
    left = tuple(one for one in draft.state.alike_open if one.card_id != card.id)
    if len(left) < len(draft.state.alike_open):
        draft.state = replace(draft.state, alike_open=left)
