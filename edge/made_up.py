"""A card that no hub knows, for the simulator and for measuring conversations."""

from datetime import UTC, datetime, timedelta

from hub.contract.api import Prediction
from hub.contract.events import PredictionNew
from hub.contract.runs import PlannedRun
from hub.contract.surface import CardDelivery
from hub.contract.words import Risk, Source, Status, Verb

PROMPT = "Run the tests: two modules changed"
PLACE = "shop"
VERBS = (Verb.APPROVE, Verb.REJECT, Verb.SNOOZE, Verb.EDIT)


def made_up(prompt: str, risk: Risk) -> CardDelivery:
    """Return the delivery of a made-up card."""
    now = datetime.now(UTC)
    prediction = Prediction(
        id="made-up",
        prompt=prompt,
        target_agent="nobody",
        target_channel="nowhere",
        confidence=0.72,
        confidence_learnt=True,
        reasoning="this is a simulation",
        created_at=now,
        status=Status.PENDING,
        source=Source.TEMPLATE,
        expires_at=now + timedelta(hours=1),
        risk=risk,
        card_hash="made-up",
        cost_estimate_usd=0.0,
        snoozes_left=3,
        runs=PlannedRun(summary=f"pytest in {PLACE}", folder=f"/home/you/{PLACE}"),
    )
    return CardDelivery(
        delivery_id="made-up",
        event=PredictionNew(prediction=prediction),
        loudness="notify",
        verbs=VERBS,
        token="made-up",  # noqa: S106  no hub takes it
        expires_at=prediction.expires_at,
    )
