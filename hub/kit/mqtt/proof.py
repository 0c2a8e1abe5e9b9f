"""The proof that an answer over MQTT comes from the device that it names, and not from whoever holds the broker.

Theory: the broker's files, its port and what it keeps are the person's user's, hence an agent's too: it can let itself
in as any device. What it does not have is the password that a device was told once, for the hub keeps hashes. So both
make an Ed25519 key from that password at the pairing; the hub keeps the public half, and the device signs each answer.
"""

import hashlib
from typing import Any

import msgspec

from hub.contract.errors import UserError
from hub.contract.surface import Decision
from hub.kit.base64url import from_base64url, to_base64url

PROOF = "proof"
_SEED = b"pulse decision\n"
_encoder = msgspec.json.Encoder(order="sorted")


class UnprovenDecisionError(UserError):
    """Agents are connected, and nothing proves that this answer comes from the device and not from an agent."""

    code = "unproven-decision"
    status = 403
    FIX = "Pair the device again (devices paired with an older Pulse do not sign answers), or answer on the page."


def key_of(password: str) -> str:
    """Return the public key that belongs to a device's password."""
    return to_base64url(_private(password).public_key().public_bytes_raw())


def signed(decision: Decision, password: str, topic: str) -> Decision:
    """Return a decision with its proof, for the topic on which it is handed in."""
    proof = to_base64url(_private(password).sign(_words(msgspec.to_builtins(decision), topic)))
    return msgspec.structs.replace(decision, proof=proof)


def is_proven(payload: bytes, key: str, topic: str) -> bool:
    """Return True if a message holds a decision that the owner of this key signed for this topic."""
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415  see `_private`
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415  see `_private`

    if not key:
        return False
    try:
        said: dict[str, Any] = msgspec.json.decode(payload)["data"]
        proof = from_base64url(said[PROOF])
        Ed25519PublicKey.from_public_bytes(from_base64url(key)).verify(proof, _words(said, topic))
    except (msgspec.DecodeError, KeyError, TypeError, AttributeError, ValueError, InvalidSignature):
        return False
    return True


def _words(said: dict[str, Any], topic: str) -> bytes:
    """Return what is signed: the topic, and all that is said, its fields in order and without spaces."""
    return topic.encode() + b"\n" + _encoder.encode({name: one for name, one in said.items() if name != PROOF})


def _private(password: str) -> Any:  # noqa: ANN401  its type is loaded below
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415  heavy, and an idle hub needs none
        Ed25519PrivateKey,
    )

    return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(_SEED + password.encode()).digest())
