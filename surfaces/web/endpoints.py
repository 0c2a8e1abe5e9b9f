"""Which addresses a push message may be sent to. Pure: subscriptions come from browsers, so they are hostile input.

A rule is one of: a host name (`push.example.org`: https, and since it was named it may be in a private network), a
pattern (`*.example.org`: https, public addresses only), or an origin (`http://127.0.0.1:9000`: exactly that one, which
is the only way to allow http or an IP address). The known push services are patterns of their own.
"""

import re
from collections.abc import Sequence
from typing import Literal

from hub.contract.base import Value

KNOWN = (
    "fcm.googleapis.com",
    "updates.push.services.mozilla.com",
    "*.push.services.mozilla.com",
    "*.notify.windows.com",
    "web.push.apple.com",
)
"""Chromium and its relatives, Firefox, Edge, Safari."""
HTTPS_PORT = 443
_ENDPOINT = re.compile(
    r"(?P<scheme>https?)://(?P<host>[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::(?P<port>[0-9]{1,5}))?"
    r"(?:/[A-Za-z0-9._~:/?@!$&'()*+,;=%-]*)?",
)
_RULE = re.compile(
    r"(?:\*\.)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+"
    r"|https?://(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?"
)


class Allowed(Value):
    """An endpoint that may be used."""

    origin: str


class Refused(Value):
    """An endpoint that may not be used, and why in a few words."""

    why: Literal["not-an-address", "not-https", "an-ip-address", "unknown-host"]


def is_rule(text: str) -> bool:
    """Say whether a text of the settings is a host name, a pattern or an origin."""
    return bool(_RULE.fullmatch(text))


def judge(endpoint: str, rules: Sequence[str] = ()) -> Allowed | Refused:
    """Say whether a push message may be sent there; `rules` are those of the settings, beside the known services."""
    parts = _ENDPOINT.fullmatch(endpoint)
    if parts is None:
        return Refused(why="not-an-address")
    scheme, host, port = parts["scheme"], parts["host"].lower(), parts["port"]
    origin = f"{scheme}://{host}" if port is None else f"{scheme}://{host}:{int(port)}"
    if origin in rules:
        return Allowed(origin=origin)
    if scheme != "https":
        return Refused(why="not-https")
    if _is_ip(host):
        return Refused(why="an-ip-address")
    known = any(_matches(host, rule) for rule in KNOWN) and (port is None or int(port) == HTTPS_PORT)
    if known or any(_matches(host, rule) for rule in rules):
        return Allowed(origin=origin)
    return Refused(why="unknown-host")


def _matches(host: str, rule: str) -> bool:
    return host.endswith(rule[1:]) if rule.startswith("*.") else host == rule


def _is_ip(host: str) -> bool:
    """Also the odd forms that some resolvers take for an address, such as `127.1` and `2130706433`."""
    last = host.strip("[]").rstrip(".").rpartition(".")[2]
    return host.startswith("[") or last.isdigit() or last.startswith("0x")
