"""An agent's question that nobody answered, as it was asked, at once. Urgency: 0.7, up to 0.9 after a day.

Pulse cannot speak in the agent's own window. So the card holds the question itself; the person answers there, or says
yes and has gathered what an answer needs, or writes with `edit` what is to be done with it.
"""

from collections.abc import Iterator
from datetime import timedelta

from hub.domain.provenance import Wording, quoted, say
from hub.domain.situation import Conversation, Repository, Situation
from hub.domain.suggestion import Candidate, Need, Work
from hub.what.day import Hours
from hub.what.reasons import digest, state
from hub.what.scoring import ramp
from hub.what.sighting import REVIEW, TITLE_CHARS_MAX, at_time, repositories, work_in
from hub.what.signals.agents import agent_of, is_in
from hub.what.text import HOUR, TEXT_CHARS_MAX, WEEK, clean

KIND = "open-question"
SENSOR = "transcripts"
DRIVE = "social"
FITS: Hours = {"morning": 0.8, "afternoon": 0.7, "evening": 0.6, "night": 0.2}
AGE_H_HIGH = 24.0


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one idea per conversation that ended in an agent's question; it is silent after a week.

    In a watched repository a yes brings a note on where that stands; elsewhere an agent gathers what is needed.
    """
    for talk in sorted(situation.conversations or (), key=lambda talk: (talk.source, talk.id)):
        age = situation.at - talk.last_at
        if talk.last_from == "agent" and clean(talk.open_question) and age <= WEEK:
            here = next((each for each in repositories(situation) if is_in(talk, each)), None)
            yield _idea(situation, talk, here)


def turns(situation: Situation) -> Iterator[timedelta]:
    """Yield when a question is a week old."""
    yield from (talk.last_at - situation.at + WEEK for talk in situation.conversations or ())


def _idea(situation: Situation, talk: Conversation, here: Repository | None) -> Candidate:
    agent = agent_of(talk)
    gathered = "The facts for an answer are gathered (the agent reports no error)."
    noted = "The status note is written."
    return Candidate(
        kind=KIND,
        reason_key=f"{KIND}:{digest(talk.source, talk.id)}",
        signature=state(talk.last_at),
        prompt=say(
            "{agent} asks{about}: {question}\n{then}",
            agent=agent,
            about=_about(talk, here),
            question=quoted(clean(talk.open_question, TEXT_CHARS_MAX)),
            then=say("Show where it stands.") if here else say("Gather what an answer needs."),
        ),
        reasoning=say(
            "{agent} asked {when} and waits in its own window; answer there, or say yes to {then}.",
            agent=agent,
            when=at_time(situation, talk.last_at),
            then=say("see where it stands") if here else say("have the facts gathered"),
        ),
        urgency=ramp((situation.at - talk.last_at) / HOUR, 0.0, AGE_H_HIGH, 0.7, 0.9),
        affinity="code" if here else "research",
        need=Need(text=noted if here else gathered),
        work=work_in(here, REVIEW) if here else Work(),
    )


def _about(talk: Conversation, here: Repository | None) -> Wording:
    """Say which repository it is about, or else what was talked of."""
    if here is not None:
        return say(" in {name}", name=here.name)
    topic = clean(talk.topic, TITLE_CHARS_MAX)
    return say(" about {topic}", topic=quoted(topic)) if topic else Wording()
