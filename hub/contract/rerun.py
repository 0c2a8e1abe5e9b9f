"""A suggestion's decisions, made again from what was kept with them."""

from typing import Literal

from hub.contract.api import Aware
from hub.contract.base import HubMessage


class DecisionView(HubMessage):
    """One decision: what to suggest (`what`), whether it may run (`may`), or how it is told (`where`).

    `same` is null where not enough was kept to decide again; `was` is what came out then, `now` what comes out now.
    """

    at: Aware
    room: Literal["what", "may", "where"]
    same: bool | None
    was: str
    now: str


class ReplayAnswer(HubMessage):
    """All decisions of a suggestion, made again: `same` says whether all that could be came out as they were."""

    id: str
    same: bool
    decisions: tuple[DecisionView, ...]
