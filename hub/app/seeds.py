"""Where the ids of what Pulse makes come from."""

import base64
import secrets

SEED_CHARS = 12


def new_seed() -> str:
    """Return a fresh seed for ids: 60 random bits, as letters and digits that a person can read out."""
    return base64.b32encode(secrets.token_bytes(8)).decode().lower()[:SEED_CHARS]
