"""The networks that this machine is in, and the address at which a phone in one of them finds it."""

import ipaddress
import socket
from collections.abc import Iterator

PORT = 8443
ELSEWHERE = ("203.0.113.1", "10.255.255.254", "172.31.255.254", "192.168.255.254")
"""Addresses that nobody is asked at: the system only says from which of its own it would go there."""
PRIVATE_NETWORKS = (
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "169.254.0.0/16",
    "100.64.0.0/10",
    "fc00::/7",
    "fe80::/10",
    "127.0.0.0/8",
)
"""What the authority is good for beside the `.local` name: addresses that mean nothing outside a network."""


def lan_addresses() -> tuple[str, ...]:
    """Return this machine's addresses in the networks that it is in; nothing is sent."""
    return tuple(dict.fromkeys(_own_addresses()))


def _own_addresses() -> Iterator[str]:
    for elsewhere in ELSEWHERE:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((elsewhere, 9))
            except OSError:  # no way there
                continue
            own = str(probe.getsockname()[0])
        if not own.startswith(("127.", "169.254.", "0.")):
            yield own


def host_is_private(host: str) -> bool:
    """Return True if an address is one that means nothing outside its network."""
    address = address_of(host)
    if address is None:
        return False
    networks = map(ipaddress.ip_network, PRIVATE_NETWORKS)
    return any(one.version == address.version and address in one for one in networks)


def address_of(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return an IP address, or None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def phone_address() -> str:
    """Return the private address at which a phone next to this machine most likely finds it, or an empty text.

    That is the first by which this machine itself would go out.
    """
    return next(filter(host_is_private, lan_addresses()), "")
