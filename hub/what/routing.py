"""Which channel: the four rules of CROSSPOLL 2.4, in order, as a table.

All but the first look only at channels that can do the work at all: a playbook agent can do nothing but playbooks.
The model (or the person) names a channel; if that one cannot do the work, nobody does. An affinity is where work
belongs: where no channel of it can do it, the rules after it find one that can.
"""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Literal

from msgspec.structs import replace

from hub.contract.base import Value
from hub.domain.mind import Mind
from hub.domain.policy import Channel, Policy
from hub.domain.situation import Situation
from hub.domain.suggestion import Candidate, Work
from hub.what.day import Part, part_of_day

RoutedBy = Literal["twin", "affinity", "round-robin", "time-of-day", "person"]
LONG_AGO = datetime.min.replace(tzinfo=UTC)
DRAW_MAX = 1.0 - 2**-53

WEIGHTS: dict[str, dict[Part, float]] = {
    "code": {"morning": 2, "afternoon": 4, "evening": 1, "night": 1},
    "docs": {"morning": 2, "afternoon": 1, "evening": 4, "night": 1},
    "creative": {"morning": 1, "afternoon": 2, "evening": 2, "night": 2},
    "research": {"morning": 3, "afternoon": 2, "evening": 1, "night": 1},
    "memory": {"morning": 1, "afternoon": 1, "evening": 3, "night": 3},
}
"""How much a kind of work belongs to a time of the day (rule 4)."""
OTHER_WEIGHT = 1.0


class RoutingInput(Value):
    """One routing: what is to be done, what the model or the person wished, and a number in [0, 1) for rule 4."""

    situation: Situation
    policy: Policy
    mind: Mind
    candidate: Candidate
    twin: str | None = None
    person: str | None = None
    draw: float = 0.5


class Route(Value):
    """The channel, and by which rule; `is_ours` says that the rules alone, without the model, lead there as well."""

    channel: Channel
    by: RoutedBy
    is_ours: bool = True


def route(question: RoutingInput) -> Route | None:
    """Return where the work goes, or None when no registered channel could do it. A person's wish goes before all."""
    for name, rule in RULES:
        channel = rule(question)
        if channel is None:
            continue
        if not can_do(question.policy, channel, question.candidate.work):
            return None
        return Route(channel=channel, by=name, is_ours=name != "twin" or channel == _unasked(question))
    return None


def _unasked(question: RoutingInput) -> Channel | None:
    """Return where the work would go if no model had named a channel."""
    own = route(replace(question, twin=None))
    return own.channel if own else None


def can_do(policy: Policy, channel: Channel, work: Work) -> bool:
    """Return True if the work could be done there: a playbook anywhere, all else by an agent that follows a prompt."""
    agent = policy.agent(channel.agent)
    return work.playbook is not None or (agent is not None and agent.kind != "playbook")


def doable(policy: Policy, ideas: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Return the ideas that some channel could take."""
    return tuple(idea for idea in ideas if any(can_do(policy, one, idea.work) for one in policy.open_channels))


def suits(policy: Policy, channel: Channel, candidate: Candidate) -> bool:
    """Return True if an idea may go to a channel that a person asked about: it is its affinity's, or nobody's."""
    belongs = _with_affinity(policy, candidate.affinity)
    return not belongs or channel in belongs


def _by_person(question: RoutingInput) -> Channel | None:
    return question.policy.channel(question.person) if question.person else None


def _by_twin(question: RoutingInput) -> Channel | None:
    return question.policy.channel(question.twin) if question.twin else None


def _by_affinity(question: RoutingInput) -> Channel | None:
    channels = _with_affinity(question.policy, question.candidate.affinity)
    return next((one for one in channels if can_do(question.policy, one, question.candidate.work)), None)


def _by_round_robin(question: RoutingInput) -> Channel | None:
    recent = question.situation.at - timedelta(seconds=question.policy.timing.cycle_s)
    last = {channel.name: question.mind.channel_last_at.get(channel.name, LONG_AGO) for channel in _able(question)}
    rested = [channel for channel in _able(question) if last[channel.name] <= recent]
    return min(rested, key=lambda channel: last[channel.name], default=None)


def _by_time_of_day(question: RoutingInput) -> Channel | None:
    channels = _able(question)
    part = part_of_day(question.situation.local)
    weights = [_weight(channel, part) for channel in channels]
    mark = min(max(question.draw, 0.0), DRAW_MAX) * sum(weights)
    for channel, weight in zip(channels, weights, strict=True):
        if mark < weight:
            return channel
        mark -= weight
    return channels[-1] if channels else None


RULES: tuple[tuple[RoutedBy, Callable[[RoutingInput], Channel | None]], ...] = (
    ("person", _by_person),
    ("twin", _by_twin),
    ("affinity", _by_affinity),
    ("round-robin", _by_round_robin),
    ("time-of-day", _by_time_of_day),
)


def _with_affinity(policy: Policy, affinity: str | None) -> tuple[Channel, ...]:
    """Return the channels where work of an affinity belongs, the one of that name first."""
    if affinity is None:
        return ()
    belongs = [one for one in policy.open_channels if affinity in one.affinities and one.name != affinity]
    named = policy.channel(affinity)
    return tuple(belongs) if named is None else (named, *belongs)


def _able(question: RoutingInput) -> tuple[Channel, ...]:
    policy, work = question.policy, question.candidate.work
    return tuple(channel for channel in policy.open_channels if can_do(policy, channel, work))


def _weight(channel: Channel, part: Part) -> float:
    return max((WEIGHTS[word][part] for word in channel.affinities if word in WEIGHTS), default=OTHER_WEIGHT)
