"""Answers that teach how likely a yes is, and the small model that is made of them."""

from datetime import datetime

from msgspec import field

from hub.contract.base import Value
from hub.domain.lessons import PairChange
from hub.domain.likelihood import Features

YES_MODEL_FORM = 1
"""Of the model's inputs; a model of another form is not used."""


class Taught(Value):
    """What the last word on a card teaches: a yes or a no, how strongly (0 to 1), and about what.

    `about` is what was known when the card was made, and of a held one the moment of the telling (`WhenTold`).
    `signal` is whose word it was (CROSSPOLL 7.2). `is_answer` says that a person answered the card itself, so that it
    is one of the answers that are counted before them. What was taken back teaches nothing: `undone`. As a change it
    takes the place of what the card taught before.
    """

    user: str
    card_id: str
    about: Features
    yes: bool
    weight: float
    signal: str
    at: datetime
    is_answer: bool = True
    undone: bool = False


Strength = tuple[float, float, float]
"""What one input is worth: the mean and the variance of its weight, and the day on which it last learnt."""


class YesModel(Value):
    """A person's habits as weights of named inputs. `likes` are the last ten answers to each sort, 1 for a yes.

    `lapse` is how often an answer is at odds with the rest, so that one odd one says little.
    `shift` and `slope` put right what was found to be too sure or too unsure; 0 and 1 change nothing. `answers` is how
    many answers of the person are in it. `name` says which model it is.
    """

    form: int = YES_MODEL_FORM
    name: str = "first"
    weights: dict[str, Strength] = field(default_factory=dict)
    likes: dict[str, str] = field(default_factory=dict)
    answers: int = 0
    lapse: float = 0.03
    shift: float = 0.0
    slope: float = 1.0


TeachingChange = PairChange | Taught
