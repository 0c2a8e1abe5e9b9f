"""What a device signs is its own: no other word, topic, device or password."""

from datetime import UTC, datetime

import msgspec
import pytest

from hub.contract.envelope import Envelope, encode
from hub.contract.surface import Decision
from hub.contract.words import HumanInput, Verb
from hub.kit.mqtt.proof import is_proven, key_of, signed

TOPIC = "pulse/v1/me/decision/glasses/mine"
SAID = Decision(
    decision_id="d1",
    card_id="card",
    verb=Verb.APPROVE,
    card_hash="hash",
    token="token",
    human_input=HumanInput.TAP,
    at=datetime(2026, 3, 1, tzinfo=UTC),
    reason="schön",
)


def message(data: object) -> bytes:
    return encode(Envelope(id="d1", source="x", type="decision", time=SAID.at, data=data))


def test_what_was_signed_is_proven_and_nothing_else() -> None:
    key, said = key_of("secret"), signed(SAID, "secret", TOPIC)
    assert is_proven(message(said), key, TOPIC)
    assert not is_proven(message(said), key, TOPIC.replace("mine", "other"))
    assert not is_proven(message(said), key_of("another"), TOPIC)
    assert not is_proven(message(said), "", TOPIC)
    assert not is_proven(message(SAID), key, TOPIC)
    assert not is_proven(message(msgspec.structs.replace(said, verb=Verb.EDIT)), key, TOPIC)
    assert not is_proven(message(msgspec.structs.replace(said, prompt="echo mine")), key, TOPIC)


def test_a_device_that_knows_fewer_or_more_fields_proves_what_it_said() -> None:
    said = msgspec.to_builtins(signed(SAID, "secret", TOPIC))
    assert is_proven(message(dict(reversed(said.items()))), key_of("secret"), TOPIC)
    assert not is_proven(message({**said, "new": 1}), key_of("secret"), TOPIC)
    assert not is_proven(message({name: one for name, one in said.items() if name != "by"}), key_of("secret"), TOPIC)


@pytest.mark.parametrize(
    "payload", [b"", b"[]", b"{}", b'{"data": []}', b'{"data": {"proof": 1}}', b'{"data": {"proof": "!"}}']
)
def test_garbage_proves_nothing(payload: bytes) -> None:
    assert not is_proven(payload, key_of("secret"), TOPIC)
    assert not is_proven(payload, "no key", TOPIC)
