"""An agent's question that nobody answered. Urgency: 0.4 after 30 min, up to 0.7 after a day; silent after a week."""

from collections.abc import Iterator

from hub.domain.provenance import Wording, quoted, say
from hub.domain.situation import Conversation, Situation
from hub.domain.suggestion import Candidate, Need
from hub.what.day import Hours
from hub.what.reasons import digest, state
from hub.what.scoring import ramp
from hub.what.sighting import TITLE_CHARS_MAX, at_time
from hub.what.text import HOUR, TEXT_CHARS_MAX, WEEK, clean

KIND = "open-question"
SENSOR = "transcripts"
FITS: Hours = {"morning": 0.8, "afternoon": 0.7, "evening": 0.6, "night": 0.2}
AGE_H_MIN = 0.5
AGE_H_HIGH = 24.0


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one idea per conversation that ended in an agent's question."""
    for talk in sorted(situation.conversations or (), key=lambda talk: (talk.source, talk.id)):
        age = situation.at - talk.last_at
        if talk.last_from == "agent" and clean(talk.open_question) and AGE_H_MIN * HOUR <= age <= WEEK:
            yield _idea(situation, talk)


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
