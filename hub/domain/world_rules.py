"""What the settings say of the world log."""

from hub.contract.base import Value
from hub.contract.world import SOURCES


class WorldRules(Value):
    """Whether there is a log, where events may come from beside the usual sources, and who judges what is done.

    Attributes:
        tries_max: how often a session is tried before a person is asked.
        context_s: how far back a model is told what stands in the log, in seconds.
        checker: the one model that judges where nothing can be proven; empty for each of them in turn.
        start_wait_s and its kin: how long a session may be where it is before somebody is told; `answered_wait_s` is
            for one that failed and was answered. A session may have a wait of its own for its work.
    """

    enabled: bool = True
    sources: tuple[str, ...] = ()
    tries_max: int = 3
    context_s: float = 4 * 3_600.0
    checker: str = ""
    start_wait_s: float = 3_600.0
    active_wait_s: float = 7_200.0
    retry_wait_s: float = 3_600.0
    finish_wait_s: float = 3_600.0
    failed_wait_s: float = 86_400.0
    answered_wait_s: float = 3_600.0

    @property
    def known_sources(self) -> frozenset[str]:
        """All sources that an event may name over the wire."""
        return SOURCES | frozenset(self.sources)
