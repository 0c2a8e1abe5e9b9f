"""A disk that is nearly full. Urgency: 0.5 at 90 %, rising to 1 at 100 %."""

from collections.abc import Iterator

from hub.domain.figures import percent
from hub.domain.provenance import say
from hub.domain.situation import Situation
from hub.domain.suggestion import Candidate, Need
from hub.what.day import Hours
from hub.what.reasons import state
from hub.what.scoring import ramp
from hub.what.sighting import looked_at

KIND = "free-disk"
SENSOR = "system"
DRIVE = "system"
FITS: Hours = {"morning": 0.6, "afternoon": 0.6, "evening": 0.6, "night": 0.6}
STEPS = (0.90, 0.95, 0.98)


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield at most one matter, for an agent and as a note; each step that is passed (90, 95, 98 %) is a new reason."""
    used = situation.system.disk_used if situation.system else 0.0
    passed = [step for step in STEPS if used >= step]
    if passed:
        idea = Candidate(
            kind=KIND,
            reason_key=KIND,
            signature=state("disk", passed),
            prompt=say(
                "Find what fills the disk ({used} used) and list what could be removed; remove nothing",
                used=percent(used),
            ),
            reasoning=say(
                "The disk is {used} full; above {last} programs start to fail.",
                used=percent(used),
                last=percent(STEPS[-1]),
            ),
            urgency=ramp(used, STEPS[0], 1.0, 0.5, 1.0),
            affinity="research",
            need=Need(text="The list is written (the agent reports no error)."),
        )
        yield idea
        yield looked_at(idea, say("See what fills the disk ({used} used)", used=percent(used)), say("disk"))
