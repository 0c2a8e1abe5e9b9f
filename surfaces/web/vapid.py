"""Tells a push service who sends (VAPID, RFC 8292). One signature serves an origin for hours.

`sub` tells the push service whom to ask when something goes wrong with our messages. Apple answers 403 `BadJwtToken`
when it is not a mailbox or page of a real domain: `localhost`, `.local` and `.invalid` are refused.
"""

import re
from datetime import datetime, timedelta

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02  # type: ignore[import-untyped]  # it has no types

from hub.contract.errors import UserError
from hub.kit.base64url import from_base64url
from hub.kit.bounded import BoundedMap

LIFE = timedelta(hours=12)
"""RFC 8292 allows 24 hours; half of that leaves room for clocks that are wrong."""
RENEW_BEFORE = timedelta(hours=6)
ORIGINS_MAX = 256
RAW_KEY_BYTES = 32
_CONTACT = re.compile(
    r"mailto:[^\s<>@]+@(?P<mail>[A-Za-z0-9.-]+)|https://(?P<page>[A-Za-z0-9.-]+)(?::[0-9]+)?(?:/[^\s<>]*)?"
)
_NOT_REAL = ("localhost", ".localhost", ".local", ".invalid", ".test", ".internal", ".lan", ".home.arpa")


class BadPushKeyError(UserError):
    """The key, the contact or the hosts for push messages in the settings cannot be used."""

    code = "bad-push-key"


def contact_trouble(contact: str) -> str:
    """Say what a push service will dislike about the contact; empty when nothing."""
    parts = _CONTACT.fullmatch(contact)
    if parts is None:
        return "it must be a bare mailto: or https: address"
    host = (parts["mail"] or parts["page"]).lower()
    if "." not in host or host.endswith(_NOT_REAL) or host.rpartition(".")[2].isdigit():
        return "Apple only accepts an address on a real domain"
    return ""


def read_key(text: str) -> ec.EllipticCurvePrivateKey:
    """Read a private key: PEM, or its 32 bytes in URL-safe base64.

    Raises:
        BadPushKeyError: it is neither.
    """
    try:
        if text.lstrip().startswith("-----BEGIN"):
            key = serialization.load_pem_private_key(text.encode(), password=None)
            if isinstance(key, ec.EllipticCurvePrivateKey) and isinstance(key.curve, ec.SECP256R1):
                return key
            raise BadPushKeyError
        raw = from_base64url(text.strip())
        if len(raw) == RAW_KEY_BYTES:
            return ec.derive_private_key(int.from_bytes(raw), ec.SECP256R1())
    except (ValueError, TypeError) as error:
        raise BadPushKeyError from error
    raise BadPushKeyError


class Signer:
    """Makes the Authorization header for each push service, and keeps it while it is good."""

    def __init__(self, key: ec.EllipticCurvePrivateKey, contact: str) -> None:
        if _CONTACT.fullmatch(contact) is None:
            raise BadPushKeyError(
                f"{contact!r} is not a valid contact for push services.",
                fix="Set `web.contact` to mailto:… or https://…",
            )
        self._vapid = Vapid02(key)
        # py_vapid's own check of `sub` refuses https addresses with a port or a path; ours has been made
        self._vapid.conf = {"no-strict": True}
        self._contact = contact
        self._kept: BoundedMap[str, tuple[datetime, str]] = BoundedMap(ORIGINS_MAX)

    def header(self, origin: str, now: datetime) -> str:
        """Return the Authorization header for a push service's origin, such as `https://push.example.org`."""
        kept = self._kept.get(origin)
        if kept is not None and now < kept[0] - RENEW_BEFORE and kept[0] - now <= LIFE:
            return kept[1]
        until = now + LIFE
        claims = {
            "aud": origin,
            "exp": int(until.timestamp()),
            "sub": self._contact,
        }  # a new dict: `sign` is given no other's
        header: str = self._vapid.sign(claims)["Authorization"]
        self._kept[origin] = (until, header)
        return header

    def forget(self, origin: str) -> None:
        """Sign anew next time: the push service did not like this one."""
        self._kept.pop(origin, None)
