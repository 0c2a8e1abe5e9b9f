"""What an answer of a push service means. Pure.

Only 404 and 410 say that a subscription has ended (RFC 8030). Everything else keeps it: a push service that is away,
busy, or displeased with us says nothing about the browser behind it.
"""

from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from http import HTTPStatus

from hub.kit.gateway.outcome import (
    Accepted,
    Gone,
    Misconfigured,
    Outcome,
    RetryLater,
    TooLarge,
    Undeliverable,
)

RETRY_AFTER_S_MAX = 86_400.0
SWITCH_AGAIN = "In that browser: Settings, Devices, switch Notifications off and on again."
OK = range(200, 300)
REDIRECTS = range(300, 400)
GONE = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.GONE})
OURS_TO_MEND = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})
LATER = frozenset(
    {
        HTTPStatus.NOT_ACCEPTABLE,  # Windows' push service says so when it is sent too much
        HTTPStatus.REQUEST_TIMEOUT,
        HTTPStatus.TOO_EARLY,
        HTTPStatus.TOO_MANY_REQUESTS,
    }
)
SERVER_ERRORS = range(500, 600)


def outcome_of(status: int, *, retry_after_s: float = 0.0, ttl: str = "") -> Outcome:
    """Read a push service's HTTP status."""
    if status in OK:
        return Accepted(detail=f"kept for {ttl} s" if ttl.isdigit() else "")
    if status in GONE:
        return Gone()
    if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return TooLarge()
    if status in OURS_TO_MEND:
        return Misconfigured(why=f"Its push service does not accept our key (status {status})", fix=SWITCH_AGAIN)
    if status in LATER or status in SERVER_ERRORS:
        return RetryLater(why=f"Its push service is busy or away (status {status})", after_s=retry_after_s)
    said = "redirects us" if status in REDIRECTS else f"says {status}"
    return Undeliverable(why=f"Its push service does not accept it: it {said}", fix=SWITCH_AGAIN)


def retry_after_s(value: str, now: datetime) -> float:
    """Read a Retry-After header, in seconds or as a date; 0 for none or nonsense, and a day at most."""
    text = value.strip()
    if text.isascii() and text.isdigit():
        return min(RETRY_AFTER_S_MAX, float(text[:9]))
    try:
        wait = parsedate_to_datetime(text) - now
    except (ValueError, TypeError, OverflowError):
        return 0.0
    return max(0.0, min(RETRY_AFTER_S_MAX, wait / timedelta(seconds=1)))
