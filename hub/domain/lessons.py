"""What answers taught: pairs of a chosen and a rejected suggestion (CROSSPOLL 7.3), and what still waits for one."""

from datetime import datetime

from hub.contract.base import Value


class Lesson(Value):
    """One side of a pair: a suggestion as text (`prompt → channel`), and how it was answered.

    `weight` is that of CROSSPOLL 7.2. A choice has its `context`, and the `partner` that it was paired with, if any.
    """

    card_id: str
    text: str
    channel: str
    confidence: float
    weight: float
    at: datetime
    context: str = ""
    partner: str = ""


class Lessons(Value):
    """What was chosen and rejected of late, oldest first; bounded (hub/learn/pairs)."""

    chosen: tuple[Lesson, ...] = ()
    rejected: tuple[Lesson, ...] = ()


class TrainingPair(Value):
    """One row of `dpo_pairs`; a choice is in one pair at most. `weight` is that of its weaker side."""

    user: str
    context: str
    chosen: str
    rejected: str
    chosen_confidence: float
    rejected_confidence: float
    created_at: datetime
    chosen_id: str
    rejected_id: str
    weight: float = 1.0


# Changes of the store, see storage.py.


class AddPair(Value, tag="add-pair"):
    """Keep a training pair; an earlier one of the same choice is replaced."""

    pair: TrainingPair


class DropPairs(Value, tag="drop-pairs"):
    """Forget the pairs in which a card is; there need not be any."""

    user: str
    card_id: str


class MarkExported(Value, tag="mark-exported"):
    """Note that the pairs up to the number `through`, and their cards, were exported at `at`; an earlier time stays."""

    user: str
    through: int
    at: datetime


PairChange = AddPair | DropPairs | MarkExported
