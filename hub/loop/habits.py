"""What the person's answers teach, as the loop keeps it: one row a card, and the model that is made of them.

Theory: the rows are the truth, and the model follows from them. It is a base, and what came since: an answer is learnt
at once, and one that is taken back is left out by learning what came since anew. What is older fades by itself.
"""

from datetime import timedelta

from msgspec.structs import replace

from hub.domain.reports import TaughtLately
from hub.domain.suggestion import Card
from hub.domain.teaching import Taught
from hub.learn import TABLE, Word
from hub.learn.yes import learnt
from hub.loop.commands import Train
from hub.loop.draft import Draft
from hub.loop.events import YesModelArrived
from hub.loop.state import Habits
from hub.loop.when_told import about_when_told

TRAIN_EVERY = 25
"""After so many answers since the base a new model is made of all of them."""
TRAINED_MIN = 30
TRAINING_MAX = timedelta(minutes=5)
"""A training from which nothing was heard for so long is over."""
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
    about, odds = about_when_told(card), TABLE[word].odds
    if about is None or odds is None:
        return
    taught = Taught(
        user=card.user,
        card_id=card.id,
        about=about,
        yes=odds.yes,
        weight=odds.weight,
        signal=word,
        at=draft.now,
        is_answer=odds.is_answer,
        undone=word == "taken-back",
    )
    _keep(draft, taught)


def take_word_back(draft: Draft, card: Card) -> None:
    """Take back what a card taught: its answer was taken back."""
    before = next((one for one in draft.state.habits.since if one.card_id == card.id), None)
    if before is not None:
        _keep(draft, replace(before, undone=True, at=draft.now))
    elif card.proposal.likelihood is not None:  # it is in the base: left out of the next one, which is made at once
        note_word(draft, card, "taken-back")
        _train(draft)


def on_opened(draft: Draft, rows: tuple[Taught, ...]) -> None:
    """Take up what the stored rows show, and have a model made of them."""
    draft.state = replace(draft.state, habits=taken_up(rows))
    if len(rows) >= TRAINED_MIN:
        _train(draft)


def on_model(draft: Draft, event: YesModelArrived) -> None:
    """Take on a new model, with what was taught since it was begun; without one, all stays as it is."""
    habits = draft.state.habits
    if event.before != habits.training_at:
        return
    after = replace(habits, training_at=None)
    if event.model is not None:
        since = tuple(one for one in habits.since if one.at >= event.before)
        after = _made_of(Habits(base=event.model), since)
    draft.state = replace(draft.state, habits=after)


def _train(draft: Draft) -> None:
    """Have a new model made, unless one is being made."""
    began = draft.state.habits.training_at
    if began is not None and abs(draft.now - began) < TRAINING_MAX:
        return
    draft.state = replace(draft.state, habits=replace(draft.state.habits, training_at=draft.now))
    draft.commands.append(Train(before=draft.now))


def _keep(draft: Draft, taught: Taught) -> None:
    draft.changes.append(taught)
    habits = draft.state.habits
    others = tuple(one for one in habits.since if one.card_id != taught.card_id)
    if len(others) < len(habits.since) or len(others) >= SINCE_MAX:
        after = _made_of(habits, (*others, taught))
    else:
        after = replace(habits, since=(*others, taught), model=learnt(habits.model, (taught,)))
    draft.state = replace(draft.state, habits=after)
    if after.model.answers >= TRAINED_MIN and len(after.since) % TRAIN_EVERY == 0:
        _train(draft)


def _made_of(before: Habits, since: tuple[Taught, ...]) -> Habits:
    """Return the habits with these answers since the base; too many of them become part of it."""
    more = max(len(since) - SINCE_MAX, 0)
    base = learnt(before.base, since[:more]) if more else before.base
    model = learnt(base, since[more:])
    return Habits(base=base, since=since[more:], model=model, training_at=before.training_at)
