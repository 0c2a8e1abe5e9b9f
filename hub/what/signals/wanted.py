"""What is open in the person's files of goals, questions, feelings, hypotheses, deadlines. Urgency: by weight.

It is pressure that brings these up, not that they were written down: 0.04 to 0.12, a feeling 0.1 to 0.3. One that is
due is at 0.7 a day before, and at 0.85 when it is over. It is never more: agents write these files, and
what is urgent above all (`DriveRules.alert_strength`) wakes also while the person talks.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from heapq import nsmallest

from hub.contract.base import Value
from hub.domain.figures import percent
from hub.domain.provenance import Wording, quoted, say
from hub.domain.situation import DriveFileKind, DriveItem, Situation
from hub.domain.suggestion import Candidate, Need
from hub.kit.text import one_line
from hub.what.day import Hours
from hub.what.reasons import digest, state
from hub.what.scoring import ramp, unit
from hub.what.sighting import TITLE_CHARS_MAX, at_time, noted
from hub.what.text import HOUR, NAME_CHARS_MAX, TEXT_CHARS_MAX, clean

KIND = "pursue"
SENSOR = "drive-files"
DRIVE = "goals"
FITS: Hours = {"morning": 0.8, "afternoon": 0.7, "evening": 0.6, "night": 0.3}
ITEMS_MAX = 20
NEAR_H_MAX = 24.0
OVER_H_MAX = 24.0
"""A deadline in a text says nothing any more so long after it: nobody takes it out of the text."""
STEPS = (0.75, 0.9)
"""A weight that passes one of these is a new reason."""


class Pursuit(Value):
    """What an item of a kind is called, the drive that it presses, and what is to be done about it."""

    called: Wording
    drive: str
    does: Wording
    then: Wording = Wording()
    affinity: str | None = None


PURSUITS: dict[DriveFileKind, Pursuit] = {
    "goals": Pursuit(called=say("goal"), drive="goals", does=say("Take the next step towards the goal")),
    "curiosity": Pursuit(
        called=say("question"),
        drive="curiosity",
        does=say("Find out what answers the question"),
        then=say(", and write it down"),
        affinity="research",
    ),
    "emotions": Pursuit(
        called=say("feeling"),
        drive="emotions",
        does=say("Look for the cause of the feeling"),
        then=say(", and say what would help"),
    ),
    "hypotheses": Pursuit(
        called=say("hypothesis"),
        drive="learning",
        does=say("Try out the hypothesis"),
        then=say(" on a small scale, and note the result"),
        affinity="research",
    ),
    "deadlines": Pursuit(
        called=say("deadline"), drive="goals", does=say("Take the next step before the deadline"), affinity="docs"
    ),
}


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one idea per item, the most urgent ones; other words, another day of change or date is a new reason."""
    items = [item for item in situation.drive_items or () if not _is_over(item, situation.at)]
    for item in nsmallest(ITEMS_MAX, items, key=lambda item: (-_urgency(item, situation.at), item.path, item.id)):
        idea = _idea(situation, item)
        yield idea
        if _left_h(item, situation.at) <= NEAR_H_MAX or item.weight >= STEPS[-1]:  # the others wait for an agent
            yield noted(situation, idea, PURSUITS[item.kind].called, clean(item.text, TITLE_CHARS_MAX))


def turns(situation: Situation) -> Iterator[timedelta]:
    """Yield when the date of an item comes near, passes, and is long over: the most urgent are others then."""
    for item in situation.drive_items or ():
        if item.due_at is not None:
            yield item.due_at - situation.at - NEAR_H_MAX * HOUR
            yield item.due_at - situation.at
            yield item.due_at - situation.at + OVER_H_MAX * HOUR


def is_cut(situation: Situation) -> bool:
    """Return True if there are more items than ideas are made of."""
    return len(situation.drive_items or ()) > ITEMS_MAX


def _is_over(item: DriveItem, now: datetime) -> bool:
    return item.kind == "deadlines" and _left_h(item, now) < -OVER_H_MAX


def _idea(situation: Situation, item: DriveItem) -> Candidate:
    about = PURSUITS[item.kind]
    changed_on = item.updated_at.date() if item.updated_at else None
    return Candidate(
        kind=KIND,
        reason_key=f"{KIND}:{digest(item.kind, item.path, item.id)}",
        signature=state(digest(item.text, item.due_at, changed_on), _marks(item, situation.at)),
        prompt=say("{does} {text}{then}", does=about.does, text=_quotation(item), then=about.then),
        reasoning=_reasoning(situation, item, about),
        urgency=_urgency(item, situation.at),
        affinity=about.affinity,
        drive=about.drive,
        need=Need(text="What it asks for is done (the agent reports no error)."),
    )


def _quotation(item: DriveItem) -> Wording:
    return quoted(clean(item.text, TEXT_CHARS_MAX))


def _reasoning(situation: Situation, item: DriveItem, about: Pursuit) -> Wording:
    return say(
        'The {called} "{text}" is open in {file}{strength}{due}.',
        called=about.called,
        text=clean(item.text, TITLE_CHARS_MAX),
        file=one_line(item.path.rpartition("/")[2], NAME_CHARS_MAX),
        strength=_strength(item),
        due=_due(situation, item),
    )


def _strength(item: DriveItem) -> Wording:
    if item.kind != "emotions":
        return Wording()
    return say(", at an intensity of {percent}", percent=percent(unit(item.weight)))


def _due(situation: Situation, item: DriveItem) -> Wording:
    if item.due_at is None:
        return Wording()
    when = at_time(situation, item.due_at)
    return say(" and is due {when}", when=when) if item.due_at > situation.at else say(" and was due {when}", when=when)


def _urgency(item: DriveItem, now: datetime) -> float:
    weight = unit(item.weight)
    by_weight = ramp(weight, 0.7, 1.0, 0.1, 0.3) if item.kind == "emotions" else ramp(weight, 0.0, 1.0, 0.04, 0.12)
    left_h = _left_h(item, now)
    by_date = ramp(NEAR_H_MAX - left_h, 0.0, NEAR_H_MAX, 0.7, 0.85) if left_h <= NEAR_H_MAX else 0.0
    return max(by_weight, by_date)


def _left_h(item: DriveItem, now: datetime) -> float:
    return NEAR_H_MAX + 1 if item.due_at is None else (item.due_at - now) / HOUR


def _marks(item: DriveItem, now: datetime) -> Iterator[str]:
    """Yield what makes an item weigh more than before; never nothing, of which nothing would be less."""
    yield "open"
    yield from (f"weight {step}" for step in STEPS if item.weight >= step)
    left_h = _left_h(item, now)
    if left_h <= NEAR_H_MAX:
        yield "near"
    if left_h <= 0:
        yield "overdue"
