"""Which files decide what a command runs: its table, its readers, and the look that follows them."""

from hub.io.agents.deciding.follow import held

__all__ = ["held"]
