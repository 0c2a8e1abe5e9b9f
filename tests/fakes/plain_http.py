"""A client of HTTP on this machine. Nothing is encrypted, and to read the world's certificates takes 27 ms a client."""

import ssl
from collections.abc import Mapping

import httpx

NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
ANSWER_S_MAX = 60.0


def plain_client(
    base_url: str = "", headers: Mapping[str, str] | None = None, *, answer_s_max: float = ANSWER_S_MAX
) -> httpx.AsyncClient:
    """Return a client that no setting of this machine leads astray; close it."""
    return httpx.AsyncClient(
        base_url=base_url, headers=dict(headers or {}), trust_env=False, verify=NO_TLS, timeout=answer_s_max
    )
