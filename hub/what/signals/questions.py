"""An agent waits for an answer. Urgency: 0.6 from 2 min on; 0.4 to 0.7 at 24 h where its repository is unknown."""

from collections.abc import Iterator
from datetime import timedelta

from hub.domain.provenance import Wording, quoted, say
from hub.domain.situation import Conversation, Repository, Situation
from hub.domain.suggestion import Candidate, Need
from hub.what.day import Hours
from hub.what.reasons import digest, state
from hub.what.scoring import ramp
from hub.what.sighting import REVIEW, TITLE_CHARS_MAX, at_time, of, repositories, work_in
from hub.what.signals.agents import agent_of, is_in
from hub.what.text import HOUR, TEXT_CHARS_MAX, WEEK, clean

KIND = "open-question"
SENSOR = "transcripts"
FITS: Hours = {"morning": 0.8, "afternoon": 0.7, "evening": 0.6, "night": 0.2}
QUIET_MIN = timedelta(minutes=2)
"""A person who sits beside it answers sooner."""
URGENCY_HERE = 0.6
AGE_H_MIN = 0.5
AGE_H_HIGH = 24.0


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one idea per conversation that ended in an agent's question; it is silent after a week.

    In a watched repository the person is told soon, with where that stands; elsewhere after half an hour an agent may
    gather what an answer needs.
    """
    for talk in sorted(situation.conversations or (), key=lambda talk: (talk.source, talk.id)):
        age = situation.at - talk.last_at
        if talk.last_from != "agent" or not clean(talk.open_question) or not QUIET_MIN <= age <= WEEK:
            continue
        here = next((each for each in repositories(situation) if is_in(talk, each)), None)
        if here is not None:
            yield _waits(situation, talk, here)
        elif age >= AGE_H_MIN * HOUR:
            yield _idea(situation, talk)


def _waits(situation: Situation, talk: Conversation, repository: Repository) -> Candidate:
    agent = agent_of(talk)
    return Candidate(
        kind=KIND,
        reason_key=f"{KIND}:{digest(talk.source, talk.id)}",
        signature=state(talk.last_at),
        prompt=say(
            "See where{of} stands: {agent} waits for your answer", of=of(situation, repository, ""), agent=agent
        ),
        reasoning=say(
            "{agent} asked {when}: “{question}” Answer it there.",
            agent=agent,
            when=at_time(situation, talk.last_at),
            question=clean(talk.open_question, TEXT_CHARS_MAX),
        ),
        urgency=URGENCY_HERE,
        affinity="code",
        need=Need(text="The note with where it stands is written (exit code 0)."),
        work=work_in(repository, REVIEW),
    )


def _idea(situation: Situation, talk: Conversation) -> Candidate:
    age = situation.at - talk.last_at
    question = clean(talk.open_question, TEXT_CHARS_MAX)
    topic = clean(talk.topic, TITLE_CHARS_MAX)
    about = say(" about {topic}", topic=quoted(topic)) if topic else Wording()
    return Candidate(
        kind=KIND,
        reason_key=f"{KIND}:{digest(talk.source, talk.id)}",
        signature=state(talk.last_at),
        prompt=say(
            "Gather what is needed to answer the agent's question{about}: {question}",
            about=about,
            question=quoted(question),
        ),
        reasoning=say(
            "{source} asked {when} and got no answer.", source=clean(talk.source), when=at_time(situation, talk.last_at)
        ),
        urgency=ramp(age / HOUR, AGE_H_MIN, AGE_H_HIGH, 0.4, 0.7),
        affinity="research",
        need=Need(text="The facts for an answer are gathered (the agent ends with exit code 0)."),
    )
