"""Hostile endpoints: whatever a browser claims, Pulse sends only to push services."""

import socket

import pytest
from aiohttp.abc import AbstractResolver, ResolveResult
from hypothesis import given
from hypothesis import strategies as st

from hub.kit.private_address import is_public
from surfaces.web.endpoints import Allowed, Refused, is_rule, judge
from surfaces.web.send import PublicResolver

GOOD = [
    "https://fcm.googleapis.com/fcm/send/dXyz:APA91b-_x",
    "https://updates.push.services.mozilla.com/wpush/v2/gAAA",
    "https://wns2-par02p.notify.windows.com/w/?token=BQY%2bAb%3d",
    "https://web.push.apple.com/QGfD-x",
    "https://FCM.googleapis.com:443/fcm/send/x",
]
BAD = {
    "http://fcm.googleapis.com/fcm/send/x": "not-https",
    "https://fcm.googleapis.com:8443/x": "unknown-host",
    "https://fcm.googleapis.com.evil.example/x": "unknown-host",
    "https://evil-fcm.googleapis.com/x": "unknown-host",
    "https://notify.windows.com/x": "unknown-host",
    "https://evilnotify.windows.com/x": "unknown-host",
    "https://evil.example/?fcm.googleapis.com": "unknown-host",
    "https://fcm.googleapis.com@evil.example/x": "not-an-address",
    "https://evil.example\\@fcm.googleapis.com/x": "not-an-address",
    "https://fcm.googleapis.com#@evil.example/": "not-an-address",
    "https://user:pass@web.push.apple.com/x": "not-an-address",
    "https://127.0.0.1/x": "an-ip-address",
    "https://[::1]/x": "an-ip-address",
    "https://2130706433/x": "an-ip-address",
    "https://127.1/x": "an-ip-address",
    "https://0x7f.1/x": "an-ip-address",
    "https://0x7f000001/x": "an-ip-address",
    "https://169.254.169.254/latest/meta-data": "an-ip-address",
    "https://localhost/x": "unknown-host",
    "https://web.push.apple.com./x": "unknown-host",
    "file:///etc/passwd": "not-an-address",
    "https://": "not-an-address",
    "https://fcm.googleapis.com/x y": "not-an-address",
    "https://fcm.googleapis.com/x\r\nHost: evil": "not-an-address",
    "https://fcm.gооgleapis.com/x": "not-an-address",  # noqa: RUF001  Cyrillic letters are the point
}


@pytest.mark.parametrize("endpoint", GOOD)
def test_known_services(endpoint: str) -> None:
    assert isinstance(judge(endpoint), Allowed)


@pytest.mark.parametrize("endpoint", BAD)
def test_hostile_endpoints(endpoint: str) -> None:
    assert judge(endpoint) == Refused(why=BAD[endpoint])  # type: ignore[arg-type]  # the table's words are its literals


@pytest.mark.slow
@given(st.text(max_size=60))
def test_no_text_gets_through_by_chance(text: str) -> None:
    assert isinstance(judge(f"https://{text}"), Refused)


@pytest.mark.parametrize(
    ("rule", "endpoint"),
    [
        ("push.example.org", "https://push.example.org:8443/x"),
        ("*.example.org", "https://a.push.example.org/x"),
        ("http://127.0.0.1:9000", "http://127.0.0.1:9000/x"),
        ("https://10.0.0.5:8443", "https://10.0.0.5:8443/x"),
        ("http://localhost:9000", "http://localhost:9000/x"),
    ],
)
def test_rules_of_the_settings(rule: str, endpoint: str) -> None:
    assert is_rule(rule)
    assert isinstance(judge(endpoint), Refused)
    assert isinstance(judge(endpoint, (rule,)), Allowed)


@pytest.mark.parametrize(
    ("rule", "endpoint"),
    [
        ("http://127.0.0.1:9000", "http://127.0.0.1:9001/x"),
        ("http://127.0.0.1:9000", "https://127.0.0.1:9000/x"),
        ("push.example.org", "http://push.example.org/x"),
        ("push.example.org", "https://a.push.example.org/x"),
        ("*.example.org", "https://example.org/x"),
    ],
)
def test_a_rule_allows_no_more_than_it_says(rule: str, endpoint: str) -> None:
    assert isinstance(judge(endpoint, (rule,)), Refused)


@pytest.mark.parametrize(
    "text", ["", "*", "*.", "localhost", "10.0.0.0/8", "http://", "https://a/b", "a b.org", "*.*.org"]
)
def test_what_is_no_rule(text: str) -> None:
    assert not is_rule(text)


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("142.250.1.1", True),
        ("2a00:1450::1", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),  # noqa: S104  nothing is bound here
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("::ffff:10.0.0.1", False),
        ("2002:7f00:1::", False),
        ("64:ff9b::7f00:1", False),
        ("64:ff9b::8efa:101", True),
        ("ff02::1", False),
        ("no address", False),
    ],
)
def test_public_addresses(address: str, public: bool) -> None:  # noqa: FBT001  a table
    assert is_public(address) is public


class Names(AbstractResolver):
    """A name server that says what it is told to."""

    def __init__(self, *addresses: str) -> None:
        self._addresses = addresses

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        return [
            ResolveResult(hostname=host, host=one, port=port, family=family, proto=0, flags=0)
            for one in self._addresses
        ]

    async def close(self) -> None:
        return


async def test_a_known_name_that_stands_for_a_private_address_is_not_connected_to() -> None:
    for addresses in (("10.0.0.1",), ("142.250.1.1", "127.0.0.1")):
        resolver = PublicResolver((), Names(*addresses))
        with pytest.raises(OSError, match="not public"):
            await resolver.resolve("fcm.googleapis.com", 443)


async def test_a_name_that_the_settings_name_may_be_private() -> None:
    found = await PublicResolver(("push.example.org",), Names("10.0.0.1")).resolve("push.example.org", 443)
    assert found[0]["host"] == "10.0.0.1"
    with pytest.raises(OSError, match="not public"):
        await PublicResolver(("*.example.org",), Names("10.0.0.1")).resolve("push.example.org", 443)
