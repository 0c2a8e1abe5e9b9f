"""Where this hub is asked, and where its page may have been opened: on this machine, and at one address for others.

The address for others can change while the hub runs (`pulse phone`). Whoever checks a name or an origin asks here each
time, so a change holds at once, and sessions that were begun at an address that is no longer ours end.
"""

from urllib.parse import urlsplit

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})
STANDARD_PORTS = {"http": ":80", "https": ":443"}


class Addresses:
    """The host and port that the API is bound to, and the address under which others reach it, if any."""

    def __init__(self, own_host: str, public_url: str = "") -> None:
        self.own_host = own_host
        self.set_public(public_url)

    def set_public(self, url: str) -> None:
        """Be reached by others at this address from now on; empty for nowhere."""
        self.public_url = url.rstrip("/")
        parts = urlsplit(self.public_url.lower())
        port = self.own_host.rpartition(":")[2]
        ours = {f"http://{name}:{port}" for name in LOOPBACK_NAMES} | {self.own}
        self._public = (parts.scheme, parts.netloc)
        self.hosts = frozenset(name.lower() for name in (self.own_host, parts.netloc) if name)
        self.origins = frozenset(ours | {_plain(self.public_url)} if self.public_url else ours)

    @property
    def own(self) -> str:
        """Where the API is, on this machine."""
        return f"http://{self.own_host}"

    @property
    def page(self) -> str:
        """Where a browser is sent that is to be signed in."""
        return self.public_url or self.own

    def __contains__(self, origin: object) -> bool:
        """Return True if a page may have been opened at this origin."""
        return origin in self.origins

    def origin_of(self, host: str) -> str:
        """Return the origin of a page at this host: the address for others has its own scheme, all else is http."""
        scheme, public = self._public
        return f"{scheme if host == public else 'http'}://{host}"


def _plain(url: str) -> str:
    """Return an origin in small letters and without the port that its scheme has anyway."""
    parts = urlsplit(url.lower())
    return f"{parts.scheme}://{parts.netloc.removesuffix(STANDARD_PORTS.get(parts.scheme, ''))}"
