"""What follows from one line of an agent's: to be said to it, shown to the person, asked of them, or the end."""

from typing import Literal

from hub.contract.base import Value
from hub.io.agents.hooks.step import ToolInput

RequestId = int | str


class ToAgent(Value):
    """Say this to the agent."""

    data: bytes


class AgentSpoke(Value):
    """The agent's own words, as they come; they may end anywhere."""

    text: str


class AgentDid(Value):
    """One line about what the agent does."""

    line: str


class WantsLeave(Value):
    """It asks leave for one use of a tool, and waits. `options` are the answers that it takes."""

    id: RequestId
    call: ToolInput
    options: tuple[ToolInput, ...]


class WantsAnswers(Value):
    """It asks its person to fill in a form, and waits."""

    id: RequestId
    form: ToolInput


class SessionOver(Value):
    """Nothing more comes of this talk; it ended as a run does."""

    ended: Literal["exited", "stopped", "failed-to-start", "lost"]
    exit_code: int | None = None
    detail: str = ""


Move = ToAgent | AgentSpoke | AgentDid | WantsLeave | WantsAnswers | SessionOver
