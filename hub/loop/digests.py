"""Digests: what waits for a good moment, told all at once, the most valuable first.

Every card of one is open before and after, and is answered by itself; a digest moves nothing. One that is given again
takes the place of the last one wherever it is shown.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec
from msgspec.structs import replace

from hub.contract.alone import AwaySummary, DaySummary
from hub.contract.api import Prediction
from hub.contract.events import DIGEST_CARDS_MAX, DigestReady
from hub.contract.words import Source
from hub.domain.delivery import Device
from hub.domain.episode import Released
from hub.domain.provenance import say
from hub.domain.requests import DayShown, DigestGiven, GiveDigest, LookAtDay
from hub.domain.suggestion import Card
from hub.loop import today
from hub.loop.alike import CARDS_BYTES_MAX
from hub.loop.attention import doing_of, spend
from hub.loop.away_views import away_of
from hub.loop.draft import Draft
from hub.loop.tell import tell
from hub.loop.when_told import estimated_now
from hub.where import BUSY

ASKED_FOR = say("You asked for it.").text
NOTE_AFTER = timedelta(minutes=2)
"""What waits for a return comes within this, as a rule, and says it."""


def digest_of(
    cards: Sequence[Prediction], digest_id: str, away: AwaySummary | None = None, day: DaySummary | None = None
) -> DigestReady:
    """Put open cards into one digest: questions first, for somebody waits; then by how likely a yes is."""
    shown: list[Prediction] = []
    used = 0
    for card in sorted(cards, key=_worth)[:DIGEST_CARDS_MAX]:
        used += len(msgspec.json.encode(card))
        if shown and used > CARDS_BYTES_MAX:
            break
        shown.append(card)
    return DigestReady(digest_id=digest_id, cards=tuple(shown), more=len(cards) - len(shown), away=away, day=day)


def give(draft: Draft, cards: Sequence[Prediction], *, asked: bool = False, is_heard: bool = True) -> DigestReady:
    """Tell everybody of these cards at once; of nothing, nobody.

    The first after a return says what happened while the person was away, the first of a day what that brings; to who
    asked for one both are said again.
    """
    returned = draft.mind.returned
    is_news = returned is not None and not returned.told
    away = away_of(draft.state, draft.now) if is_news or asked else None
    made = digest_of(cards, draft.new_id("dg"), away, today.summary(draft, asked=asked))
    if made.cards or made.away is not None or made.day is not None:
        tell(draft, made, is_heard=is_heard)
    if made.away is not None and returned is not None:
        draft.set_mind(replace(draft.mind, returned=replace(returned, told=True)))
    if made.day is not None:
        today.note_told(draft)
    return made


def note_day(draft: Draft) -> None:
    """Tell what the day brings by itself, where it is time, no digest has said it, and somebody would see it.

    It is at the hour that the person has set, but not heard in a meeting or in mid-typing.
    """
    if any(map(_is_there, draft.state.devices)) and today.summary(draft) is not None:
        give(draft, (), is_heard=doing_of(draft) not in BUSY and spend(draft))


def note_return(draft: Draft) -> None:
    """Say by itself what happened meanwhile, where no digest has said it a little after the return."""
    returned = draft.mind.returned
    if returned is not None and not returned.told and draft.now >= returned.at + NOTE_AFTER:
        give(draft, ())


def next_note(draft: Draft) -> datetime | None:
    """Return when a return is to be told of by itself; None where it was told, or is old news."""
    returned = draft.mind.returned
    at = None if returned is None or returned.told else returned.at + NOTE_AFTER
    return at if at is not None and at > draft.now else None


def on_give(draft: Draft, request: GiveDigest, reply_to: str) -> None:
    """Tell everybody now of all that is open and not snoozed; the person asked for it."""
    del request
    waiting = [replace(card, held=None) for card in draft.facts.open_cards if card.expires_at > draft.now]
    made = give(draft, [draft.view(card) for card in waiting], asked=True)
    told = {card.id for card in made.cards}
    for card in draft.facts.open_cards:
        if card.held is not None and card.id in told:
            let_go(draft, card, Released(in_digest=True, why=ASKED_FOR))
    draft.reply(reply_to, DigestGiven(digest=made))


def let_go(draft: Draft, card: Card, step: Released) -> Card:
    """Take its mark from a card that was held and is told now."""
    draft.note(card.id, step)
    draft.count_held(-1)
    return draft.keep(replace(estimated_now(draft, card), held=None))


def on_look_at_day(draft: Draft, request: LookAtDay, reply_to: str) -> None:
    """Show the day again, once it was told."""
    del request
    draft.reply(reply_to, DayShown(day=today.summary(draft, asked=True) if today.is_told(draft) else None))


def _is_there(device: Device) -> bool:
    return not device.revoked and (device.online or device.address is not None)


def _worth(card: Prediction) -> tuple[bool, float, str]:
    chance = card.likelihood.p if card.likelihood is not None else card.confidence
    return card.source is not Source.ASK, -chance, card.id
