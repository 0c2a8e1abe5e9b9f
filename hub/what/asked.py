"""Candidates that somebody else worded: a model's guess and a person's hint. Both texts are matched, never trusted."""

from hub.contract.api import PROMPT_CHARS_MAX
from hub.domain.mind import Mind
from hub.domain.situation import Situation
from hub.domain.suggestion import Candidate, Guess, Need, Work
from hub.what.day import NEUTRAL
from hub.what.matching import playbook_for, read, same_idea, workspace_for
from hub.what.reasons import digest, fingerprint, state
from hub.what.scoring import pattern
from hub.what.text import TEXT_CHARS_MAX, clean, clean_lines

HINT = "hint"
TWIN = "twin"
URGENCY_UNKNOWN = 0.3
"""Of a guess without a signal behind it. With it the formula stays below 0.8 whatever the model claims of itself."""
ANY_END = "The work is done (the agent ends with exit code 0)."


def is_usable(guess: Guess) -> bool:
    """Say whether a model's answer can be worked with: some text, and a confidence from 0 to 1 (NaN is none)."""
    return 0.0 <= guess.confidence <= 1.0 and bool(clean_lines(guess.prompt, PROMPT_CHARS_MAX))


def from_guess(guess: Guess, ideas: tuple[Candidate, ...], situation: Situation, mind: Mind) -> Candidate:
    """Return the guess as a candidate: with the reason, the proof and the work of the idea that it means, if any."""
    prompt = clean_lines(guess.prompt, PROMPT_CHARS_MAX)
    reasoning = clean(guess.reasoning, TEXT_CHARS_MAX)
    idea = same_idea(prompt, ideas, situation)
    if idea is not None:
        return _reworded(idea, prompt, f"{reasoning} ({idea.reasoning})" if reasoning else idea.reasoning)
    return Candidate(
        reason_key=f"{TWIN}:{digest(*sorted(read(prompt).words or {prompt}))}",
        signature=fingerprint(situation),
        prompt=prompt,
        reasoning=reasoning or "The model gave no reason.",
        kind=TWIN,
        affinity=None,
        urgency=URGENCY_UNKNOWN,
        time_relevance=NEUTRAL,
        pattern=pattern(mind.tallies.get(TWIN)),
        need=Need(text=ANY_END),
        work=_work(prompt, situation),
    )


def from_hint(hint: str, ideas: tuple[Candidate, ...], situation: Situation, mind: Mind) -> Candidate:
    """Return a person's hint as a candidate: their words as they are, done by a playbook where one does just that."""
    idea = same_idea(hint, ideas, situation)
    return Candidate(
        reason_key=hint_key(hint),
        signature=state(hint.strip()),
        prompt=hint.strip(),
        reasoning="You asked for this.",
        kind=HINT,
        affinity=idea.affinity if idea else None,
        urgency=1.0,
        time_relevance=1.0,
        pattern=pattern(mind.tallies.get(HINT)),
        need=idea.need if idea else Need(text=ANY_END),
        work=idea.work if idea else _work(hint, situation),
    )


def hint_key(hint: str) -> str:
    """Return the reason key of a hint: the same words are the same reason."""
    return f"{HINT}:{digest(hint.strip())}"


def _work(text: str, situation: Situation) -> Work:
    return playbook_for(text, situation) or Work(workspace=workspace_for(text, situation))


def _reworded(idea: Candidate, prompt: str, reasoning: str) -> Candidate:
    return Candidate(
        reason_key=idea.reason_key,
        signature=idea.signature,
        prompt=prompt,
        reasoning=reasoning,
        kind=idea.kind,
        affinity=idea.affinity,
        urgency=idea.urgency,
        time_relevance=idea.time_relevance,
        pattern=idea.pattern,
        need=idea.need,
        work=idea.work,
        risk=idea.risk,
    )
