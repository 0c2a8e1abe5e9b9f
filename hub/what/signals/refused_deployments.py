"""The other answer to a deployment that waits, for who asks for it. Urgency: 0.35."""

from collections.abc import Iterator

from msgspec.structs import replace

from hub.contract.words import Risk
from hub.domain.deploying import REJECT_DEPLOYMENT
from hub.domain.provenance import say
from hub.domain.situation import Situation
from hub.domain.suggestion import Candidate
from hub.what.day import Hours
from hub.what.deploying import answer_to, waiting

KIND = REJECT_DEPLOYMENT
SENSOR = "git"
DRIVE = "social"
FITS: Hours = {"morning": 0.9, "afternoon": 1.0, "evening": 0.6, "night": 0.3}
URGENCY = 0.35


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one idea per environment that a run waits for."""
    for repository, one in waiting(situation, KIND):
        idea = answer_to(situation, repository, one, kind=KIND, verb=say("Reject"), risk=Risk.MEDIUM, urgency=URGENCY)
        yield replace(idea, comes="once liked")
