"""What an answer teaches is kept with it, in one transaction: the signal in the episode, the pairs in their table."""

from msgspec.structs import replace

from hub.contract.words import Source
from hub.domain.lessons import AddPair, DropPairs, MarkExported
from hub.domain.requests import Noted, NotePairs
from hub.domain.suggestion import SPAWN, Card
from hub.learn import Paired, Word, corrected, learned, lesson_of, pair_up, taken_back
from hub.loop.away import paired
from hub.loop.draft import Draft
from hub.loop.earned import KIND as ALONE
from hub.loop.habits import note_word
from hub.loop.train_offer import KIND as TRAINING
from hub.loop.views import status_of

NO_PREDICTIONS = frozenset({"mend", SPAWN, ALONE, TRAINING})
"""Kinds of work that follow from an answer, not from a situation."""


def teach(draft: Draft, card: Card, word: Word) -> None:
    """Keep what a word on a card teaches, of pairs and of odds; the card has the text that was answered."""
    signal = learned(word)
    draft.note(card.id, signal)
    note_word(draft, card, word)
    if not _is_prediction(card) or signal.value == "excluded":
        return
    if card.round:  # it was answered before, perhaps longer ago than is remembered
        unlearn(draft, card)
    itself = corrected(card, signal.weight, draft.now) if signal.value == "corrected" else None
    if itself is not None:
        draft.changes.append(AddPair(pair=itself))
        paired(draft, 1)
        return
    lesson = lesson_of(card, signal.weight, draft.now)
    found = pair_up(draft.mind.lessons, lesson, card.user, chosen=signal.value != "rejected")
    paired(draft, len(found.pairs))
    _keep(draft, found)


def unlearn(draft: Draft, card: Card) -> None:
    """Take back what the answers to a card taught."""
    if _is_prediction(card):
        draft.changes.append(DropPairs(user=card.user, card_id=card.id))
        _keep(draft, taken_back(draft.mind.lessons, card.id, card.user, draft.now))


def on_note_pairs(draft: Draft, request: NotePairs, reply_to: str) -> None:
    """Keep that pairs were exported."""
    draft.changes.append(MarkExported(user=draft.state.user, through=request.through, at=draft.now))
    draft.reply(reply_to, Noted(status=status_of(draft.state, draft.now)))


def _keep(draft: Draft, found: Paired) -> None:
    draft.changes.extend(AddPair(pair=pair) for pair in found.pairs)
    if found.lessons != draft.mind.lessons:
        draft.set_mind(replace(draft.mind, lessons=found.lessons))


def _is_prediction(card: Card) -> bool:
    """Say whether it was an idea about what to do next: no question of others, nothing that was begun at a word."""
    return card.proposal.source is not Source.ASK and card.proposal.kind not in NO_PREDICTIONS
