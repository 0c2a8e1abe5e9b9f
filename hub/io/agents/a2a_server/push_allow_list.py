"""Which addresses may be told of a task. Pure.

Theory: an agent that may ask could otherwise have this process call any address, with this machine's place in the
network. So an address is one that the person named, or, where they named none, this machine by its own number and a
program of the person's there (`loopback_listeners`); never Pulse itself. A redirect leads elsewhere and is not
followed, no name is looked up to find out what it means, and whatever two readers could read differently (blanks,
backslashes, logins, other scripts) is no address.
"""

from collections.abc import Callable
from urllib.parse import urlsplit

from hub.contract.base import Value
from hub.io.agents.a2a_server.wire import URL_CHARS_MAX
from hub.kit.private_address import USUAL_PORTS, host_of, is_loopback, unsafe

NOT_NAMED = "The user did not allow this address; allowed: {places}."
HERE = "http://127.0.0.1"
WhyNotHere = Callable[[int, bool], str]
"""Returns why a port of this machine is not told, empty if it may be; the person may have named it themselves."""


class PushAllowList(Value):
    """Where tasks may be told of: the addresses that a person named, else programs of theirs on this machine."""

    named: tuple[str, ...] = ()


def place_of(url: str) -> str:
    """Return the scheme, host and port of an address; empty if it is none that something private may be sent to."""
    if len(url) > URL_CHARS_MAX or not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
        return ""
    host = host_of(url)
    return "" if unsafe(url) or not host else f"{urlsplit(url).scheme}://{host}"


def why_not_told(url: str, places: PushAllowList, why_not_here: WhyNotHere) -> str:
    """Say why an address is not told of a task; empty if it may be."""
    place = place_of(url)
    if not place:
        return "It must be a plain https:// address, or http:// on this machine, without a login."
    parts = urlsplit(url)
    here = is_loopback((parts.hostname or "").lower())
    if places.named and place not in places.named:
        return NOT_NAMED.format(places=", ".join(places.named))
    if here:
        return why_not_here(parts.port or USUAL_PORTS[parts.scheme], bool(places.named))
    return "" if places.named else NOT_NAMED.format(places=f"{HERE} on a port of one of your programs")
