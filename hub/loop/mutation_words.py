"""A change of the drives in words: what a card asks, and what was done."""

from hub.domain.canonical import visible
from hub.domain.mutations import Mutation

WHAT: dict[str, str] = {
    "adjust_weight": "let {drive} weigh {value:g}",
    "adjust_threshold": "wake at a pressure of {value:g}",
    "adjust_rate": "let pressure grow by {value:g} a minute",
    "adjust_cooldown": "rest {value:g} s between wakes",
    "adjust_turns_per_hour": "wake up to {value:g} times an hour",
    "add_drive": "add the drive {drive} with weight {value:g}",
    "remove_drive": "remove the drive {drive}",
    "spike_drive": "raise the pressure of {drive} by {value:g}",
    "decay_drive": "lower the pressure of {drive} by {value:g}",
}


def in_words(mutation: Mutation) -> str:
    """Say what a mutation does, as it goes on after “may” or “did”."""
    return WHAT[mutation.kind].format(drive=visible(mutation.drive), value=mutation.value or 0.0)


def as_question(mutation: Mutation, by: str) -> str:
    """Ask whether it may be done."""
    return f"Let {visible(by)} change what wakes Pulse: {in_words(mutation)}?"


def as_outcome(mutation: Mutation) -> str:
    """Say that it was done."""
    return f"Done: {in_words(mutation)}."
