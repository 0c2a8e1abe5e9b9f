"""What an agent of the person's suggests (`suggest` of the MCP server). Urgency: 0.45, whatever the agent says of it.

An agent is worth hearing and not to be trusted: its words are shown as its words, and none of it ever runs without a
person. What Pulse has seen itself is left to the signal that saw it (`hub/what/ideas.py`).
"""

from collections.abc import Iterator

from hub.contract.words import Source
from hub.domain.provenance import say, untrusted
from hub.domain.situation import Situation
from hub.domain.suggested import Suggested
from hub.domain.suggestion import Candidate, Need
from hub.what.day import Hours
from hub.what.matching import risk_in_others_words, work_for
from hub.what.reasons import state
from hub.what.text import TEXT_CHARS_MAX, clean

KIND = "suggested"
SENSOR = "suggested"
DRIVE = "goals"
FITS: Hours = {"morning": 0.5, "afternoon": 0.5, "evening": 0.5, "night": 0.5}
URGENCY = 0.45


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield each idea that was handed in; one that is handed in anew, under another key, is a new reason."""
    for each in situation.suggested or ():
        yield _idea(situation, each)


def _idea(situation: Situation, suggested: Suggested) -> Candidate:
    words, remark = untrusted(suggested.prompt), clean(suggested.why, TEXT_CHARS_MAX)
    why = (
        say("{agent} suggests this: “{remark}”", agent=suggested.agent, remark=remark)
        if remark
        else say("{agent} suggests this.", agent=suggested.agent)
    )
    work = work_for(words, situation)
    return Candidate(
        kind=KIND,
        reason_key=f"{KIND}:{suggested.id}",
        signature=state(suggested.id),
        prompt=say("{prompt}", prompt=suggested.prompt),
        reasoning=why,
        urgency=URGENCY,
        affinity=None,
        need=Need(text="The work is done (the agent reports no error)."),
        work=work,
        risk=risk_in_others_words(work),
        source=Source.HOOK,
    )
