"""Pulse as a device of an OpenClaw gateway: its key, and how it signs in.

The gateway tells devices apart by an Ed25519 key; each signs the challenge of every connection. It sees what agents
ask only with `operator.admin`: a device with `operator.approvals` alone is shown what it asked for itself.
"""

import hashlib

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from hub import __version__
from hub.contract.base import Value
from hub.io.attached.openclaw.kept_device import OpenClawDevice
from hub.kit.base64url import to_base64url

PROTOCOL = 4
CLIENT, MODE, PLATFORM, ROLE = "gateway-client", "ui", "linux", "operator"
"""Of the names that the gateway knows, those of a client that shows things to a person."""
SCOPES = ("operator.admin", "operator.approvals", "operator.questions")
CAPS = ("approvals", "exec-approvals", "plugin-approvals")
"""Without these a client is no way to reach a person, and what nobody can be asked is refused at once."""
SHOWN_AS = "Pulse"


class GatewayChallenge(Value):
    """What a device signs at the start of a connection."""

    nonce: str
    ts: int


def new_key() -> str:
    """Return a fresh key."""
    return Ed25519PrivateKey.generate().private_bytes_raw().hex()


def device_id(key: str) -> str:
    """Return what the gateway calls the device with this key."""
    return hashlib.sha256(_public(key)).hexdigest()


def sign_in(device: OpenClawDevice, challenge: GatewayChallenge, shared_token: str = "") -> dict[str, object]:
    """Return what `connect` is given: who this is, what it may do, and the proof.

    Args:
        device: this device; its own token is used where it has one.
        challenge: what the gateway sent first.
        shared_token: the gateway's own token, to be let in the first time; it is not kept.
    """
    token, name = shared_token or device.token, device_id(device.key)
    signed = "|".join(
        ("v3", name, CLIENT, MODE, ROLE, ",".join(SCOPES), str(challenge.ts), token, challenge.nonce, PLATFORM, "")
    )
    return {
        "minProtocol": PROTOCOL,
        "maxProtocol": PROTOCOL,
        "client": {
            "id": CLIENT,
            "displayName": SHOWN_AS,
            "version": __version__,
            "platform": PLATFORM,
            "mode": MODE,
        },
        "role": ROLE,
        "scopes": SCOPES,
        "caps": CAPS,
        "commands": (),
        "permissions": {},
        "auth": {"token": token},
        "userAgent": f"pulse/{__version__}",
        "device": {
            "id": name,
            "publicKey": to_base64url(_public(device.key)),
            "signature": to_base64url(_private(device.key).sign(signed.encode())),
            "signedAt": challenge.ts,
            "nonce": challenge.nonce,
        },
    }


def _private(key: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(key))


def _public(key: str) -> bytes:
    return _private(key).public_key().public_bytes_raw()
