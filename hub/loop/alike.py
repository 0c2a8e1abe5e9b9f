"""Requests of an agent that are alike are heard once: the others come silently, and the first after a minute is heard.

What is remembered of them lives as long as the hub does; a start forgets it, which costs one more sound and no answer.
"""

from datetime import timedelta

import msgspec
from msgspec.structs import replace

from hub.contract.events import DIGEST_CARDS_MAX, DigestReady
from hub.domain.suggestion import Card
from hub.loop.alike_views import alike_of
from hub.loop.draft import Draft
from hub.loop.state import AlikeOpen

HEARD_APART = timedelta(minutes=1)
ALIKE_OPEN_MAX = 200
SEVERAL = 2
CARDS_BYTES_MAX = 196_608
"""Of all cards of one message, so that with their tokens it stays below what a device reads (262,144 bytes)."""


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
    batch = others[0].batch if others else card.id
    made = AlikeOpen(card_id=card.id, alike=alike, heard_at=told_at, shown=draft.view(card), batch=batch)
    draft.state = replace(draft.state, alike_open=(*noted, made)[-ALIKE_OPEN_MAX:])
    return len(others), is_heard


def together(draft: Draft, card: Card) -> DigestReady | None:
    """Put a card that was just noted and all open ones like it into one digest, in the order in which they were asked.

    None where there are none, or more than one message has room for: then each comes by itself.
    """
    alike = alike_of(card)
    noted = [one for one in draft.state.alike_open if alike and one.alike == alike]
    cards = tuple(one.shown for one in noted if one.shown is not None)
    is_too_much = len(noted) > DIGEST_CARDS_MAX or len(msgspec.json.encode(cards)) > CARDS_BYTES_MAX
    if len(cards) < len(noted) or len(cards) < SEVERAL or is_too_much:
        return None
    return DigestReady(digest_id=f"alike_{noted[0].batch}", alike=alike, cards=cards)


def forget_alike(draft: Draft, card: Card) -> None:
    """Forget a card that waits no more."""
    left = tuple(one for one in draft.state.alike_open if one.card_id != card.id)
    if len(left) < len(draft.state.alike_open):
        draft.state = replace(draft.state, alike_open=left)
