"""Candidates that somebody else brought: a model's guess and a hint. Both texts are matched, never trusted.

A model may choose: by an idea's key, or by words that mean one. What it chose stays as Pulse made it, prompt, work and
all; the model's own words are then no more than a remark beside the reason. Words that mean no idea make a candidate
of the model's own, which `may` never lets run without a person.

A hint is a person's, who is told that they asked for it. One by a program is like what an agent suggests: its words
are others' words, and of its kind the person may want less.
"""

from collections.abc import Iterable
from itertools import islice
from typing import Literal

from msgspec.structs import replace

from hub.contract.api import PROMPT_CHARS_MAX
from hub.contract.words import Origin, Risk, Source, Verb
from hub.domain.mind import Mind
from hub.domain.provenance import AgentText, ModelText, TranscriptText, say, untrusted
from hub.domain.situation import Situation
from hub.domain.suggestion import Candidate, Card, Guess, Need, Proposal
from hub.domain.twin import EARLIER_MAX, EarlierAnswer
from hub.what.day import NEUTRAL
from hub.what.matching import read, risk_in_others_words, same_idea, work_for
from hub.what.reasons import digest, fingerprint, state
from hub.what.scoring import pattern
from hub.what.signals import suggested
from hub.what.text import TEXT_CHARS_MAX, clean, clean_lines
from hub.what.wondering import answer_to

HINT = "hint"
TWIN = "twin"
URGENCY_UNKNOWN = 0.3
"""Of a guess without a signal behind it. With it the formula stays below 0.8 whatever the model claims of itself."""
SAID: dict[Verb, Literal["yes", "yes, with other words", "no", "no, less of this", "no, never this"]] = {
    Verb.APPROVE: "yes",
    Verb.EDIT: "yes, with other words",
    Verb.REJECT: "no",
    Verb.LESS: "no, less of this",
    Verb.NEVER: "no, never this",
}
"""How an answer is told to a model; others say nothing of what a person wants."""
ANY_END = "The work is done (the agent reports no error)."


def is_usable(guess: Guess) -> bool:
    """Say whether a model's answer can be worked with: some text, and no confidence but from 0 to 1 (NaN is not)."""
    is_sane = guess.confidence is None or 0.0 <= guess.confidence <= 1.0
    return is_sane and bool(guess.idea or clean_lines(guess.prompt, PROMPT_CHARS_MAX))


def from_guess(guess: Guess, ideas: tuple[Candidate, ...], situation: Situation, mind: Mind) -> Candidate | None:
    """Return the idea that the guess chose, as it is but for a remark; else the guess in the model's words, if any."""
    prompt = clean_lines(guess.prompt, PROMPT_CHARS_MAX)
    remark = clean(guess.reasoning, TEXT_CHARS_MAX)
    idea = chosen(guess, ideas, situation)
    if idea is not None:
        return _chosen(idea, remark)
    words = untrusted(prompt)
    if not words:
        return None
    work = work_for(words, situation)
    return Candidate(
        reason_key=f"{TWIN}:{digest(*sorted(read(words).words or {words}))}",
        signature=fingerprint(situation),
        prompt=say("{prompt}", prompt=prompt),
        reasoning=say("The model: “{remark}”", remark=remark) if remark else say("The model gave no reason."),
        kind=TWIN,
        affinity=None,
        urgency=URGENCY_UNKNOWN,
        time_relevance=NEUTRAL,
        pattern=pattern(mind.tallies.get(TWIN)),
        need=Need(text=ANY_END),
        work=work,
        risk=risk_in_others_words(work),
        origin=Origin.MODEL,
    )


def chosen(guess: Guess, ideas: tuple[Candidate, ...], situation: Situation) -> Candidate | None:
    """Return the idea that a guess names by its key or else means by its words; None when it means none."""
    named = next((idea for idea in ideas if guess.idea and idea.reason_key == guess.idea), None)
    return named or same_idea(untrusted(clean_lines(guess.prompt, PROMPT_CHARS_MAX)), ideas, situation)


def from_hint(
    hint: str, ideas: tuple[Candidate, ...], situation: Situation, mind: Mind, *, by_program: bool = False
) -> Candidate:
    """Return a hint as a candidate: its words as they are, done by a playbook where one does just that.

    A question is answered by the playbook that tells it, if one does. What `is_exact` is told as the signal
    words it: the hint's own words do not say which commit it is.
    """
    idea = None if (answer := answer_to(hint, situation)) else same_idea(hint, ideas, situation)
    if idea is not None and idea.is_exact:
        why = idea.reasoning
        yours, programs = say("You asked for this. {why}", why=why), say("A program asked for this. {why}", why=why)
        return replace(idea, reasoning=programs if by_program else yours)
    kind = suggested.KIND if by_program else HINT
    work = answer or (idea.work if idea else work_for(hint, situation))
    return Candidate(
        reason_key=hint_key(hint),
        signature=state(hint.strip()),
        prompt=say("{hint}", hint=AgentText(hint.strip()) if by_program else hint.strip()),
        reasoning=say("A program asked for this.") if by_program else say("You asked for this."),
        kind=kind,
        affinity=idea.affinity if idea else None,
        urgency=1.0,
        time_relevance=1.0,
        pattern=pattern(mind.tallies.get(kind)),
        need=idea.need if idea else Need(text=ANY_END),
        work=work,
        args=idea.args if idea else (),
        risk=risk_in_others_words(work) if by_program else Risk.LOW,
        origin=Origin.WORLD if by_program else Origin.PERSON,
        source=Source.HOOK if by_program else Source.TEMPLATE,
    )


def earlier_answers(cards: Iterable[Card]) -> tuple[EarlierAnswer, ...]:
    """Return what the person said to earlier suggestions, in the order given; other people's questions are left out."""
    found = (_earlier(card) for card in cards)
    return tuple(islice((answer for answer in found if answer is not None), EARLIER_MAX))


def _earlier(card: Card) -> EarlierAnswer | None:
    settled, proposal = card.settled, card.proposal
    said = SAID.get(settled.verb) if settled else None
    if settled is None or said is None or proposal.source is Source.ASK:
        return None
    return EarlierAnswer(
        at=settled.at,
        kind=proposal.kind,
        channel=proposal.channel,
        said="took the yes back" if card.undone else said,
        what=TranscriptText(card.prompt),
        reason=TranscriptText(settled.reason),
    )


def hint_key(hint: str) -> str:
    """Return the reason key of a hint: the same words are the same reason."""
    return f"{HINT}:{digest(hint.strip())}"


def _chosen(idea: Candidate, remark: ModelText) -> Candidate:
    origin = Origin.CHOSEN if idea.origin is Origin.PULSE else idea.origin
    if not remark:
        return replace(idea, origin=origin)
    return replace(idea, origin=origin, reasoning=say("{why} The model: “{remark}”", why=idea.reasoning, remark=remark))


def is_hint(proposal: Proposal) -> bool:
    """Return True if somebody's own words were proposed: no look finds them again, so none misses them."""
    return proposal.reason_key.startswith(f"{HINT}:")
