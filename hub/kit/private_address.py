"""Where a password may be sent: encrypted, or on this machine; and which host an address names."""

from ipaddress import ip_address
from urllib.parse import urlsplit

USUAL_PORTS = {"http": 80, "https": 443}


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
        return "it is no address that begins with https://."
    if has_login:
        return "it holds a user name or a password, which have settings of their own."
    if parts.scheme == "http" and not is_loopback(host):
        return "it is not encrypted. Use https://."
    return ""


def is_loopback(host: str) -> bool:
    """Say whether a host is this machine itself."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
