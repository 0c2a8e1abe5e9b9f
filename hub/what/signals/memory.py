"""A memory that is nearly full. Urgency: 0.5 at 95 %, rising to 0.85 at 100 %: it changes fast, so it is no alert."""

from collections.abc import Iterator

from hub.domain.figures import percent
from hub.domain.provenance import say
from hub.domain.situation import Situation
from hub.domain.suggestion import Candidate, Need
from hub.what.day import Hours
from hub.what.reasons import state
from hub.what.scoring import ramp
from hub.what.sighting import looked_at

KIND = "free-memory"
SENSOR = "system"
DRIVE = "system"
FITS: Hours = {"morning": 0.6, "afternoon": 0.6, "evening": 0.6, "night": 0.4}
STEPS = (0.95, 0.98)


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield at most one matter, for an agent and as a note; each step that is passed (95, 98 %) is a new reason."""
    used = situation.system.memory_used if situation.system else 0.0
    passed = [step for step in STEPS if used >= step]
    if passed:
        idea = Candidate(
            kind=KIND,
            reason_key=KIND,
            signature=state("memory", passed),
            prompt=say("Find what fills the memory ({used} used) and list it; stop nothing", used=percent(used)),
            reasoning=say(
                "Memory is {used} full; the system will soon stop programs to free some.", used=percent(used)
            ),
            urgency=ramp(used, STEPS[0], 1.0, 0.5, 0.85),
            affinity="research",
            need=Need(text="The list is written (the agent reports no error)."),
        )
        yield idea
        yield looked_at(idea, say("See what fills the memory ({used} used)", used=percent(used)), say("memory"))
