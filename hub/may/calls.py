"""What an agent may do within a run that was permitted: the yes to the run covers what is harmless, and no more.

It is said by Pulse's own reading of what would be done, never by the agent's name for it. Whatever is not surely
harmless, and in the run's own folder, waits for a yes of its own.
"""

from hub.domain.calls import AgentCall, CallRuling
from hub.domain.policy import Bounds
from hub.may.unasked import unasked


def judge_call(call: AgentCall, bounds: Bounds, *, asks_all: bool) -> CallRuling:
    """Say what becomes of one use of a tool.

    Args:
        call: what would be done.
        bounds: the session's, with the tools that it may use.
        asks_all: the person wants to be asked about everything.
    """
    forbidden = _forbidden(call, bounds)
    if forbidden:
        return CallRuling(says="refuse", why=forbidden)
    return CallRuling(says="ask" if asks_all or unasked(call) is None else "let")


def _forbidden(call: AgentCall, bounds: Bounds) -> str:
    blocked = next((name for name in (call.tool, *call.tools) if name in bounds.blocked_tools), "")
    if blocked:
        return f"The tool {blocked} is blocked: `session.blocked_tools` in the settings file."
    if call.tools and not set(call.tools) & set(bounds.allowed_tools):
        return f"The tool {call.tools[0]} is not allowed: see `session.allowed_tools` in the settings file."
    return ""
