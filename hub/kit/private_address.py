"""Where a password may be sent: encrypted, or on this machine; which host an address names, and where that lies."""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

USUAL_PORTS = {"http": 80, "https": 443}
HIDES_IPV4 = tuple(map(ip_network, ("64:ff9b::/96", "::/96", "::ffff:0:0:0/96")))
"""A translator, here or at the edge of a network, sends these to the IPv4 address in their last four bytes."""
NO_IPV4 = frozenset(map(ip_address, ("::", "::1")))
OPEN_INTERNET = ip_network("2000::/3")
"""No other IPv6 address leads there; what else Python calls global may be translated into a private network."""


def host_of(url: str) -> str:
    """Return the host of an address, with its port where that is not the usual one; empty if there is none."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return ""
    host = (parts.hostname or "").lower()
    return f"{host}:{port}" if port and port != USUAL_PORTS.get(parts.scheme) else host


def unsafe(url: str) -> str:
    """Say why a password must not be sent to an address; empty if it may."""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").lower()
        has_login = "@" in parts.netloc
    except ValueError:
        host, has_login, parts = "", False, None
    if parts is None or not host or parts.scheme not in {"http", "https"}:
        return "it does not begin with https://."
    if has_login:
        return "it holds a user name or a password, which have their own settings."
    if parts.scheme == "http" and not is_loopback(host):
        return "it is not encrypted. Use https://."
    return ""


def is_loopback(host: str) -> bool:
    """Say whether a host is this machine itself."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def is_public(address: str) -> bool:
    """Return True if an IP address is one of the open internet, also where it hides an IPv4 address."""
    found = _number(address)
    if found is None or (isinstance(found, IPv6Address) and found not in OPEN_INTERNET):
        return False
    return found.is_global and not found.is_multicast


def is_of_this_machine(address: str) -> bool:
    """Return True if an IP address leads to this machine, or to what only answers next to it (link-local)."""
    found = _number(address)
    return found is None or found.is_loopback or found.is_unspecified or found.is_link_local


def _number(address: str) -> IPv4Address | IPv6Address | None:
    """Return an IP address, or the IPv4 address that it hides; None for what is none."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return None
    if isinstance(found, IPv6Address):
        is_hiding = found not in NO_IPV4 and any(found in network for network in HIDES_IPV4)
        translated = IPv4Address(int(found) & 0xFFFF_FFFF) if is_hiding else None
        return found.ipv4_mapped or found.sixtofour or translated or found
    return found
