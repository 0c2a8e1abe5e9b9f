"""The episode of a suggestion, step by step: enough to explain every decision and to make it again offline."""

from datetime import datetime

from hub.contract.base import Value
from hub.contract.words import MoveReason, Risk, RunState, Status
from hub.domain.attention import Weighed
from hub.domain.judgement import Ledger, RailVerdict, RunRequest
from hub.domain.likelihood import Presence
from hub.domain.mind import Mute, Tally
from hub.domain.policy import Policy
from hub.domain.situation import Situation
from hub.domain.suggestion import Answer, Guess, Proposal
from hub.domain.teaching import YesModel
from hub.domain.worded import Worded


class Sensed(Value, tag="sensed"):
    """What was going on."""

    situation: Situation


class ChoiceBasis(Value):
    """What a choice rested on beside the situation, the policy and a model's guesses: enough to choose again.

    `known` holds only the reasons that were there, `model` only what the estimates looked at. `risk` is the proposal's
    before the rails spoke.
    """

    at: datetime
    tallies: dict[str, Tally]
    mutes: tuple[Mute, ...]
    channel_last_at: dict[str, datetime]
    known: dict[str, str]
    open_keys: tuple[str, ...]
    channel: str | None
    hint: str | None
    asked: bool
    only: tuple[str, ...] | None
    happened: str
    presence: Presence
    model: YesModel
    risk: Risk
    by_program: bool = False


class Proposed(Value, tag="proposed"):
    """What was proposed, out of how many ideas; with the model's guess, and all its guesses, if one was asked.

    `basis` is None where nothing was chosen among ideas, and in episodes that were stored before it was kept.
    """

    proposal: Proposal
    ideas: int
    guess: Guess | None = None
    guesses: tuple[Guess, ...] = ()
    basis: ChoiceBasis | None = None


class Judged(Value, tag="judged"):
    """What the rails said, and what they looked at: with the proposal and the step's time, enough to ask them again.

    `asked` is None in episodes that were stored before it was kept.
    """

    verdicts: tuple[RailVerdict, ...]
    conclusion: str
    ledger: Ledger
    policy: Policy
    asked: RunRequest | None = None


class Released(Value, tag="released"):
    """What was held was told, by itself or in a digest, and why then."""

    in_digest: bool
    why: str


class Decided(Value, tag="decided"):
    """What a person answered and whether it counted."""

    answer: Answer
    accepted: bool
    note: str = ""


class Moved(Value, tag="moved"):
    """The card moved, by the table of its life."""

    before: Status
    after: Status
    reason: MoveReason


class Ran(Value, tag="ran"):
    """An execution changed its state."""

    execution_id: str
    state: RunState
    text: str = ""
    text_worded: Worded | None = None


class Line(Value, tag="line"):
    """One line of an agent's progress."""

    execution_id: str
    number: int
    text: str


class Learned(Value, tag="learned"):
    """The training signal of an outcome (CROSSPOLL 7.2): chosen, rejected, corrected or excluded; weight 0 to 1."""

    signal: str
    value: str
    weight: float


AnyStep = Sensed | Proposed | Judged | Weighed | Released | Decided | Moved | Ran | Line | Learned


class Step(Value):
    """One recorded step. As a change it is appended to the card's episode."""

    card_id: str
    at: datetime
    body: AnyStep
