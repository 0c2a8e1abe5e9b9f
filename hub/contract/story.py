"""The story of a suggestion, as `why` tells it: each step, and what every rail said."""

from typing import Literal

from msgspec import field

from hub.contract.api import Aware, CrossPollStatus, Prediction
from hub.contract.base import HubMessage
from hub.contract.phrasing import Phrasing


class VerdictView(HubMessage):
    """One rail's verdict, with its numbers; `reasonWorded` is its reason as a code."""

    stage: str
    outcome: Literal["pass", "ask", "block"]
    rule: str
    reason: str
    numbers: dict[str, float] = field(default_factory=dict)
    reason_worded: Phrasing | None = None


class StepView(HubMessage):
    """One step of an episode: what happened, when, in words, and the recorded value itself.

    `text_worded` is the sentence as a code, null where it has none. `lines_worded` are the codes of the lines, each
    null where its line has none; it is as long as `lines`, or empty.
    """

    at: Aware
    kind: str
    text: str
    verdicts: tuple[VerdictView, ...] = ()
    lines: tuple[str, ...] = ()
    text_worded: Phrasing | None = None
    lines_worded: tuple[Phrasing | None, ...] = ()


class WhyAnswer(HubMessage):
    """The whole episode of a suggestion, from signal to result."""

    prediction: Prediction
    status: CrossPollStatus
    steps: tuple[StepView, ...]
