"""What the person's answers teach, as the loop keeps it: one row a card, and the model that is made of them.

Theory: the rows are the truth, and the model follows from them. It is a base, and what came since: an answer is learnt
at once, and one that is taken back is left out by learning what came since anew. What is older fades by itself.
"""

from msgspec.structs import replace

from hub.domain.reports import TaughtLately
from hub.domain.suggestion import Card
from hub.domain.teaching import PutTaught, Taught
from hub.learn.yes import TABLE, Word, learnt
from hub.loop.draft import Draft
from hub.loop.state import Habits

SINCE_MAX = 500
"""So many answers can be taken back; older ones become part of the base."""
TAKEN_UP_MAX = 1_000
"""Answers that are taken up at a start: older ones have faded."""


def latest(user: str) -> TaughtLately:
    """Return the question for what a start takes up."""
    return TaughtLately(user=user, limit=TAKEN_UP_MAX)


def taken_up(rows: tuple[Taught, ...]) -> Habits:
    """Return the habits that the stored rows show, oldest first."""
    return _made_of(Habits(), rows)


def note_word(draft: Draft, card: Card, word: Word) -> None:
    """Learn from a word on a card; one that was not estimated, such as a person's own wish, teaches nothing."""
    likelihood = card.proposal.likelihood
    if likelihood is None:
        return
    teaching = TABLE[word]
    taught = Taught(
        user=card.user,
        card_id=card.id,
        about=likelihood.about,
        yes=teaching.yes,
        weight=teaching.weight,
        signal=word,
        at=draft.now,
        is_answer=teaching.is_answer,
    )
    _keep(draft, taught)


def take_word_back(draft: Draft, card: Card) -> None:
    """Take back what a card taught: its answer was taken back."""
    before = next((one for one in draft.state.habits.since if one.card_id == card.id), None)
    if before is not None:
        _keep(draft, replace(before, undone=True))


def _keep(draft: Draft, taught: Taught) -> None:
    draft.changes.append(PutTaught(taught=taught))
    habits = draft.state.habits
    others = tuple(one for one in habits.since if one.card_id != taught.card_id)
    if len(others) < len(habits.since) or len(others) >= SINCE_MAX:
        after = _made_of(habits, (*others, taught))
    else:
        after = replace(habits, since=(*others, taught), model=learnt(habits.model, (taught,)))
    draft.state = replace(draft.state, habits=after)


def _made_of(before: Habits, since: tuple[Taught, ...]) -> Habits:
    """Return the habits with these answers since the base; too many of them become part of it."""
    more = max(len(since) - SINCE_MAX, 0)
    base = learnt(before.base, since[:more]) if more else before.base
    return Habits(base=base, since=since[more:], model=learnt(base, since[more:]))
