"""An agent that was connected and no longer asks, though nobody disconnected it."""

from hub.contract.base import Value
from hub.domain.provenance import Wording, say

NOT_DISCONNECTED = say("It was connected to Pulse, and nobody disconnected it with Pulse.")


class CutOffAgent(Value):
    """Which agent it is, what a person calls it, and why it does not ask, with what repairs that."""

    agent: str
    title: str
    why: Wording
