"""The story of a suggestion, as `why` tells it: each step, and what every rail said."""

from typing import Literal

from msgspec import field

from hub.contract.api import Aware, CrossPollStatus, Prediction
from hub.contract.base import HubMessage


class VerdictView(HubMessage):
    """One rail's verdict, with its numbers."""

    stage: str
    outcome: Literal["pass", "ask", "block"]
    rule: str
    reason: str
    numbers: dict[str, float] = field(default_factory=dict)


class StepView(HubMessage):
    """One step of an episode: what happened, when, in words, and the recorded value itself."""

    at: Aware
    kind: str
    text: str
    verdicts: tuple[VerdictView, ...] = ()
    lines: tuple[str, ...] = ()


class WhyAnswer(HubMessage):
    """The whole episode of a suggestion, from signal to result."""

    prediction: Prediction
    status: CrossPollStatus
    steps: tuple[StepView, ...]
