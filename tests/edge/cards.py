"""Cards as the hub hands them to the glasses, for tests."""

from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from edge.phrase_files import phrasebook, sentences
from edge.speech.turn import Manner
from hub.contract.api import Prediction
from hub.contract.events import PredictionNew
from hub.contract.permission import Act, AgentQuestion, Permission, QuestionChoice
from hub.contract.surface import CardDelivery, Loudness
from hub.contract.words import Risk, Source, Status, Verb

NOW = datetime(2026, 5, 4, 14, 30, tzinfo=UTC)
PROMPT = "Run tests on recently changed modules"
OPEN_VERBS = (Verb.APPROVE, Verb.REJECT, Verb.SNOOZE, Verb.EDIT)


def prediction(
    name: str = "one", *, prompt: str = PROMPT, risk: Risk = Risk.LOW, source: Source = Source.TEMPLATE
) -> Prediction:
    return Prediction(
        id=name,
        prompt=prompt,
        target_agent="koji",
        target_channel="koji-core",
        confidence=0.72,
        confidence_learnt=True,
        reasoning="two test files changed",
        created_at=NOW,
        status=Status.PENDING,
        source=source,
        expires_at=NOW + timedelta(hours=1),
        risk=risk,
        card_hash=f"hash-{name}",
        cost_estimate_usd=0.15,
        snoozes_left=3,
    )


def choices(*labels: str) -> tuple[QuestionChoice, ...]:
    return tuple(QuestionChoice(label=label) for label in labels)


QUESTION = AgentQuestion(id="q1", text="Which database?", choices=choices("Postgres 16", "SQLite in a file"))


def question(
    *asked: AgentQuestion, risk: Risk = Risk.LOW, verbs: tuple[Verb, ...] = (Verb.APPROVE, Verb.REJECT, Verb.SNOOZE)
) -> CardDelivery:
    """A card on which Claude asks something."""
    permission = Permission(agent="claude-code", tool="AskUserQuestion", act=Act.QUESTION, questions=asked)
    card = replace(
        prediction(prompt="\n".join(one.text for one in asked), risk=risk, source=Source.ASK),
        permission=permission,
        target_agent="claude-code",
    )
    return replace(delivery(risk=risk, verbs=verbs), event=PredictionNew(prediction=card))


def delivery(
    name: str = "one",
    *,
    prompt: str = PROMPT,
    risk: Risk = Risk.LOW,
    verbs: tuple[Verb, ...] = OPEN_VERBS,
    loudness: Loudness = "notify",
) -> CardDelivery:
    return CardDelivery(
        delivery_id=f"d-{name}",
        event=PredictionNew(prediction=prediction(name, prompt=prompt, risk=risk)),
        loudness=loudness,
        verbs=verbs,
        token=f"token-{name}",
        expires_at=NOW + timedelta(hours=1),
    )


def manner(**wishes: object) -> Manner:
    book = phrasebook("en")
    heard = {"check_words": book.check_words, "ordinals": book.questions.ordinals}
    return Manner(sentences=sentences("en"), **(heard | wishes))  # type: ignore[arg-type]  # whatever the test wishes
