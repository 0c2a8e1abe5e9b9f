"""One notification to one address, tried again for a while; every attempt carries the same key."""

import asyncio
import logging
import random
from collections.abc import Callable

import httpx

from hub.io.agents.a2a_server.wire import PushConfig
from hub.kit.backoff import RetryPolicy, retry_delay_s

TRY_S_MAX = 15.0
"""The protocol recommends 10 to 30 seconds."""
TRIES_MAX = 8
RETRIES = RetryPolicy(base_s=2.0, cap_s=120.0)
AT_ONCE_MAX = 8
LATER = {408, 425, 429}
BROKEN = 500
MEDIA_TYPE = "application/a2a+json"
TOKEN_HEADER, KEY_HEADER = "X-A2A-Notification-Token", "Idempotency-Key"
LOG = logging.getLogger(__name__)


class PushPoster:
    """Posts what is to be told; an answer's body is never read, and no redirect followed."""

    def __init__(self, retries: RetryPolicy = RETRIES) -> None:
        self._retries = retries
        self._room = asyncio.Semaphore(AT_ONCE_MAX)
        self._client: httpx.AsyncClient | None = None

    async def tell(self, config: PushConfig, body: bytes, key: str, is_wanted: Callable[[], bool]) -> bool:
        """Tell an address, as often as it takes and `is_wanted` says so; say whether it took it."""
        headers = {"Content-Type": MEDIA_TYPE, KEY_HEADER: key, **_credentials(config)}
        for attempt in range(TRIES_MAX):
            if attempt:
                await asyncio.sleep(retry_delay_s(attempt - 1, self._retries, random.random))
            if not is_wanted():
                return False
            status = await self._post(config.url, body, headers)
            if status and not _is_passing(status):
                return httpx.codes.is_success(status)
        LOG.warning("A push notification was given up: nobody took it in %d attempts.", TRIES_MAX)
        return False

    async def close(self) -> None:
        """Leave the connections."""
        if self._client is not None:
            await self._client.aclose()

    async def _post(self, url: str, body: bytes, headers: dict[str, str]) -> int:
        """Return what the address answers; 0 where it does not."""
        if self._client is None:  # loading certificates takes a moment, and most never push
            self._client = httpx.AsyncClient(timeout=TRY_S_MAX, follow_redirects=False, trust_env=False)
        try:
            stream = self._client.stream("POST", url, content=body, headers=headers)
            async with self._room, asyncio.timeout(TRY_S_MAX), stream as answer:
                return answer.status_code
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError):
            return 0


def _credentials(config: PushConfig) -> dict[str, str]:
    told = {TOKEN_HEADER: config.token} if config.token else {}
    asked = config.authentication
    if asked is not None and asked.credentials:
        told["Authorization"] = f"{asked.scheme} {asked.credentials}"
    return told


def _is_passing(status: int) -> bool:
    return status in LATER or status >= BROKEN
