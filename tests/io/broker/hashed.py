"""Whose hash is it? As Mosquitto finds out: by hashing again with the same salt, as often."""

import base64

from hub.io.broker.passwords import hash_password


def is_hash_of(password: str, stored: str) -> bool:
    """Whether `stored`, as ``mosquitto_passwd`` writes it, was made of `password`."""
    _, _, iterations, salt, _ = stored.split("$")
    return hash_password(password, base64.b64decode(salt), int(iterations)) == stored
