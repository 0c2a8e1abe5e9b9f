"""Who could mend work that failed, and what a person may therefore say to it."""

from hub.contract.words import AFTER_FAILURE, Status, Verb
from hub.domain.policy import Channel, Policy
from hub.domain.suggestion import Card


def fixer_of(policy: Policy, card: Card) -> Channel | None:
    """Return the channel whose agent could mend it: one that follows a prompt; the card's own, then one for code."""
    able = [one for one in policy.open_channels if (agent := policy.agent(one.agent)) and agent.kind != "playbook"]
    return min(able, key=lambda one: (one.name != card.proposal.channel, "code" not in one.affinities), default=None)


def is_ignored(card: Card) -> bool:
    """Say whether a person has put this card's failure aside."""
    return card.settled is not None and card.settled.verb is Verb.IGNORE


def offers_of(policy: Policy, card: Card) -> tuple[Verb, ...]:
    """Return what a person may say to a card that failed, was not ignored and works no better by now."""
    if card.status is not Status.FAILED or is_ignored(card) or card.mended_at is not None or card.works_for:
        return ()  # a try at a session is followed by the session itself
    return tuple(verb for verb in AFTER_FAILURE if verb is not Verb.FIX or fixer_of(policy, card) is not None)
