"""When to leave a service alone that fails, and when to try it again. Pure; the time is an input.

Theory: asking what is dead costs its whole time-out each time, and whoever is about to recover is not helped by a
crowd.

    state      call may begin?                what ends it
    closed     yes                            `FAILURES_TO_OPEN` failures in a row → open
    open       no                             its rest is over → half-open, by asking `begin`
    half-open  one, the probe; no other       it went well → closed; it failed → open, for twice as long

What cannot get better by itself (a wrong key, a model that there is not) opens at the first failure. A probe of which
nothing is heard within `PROBE_S_MAX` counts as failed, so nothing waits for ever. A clock that is set back lengthens no
rest beyond its own length.
"""

from datetime import datetime, timedelta
from typing import Literal

from msgspec.structs import replace

from hub.contract.base import Value
from hub.kit.backoff import RetryPolicy

FAILURES_TO_OPEN = 3
"""One failure is a hiccup, two a bad minute."""
REST = RetryPolicy(base_s=60.0, cap_s=3_600.0)
PROBE_S_MAX = 120.0


class Breaker(Value):
    """How a service has been lately. `since` is when its state began; `opens` counts its rests since it did well."""

    state: Literal["closed", "open", "half-open"] = "closed"
    failures: int = 0
    opens: int = 0
    since: datetime | None = None

    @property
    def rest(self) -> timedelta:
        """How long it rests in all, while it is open."""
        return timedelta(seconds=REST.ceiling_s(max(0, self.opens - 1)))


def begin(breaker: Breaker, now: datetime) -> tuple[bool, Breaker]:
    """Say whether a call may begin now, and return the breaker with it under way."""
    since = breaker.since
    if breaker.state == "closed" or since is None:
        return True, breaker
    limit = breaker.rest if breaker.state == "open" else timedelta(seconds=PROBE_S_MAX)
    if since > now:  # the clock was set back
        return False, replace(breaker, since=now)
    return (True, replace(breaker, state="half-open", since=now)) if now - since >= limit else (False, breaker)


def went_well(breaker: Breaker) -> Breaker:
    """Return the breaker after a call that brought what was asked for."""
    return breaker if breaker == Breaker() else Breaker()


def failed(breaker: Breaker, now: datetime, *, lasting: bool = False) -> Breaker:
    """Return the breaker after a call that failed; `lasting` is that trying again will not help."""
    failures = breaker.failures + 1
    if breaker.state == "open":  # began before it opened
        return replace(breaker, failures=failures)
    if breaker.state == "half-open" or lasting or failures >= FAILURES_TO_OPEN:
        return Breaker(state="open", failures=failures, opens=breaker.opens + 1, since=now)
    return replace(breaker, failures=failures)


def open_until(breaker: Breaker) -> datetime | None:
    """Return when it is tried again; None when it may be asked."""
    return breaker.since + breaker.rest if breaker.state == "open" and breaker.since is not None else None
