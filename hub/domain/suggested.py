"""What agents suggest, as the situation holds it."""

from datetime import datetime

from hub.contract.base import Value
from hub.domain.provenance import AgentText


class Suggested(Value):
    """An idea that an agent handed in; `id` follows from who it was and what they call it."""

    id: str
    agent: AgentText
    prompt: AgentText
    why: AgentText
    at: datetime


class SuggestedReading(Value, tag="suggested"):
    """What agents suggest today, the latest last."""

    suggested: tuple[Suggested, ...] = ()
