"""What an agent may do within a run that was permitted: the yes to the run covers what is harmless, and no more.

It is said by Pulse's own reading of what would be done, never by the agent's name for it. Whatever is not surely
harmless, and in the run's own folder, waits for a yes of its own.
"""

import posixpath

from hub.contract.permission import Act
from hub.domain.calls import AgentCall, CallRuling
from hub.domain.policy import Bounds
from hub.screening.acts import read_act
from hub.screening.effects import HARMLESS

_COVERED = frozenset({Act.COMMAND, Act.EDIT, Act.READ})
"""Of these the reading says enough; anything else is asked."""


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
    if asks_all or call.act not in _COVERED or not call.told_whole:
        return CallRuling(says="ask")
    return CallRuling(says="let" if _is_harmless(call) else "ask")


def _forbidden(call: AgentCall, bounds: Bounds) -> str:
    blocked = next((name for name in (call.tool, *call.tools) if name in bounds.blocked_tools), "")
    if blocked:
        return f"The tool {blocked} is blocked: `session.blocked_tools` in the settings."
    if call.tools and not set(call.tools) & set(bounds.allowed_tools):
        return f"The tool {call.tools[0]} may not be used: `session.allowed_tools` in the settings."
    return ""


def _is_harmless(call: AgentCall) -> bool:
    if not call.workspace or not _is_within(call.folder, call.workspace):
        return False
    targets = call.places if call.act is not Act.COMMAND else ("",)
    readings = [read_act(call.act, call.text, target, call.workspace, call.tool) for target in targets]
    harmless = all(one.understood and one.effects and HARMLESS.issuperset(one.effects) for one in readings)
    return bool(readings) and harmless


def _is_within(folder: str, workspace: str) -> bool:
    return f"{posixpath.normpath(folder)}/".startswith(f"{posixpath.normpath(workspace).rstrip('/')}/")
