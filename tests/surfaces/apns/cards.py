"""Cards for the tests of phone and watch, and to whom they go."""

from datetime import datetime, timedelta

from hub.contract.address import ApnsAddress
from hub.contract.api import CrossPollStatus, Prediction
from hub.contract.events import AnyEvent, PredictionNew
from hub.contract.surface import CardDelivery
from hub.contract.words import Autonomy
from hub.kit.phrase_files import all_phrases
from hub.kit.phrasebook import in_language
from surfaces.apns.alert import To
from surfaces.apns.sentences import VERSION, all_strings
from tests.surfaces import shown
from tests.surfaces.shown import NOW

PHONE_TOKEN = "a1" * 32
WORDS = all_strings(all_phrases())
STRINGS = VERSION


def prediction(
    prompt: str = "Run tests on recently changed modules",
    *,
    card_id: str = "pred_abc123",
    created_at: datetime = NOW,
    lasts: timedelta = timedelta(hours=8),
    **changes: object,
) -> Prediction:
    fields = {
        "confidence": 0.72,
        "confidence_learnt": True,
        "target_channel": "koji-core",
        "execution_id": "exe_1",
        **changes,
    }
    return shown.prediction(prompt, created_at=created_at, lasts=lasts, card_id=card_id, **fields)


def delivery(event: AnyEvent | None = None, **changes: object) -> CardDelivery:
    lasting = {"expires_at": NOW + timedelta(hours=8), **changes}
    return shown.delivery(event or PredictionNew(prediction=prediction()), **lasting)


def status(state: Autonomy = Autonomy.WATCHING, *, pending: int = 0, reason: str = "") -> CrossPollStatus:
    return shown.status(
        state=state,
        enabled=state is not Autonomy.DISABLED,
        autonomous=state is Autonomy.AUTONOMOUS,
        pending=pending,
        reason=reason,
    )


def to(address: ApnsAddress | None = None, *, lang: str = "en", pending: int | None = 1) -> To:
    found = address or ApnsAddress(token=PHONE_TOKEN)
    return To(address=found, topic=found.topic or "org.example.acc", words=in_language(lang, WORDS), pending=pending)
