"""Open cards judged again: what a look only proposed may run alone in a later cycle, if every rail permits it then.

Theory: a look after a run, a change or a start makes cards and never acts, and its card keeps its matter from being
suggested again. So the half-hourly cycle, where it may act, first looks at what is open. What it would run is made anew
from the present situation, with present odds; where that is the same work for the same state in the same words, and the
same would run for it (the card's hash covers the last two), it is the card that may run. Left to the person is whatever
they have touched (snoozed, answered, taken back), asked for or must confirm, and whatever came back from a run. An
answer that arrives meanwhile wins: the card is read again before it is moved, and moved by compare-and-set.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from hub.contract.words import Status
from hub.domain.canonical import card_hash
from hub.domain.episode import Proposed
from hub.domain.judgement import Permit, RunRequest
from hub.domain.moment import Occasion
from hub.domain.plan import AnyPlan, Plan
from hub.domain.situation import Situation
from hub.domain.suggestion import Card, Guess
from hub.loop.basis import NotedEstimates, basis_of
from hub.loop.draft import Draft
from hub.loop.grants import asked_as_it_stands
from hub.loop.likelihood import likely
from hub.loop.run_request import branch_of
from hub.loop.state import Cycle
from hub.may import RailInput, can_stand, chain_of, judge, unasked
from hub.what import propose

TRIED_MAX = 8
"""Open cards that one cycle looks at anew, those that expire first before others."""


def could_run(
    draft: Draft, cycle: Cycle, situation: Situation, guesses: tuple[Guess, ...]
) -> tuple[Card, Proposed] | None:
    """Return an open card that would run alone now if what runs for it is unchanged, with what it is made of anew."""
    if cycle.occasion is not Occasion.CRON or not cycle.may_act:
        return None
    for card in _eligible(draft):
        choice = _anew(draft, cycle, situation, card, guesses)
        if choice is not None and _is_permitted(draft, cycle, situation, card, choice):
            return card, choice
    return None


def as_it_is_now(draft: Draft, cycle: Cycle, choice: Proposed, plan: AnyPlan) -> Card | None:
    """Return the card of a cycle as it would run now; None where it, or what would run, is no longer what it was."""
    card = next((one for one in _eligible(draft) if one.id == cycle.again), None)
    made = choice.proposal
    if card is None or plan != card.plan:
        return None
    now = card_hash(made.prompt, made.channel, made.work, made.need, plan)
    return replace(card, proposal=made, when_told=None) if now == card.card_hash else None


def asked_again(draft: Draft, cycle: Cycle, situation: Situation, card: Card) -> RunRequest:
    """Return what the rails are asked about an open card: as for a fresh one, with the chain that it came from."""
    return replace(
        asked_as_it_stands(draft, card),
        may_act=cycle.may_act,
        from_channel=chain_of(draft.mind.ledger, card.id),
        branch=branch_of(situation, card.proposal.work.workspace),
    )


def _eligible(draft: Draft) -> Iterator[Card]:
    open_cards = sorted(draft.facts.open_cards, key=lambda card: (card.expires_at, card.id))
    found = (card for card in open_cards if _is_untouched(draft, card) and _is_let_alone(draft, card))
    return (card for card, _ in zip(found, range(TRIED_MAX), strict=False))


def _is_let_alone(draft: Draft, card: Card) -> bool:
    question = RailInput(
        proposal=card.proposal,
        policy=draft.state.policy,
        ledger=draft.mind.ledger,
        now=draft.now,
        asked=asked_as_it_stands(draft, card),
    )
    found = unasked(question)
    return found is not None and found.by == "standing"


def _is_untouched(draft: Draft, card: Card) -> bool:
    """Say whether nobody but Pulse has had to do with a card, from its words to this moment."""
    return (
        card.status is Status.PENDING
        and card.expires_at > draft.now
        and card.trigger == "cron"
        and card.offer is None
        and card.prompt == card.proposal.prompt
        and can_stand(card.proposal, card.plan)
        and isinstance(card.plan, Plan)
        and (card.snoozed_until, card.returned_at, card.settled) == (None, None, None)
        and (card.snoozes, card.round, card.attempts, card.answered) == (0, 0, 0, ())
    )


def _anew(draft: Draft, cycle: Cycle, situation: Situation, card: Card, guesses: tuple[Guess, ...]) -> Proposed | None:
    key, before = card.proposal.reason_key, card.proposal
    noted = NotedEstimates(likely(draft, cycle, situation))
    choice = propose(
        situation,
        draft.state.policy,
        draft.mind,
        known={each: said for each, said in draft.state.known.items() if each != key},
        open_keys=(),
        guesses=guesses,
        only=(key,),
        likely=noted,
        found=draft.ideas(situation),
    )
    if choice is None:
        return None
    made = choice.proposal
    same = (made.kind, made.signature, made.prompt, made.channel, made.agent, made.work, made.need) == (
        before.kind,
        before.signature,  # the words need not say it: more has changed, so it is no more what the person was shown
        before.prompt,
        before.channel,
        before.agent,
        before.work,
        before.need,
    )
    if not same or made.reason_key != key:
        return None
    basis = basis_of(draft, cycle, situation, choice, only=(key,), noted=noted, again=key)
    return replace(choice, guesses=guesses, basis=basis)


def _is_permitted(draft: Draft, cycle: Cycle, situation: Situation, card: Card, choice: Proposed) -> bool:
    state = draft.state
    asked = asked_again(draft, cycle, situation, card)
    judged = judge(choice.proposal, policy=state.policy, ledger=state.mind.ledger, now=draft.now, asked=asked)
    return isinstance(judged.outcome, Permit)
