"""How a suggestion came to be told as it was, in words: what each way was thought to cost, and what that rested on."""

from typing import Final

from hub.contract.attention import Badness
from hub.domain.attention import Doing, Telling, Weighed
from hub.domain.figures import hundredths, percent
from hub.domain.provenance import Wording, say
from hub.io.api.story_words import Sentence, in_a_row, sentence_of

WAYS: Final[dict[Telling, Wording]] = {
    "loud": say("now with sound"),
    "quiet": say("now without sound"),
    "breakpoint": say("at the next good moment"),
    "digest": say("in the next digest"),
    "never": say("not at all"),
}
DOING: Final[dict[Doing, Wording]] = {
    "typing": say("typing"),
    "working": say("at work"),
    "meeting": say("in a meeting"),
    "between": say("between two things"),
    "away": say("away"),
    "here": say("not busy, as far as Pulse knows"),
}
BADNESS: Final[dict[Badness, Wording]] = {"mild": say("mild"), "bad": say("bad"), "awful": say("awful")}


def how_weighed(weighed: Weighed) -> tuple[Sentence, ...]:
    """Return the lines that say what a decision rested on, the cheapest way first."""
    matter, now, said = weighed.matter, weighed.circumstances, weighed.attention
    chance = say("not known yet") if matter.p is None else percent(matter.p)
    cheapest = sorted(weighed.costs.items(), key=lambda one: one[1])
    costs = [say("{way} {cost}", way=WAYS.get(way, way), cost=hundredths(cost)) for way, cost in cheapest]
    lines = (
        say("Estimated cost to you (lower is better): {costs}.", costs=in_a_row(costs)),
        say(
            "A yes: {chance}; urgency {urgency}; you were {doing}.",
            chance=chance,
            urgency=percent(matter.urgency),
            doing=DOING[now.doing],
        ),
        say(
            "Your settings: a needless interruption is {needless}, missed help is {missed}.",
            needless=BADNESS[said.needless_interruption],
            missed=BADNESS[said.missed_help],
        ),
        say("Interruptions that day: {spent} of {budget}.", spent=now.spent, budget=said.interruptions_per_day),
    )
    return tuple(map(sentence_of, lines))
