"""All ideas of the moment: each signal's sightings, rated by time of day and by the person's past answers."""

from hub.contract.words import Origin
from hub.domain.mind import Mind
from hub.domain.provenance import as_data
from hub.domain.situation import Situation
from hub.domain.suggestion import Candidate, Need, Offer
from hub.what.day import fit
from hub.what.scoring import pattern, score, unit
from hub.what.sighting import Sighting
from hub.what.signals import ALL, Signal

OFFERS_MAX = 20


def ideas(situation: Situation, mind: Mind) -> tuple[Candidate, ...]:
    """Return every idea that a signal of the situation gives, best first; the same input gives the same order.

    Nothing is made up: with nothing going on there are no ideas. Templates (`last_resort`) come last.
    """
    found = [rate(sighting, signal, situation, mind) for signal in ALL for sighting in signal.look(situation)]
    return tuple(sorted(found, key=lambda idea: (idea.last_resort, -score(idea), idea.reason_key)))


def offers(situation: Situation, mind: Mind) -> tuple[Offer, ...]:
    """Return the best ideas as a model is told them, so that it can choose one by its key."""
    best = ideas(situation, mind)[:OFFERS_MAX]
    return tuple(Offer(key=idea.reason_key, prompt=idea.prompt.text, reasoning=idea.reasoning.text) for idea in best)


def rate(sighting: Sighting, signal: Signal, situation: Situation, mind: Mind) -> Candidate:
    """Turn a sighting into a candidate; one whose prompt or arguments quote the world is the world's."""
    quotes = sighting.prompt.quotes.union(*(each.quotes for each in sighting.args))
    return Candidate(
        reason_key=sighting.reason_key,
        signature=sighting.signature,
        prompt=as_data(sighting.prompt),
        reasoning=sighting.reasoning,
        kind=sighting.kind,
        affinity=sighting.affinity,
        urgency=unit(sighting.urgency),
        time_relevance=fit(signal.FITS, situation.local),
        pattern=pattern(mind.tallies.get(sighting.kind)),
        need=Need(text=sighting.need),
        work=sighting.work,
        args=sighting.args,
        risk=sighting.risk,
        last_resort=sighting.last_resort,
        origin=Origin.WORLD if quotes else Origin.PULSE,
    )
