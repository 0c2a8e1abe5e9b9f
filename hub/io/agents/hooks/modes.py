"""In which mode of its own each agent works, as its hooks said last: in memory, for the list of what runs alone."""

from collections import OrderedDict
from datetime import datetime, timedelta

from hub.domain.agent_mode import AgentMode
from hub.io.agents.hooks.step import TEST_SESSION, At, HookStep

SESSIONS_MAX = 64
"""Sessions that are remembered; the one that was silent longest is forgotten first."""
OWN_MAX = 16
"""Of these so many of one agent's, so that it cannot push out what others said."""
SHOWN_FOR = timedelta(hours=12)
MODE_CHARS_MAX = 40


class HeardModes:
    """The latest mode of each session."""

    def __init__(self) -> None:
        self._heard: OrderedDict[tuple[str, str, str], tuple[AgentMode, datetime]] = OrderedDict()

    def heard(self, whose: str, agent: str, step: HookStep, now: datetime) -> None:
        """Keep what a hook said, under the agent's title; a session that has ended is forgotten, and a test is none.

        `whose` says whose word it is, by process or token, so that nobody speaks for another agent's session.
        """
        key = (whose, agent, step.session)
        before, _ = self._heard.pop(key, (None, now))
        if step.at is At.END or step.session == TEST_SESSION:
            return
        mode = step.mode[:MODE_CHARS_MAX] or (before.mode if before else "")
        self._heard[key] = (AgentMode(agent=agent, folder=step.folder, mode=mode), now)
        own = [one for one in self._heard if one[0] == whose]
        if len(own) > OWN_MAX:
            del self._heard[own[0]]
        while len(self._heard) > SESSIONS_MAX:
            self._heard.popitem(last=False)

    def latest(self, now: datetime) -> tuple[AgentMode, ...]:
        """Return each agent, folder and mode of late once, the latest first."""
        late = (mode for mode, at in reversed(self._heard.values()) if abs(now - at) < SHOWN_FOR)
        return tuple(dict.fromkeys(late))


MODES = HeardModes()
"""One for the process."""
