"""A run of GitHub Actions waits for the person's leave to deploy. Urgency: 0.8."""

from collections.abc import Iterator

from hub.contract.words import Risk
from hub.domain.deploying import APPROVE_DEPLOYMENT
from hub.domain.provenance import say
from hub.domain.situation import Situation
from hub.domain.suggestion import Candidate
from hub.what.day import Hours
from hub.what.deploying import answer_to, waiting

KIND = APPROVE_DEPLOYMENT
SENSOR = "git"
DRIVE = "social"
FITS: Hours = {"morning": 0.9, "afternoon": 1.0, "evening": 0.6, "night": 0.3}
URGENCY = 0.8


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one idea per environment that a run waits for; another attempt or commit is a new reason."""
    for repository, one in waiting(situation, KIND):
        yield answer_to(situation, repository, one, kind=KIND, verb=say("Approve"), risk=Risk.HIGH, urgency=URGENCY)
