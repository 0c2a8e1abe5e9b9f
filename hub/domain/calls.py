"""One use of a tool, for which an agent that Pulse runs asks leave, and what the rails say to it."""

from typing import Literal

from hub.contract.base import Value
from hub.contract.effects import Effect
from hub.contract.permission import Act, CallField


class LedTo(Value):
    """A file that a call names and would read, or `written`, and where links lead it: both as full paths."""

    path: str
    real: str
    written: bool = False


class AgentCall(Value):
    """What would be done. `places` are the files and folders it would touch, as full paths with links followed.

    `folder` is where it would be done, `workspace` where the agent works. `tools` are the names that the session's
    lists have for such a tool, none where they have no name for it. `told_whole`: the person can be shown all of it.
    `says_more`: beside its text stands what changes how it runs, or what nobody knows.
    `has_rules`: the agent has rules and a dialog of its own, which decide where Pulse says nothing. `asks_nobody`: in
    its mode those ask nobody. `own_effects`: what a tool of the agent's own is known to do. `led_to`: which of its
    files are reached by links, and where those lead. `brought`: which files that agents or git read as they start a
    command of git brings, and how it does.
    """

    act: Act
    tool: str
    text: str = ""
    places: tuple[str, ...] = ()
    folder: str = ""
    workspace: str = ""
    tools: tuple[str, ...] = ()
    told_whole: bool = True
    says_more: bool = False
    has_rules: bool = False
    asks_nobody: bool = False
    own_effects: tuple[Effect, ...] = ()
    led_to: tuple[LedTo, ...] = ()
    brought: tuple[CallField, ...] = ()


class CallRuling(Value):
    """`let`: the yes to the run covers it; `ask`: it needs one of its own; `refuse`: no yes allows it, and `why`."""

    says: Literal["let", "ask", "refuse"]
    why: str = ""
