"""Sends one push to the right environment and says what became of it as a value.

What it remembers is about our standing with APNs: which environment a token belongs to, which tokens are set aside,
which devices are busy. All of it is bounded, and lost with the process without harm.
"""

import hashlib
import ssl
import time
from collections.abc import Callable
from datetime import datetime
from typing import Generic, Literal, TypeVar

from hub.kit.bounded import BoundedMap
from hub.kit.gateway.outcome import (
    Accepted,
    Doubtful,
    Gone,
    Misconfigured,
    Outcome,
    Quarantined,
    RetryLater,
    TooLarge,
    Undeliverable,
)
from surfaces.apns.config import server_of
from surfaces.apns.http2 import Lost, Unsent
from surfaces.apns.pool import Pool
from surfaces.apns.provider_token import ProviderToken
from surfaces.apns.push import NEVER_IMMEDIATE, OTHER, Push, headers_of
from surfaces.apns.reasons import ABOUT_THE_KEY, KNOWN_KEY, Answer, explain, is_dead, kind_of
from surfaces.apns.settings import Config, Environment

SEND_S_MAX = 8.0
"""For room on a connection, and as long again for the answer."""
BUSY_DEVICE_S = 20.0
HOLD_S = 120.0
QUARANTINE_S = 3_600.0
KNOWN_MAX = 20_000
IMMEDIATE = 10
OPEN_APP = "Open Pulse's app there once; it registers again."
SETTINGS = "Correct `[apns]` in the settings file; `pulse apns check` asks APNs again."
CLOCK = "Correct this machine's clock."
SEE_NETWORK = "Check that this machine can reach APNs: `pulse apns check`."
V = TypeVar("V")


class Known(Generic[V]):
    """What is known about tokens, which are not kept themselves; the oldest is forgotten first."""

    def __init__(self) -> None:
        self._by_name: BoundedMap[bytes, V] = BoundedMap(KNOWN_MAX)

    def get(self, token: str) -> V | None:
        """Return what is known of a token."""
        return self._by_name.get(_name(token))

    def put(self, token: str, value: V) -> None:
        """Remember."""
        self._by_name[_name(token)] = value

    def drop(self, token: str) -> None:
        """Forget."""
        self._by_name.pop(_name(token), None)


class Client:
    """One for all workers of a team. Close it when done."""

    def __init__(
        self,
        config: Config,
        token: ProviderToken,
        context: ssl.SSLContext,
        draw: Callable[[], float],
        *,
        send_s_max: float = SEND_S_MAX,
        steady_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._config = config
        self._token = token
        self._send_s_max = send_s_max
        self._steady_s = steady_s
        self._servers = {name: server_of(config, name) for name in OTHER}
        self.pools: dict[Environment, Pool] = {name: Pool(self._servers[name], context, draw) for name in OTHER}
        self._held_until_s = dict.fromkeys(OTHER, 0.0)
        self._environments: Known[Environment] = Known()
        self._aside_until_s: Known[float] = Known()
        self._busy_until_s: Known[float] = Known()
        self.trouble = ""
        """What APNs has against our settings; empty when nothing is known."""
        self.notice: Callable[[str, str], object] = lambda _why, _fix: None
        """Told whenever what keeps us from sending, and what helps, changes; empty for nothing any more."""
        self._noticed = self._fix = ""

    async def send(
        self,
        push: Push,
        environment: Environment | Literal["unknown"] = "unknown",
        registered_at: datetime | None = None,
    ) -> Outcome:
        """Try once; a token that is not known in one environment is tried once in the other."""
        if (self._aside_until_s.get(push.token) or 0.0) > self._steady_s():
            return Quarantined(why="Its token is set aside, for APNs does not know it", fix=OPEN_APP)
        if push.type in NEVER_IMMEDIATE and push.priority == IMMEDIATE:
            return Undeliverable(why="a background push is never immediate")
        first = self._environments.get(push.token) or (
            self._config.environment if environment == "unknown" else environment
        )
        outcome = await self._send_to(first, push, registered_at)
        if not isinstance(outcome, Quarantined):
            return outcome
        second = await self._send_to(OTHER[first], push, registered_at)
        if isinstance(second, Accepted):
            self._environments.put(push.token, OTHER[first])
        if isinstance(second, Quarantined):
            self._aside_until_s.put(push.token, self._steady_s() + QUARANTINE_S)
            return outcome
        return second

    def registered(self, token: str) -> None:
        """Give a token that was registered (again) a new chance."""
        for known in (self._aside_until_s, self._busy_until_s, self._environments):
            known.drop(token)

    def close(self) -> None:
        """End all connections."""
        for pool in self.pools.values():
            pool.close()

    async def _send_to(self, environment: Environment, push: Push, registered_at: datetime | None) -> Outcome:
        wait_s = max(self._held_until_s[environment], self._busy_until_s.get(push.token) or 0.0) - self._steady_s()
        if wait_s > 0:
            return RetryLater(why="APNs asked us to wait", after_s=wait_s)
        headers = headers_of(push, host=self._servers[environment].host, authorization=self._token.get_header())
        limits = {"room_s": self._send_s_max, "answer_s": self._send_s_max}
        result = await self.pools[environment].send(headers, push.payload, **limits)
        match result:
            case Unsent(why=why):
                why = why if why.startswith("APNs") else f"APNs accepts nothing right now: {why}"
                self._notice(why, SEE_NETWORK)
                return RetryLater(why=why, fix=SEE_NETWORK)
            case Lost(why=why):
                why = f"APNs did not answer: {why}"
                self._notice(why, SEE_NETWORK)
                return Doubtful(why=why, fix=SEE_NETWORK)
        outcome = self._answered(environment, push, result, registered_at)
        self._notice(self.trouble, self._fix if self.trouble else "")
        return outcome

    def _notice(self, why: str, fix: str) -> None:
        if why != self._noticed:
            self._noticed = why
            self.notice(why, fix)

    def _answered(
        self, environment: Environment, push: Push, answer: Answer, registered_at: datetime | None
    ) -> Outcome:
        why = explain(answer)
        match kind_of(answer):
            case None:
                self.trouble = ""
                return Accepted(detail=environment)
            case "quarantine":
                return Quarantined(why=why, fix=OPEN_APP)
            case "delete" if is_dead(answer, registered_at):
                return Gone()
            case "delete":
                why = f"{why}, of an earlier registration"
                return RetryLater(why=why, fix=OPEN_APP, after_s=answer.retry_after_s)
            case "shorten":
                return TooLarge()
            case "misconfigured":
                self.trouble, self._fix = why, SETTINGS
                about_key, is_known = answer.reason in ABOUT_THE_KEY, answer.reason in KNOWN_KEY
                return Misconfigured(why=why, fix=SETTINGS, stops_all=about_key, lacks_permission=is_known)
            case "give-up":
                return Undeliverable(why=why)
            case kind:
                wait_s = max(answer.retry_after_s, self._wait_for(kind, environment, push))
                return RetryLater(why=why, fix=CLOCK if kind == "new-token" else "", after_s=wait_s)

    def _wait_for(self, kind: str, environment: Environment, push: Push) -> float:
        """Do what a refusal that will pass asks of us; return for how many seconds to wait."""
        match kind:
            case "busy-device":
                self._busy_until_s.put(push.token, self._steady_s() + BUSY_DEVICE_S)
                return BUSY_DEVICE_S
            case "hold":
                self._held_until_s[environment] = self._steady_s() + HOLD_S
                self.pools[environment].retire()
                return HOLD_S
            case "new-connection":
                self.pools[environment].retire()
            case "new-token":
                self.trouble, self._fix = "APNs finds our token expired: this machine's clock may be wrong", CLOCK
                self._token.refuse()
                return self._token.change_in_s
        return 0.0


def _name(token: str) -> bytes:
    return hashlib.blake2b(token.encode(), digest_size=16).digest()
