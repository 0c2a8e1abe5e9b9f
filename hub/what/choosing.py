"""The choice: the one idea that is worth a card now, or none (CROSSPOLL 2.3-2.5).

Order: a person's hint; then the best rated of a model's guesses that are new; then the best idea of the signals that is
new and that a registered channel can do. A guess is rated like everything else (`scoring.py`): by the model's own word,
by how likely the person is to say yes, by its urgency and its time; what a model claims of itself is one part of it.
Where the best of them rates too low, that is an answer, too: then there is no card. So is what the person would not
say yes to, unless they ask.
"""

from collections.abc import Collection, Mapping

from msgspec.structs import replace

from hub.contract.base import Value
from hub.contract.words import Origin, Risk, Source
from hub.domain.episode import Proposed
from hub.domain.likelihood import Estimate
from hub.domain.mind import Mind
from hub.domain.policy import Policy
from hub.domain.provenance import own
from hub.domain.situation import Situation
from hub.domain.suggestion import RUN_TESTS, Candidate, Card, Guess, Likely, Proposal
from hub.what.appetite import is_wanted, liking
from hub.what.asked import HINT, TWIN, from_guess, from_hint, is_usable
from hub.what.ideas import OTHERS, ideas, is_welcome
from hub.what.reasons import is_fresh
from hub.what.routing import Route, RoutingInput, route, suits
from hub.what.scoring import confidence, factors, in_view_of_answers, score, worthwhile
from hub.what.sighting import named_folder
from hub.what.standing import hint_open_key, keys_of, open_key
from hub.what.wondering import is_question

RISKS = (Risk.LOW, Risk.MEDIUM, Risk.HIGH)
UNWANTED = "Pulse cannot do this on its own, or its user wants to see less of what programs ask for."
BROUGHT = frozenset({TWIN, *OTHERS})
"""The kinds of ideas that no signal of ours saw: where an open card says the same, they are that card."""

UNTESTED = "Nothing worth suggesting: nothing that changed needs you yet."
"""It is no card: somebody without tests need not be told so each time they save a file."""
UNKNOWN_TESTS = (
    "Nothing worth suggesting: code has changed, but Pulse does not know how to run the tests there. "
    "Add a `test` target to a Makefile, or this to pyproject.toml, under [tool.pulse]: "
    'test = ["./run", "tests"]. See docs/agents.md.'
)
"""Only where tests are known to have been run: without any there is nothing to say."""
NEEDS_AGENT = (
    "For more it needs a coding agent that it can run itself, and a connected one is not enough: "
    "`pulse agent setup` (docs/howto/agent.md)."
)


class ProposalInput(Value):
    """All that a choice is made from."""

    situation: Situation
    policy: Policy
    mind: Mind
    known: Mapping[str, str]
    open_keys: Collection[str]
    channel: str | None
    draw: float
    asked: bool
    only: Collection[str] | None
    likely: Likely | None = None


def propose(  # noqa: PLR0913  everything that a choice rests on is an argument, by name
    situation: Situation,
    policy: Policy,
    mind: Mind,
    *,
    known: Mapping[str, str],
    open_keys: Collection[str],
    guesses: tuple[Guess, ...] = (),
    channel: str | None = None,
    hint: str | None = None,
    by_program: bool = False,
    asked: bool = False,
    draw: float = 0.5,
    only: Collection[str] | None = None,
    likely: Likely | None = None,
    found: tuple[Candidate, ...] | None = None,
) -> Proposed | None:
    """Return the most valuable new proposal, or None when nothing is worth a card.

    Args:
        situation: what is going on.
        policy: channels, agents and bands now in force.
        mind: past answers, what the person wants less of or never, and when each channel was last used.
        known: the latest signature of each reason that was ever suggested.
        open_keys: what the cards that are pending are known by (`keys_open`), snoozed ones included.
        guesses: a model's answers; one without text or with a confidence outside 0 to 1 is ignored.
        channel: the channel that a person asked about; only work that suits it is proposed.
        hint: what a person asked for; it is proposed as it is, unless an open card says it already.
        by_program: a program asked for it, so it is told as others' words, and the person may mute it.
        asked: a person asked for a suggestion, so that weak ones are welcome, too, and nothing rests.
        draw: a number in [0, 1) that decides routing rule 4.
        only: the reasons that may be proposed; None means any. A hint is above it.
        likely: how likely the person is to say yes to an idea on a channel; None where nothing can be said of it.
        found: all ideas of that situation and mind (`ideas`), where they were made before; else they are made here.
    """
    given = ProposalInput(
        situation=situation,
        policy=policy,
        mind=mind,
        known=known,
        open_keys=open_keys,
        channel=channel,
        draw=draw,
        asked=asked,
        only=only,
        likely=None if likely is None else _once(likely),
    )
    found = _by_answers(given, ideas(situation, mind) if found is None else found)
    if hint and hint.strip():
        wish = from_hint(hint, found, situation, mind, by_program=by_program)
        if by_program and not _is_wanted(replace(given, asked=False), wish, None):
            return None
        waits = hint_open_key(hint, wish, found, situation, open_keys=open_keys, channel=channel)
        return None if waits else _card(given, wish, ideas=1)
    return _best(given, found, guesses)


def _once(likely: Likely) -> Likely:
    """Return the same, which estimates each idea on a channel once: it is ordered, rated and told by one figure."""
    made: dict[tuple[str, str, str, str], Estimate] = {}

    def of(idea: Candidate, channel: str) -> Estimate:
        key = (idea.reason_key, idea.prompt.text, idea.reasoning.text, channel)
        if key not in made:
            made[key] = likely(idea, channel)
        return made[key]

    return of


def waiting_for(
    hint: str,
    found: tuple[Candidate, ...],
    situation: Situation,
    mind: Mind,
    *,
    open_cards: Collection[Card],
    channel: str | None,
) -> Card | None:
    """Return the open card that says what a hint asks for already, or None."""
    if not hint.strip():
        return None
    wish = from_hint(hint, found, situation, mind)
    by_key = {key: card for card in reversed(tuple(open_cards)) for key in keys_of(card)}
    return by_key.get(hint_open_key(hint, wish, found, situation, open_keys=by_key, channel=channel))


def why_nothing(hint: str | None, situation: Situation, *, by_program: bool = False) -> str:
    """Return the sentence for who asked when `propose` found nothing, with what to do where that would help."""
    if not hint or not hint.strip():
        untested = [
            one for one in situation.repositories or () if one.changed_modules and RUN_TESTS not in one.playbooks
        ]
        if any(one.last_test_run_at is not None for one in untested):
            return UNKNOWN_TESTS
        if untested:
            return UNTESTED
        return "Nothing worth suggesting: nothing new has happened since the last look."
    if by_program:
        return UNWANTED
    if is_question(hint):
        return (
            "Pulse cannot answer this on its own: it knows what changed, what was committed today, which to-dos "
            f"and branches there are, and whether the tests pass. {NEEDS_AGENT}"
        )
    return (
        "Pulse cannot do this on its own: it can run the tests and similar work. "
        f"{NEEDS_AGENT} Or add it as a task: `pulse tasks add`."
    )


def _best(given: ProposalInput, found: tuple[Candidate, ...], guesses: tuple[Guess, ...]) -> Proposed | None:
    welcome = (idea for idea in found if given.asked or is_welcome(idea, given.mind))
    fresh = tuple(idea for idea in welcome if _is_fresh(given, idea) and worthwhile(idea) and _suits(given, idea))
    guessed = _best_guess(given, found, guesses)
    if guessed is not None:
        guess, meant = guessed
        others = sum(idea.reason_key != meant.reason_key for idea in fresh)
        return _card(given, meant, ideas=others + 1, guess=guess)
    matters = len({idea.reason_key for idea in fresh})
    choices = (_card(given, idea, ideas=matters) for idea in fresh if _is_wanted(given, idea, None))
    return next((choice for choice in choices if choice is not None), None)


def _best_guess(
    given: ProposalInput, found: tuple[Candidate, ...], guesses: tuple[Guess, ...]
) -> tuple[Guess, Candidate] | None:
    """Return the guess that rates highest of those that are new and wanted, and what it means; of equals the first."""
    meant = ((guess, from_guess(guess, found, given.situation, given.mind)) for guess in filter(is_usable, guesses))
    able = [
        (way, guess, idea)
        for guess, idea in meant
        if idea is not None
        and _is_fresh(given, idea)
        and _is_wanted(given, idea, guess)
        and (way := _route(given, idea, guess)) is not None
    ]
    best = max(able, key=lambda one: _proposal(given, one[2], one[0], one[1]).confidence, default=None)
    return None if best is None else best[1:]


def _card(given: ProposalInput, candidate: Candidate, *, ideas: int, guess: Guess | None = None) -> Proposed | None:
    way = _route(given, candidate, guess)
    if way is None:
        return None
    place = named_folder(given.situation, candidate.work.workspace)
    proposal = _proposal(given, candidate, way, guess)
    proposal = replace(proposal, repository=place[0], branch=place[1])
    is_asked_for = given.asked and proposal.is_guessed
    is_shown = is_asked_for or proposal.confidence >= given.policy.bands.show
    return Proposed(proposal=proposal, ideas=ideas, guess=guess) if is_shown else None


def _by_answers(given: ProposalInput, found: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """Return the ideas in the order that the person's answers to the like suggest."""
    if given.likely is None:
        return found
    rated = [_in_view_of_answers(given, idea, _route(given, idea, None)) for idea in found]
    return tuple(sorted(rated, key=lambda idea: (idea.last_resort, -score(idea), idea.reason_key)))


def _in_view_of_answers(given: ProposalInput, idea: Candidate, way: Route | None) -> Candidate:
    return idea if way is None else in_view_of_answers(idea, _likely(given, idea, way), liking(given.mind, idea))


def _likely(given: ProposalInput, idea: Candidate, way: Route) -> Estimate | None:
    """Estimate the yes; not to what the person asked for in words of their own, which is no guess."""
    return None if given.likely is None or idea.kind == HINT else given.likely(idea, way.channel.name)


def _proposal(given: ProposalInput, candidate: Candidate, way: Route, guess: Guess | None) -> Proposal:
    """Make the proposal; a playbook is done by the built-in agent, whatever its channel has, and costs nothing."""
    policy, likely = given.policy, _likely(given, candidate, way)
    work = replace(candidate.work, args=tuple(each.text for each in candidate.args))
    rated = in_view_of_answers(candidate, likely, liking(given.mind, candidate))
    parts = factors(rated, guess.confidence if guess else None)
    quotes = candidate.prompt.quotes.union(*(each.quotes for each in candidate.args))
    return Proposal(
        prompt=candidate.prompt.text,
        channel=way.channel.name,
        agent=policy.playbook_agent.name if work.playbook else way.channel.agent,
        confidence=confidence(parts, likely),
        factors=parts,
        reasoning=candidate.reasoning.text,
        source=Source.TWIN if guess else candidate.source,
        kind=candidate.kind,
        reason_key=candidate.reason_key,
        signature=candidate.signature,
        need=replace(candidate.need, tests="itself") if work.playbook == RUN_TESTS else candidate.need,
        work=work,
        risk=max(candidate.risk, way.channel.risk, key=RISKS.index),
        cost_estimate_microusd=0 if work.playbook else way.channel.cost_per_run_microusd,
        routed_by=way.by,
        origin=_origin(candidate, way),
        quotes=tuple(sorted(quotes)),
        details=candidate.details.text,
        own_words=candidate.own_words,
        likelihood=likely,
        prompt_worded=candidate.prompt.worded,
        reasoning_worded=candidate.reasoning.worded,
        need_worded=own(candidate.need.text),
    )


def _origin(candidate: Candidate, way: Route) -> Origin:
    """Return whose the work is; where only the model wanted this channel for it, it is the model's."""
    is_moved = way.by == "twin" and not way.is_ours
    return Origin.MODEL if is_moved and candidate.origin is Origin.CHOSEN else candidate.origin


def _route(given: ProposalInput, candidate: Candidate, guess: Guess | None) -> Route | None:
    if given.channel and given.policy.channel(given.channel) is None:
        return None
    question = RoutingInput(
        situation=given.situation,
        policy=given.policy,
        mind=given.mind,
        candidate=candidate,
        twin=guess.channel if guess else None,
        person=given.channel,
        draw=given.draw,
    )
    return route(question)


def _is_wanted(given: ProposalInput, candidate: Candidate, guess: Guess | None) -> bool:
    """Return True if it has a channel, and the person wants to hear of it there now."""
    way = _route(given, candidate, guess)
    if way is None:
        return False
    now, name = given.situation.at, way.channel.name
    return is_wanted(given.mind, candidate, now, channel=name, asked=given.asked)


def _is_fresh(given: ProposalInput, candidate: Candidate) -> bool:
    is_wanted = given.only is None or candidate.reason_key in given.only
    does_same = candidate.kind in BROUGHT or candidate.work.playbook is not None
    is_said = does_same and bool(open_key(candidate, given.open_keys, given.channel))
    return is_wanted and not is_said and is_fresh(candidate, given.known, given.open_keys)


def _suits(given: ProposalInput, candidate: Candidate) -> bool:
    wished = given.policy.channel(given.channel) if given.channel else None
    return wished is None or suits(given.policy, wished, candidate)
