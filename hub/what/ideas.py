"""All ideas of the moment: what each signal saw, rated by time of day and by the person's past answers."""

from collections.abc import Collection, Iterator, Mapping

from msgspec.structs import replace

from hub.contract.words import Origin
from hub.domain.mind import Mind
from hub.domain.situation import Situation
from hub.domain.suggestion import Candidate, Offer
from hub.what.appetite import in_view_of, liking
from hub.what.day import fit
from hub.what.matching import same_idea
from hub.what.scoring import pattern, score, unit
from hub.what.signals import ALL, Signal, foreseen, suggested
from hub.what.standing import open_key

OFFERS_MAX = 20
OTHERS: Mapping[str, Signal] = {one.KIND: one for one in (foreseen, suggested)}
"""What tells of others' ideas, by kind: a predictor's, an agent's."""


def ideas(situation: Situation, mind: Mind) -> tuple[Candidate, ...]:
    """Return every idea that a signal of the situation gives, best first; the same input gives the same order.

    Nothing is made up: with nothing going on there are no ideas. Templates (`last_resort`) come last. Of the mind only
    past answers (`tallies`) and what is wanted less of, or not at all (`mutes`), count.
    """
    found = [rate(idea, signal, situation, mind) for signal, idea in _seen(situation)]
    return tuple(sorted(found, key=lambda idea: (idea.last_resort, -score(idea), idea.reason_key)))


def _seen(situation: Situation) -> Iterator[tuple[Signal, Candidate]]:
    """Yield what each signal saw; what others only foresaw or suggested is left to a signal that saw it as well."""
    seen = [(signal, idea) for signal in ALL if signal.KIND not in OTHERS for idea in signal.look(situation)]
    yield from seen
    ours = tuple(idea for _, idea in seen)
    for others in OTHERS.values():
        for idea in others.look(situation):
            if same_idea(idea.prompt.text, ours, situation) is None:
                yield others, idea


def joined(found: tuple[Candidate, ...], situation: Situation, open_keys: Collection[str]) -> tuple[Candidate, ...]:
    """Return what others suggest or foresee that an open card says already, of all ideas (`found`) of a situation.

    It is said with that card: it is not to come again once that one is answered.
    """
    ours = tuple(idea for idea in found if idea.kind not in OTHERS)
    brought = (idea for others in OTHERS.values() for idea in others.look(situation))
    return tuple(idea for idea in brought if open_key(same_idea(idea.prompt.text, ours, situation) or idea, open_keys))


def offers(found: tuple[Candidate, ...], mind: Mind) -> tuple[Offer, ...]:
    """Return the best of all ideas (`ideas`) as a model is told them, so that it can choose one by its key."""
    best = tuple(idea for idea in found if is_welcome(idea, mind))[:OFFERS_MAX]
    return tuple(Offer(key=idea.reason_key, prompt=idea.prompt.text, reasoning=idea.reasoning.text) for idea in best)


def is_welcome(idea: Candidate, mind: Mind) -> bool:
    """Say whether an idea may come unasked: a weak one needs an earlier yes to its kind."""
    tally = mind.tallies.get(idea.kind)
    is_liked = tally is not None and tally.approved > tally.rejected
    return idea.comes == "unasked" or (idea.comes == "once liked" and is_liked)


def rate(idea: Candidate, signal: Signal, situation: Situation, mind: Mind) -> Candidate:
    """Rate what a signal saw; an idea whose prompt or arguments quote the world is the world's.

    One of `OTHERS` is the world's as a whole: the person reads it as what would run, and nothing else lets it.
    """
    quotes = idea.prompt.quotes.union(*(each.quotes for each in idea.args))
    return replace(
        idea,
        reasoning=in_view_of(mind, idea),
        urgency=unit(idea.urgency),
        time_relevance=fit(signal.FITS, situation.local),
        pattern=pattern(mind.tallies.get(idea.kind)) * liking(mind, idea),
        origin=Origin.WORLD if quotes else Origin.PULSE,
        drive=idea.drive or signal.DRIVE,
        sensor=signal.SENSOR,
    )
