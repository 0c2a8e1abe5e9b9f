"""The loop detector (CROSSPOLL 3.3): work that leads to work that leads back, too deep, or again and again.

Links are kept in the order in which they were made. A fresh chain (nothing led to it) starts at depth 1 and cannot
loop. Depth counts channels: A, B, C, D is depth 4. A window has passed when exactly its length has gone by.
"""

from datetime import datetime, timedelta

from hub.domain.judgement import ChainLink
from hub.domain.policy import Loops
from hub.domain.provenance import say
from hub.may.moments import age_of
from hub.may.ruling import RailInput, Ruling, length, rule

START = ""
"""Stands for the channel before the first one of a chain."""

REVERSE, DEPTH, DUPLICATE = "loops.reverse", "loops.depth", "loops.duplicate"
LOOPS = frozenset({REVERSE, DEPTH, DUPLICATE})
"""The rules that find a loop."""
_HINT = "If you want it, start it yourself, or wait"


def loops(question: RailInput) -> tuple[Ruling, ...]:
    """Say whether the channel whose result led here and the channel to be used are going round in circles."""
    source = question.asked.from_channel
    if source is None:
        return (rule("pass", "loops.fresh", say("No earlier suggestion led to this one."), numbers={"depth": 1}),)
    target, kept, limits = question.proposal.channel, question.ledger.links, question.policy.loops
    depth = depth_of(kept, source, limits, question.now)
    fired = (
        _reverse(kept, source, target, question),
        _depth(depth, limits),
        _again(kept, source, target, question),
    )
    found = tuple(ruling for ruling in fired if ruling is not None)
    passed = rule("pass", "loops.none", say("No loop: step {depth} of a chain.", depth=depth), numbers={"depth": depth})
    return found or (passed,)


def depth_of(links: tuple[ChainLink, ...], source: str | None, limits: Loops, now: datetime) -> int:
    """Return how many channels a chain has once `source` leads to another.

    The parent is the deepest link into `source` within the loop window, else the latest one that is remembered.
    """
    if source is None:
        return 1
    into = [link for link in links if link.to_channel == source]
    recent = [link.depth for link in into if _within(link, limits.window_s, now)]
    if recent:
        return max(recent) + 1
    return into[-1].depth + 1 if into else 2


def _reverse(links: tuple[ChainLink, ...], source: str, target: str, question: RailInput) -> Ruling | None:
    window_s = question.policy.loops.window_s
    back = [
        link
        for link in links
        if (link.from_channel, link.to_channel) == (target, source) and _within(link, window_s, question.now)
    ]
    if not back:
        return None
    window = length(window_s, rounded="exact")
    return rule(
        "block",
        REVERSE,
        say("This follows from work of the same kind less than {window} ago.", window=window),
        fix=f"{_HINT} {window.text}.",
        numbers={"found": len(back), "window_s": window_s},
    )


def _depth(depth: int, limits: Loops) -> Ruling | None:
    if depth <= limits.depth_max:
        return None
    return rule(
        "block",
        DEPTH,
        say("This would be step {depth} of a chain; at most {most} are allowed.", depth=depth, most=limits.depth_max),
        fix="If you want it, start it yourself.",
        numbers={"depth": depth, "depth_max": limits.depth_max},
    )


def _again(links: tuple[ChainLink, ...], source: str, target: str, question: RailInput) -> Ruling | None:
    limits = question.policy.loops
    times = 1 + sum(
        (link.from_channel, link.to_channel) == (source, target)
        and _within(link, limits.duplicate_window_s, question.now)
        for link in links
    )
    if times <= limits.duplicates_max:
        return None
    window = length(limits.duplicate_window_s, rounded="exact")
    return rule(
        "block",
        DUPLICATE,
        say(
            "Such work led to work of this kind {times} times in the last {window}; at most {most} are allowed.",
            times=times - 1,
            window=window,
            most=limits.duplicates_max,
        ),
        fix=f"{_HINT} {window.text}.",
        numbers={"times": times, "duplicates_max": limits.duplicates_max, "window_s": limits.duplicate_window_s},
    )


def _within(link: ChainLink, window_s: float, now: datetime) -> bool:
    age = age_of(link.at, now)
    return age is not None and age < timedelta(seconds=window_s)
