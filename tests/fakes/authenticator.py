"""An authenticator in software: what a security key does for a page (WebAuthn), with one key pair and a counter."""

import base64
import hashlib
import json
import secrets
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

PRESENT, VERIFIED, WITH_KEY = 1, 4, 64
SIZE = 32


class Authenticator:
    """Answers options as JSON text, for a page at `origin`."""

    def __init__(self) -> None:
        self._private = ec.generate_private_key(ec.SECP256R1())
        self._id = secrets.token_bytes(SIZE)
        self.uses = 0

    def make(self, options: str, origin: str) -> str:
        """Return a new credential."""
        asked = json.loads(options)
        said = self._said("webauthn.create", asked["challenge"], origin)
        numbers = self._private.public_key().public_numbers()
        key = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(SIZE), -3: numbers.y.to_bytes(SIZE)})
        held = bytes(16) + len(self._id).to_bytes(2) + self._id + key
        data = self._data(asked["rp"]["id"], WITH_KEY) + held
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        return self._credential({"clientDataJSON": text(said), "attestationObject": text(attestation)})

    def sign(self, options: str, origin: str, *, verified: bool = True) -> str:
        """Return an assertion."""
        asked = json.loads(options)
        self.uses += 1
        said = self._said("webauthn.get", asked["challenge"], origin)
        data = self._data(asked["rpId"], 0, verified=verified)
        signature = self._private.sign(data + hashlib.sha256(said).digest(), ec.ECDSA(SHA256()))
        told = {"clientDataJSON": text(said), "authenticatorData": text(data), "signature": text(signature)}
        return self._credential({**told, "userHandle": None})

    def _said(self, kind: str, challenge: str, origin: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": origin, "crossOrigin": False}).encode()

    def _data(self, host: str, flags: int, *, verified: bool = True) -> bytes:
        whole = flags | PRESENT | (VERIFIED if verified else 0)
        return hashlib.sha256(host.encode()).digest() + bytes([whole]) + self.uses.to_bytes(4)

    def _credential(self, response: dict[str, Any]) -> str:
        named = {"id": text(self._id), "rawId": text(self._id), "type": "public-key", "clientExtensionResults": {}}
        return json.dumps({**named, "response": response})


def text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")
