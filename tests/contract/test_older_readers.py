"""A hub says more from version to version: who reads it may be older. What it is told, it knows or refuses."""

import json
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace

from hub.contract.alone import AwaySummary
from hub.contract.api import Problem
from hub.contract.base import Message
from hub.contract.documents import topics
from hub.contract.envelope import BadMessageError, decode
from hub.contract.events import AnyEvent, PredictionNew, StatusChanged
from hub.contract.live import AnyFromClient, FromHub
from hub.contract.surface import Decision, DeliveredCard
from hub.contract.words import HumanInput, Verb
from hub.domain.readings import AnyReading
from hub.io.api.endpoints import ENDPOINTS
from hub.kit.mqtt.reading import read_delivered, read_event
from tests.surfaces.shown import NOW, TOKEN, delivery, prediction, status

READING: Any = AnyReading  # a union, and as good as a type to msgspec
BOTH_WAYS = {
    "ActivityToken", "AgentQuestion", "ApnsAddress", "CallField", "PermissionAnswer", "PermissionOption", "Phrasing",
    "QuestionChoice", "ServeMessage", "WebPushAddress",
}  # fmt: skip
"""What the hub says just as it was told it. A new field in one of these is a new version of the contract."""


def reached(kind: Any, found: set[type[Message]]) -> set[type[Message]]:  # noqa: ANN401  any annotation
    """Return all messages that a type can hold, itself among them."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind not in found:
        found |= {kind} if issubclass(kind, Message) else set()
        for field in msgspec.structs.fields(kind):
            reached(field.type, found)
    for part in get_args(kind):
        reached(part, found)
    return found


def told() -> set[type[Message]]:
    """Return all that the hub says, over MQTT, HTTP and the WebSocket."""
    found: set[type[Message]] = set()
    for topic in topics(READING):
        if topic.from_hub:
            reached(topic.payload, found)
    for kind in (*(answer for endpoint in ENDPOINTS for answer in endpoint.answers), *FromHub.__subclasses__()):
        reached(kind, found)
    return reached(Problem, found)


def heard() -> set[type[Message]]:
    """Return all that the hub is told."""
    found = reached(AnyFromClient, set())
    for topic in topics(READING):
        if not topic.from_hub:
            reached(topic.payload, found)
    for endpoint in ENDPOINTS:
        reached(endpoint.query, reached(endpoint.body, found))
    return found


def is_strict(kind: type[Message]) -> bool:
    return bool(kind.__struct_config__.forbid_unknown_fields)


def test_only_what_the_hub_is_told_is_known_to_the_last_field() -> None:
    says, hears = told(), heard()
    assert min(len(says), len(hears)) > 60
    assert {kind.__name__ for kind in says & hears} == BOTH_WAYS
    assert {kind.__name__ for kind in says - hears if is_strict(kind)} == set()
    assert {kind.__name__ for kind in hears if not is_strict(kind)} == set()


def enveloped(data: Message) -> dict[str, Any]:
    """Return a message as it goes over MQTT, before it is bytes."""
    body: dict[str, Any] = msgspec.to_builtins(data)
    head = {"id": "e1", "source": "pulse/hub", "type": "x", "time": "2026-03-02T10:00:00Z", "specversion": "1.0"}
    return {**head, "datacontenttype": "application/json", "data": body}


def with_more(value: Any) -> Any:  # noqa: ANN401  any part of a document
    """Return the same with a field in each object that a later version might have added."""
    if isinstance(value, dict):
        return {**{name: with_more(one) for name, one in value.items()}, "fromALaterVersion": {"why": [1]}}
    return [with_more(one) for one in value] if isinstance(value, list) else value


AWAY = AwaySummary(says="While you were away: 1 done alone.", since=NOW, until=NOW, pairs=2)
STATUS = StatusChanged(status=replace(status(), away=AWAY))


@pytest.mark.parametrize("event", [STATUS, PredictionNew(prediction=prediction())])
def test_a_later_hub_is_read_without_what_is_new(event: AnyEvent) -> None:
    document = enveloped(event)
    document["data"] = with_more(document["data"])
    read = read_event(json.dumps(document).encode())
    assert read is not None
    assert read.data == event


def test_so_is_what_it_hands_to_a_device() -> None:
    handed = DeliveredCard(card=delivery(STATUS))
    document = enveloped(handed)
    document["data"] = with_more(document["data"])
    read = read_delivered(json.dumps(document).encode())
    assert read is not None
    assert read.data == handed


def test_an_answer_with_a_field_that_nobody_knows_is_refused_by_its_name() -> None:
    said = Decision(
        decision_id="d1", card_id="card_1", verb=Verb.APPROVE, card_hash="h", token=TOKEN, human_input=HumanInput.TAP,
        at=NOW,
    )  # fmt: skip
    document = enveloped(said)
    document["data"]["unless"] = "it is late"
    with pytest.raises(BadMessageError, match="unless"):
        decode(json.dumps(document).encode(), Decision)
