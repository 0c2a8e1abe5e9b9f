"""The pair rule of CROSSPOLL 7.3.

Theory: a pair says "in this situation, this rather than that". So the two were answered within an hour of each other,
and belong to different channels: two suggestions of one channel often differ by a word, and would teach that word. Of
several that fit, the one rejected last is nearest to the situation of the choice. An answer completes a pair from
either side: a choice finds an earlier rejection, a rejection the choices of the last hour that found none. An edit is a
pair by itself: the words that the person wrote rather than ours.

What is undone leaves with its pairs, and a choice that loses its partner takes the next one that fits. Every text is
as it was shown, so with its secrets masked, and of a bounded length.
"""

from datetime import datetime, timedelta

from msgspec.structs import replace

from hub.contract.base import Value
from hub.domain.canonical import visible
from hub.domain.lessons import Lesson, Lessons, TrainingPair
from hub.domain.suggestion import Card
from hub.kit.text import cut
from hub.learn.pairs.context import CONTEXT_CHARS_MAX
from hub.learn.pairs.rows import TO_CHANNEL

PAIR_WITHIN = timedelta(hours=1)
"""How far apart the two answers of a pair may be."""
TEXT_CHARS_MAX = 1_000
LESSONS_MAX = 16
"""Answers of each kind that are kept for pairing; within an hour there are seldom more."""


class Paired(Value):
    """What is to be remembered, and the pairs that are complete by now."""

    lessons: Lessons
    pairs: tuple[TrainingPair, ...] = ()


def lesson_of(card: Card, weight: float, now: datetime) -> Lesson:
    """Return a card as one side of a pair, with the text that it has now."""
    return Lesson(
        card_id=card.id,
        text=_text(card.prompt, card),
        channel=card.proposal.channel,
        confidence=card.proposal.confidence,
        weight=weight,
        at=now,
        context=_context(card),
    )


def corrected(card: Card, weight: float, now: datetime) -> TrainingPair | None:
    """Return the pair that an edit is by itself: the person's words chosen, ours rejected; None without a change."""
    chosen, rejected = lesson_of(card, weight, now), _text(card.proposal.prompt, card)
    if chosen.text == rejected:
        return None
    return TrainingPair(
        user=card.user,
        context=chosen.context,
        chosen=chosen.text,
        rejected=rejected,
        chosen_confidence=chosen.confidence,
        rejected_confidence=chosen.confidence,
        created_at=now,
        chosen_id=card.id,
        rejected_id=card.id,
        weight=weight,
    )


def pair_up(lessons: Lessons, lesson: Lesson, user: str, *, chosen: bool) -> Paired:
    """Add what an answer taught; a card that was answered before counts by its new answer alone."""
    before = _recent(_without(lessons, lesson.card_id), lesson.at)
    if chosen:
        return _partnered(replace(before, chosen=(*before.chosen, lesson)), user, lesson.at)
    bare = replace(lesson, context="")
    return _partnered(replace(before, rejected=(*before.rejected, bare)), user, lesson.at)


def taken_back(lessons: Lessons, card_id: str, user: str, now: datetime) -> Paired:
    """Forget what the answers to a card taught; a choice that was paired with it looks for another partner."""
    left = _recent(_without(lessons, card_id), now)
    widowed = tuple(replace(one, partner="") if one.partner == card_id else one for one in left.chosen)
    return _partnered(replace(left, chosen=widowed), user, now)


def _partnered(lessons: Lessons, user: str, now: datetime) -> Paired:
    """Give every choice without a partner the rejection that fits best."""
    pairs, chosen = [], []
    for choice in lessons.chosen:
        found = None if choice.partner else _latest(choice, lessons.rejected)
        if found is not None:
            pairs.append(_pair(choice, found, user, now))
        chosen.append(choice if found is None else replace(choice, partner=found.card_id))
    return Paired(lessons=replace(lessons, chosen=tuple(chosen)), pairs=tuple(pairs))


def _latest(choice: Lesson, rejected: tuple[Lesson, ...]) -> Lesson | None:
    newest_first = reversed(rejected)
    fits = (one for one in newest_first if one.channel != choice.channel and abs(choice.at - one.at) <= PAIR_WITHIN)
    return next(fits, None)


def _pair(choice: Lesson, other: Lesson, user: str, now: datetime) -> TrainingPair:
    return TrainingPair(
        user=user,
        context=choice.context,
        chosen=choice.text,
        rejected=other.text,
        chosen_confidence=choice.confidence,
        rejected_confidence=other.confidence,
        created_at=now,
        chosen_id=choice.card_id,
        rejected_id=other.card_id,
        weight=min(choice.weight, other.weight),
    )


def _without(lessons: Lessons, card_id: str) -> Lessons:
    return Lessons(
        chosen=tuple(one for one in lessons.chosen if one.card_id != card_id),
        rejected=tuple(one for one in lessons.rejected if one.card_id != card_id),
    )


def _recent(lessons: Lessons, now: datetime) -> Lessons:
    """Drop what can be in no further pair; a clock that was set back makes nothing older."""
    since = now - PAIR_WITHIN
    return Lessons(
        chosen=tuple(one for one in lessons.chosen if one.at >= since)[-LESSONS_MAX:],
        rejected=tuple(one for one in lessons.rejected if one.at >= since)[-LESSONS_MAX:],
    )


def _text(prompt: str, card: Card) -> str:
    return f"{cut(visible(prompt), TEXT_CHARS_MAX)}{TO_CHANNEL}{card.proposal.channel}"


def _context(card: Card) -> str:
    """Return the situation that the card was made in; of a card from before that was kept, why it was suggested."""
    return cut(card.context or visible(card.proposal.reasoning), CONTEXT_CHARS_MAX)
