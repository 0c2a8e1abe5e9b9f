"""A browser's side of Web Push, written from RFC 8188 and RFC 8291 without the sender's libraries: it judges them."""

import base64
import hashlib
import hmac
import json
import os

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from hub.contract.address import WebPushAddress

SALT_BYTES, SIZE_BYTES, TAG_BYTES, POINT_BYTES, NUMBER_BYTES = 16, 4, 16, 65, 32


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def private_key(text: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(unb64(text)), ec.SECP256R1())


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


class Browser:
    """One subscription's keys."""

    def __init__(self, key: ec.EllipticCurvePrivateKey | None = None, auth: bytes | None = None) -> None:
        self.key = key or ec.generate_private_key(ec.SECP256R1())
        self.auth = auth or os.urandom(SALT_BYTES)

    def address(self, endpoint: str, *, lang: str = "en", origin: str = "http://127.0.0.1:8420") -> WebPushAddress:
        return WebPushAddress(
            endpoint=endpoint, p256dh=b64(point(self.key.public_key())), auth=b64(self.auth), origin=origin, lang=lang
        )

    def decrypt(self, body: bytes) -> bytes:
        """RFC 8291, section 3.4, and one record of RFC 8188."""
        salt, rest = body[:SALT_BYTES], body[SALT_BYTES:]
        record_bytes = int.from_bytes(rest[:SIZE_BYTES])
        id_bytes = rest[SIZE_BYTES]
        assert id_bytes == POINT_BYTES
        sender, record = rest[SIZE_BYTES + 1 :][:id_bytes], rest[SIZE_BYTES + 1 + id_bytes :]
        assert len(record) <= record_bytes
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        info = b"WebPush: info\0" + point(self.key.public_key()) + sender
        secret = _expand(_extract(self.auth, shared), info, NUMBER_BYTES)
        keys = _extract(salt, secret)
        key = _expand(keys, b"Content-Encoding: aes128gcm\0", SALT_BYTES)
        nonce = _expand(keys, b"Content-Encoding: nonce\0", 12)
        padded = AESGCM(key).decrypt(nonce, record, None).rstrip(b"\0")
        assert padded[-1:] == b"\x02"
        return padded[:-1]


def check_vapid(header: str) -> tuple[dict[str, object], str]:
    """Check an Authorization header's signature; return its claims and the public key it names."""
    scheme, _, rest = header.partition(" ")
    assert scheme == "vapid"
    fields = dict(part.strip().split("=", 1) for part in rest.split(","))
    signed, _, signature = fields["t"].rpartition(".")
    raw = unb64(signature)
    assert len(raw) == 2 * NUMBER_BYTES
    r, s = int.from_bytes(raw[:NUMBER_BYTES]), int.from_bytes(raw[NUMBER_BYTES:])
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unb64(fields["k"]))
    key.verify(encode_dss_signature(r, s), signed.encode(), ec.ECDSA(SHA256()))
    head, claims = (json.loads(unb64(part)) for part in signed.split("."))
    assert head["alg"] == "ES256"
    return claims, fields["k"]


def _extract(salt: bytes, secret: bytes) -> bytes:
    return hmac.new(salt, secret, hashlib.sha256).digest()


def _expand(key: bytes, info: bytes, length: int) -> bytes:
    return hmac.new(key, info + b"\x01", hashlib.sha256).digest()[:length]
