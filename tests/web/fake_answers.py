"""What answers do to the page's cards: the stand-in says it that keeps to the real loop (`tests/fakes/hub.py`)."""

from datetime import UTC, datetime
from itertools import count
from typing import Any

import msgspec

from hub.contract.api import AnswerRequest, Prediction
from hub.contract.events import AnyEvent, PredictionNew
from hub.contract.surface import CardDelivery, Decision, Verdict
from hub.contract.topics import DeviceAddress
from hub.contract.words import Verb
from tests.fakes.hub import StandInHub

Json = dict[str, Any]

VERBS = {**{verb.value: verb for verb in Verb}, "confirm": Verb.APPROVE, "respond": Verb.RETRY}
"""By the last part of a path; what answers a failed task's question runs it again."""


class Answers:
    """Judges answers to cards that a test may change as it likes."""

    def __init__(self) -> None:
        self._keys = count(1)
        self._hub = StandInHub(DeviceAddress(surface="browser", device="laptop"), lambda: datetime.now(UTC))

    def give(self, made: Json, last_part: str, body: Json) -> tuple[Verdict, list[Json]]:
        """Answer a card; change it to what it is then. Returns the verdict, and the events that follow."""
        said = msgspec.convert({key: value for key, value in body.items() if key != "text"}, AnswerRequest)
        card, verb, hub = msgspec.convert(made, Prediction), VERBS[last_part], self._hub
        hub.cards_there[card.id] = card
        hub.device = DeviceAddress(surface=said.surface, device=said.device)
        leave = hub.deliveries[hub.deliver(PredictionNew(prediction=card), card, (verb,))]
        heard: list[AnyEvent] = []
        hub.hand = lambda delivered, _id: heard.extend(_events(delivered))
        verdict = hub.decide(
            Decision(
                decision_id=said.idempotency_key or f"d{next(self._keys)}",
                card_id=card.id,
                verb=verb,
                card_hash=card.card_hash,
                token=leave.token,
                human_input=said.human_input,
                at=hub.now(),
                prompt=said.prompt,
                reason=said.reason,
                until=said.until,
            )
        )
        hub.hand = lambda _delivered, _id: None
        made.update(msgspec.to_builtins(hub.cards_there[card.id], str_keys=True))
        return verdict, [msgspec.to_builtins(one) for one in heard]


def _events(delivered: object) -> list[AnyEvent]:
    card = getattr(delivered, "card", None)
    return [card.event] if isinstance(card, CardDelivery) else []
