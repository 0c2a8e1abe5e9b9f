"""Whether a suggestion is worth an interruption now, and if not, when and how it is told.

Theory: each way of telling has an expected cost, in the person's own measure, and the cheapest is taken; of equals the
one that disturbs less. With p the chance of a yes, N what a needless interruption costs and M what a missed help costs:

    loud         N k s (1 - p + d p)
    quiet        N g (1 - p)         + p M lost(until they look), at once where something was heard a moment ago
    breakpoint   N b s (1 - p + d p) + p M lost(until the breakpoint)
    digest       N i (1 - p)         + p M lost(until the digest)
    never                              p M

k is what they are doing (chosen, after a field study in which 52 % took up what came at a task's boundary and 62 %
dismissed it in mid-task), b the breakpoint's own, d what even a wanted interruption disturbs, g a glance, i a line
among others, and s the price of attention, which rises as the day's budget is spent; once that is spent, nothing of
this is heard any more. lost(t) is the share of a help that is gone after t: half of it after a time that shrinks from
hours to minutes with its urgency, all of it once the matter is over. Where d, b, g and i vanish and nothing may wait,
this is the rule from costs alone: interrupt if p > N / (N + M).

Pure, and it opens nothing: whatever comes out, the rails decide what runs.
"""

from typing import Final

from hub.domain.attention import COST, Attention, Circumstances, Doing, Matter, Telling, Weighed
from hub.domain.provenance import Wording, say

AT: Final[dict[Doing, float]] = {
    "typing": 2.0,
    "working": 1.5,
    "meeting": 3.0,
    "between": 0.5,
    "away": 1.0,
    "here": 1.0,
}
BREAKPOINT = AT["between"]
WANTED = 0.2
"""Even an interruption that is welcome breaks off what was in hand."""
GLANCE = 0.1
AMONG_OTHERS = 0.05
LOOKED_AFTER_S = 3_600.0
"""What comes silently is seen within the hour."""
LOOKING_S = 60.0
"""Whoever was told of something a moment ago is looking: what comes beside it needs no second sound."""
HALF_LOST_S: Final = (57_600.0, 600.0)
"""After so long half of a help is lost: what is not urgent at all, and what could not be more so."""
BUSY: Final[frozenset[Doing]] = frozenset({"typing", "meeting"})
ORDER: Final[tuple[Telling, ...]] = ("never", "digest", "breakpoint", "quiet", "loud")
"""Of equals the one that disturbs less."""
COLD_P = 1.0
"""Where nothing is known of a person's answers, what was found is taken to be worth it."""
DECIMALS = 3


def how_to_tell(matter: Matter, now: Circumstances, attention: Attention) -> Weighed:
    """Say how a matter that nobody asked for and nobody waits for is told."""
    costs = _costs(matter, now, attention)
    if now.quiet:
        telling: Telling = "breakpoint" if _outlasts(matter, now) else "quiet"
    else:
        possible = _possible(matter, now, attention) & costs.keys()
        telling = min((each for each in ORDER if each in possible), key=costs.__getitem__)
    why = _why(telling, matter, now, attention)
    return Weighed(
        telling=telling,
        why=why.text,
        why_worded=why.wording,
        costs={way: round(cost, DECIMALS) for way, cost in costs.items()},
        matter=matter,
        circumstances=now,
        attention=attention,
    )


def lost(wait_s: float, matter: Matter) -> float:
    """Return the share of a help, 0 to 1, that is gone after waiting so long."""
    if wait_s >= matter.left_s:
        return 1.0
    slow, fast = HALF_LOST_S
    half_s: float = slow * (fast / slow) ** min(max(matter.urgency, 0.0), 1.0)
    left: float = 0.5 ** (max(wait_s, 0.0) / half_s)
    return 1.0 - left


def _costs(matter: Matter, now: Circumstances, attention: Attention) -> dict[Telling, float]:
    p = COLD_P if matter.p is None else matter.p
    needless, missed = COST[attention.needless_interruption], p * COST[attention.missed_help]
    looked_after_s = LOOKING_S if now.just_told else LOOKED_AFTER_S
    heard = needless * _price(now, attention) * (1.0 - p + WANTED * p)
    costs: dict[Telling, float] = {
        "loud": heard * AT[now.doing],
        "quiet": needless * GLANCE * (1.0 - p) + missed * lost(looked_after_s, matter),
        "never": missed,
    }
    if now.breakpoint_in_s is not None:
        costs["breakpoint"] = heard * BREAKPOINT + missed * lost(now.breakpoint_in_s, matter)
    if now.digest_in_s is not None:
        costs["digest"] = needless * AMONG_OTHERS * (1.0 - p) + missed * lost(now.digest_in_s, matter)
    return costs


def _price(now: Circumstances, attention: Attention) -> float:
    """Return how dear attention is by now: twice as dear at the end of the day's budget as at its beginning."""
    return 1.0 + now.spent / max(attention.interruptions_per_day, 1)


def _possible(matter: Matter, now: Circumstances, attention: Attention) -> frozenset[Telling]:
    if _is_spent(now, attention):
        return frozenset({"quiet"} if matter.p is None else {"quiet", "digest", "never"})
    if matter.p is None:
        return frozenset({"loud", "breakpoint"} if now.doing in BUSY else {"loud"})
    return frozenset(ORDER)


def _is_spent(now: Circumstances, attention: Attention) -> bool:
    return now.spent >= attention.interruptions_per_day


def _outlasts(matter: Matter, now: Circumstances) -> bool:
    """Return True if the matter is still open when quiet hours end, which is the next good moment."""
    return now.breakpoint_in_s is not None and now.breakpoint_in_s < matter.left_s


def _why(telling: Telling, matter: Matter, now: Circumstances, attention: Attention) -> Wording:
    if now.quiet and telling == "breakpoint":
        return say("Quiet hours or do not disturb: you are notified when they end.")
    if now.quiet:
        return say("Quiet hours or do not disturb: it comes silently.")
    match telling:
        case "loud" if matter.p is None:
            return say("Pulse does not know your preferences yet, so it shows you what it finds.")
        case "loud":
            return say("This is a good moment.") if now.doing == "between" else say("It is worth interrupting you.")
        case "quiet":
            return _why_quiet(now, attention)
        case "breakpoint":
            return say("{busy}: it waits for a good moment.", busy=_BUSY_WITH.get(now.doing, say("It can wait")))
        case "digest":
            return say("It can wait for the next digest.")
        case "never":
            return say("It is not worth interrupting you: it is there if you look.")


def _why_quiet(now: Circumstances, attention: Attention) -> Wording:
    if _is_spent(now, attention):
        return say(
            "Today's interruptions ({number}) are used up: it comes silently.", number=attention.interruptions_per_day
        )
    if now.just_told:
        return say("You were notified a moment ago, so this comes without another sound.")
    return say("It is worth a look, but not a sound.")


_BUSY_WITH: Final[dict[Doing, Wording]] = {
    "typing": say("You are typing"),
    "working": say("You are at work"),
    "meeting": say("You are in a meeting"),
    "away": say("You are away"),
}
