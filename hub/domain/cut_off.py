"""Agents that are connected, by whether they ask or no longer do, though nobody disconnected them."""

from hub.contract.base import Value
from hub.domain.provenance import Wording, say

NOT_DISCONNECTED = say("It was connected to Pulse, and nobody disconnected it with Pulse.")


class ConnectedAgent(Value):
    """An agent that is connected and asks, and what a person calls it."""

    agent: str
    title: str


class CutOffAgent(Value):
    """Which agent it is, what a person calls it, and why it does not ask, with what repairs that."""

    agent: str
    title: str
    why: Wording
