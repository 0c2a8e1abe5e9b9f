"""How a suggestion came to be told as it was, in words: what each way was thought to cost, and what that rested on."""

from typing import Final

from hub.domain.attention import Doing, Telling, Weighed

WAYS: Final[dict[Telling, str]] = {
    "loud": "now with sound",
    "quiet": "now without sound",
    "breakpoint": "at the next good moment",
    "digest": "in the next digest",
    "never": "not at all",
}
DOING: Final[dict[Doing, str]] = {
    "typing": "typing",
    "working": "at work",
    "meeting": "in a meeting",
    "between": "between two things",
    "away": "away",
    "here": "not busy, as far as Pulse knows",
}


def how_weighed(weighed: Weighed) -> tuple[str, ...]:
    """Return the lines that say what a decision rested on, the cheapest way first."""
    matter, now, said = weighed.matter, weighed.circumstances, weighed.attention
    chance = "not known yet" if matter.p is None else f"{matter.p:.0%}"
    cheapest = sorted(weighed.costs.items(), key=lambda one: one[1])
    costs = ", ".join(f"{WAYS.get(way, way)} {cost:.2f}" for way, cost in cheapest)
    return (
        f"Estimated cost to you (lower is better): {costs}.",
        f"A yes: {chance}; urgency {matter.urgency:.0%}; you were {DOING[now.doing]}.",
        f"You rated a needless interruption as {said.needless_interruption} and missed help as {said.missed_help}.",
        f"Interruptions that day: {now.spent} of {said.interruptions_per_day}.",
    )
