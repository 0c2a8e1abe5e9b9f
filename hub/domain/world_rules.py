"""What the settings say of the world log."""

from hub.contract.base import Value
from hub.contract.world import SOURCES


class WorldRules(Value):
    """Whether there is a log, where events may come from beside the usual sources, and who judges what is done.

    Attributes:
        tries_max: how often a session is tried before a person is asked.
        context_s: how far back a model is told what stands in the log, in seconds.
        checker: the one model that judges where nothing can be proven; empty for each of them in turn.
    """

    enabled: bool = True
    sources: tuple[str, ...] = ()
    tries_max: int = 3
    context_s: float = 4 * 3_600.0
    checker: str = ""

    @property
    def known_sources(self) -> frozenset[str]:
        """All sources that an event may name over the wire."""
        return SOURCES | frozenset(self.sources)
