"""What a predictor of the person's next prompts foresees. Urgency: 0.4 of how sure it says it is.

Whoever can write its file can write anything into it, so none of it ever runs without a person; and what Pulse has seen
itself is left to the signal that saw it (`hub/what/ideas.py`).
"""

from collections.abc import Iterator

from hub.contract.words import Source
from hub.domain.provenance import say, untrusted
from hub.domain.situation import Foreseen, Situation
from hub.domain.suggestion import Candidate, Need
from hub.what.day import Hours
from hub.what.matching import read, risk_in_others_words, work_for
from hub.what.reasons import digest, state
from hub.what.text import TEXT_CHARS_MAX, clean

KIND = "foreseen"
SENSOR = "predictor"
DRIVE = "goals"
FITS: Hours = {"morning": 0.5, "afternoon": 0.5, "evening": 0.5, "night": 0.5}
URGENCY_SHARE = 0.4


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield each prediction; the same words written down again are a new reason."""
    for each in situation.foreseen or ():
        yield _idea(situation, each)


def _idea(situation: Situation, foreseen: Foreseen) -> Candidate:
    words = untrusted(foreseen.prompt)
    remark = clean(foreseen.reasoning, TEXT_CHARS_MAX)
    why = (
        say("Your predictor expects this: “{remark}”", remark=remark) if remark else say("Your predictor expects this.")
    )
    work = work_for(words, situation)
    return Candidate(
        kind=KIND,
        reason_key=f"{KIND}:{digest(*sorted(read(words).words or {words}))}",
        signature=state(foreseen.at.isoformat()),
        prompt=say("{prompt}", prompt=foreseen.prompt),
        reasoning=why,
        urgency=URGENCY_SHARE * foreseen.confidence,
        affinity=foreseen.channel or None,
        need=Need(text="The work is done (the agent reports no error)."),
        work=work,
        risk=risk_in_others_words(work),
        source=Source.HOOK,
    )
