"""One attempt to hand one message to a push service: allowed address, encryption, signature, HTTP.

pywebpush encrypts (RFC 8291). Its own HTTP call is not used: it follows redirects, has no useful time limit, takes any
host, signs again for each message, and raises for 204.
"""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import datetime
from http import HTTPStatus

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from pywebpush import WebPusher, WebPushException  # type: ignore[import-untyped]  # it has no types
from yarl import URL

from hub.contract.address import WebPushAddress
from hub.kit.gateway.outcome import Misconfigured, Outcome, RetryLater, Undeliverable
from hub.kit.private_address import is_public
from hub.kit.unreachable import why_unreachable
from surfaces.web.endpoints import Allowed, Refused, judge
from surfaces.web.outcome import SWITCH_AGAIN, outcome_of, retry_after_s
from surfaces.web.render import Push
from surfaces.web.vapid import Signer

SEND_S_MAX = 15.0
CONNECT_S_MAX = 5.0
ANSWER_BYTES_MAX = 4_096
CONNECTIONS_MAX = 512
DNS_KEPT_S = 300
CODING = "aes128gcm"
SEE_NETWORK = "Check that this machine is online."


class PublicResolver(AbstractResolver):
    """Looks names up, and refuses a name any of whose addresses is not public, unless the settings named its host."""

    def __init__(self, rules: Sequence[str], inner: AbstractResolver) -> None:
        self._private = frozenset(host for rule in rules if (host := _named(rule)))
        self._inner = inner

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return where a host is; what is returned here is what aiohttp connects to.

        Raises:
            OSError: it is nowhere, or where it must not be.
        """
        found = await self._inner.resolve(host, port, family)
        if host not in self._private and not all(is_public(one["host"]) for one in found):
            raise OSError(None, "the name stands for an address that is not public")
        return found

    async def close(self) -> None:
        """Let go of the inner resolver."""
        await self._inner.close()


@contextlib.asynccontextmanager
async def opened_session(
    rules: Sequence[str], *, send_s_max: float = SEND_S_MAX
) -> AsyncIterator[aiohttp.ClientSession]:
    """Open the one HTTP session of a gateway: no cookies, no proxies, bounded connections and times."""
    resolver = PublicResolver(rules, aiohttp.DefaultResolver())
    connector = aiohttp.TCPConnector(resolver=resolver, limit=CONNECTIONS_MAX, ttl_dns_cache=DNS_KEPT_S)
    timeout = aiohttp.ClientTimeout(total=send_s_max, connect=min(send_s_max, CONNECT_S_MAX))
    jar = aiohttp.DummyCookieJar()
    async with aiohttp.ClientSession(connector=connector, timeout=timeout, cookie_jar=jar) as session:
        yield session


class Sender:
    """Sends, and says what became of it as a value."""

    def __init__(
        self, session: aiohttp.ClientSession, signer: Signer, rules: Sequence[str], clock: Callable[[], datetime]
    ) -> None:
        self._session = session
        self._signer = signer
        self._rules = tuple(rules)
        self._clock = clock

    async def send(self, address: WebPushAddress, push: Push) -> Outcome:
        """Try once; a signature that the service refuses is made again and tried a second time."""
        allowed = judge(address.endpoint, self._rules)
        if isinstance(allowed, Refused):
            return Undeliverable(why=allowed.why)
        try:
            body = encrypt(address, push.body)
        except ValueError:
            return Undeliverable(why="Its keys are not valid", fix=SWITCH_AGAIN)
        outcome = await self._post(allowed, address.endpoint, push, body)
        if isinstance(outcome, Misconfigured):
            self._signer.forget(allowed.origin)
            outcome = await self._post(allowed, address.endpoint, push, body)
        return outcome

    async def _post(self, allowed: Allowed, endpoint: str, push: Push, body: bytes) -> Outcome:
        headers = {
            "Authorization": self._signer.header(allowed.origin, self._clock()),
            "Content-Encoding": CODING,
            "Content-Type": "application/octet-stream",
            "TTL": str(push.ttl_s),
            "Topic": push.topic,
            "Urgency": push.urgency,
        }
        where = URL(endpoint, encoded=True)
        try:
            async with self._session.post(where, data=body, headers=headers, allow_redirects=False) as answer:
                await answer.content.read(ANSWER_BYTES_MAX)
                wait_s = retry_after_s(answer.headers.get("Retry-After", ""), self._clock())
                ttl = answer.headers.get("TTL", "") if answer.status == HTTPStatus.CREATED else ""
                return outcome_of(answer.status, retry_after_s=wait_s, ttl=ttl)
        except (TimeoutError, aiohttp.ClientError, OSError, asyncio.IncompleteReadError) as error:
            return RetryLater(why=f"Its push service does not answer ({why_unreachable(error)})", fix=SEE_NETWORK)


def encrypt(address: WebPushAddress, plain: bytes) -> bytes:
    """Encrypt for one browser (RFC 8291), in one record.

    Raises:
        ValueError: the browser's keys are no keys.
    """
    keys = {"p256dh": address.p256dh, "auth": address.auth}
    try:
        body: bytes = WebPusher({"endpoint": address.endpoint, "keys": keys}).encode(plain, CODING)["body"]
    except (WebPushException, IndexError) as error:
        raise ValueError from error
    return body


def _named(rule: str) -> str:
    """Return the host of a rule that names one; nothing for a pattern."""
    return "" if rule.startswith("*.") else rule.rpartition("://")[2].partition(":")[0]
