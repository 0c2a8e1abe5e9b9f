"""Where a broker is and how to log in there."""

import urllib.parse
from pathlib import Path

from hub.contract.base import Value
from hub.contract.errors import UserError

PORT_PLAIN = 1883
PORT_TLS = 8883
SCHEMES = {"mqtt": PORT_PLAIN, "mqtts": PORT_TLS}


class BadBrokerUrlError(UserError):
    """The address of the broker cannot be used. Write it as mqtt://user:password@host:1883, or mqtts:// for TLS."""

    code = "broker-url"


class BrokerAddress(Value):
    """One broker as one client reaches it. It shows itself without the password."""

    host: str
    port: int
    tls: bool = False
    ca_file: Path | None = None
    username: str = ""
    password: str = ""

    @property
    def shown(self) -> str:
        """Give the address as it may be shown and logged: scheme, host and port only."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'mqtts' if self.tls else 'mqtt'}://{host}:{self.port}"

    def __repr__(self) -> str:
        return f"BrokerAddress({self.shown})"


def parse_url(url: str, ca_file: Path | None = None) -> BrokerAddress:
    """Read ``mqtt://user:password@host:port`` or ``mqtts://…``; user and password may be percent-encoded.

    Args:
        url: the setting ``mqtt.url``.
        ca_file: certificates to trust instead of the system's, for ``mqtts``.

    Raises:
        BadBrokerUrlError: the scheme, host or port is missing or wrong. Its text never repeats the URL, which may
            hold a password.
    """
    parts = urllib.parse.urlsplit(url.strip())
    if parts.scheme not in SCHEMES:
        raise BadBrokerUrlError("The broker's address must begin with mqtt:// or mqtts://.", fix="Correct mqtt.url.")
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise BadBrokerUrlError("The broker's address ends after the port.", fix="Remove the rest from mqtt.url.")
    return BrokerAddress(
        host=_host(parts),
        port=_port(parts),
        tls=parts.scheme == "mqtts",
        ca_file=ca_file,
        username=urllib.parse.unquote(parts.username or ""),
        password=urllib.parse.unquote(parts.password or ""),
    )


def _host(parts: urllib.parse.SplitResult) -> str:
    if not parts.hostname:
        raise BadBrokerUrlError("The broker's address has no host.", fix="Add the host to mqtt.url.")
    return parts.hostname


def _port(parts: urllib.parse.SplitResult) -> int:
    try:
        port = parts.port
    except ValueError as error:
        raise BadBrokerUrlError(
            "The broker's port is not a number from 1 to 65535.", fix="Correct mqtt.url."
        ) from error
    return port or SCHEMES[parts.scheme]
