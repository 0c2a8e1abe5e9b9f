"""Which effects are dangerous, and how sure a reading of them is."""

from enum import StrEnum

from hub.contract.effects import Effect

HARMLESS = frozenset({Effect.READS, Effect.WRITES_IN_WORKSPACE, Effect.RUNS_PROJECT_CODE})
"""What an agent does all day. Every other effect is dangerous: it waits for a person."""


class Certainty(StrEnum):
    """How sure a reading is."""

    CERTAIN = "certain"
    """Every program and option that counts is known."""

    LIKELY = "likely"
    """Judged by what a name or a verb usually means."""

    UNKNOWN = "unknown"
    """Something in it is not known; what is said covers the rest."""
