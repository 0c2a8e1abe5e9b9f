"""An agent that was connected and no longer asks, though nobody disconnected it."""

from hub.contract.base import Value
from hub.domain.provenance import Wording


class CutOffAgent(Value):
    """Which agent it is, what a person calls it, and why it does not ask, with what repairs that."""

    agent: str
    title: str
    why: Wording
