"""A program that is to run, as the settings say, does not. Urgency: 0.9, an alert (`DriveRules.alert_strength`)."""

from collections.abc import Iterator

from hub.domain.provenance import say
from hub.domain.situation import Situation
from hub.domain.suggestion import Candidate, Need
from hub.what.day import Hours
from hub.what.reasons import state
from hub.what.sighting import looked_at

KIND = "program-stopped"
SENSOR = "programs"
DRIVE = "system"
FITS: Hours = {"morning": 0.9, "afternoon": 0.9, "evening": 0.9, "night": 0.9}
URGENCY = 0.9


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield each missing program, for an agent and as a note; seen running in between, its next end is a new reason."""
    for each in situation.programs or ():
        if not each.is_running:
            idea = Candidate(
                kind=KIND,
                reason_key=key_of(each.name),
                signature=state("stopped"),
                prompt=say(
                    "Find out why {name} is not running, and say how to start it; change nothing", name=each.name
                ),
                reasoning=say("{name} should be running, but there is no process with that name.", name=each.name),
                urgency=URGENCY,
                affinity="research",
                need=Need(text="The cause is written down (the agent reports no error)."),
            )
            yield idea
            yield looked_at(
                idea, say("See how {name} stands", name=each.name), say("program"), say("{name}", name=each.name)
            )


def key_of(program: str) -> str:
    """Return the key of a program's end."""
    return f"{KIND}:{program}"
