"""How brokers keep passwords: in mosquitto's format, made with the standard library, and as bcrypt for nats-server.

A line of mosquitto's is ``name:$7$iterations$salt$hash``: PBKDF2-HMAC-SHA512, 64 bytes, salt and hash in Base64
(mosquitto 2.0, ``src/password_mosq.c`` and ``mosquitto_passwd``). Broker passwords are random tokens of 256 bits,
so the few iterations that Mosquitto uses by default, and the fewest that bcrypt has, do no harm. They keep a log-in
cheap, also for the broker when strangers try passwords.
"""

import base64
import hashlib
import secrets
from collections.abc import Sequence

import bcrypt
from msgspec.structs import replace

from hub.io.broker.acl import BrokerUser

BCRYPT_ROUNDS = 4
ITERATIONS = 101
SALT_BYTES = 12
HASH_BYTES = 64
TOKEN_BYTES = 32


def new_password() -> str:
    """Make a random password of 256 bits in URL-safe letters."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_password(password: str, salt: bytes | None = None, iterations: int = ITERATIONS) -> str:
    """Hash ``password`` the way Mosquitto 2 stores it; a fresh salt is drawn unless one is given."""
    used = secrets.token_bytes(SALT_BYTES) if salt is None else salt
    digest = _digest(password, used, iterations)
    return f"$7${iterations}${_base64(used)}${_base64(digest)}"


def with_password(user: BrokerUser, password: str) -> BrokerUser:
    """Return ``user`` with the hashes of ``password`` for every broker that Pulse can run."""
    crypted = bcrypt.hashpw(password.encode(), bcrypt.gensalt(BCRYPT_ROUNDS)).decode()
    return replace(user, password_hash=hash_password(password), bcrypt=crypted)


def password_file_for(users: Sequence[BrokerUser]) -> str:
    """Write Mosquitto's ``password_file``; a user without a hash cannot log in and is left out."""
    return "".join(f"{user.name}:{user.password_hash}\n" for user in users if user.password_hash)


def _digest(password: str, salt: bytes, iterations: int) -> bytes:
    return hashlib.pbkdf2_hmac("sha512", password.encode(), salt, iterations, HASH_BYTES)


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
