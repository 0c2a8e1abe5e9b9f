"""Notices an agent by its work: a session of which no hook was ever heard uses tools, by what it writes down itself.

Theory: there are more ways to keep an agent's hooks from running than a look at its settings can know (a value that
the agent refuses, an option, a variable, a program exchanged). All of them end in the same: its record of the session
grows (`session_records.py`), and Pulse hears nothing. So that is looked at, and said only where it is sure: the session
began after its agent was connected, and what it used it used a while ago.
"""

import time
from collections.abc import Callable, Mapping
from pathlib import Path

from hub.domain.cut_off import CutOffAgent
from hub.domain.lookalikes import reveal
from hub.domain.provenance import say
from hub.io.agents.heard_sessions import HEARD, HeardSessions
from hub.io.agents.hooks.connections import BY_HOOKS, AgentConnection
from hub.io.agents.hooks.session_records import LOOKS, Times, UsedTool

GROWN_WITHIN_S = 300.0
SETTLED_S = 10.0
"""A hook may take as long to be heard, and so long after it was connected an agent may not have read its settings."""
FOLDER_CHARS_MAX = 200


class UnaskedWork:
    """Remembers the session of each agent that was found until it is heard, or the agent is connected again."""

    def __init__(self, heard: HeardSessions = HEARD, *, now_s: Callable[[], float] = time.time) -> None:
        self._heard, self._now_s = heard, now_s
        self._found: dict[str, UsedTool] = {}

    def look(
        self, settings: Callable[[AgentConnection], Path], since_s: Mapping[str, float]
    ) -> tuple[CutOffAgent, ...]:
        """Return the agents that work unasked; it reads files, so call it in a thread.

        `settings` says where an agent's are, and `since_s` since when each connected agent is known to be.
        """
        found = ((one, self._in(one, settings(one), since_s)) for one in BY_HOOKS if one.agent in LOOKS)
        return tuple(_told(which, used) for which, used in found if used is not None)

    def _in(self, which: AgentConnection, settings: Path, since_s: Mapping[str, float]) -> UsedTool | None:
        known, connected_s = self._found.pop(which.agent, None), since_s.get(which.agent)
        if connected_s is None:
            return None
        now_s, after_s = self._now_s(), connected_s + SETTLED_S
        if known is None or known.began_s < after_s or self._heard.is_heard(which.agent, known.session):
            times = Times(after_s=after_s, grown_s=now_s - GROWN_WITHIN_S, used_s=now_s - SETTLED_S)
            used = LOOKS[which.agent](settings, times, lambda name: self._heard.is_heard(which.agent, name))
            known = next((one for one in used if not self._heard.is_ours(one.folder)), None)
        if known is not None:
            self._found[which.agent] = known
        return known


def _told(which: AgentConnection, found: UsedTool) -> CutOffAgent:
    why = say(
        "A session of it works in {folder} without asking Pulse. To connect it again: {command}, then restart it.",
        folder=reveal(found.folder[:FOLDER_CHARS_MAX]),
        command=which.command,
    )
    return CutOffAgent(agent=which.agent, title=which.title, why=why)
