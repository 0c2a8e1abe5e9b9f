"""Requests that no proper client would send: refused in our own words, never a 500."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hub.io.server.guard import odd
from tests.io.api.raw import exchange
from tests.io.api.running import TOKEN, Api, Behind, running

AUTH = f"Authorization: Bearer {TOKEN}"
PAGES = ("/app/{}.html", "/app/{}", "/{}", "/api/v1/predictions/{}", "/api/v1/devices/{}/x/test", "/api/v1/ask/{}")
NAMES = ("%00", "a" * 20_000, "a" * 256, "%", "%zz", "%ff", "%0a", "%7f", "..%00", "%ed%a0%80", "%c0%80", "a/" * 2_000)


async def asked(address: str, head: str) -> bytes:
    return await exchange(address, f"{head}\r\nConnection: close\r\n\r\n".encode())


@pytest.mark.parametrize("page", PAGES)
async def test_names_that_no_file_and_no_id_has(api: Api, page: str) -> None:
    for name in NAMES:
        answer = await asked(api.address, f"GET {page.format(name)} HTTP/1.1\r\nHost: localhost\r\n{AUTH}")
        assert answer.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 404 ", b"HTTP/1.1 405 ")), (page, name[:20])
        assert b'"code":' in answer


@pytest.mark.parametrize(
    "headers",
    [
        ("Host: localhost", "Host: localhost"),
        ("Host: localhost", "Host: evil.example"),
        ("Host: localhost", AUTH),
        ("Host: localhost", "Idempotency-Key: a", "Idempotency-Key: b"),
        ("Host: localhost", "Origin: null", "Origin: null"),
    ],
)
async def test_what_may_be_said_once_is_not_said_twice(api: Api, headers: tuple[str, ...]) -> None:
    head = "\r\n".join(["GET /api/v1/crosspoll/status HTTP/1.1", *headers, AUTH])
    answer = await asked(api.address, head)
    assert answer.startswith(b"HTTP/1.1 400 ") or b'"detail":"The header' in answer
    assert b'"state"' not in answer


@pytest.mark.parametrize("length", ["Content-Length: 2\r\nContent-Length: 3", "Content-Length: 2\r\nContent-Length: 2"])
async def test_a_body_has_one_length(api: Api, length: str) -> None:
    head = f"POST /api/v1/crosspoll/pause HTTP/1.1\r\nHost: localhost\r\n{AUTH}\r\n{length}\r\n\r\n{{}}"
    assert (await exchange(api.address, head.encode())).startswith(b"HTTP/1.1 400 ")


async def test_no_host_is_not_this_host(api: Api) -> None:
    assert (await asked(api.address, f"GET / HTTP/1.1\r\n{AUTH}")).startswith(b"HTTP/1.1 421 ")


@pytest.mark.parametrize(
    "host", ["localhost:99999", "localhost:", "localhost:x", "127.0.0.1.evil", "localhost:²", "[::1"]
)
async def test_hosts_that_only_look_like_ours(api: Api, host: str) -> None:
    assert (await asked(api.address, f"GET / HTTP/1.1\r\nHost: {host}")).startswith(b"HTTP/1.1 421 ")


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1234", "127.0.0.1:1", "[::1]", "[::1]:8420"])
async def test_hosts_that_are_ours(api: Api, host: str) -> None:
    assert (await asked(api.address, f"GET / HTTP/1.1\r\nHost: {host}")).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize(
    ("host", "origin", "is_ours"),
    [
        ("localhost:80", "http://localhost:80", True),
        ("LocalHost:80", "http://localhost:80", True),
        ("localhost:80", "https://localhost:80", False),
        ("localhost:80", "ftp://localhost:80", False),
        ("localhost:80", "localhost:80", False),
        ("localhost:80", "http://localhost:81", False),
        ("localhost:80", "http://localhost", False),
        ("localhost:80", "null", False),
        ("localhost:80", "://localhost:80", False),
        ("pulse.example", "https://pulse.example", True),
        ("pulse.example", "http://pulse.example", False),
    ],
)
async def test_an_origin_is_scheme_host_and_port(host: str, origin: str, *, is_ours: bool) -> None:
    async with running(Behind(public_url="https://pulse.example")) as api:
        head = f"POST /api/v1/crosspoll/pause HTTP/1.1\r\nHost: {host}\r\n{AUTH}\r\nOrigin: {origin}"
        answer = await asked(api.address, head)
    assert answer.startswith(b"HTTP/1.1 200 ") is is_ours
    assert (b'"code":"wrong-origin"' in answer) is not is_ours


@pytest.mark.slow
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(raw=st.binary(min_size=1, max_size=300), path=st.text(max_size=300))
def test_no_address_is_too_odd_to_be_judged(raw: bytes, path: str) -> None:
    odd({"type": "http", "headers": [], "path": path, "raw_path": raw})
