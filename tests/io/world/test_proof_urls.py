"""Asking a server of this machine: a real one, that answers, refuses, redirects, floods or says nothing at all."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from hub.domain.provenance import LogText, untrusted
from hub.domain.world_proof import ProofFinding, UrlNeed
from hub.io.world import proof_urls
from hub.io.world.proof_urls import ANSWER_BYTES_MAX, look_at

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Server:
    """Answers every connection with the same bytes; remembers what it was asked."""

    def __init__(self, answer: bytes, *, then_hang: bool = False) -> None:
        self.requests: list[bytes] = []
        self.port = 0
        self._answer = answer
        self._then_hang = then_hang

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            self.requests.append(await reader.readuntil(b"\r\n\r\n"))
            writer.write(self._answer)
            await writer.drain()
            if self._then_hang:
                await reader.read()
        except ConnectionError:  # whoever asked has heard enough
            pass
        finally:
            writer.close()


@asynccontextmanager
async def serving(answer: bytes, *, then_hang: bool = False) -> AsyncIterator[Server]:
    server = Server(answer, then_hang=then_hang)
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    server.port = listening.sockets[0].getsockname()[1]
    async with listening:
        yield server


def answer(status: str, body: bytes = b"", *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


async def look(url: str, text: str = "", own: frozenset[int] = frozenset()) -> ProofFinding:
    return await look_at(UrlNeed(url=LogText(url), text=LogText(text)), own)


def words(finding: ProofFinding) -> str:
    return untrusted(finding.words)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_a_server_that_answers_well_is_there(host: str) -> None:
    async with serving(answer("200 OK", b"all well")) as server:
        url = f"http://{host}:{server.port}/health?deep=1"
        found = await look(url)
        assert (found.state, words(found)) == ("there", f"{url} answers 200")
        assert (await look(url, "all well")).state == "there"
        missing = await look(url, "All well")
        assert (missing.state, words(missing)) == ("missing", f"{url} answers 200, without “All well” in its answer")


async def test_it_is_asked_once_by_get_and_told_nothing_of_the_person() -> None:
    async with serving(answer("204 No Content")) as server:
        assert (await look(f"http://127.0.0.1:{server.port}")).state == "there"
        (request,) = server.requests
    assert request.decode().split("\r\n") == [
        "GET / HTTP/1.1",
        f"Host: 127.0.0.1:{server.port}",
        "Accept: */*",
        "Connection: close",
        "",
        "",
    ]


@pytest.mark.parametrize("status", ["404 Not Found", "500 Oh", "401 Unauthorized", "304 Not Modified"])
async def test_another_answer_is_not_what_is_needed(status: str) -> None:
    async with serving(answer(status, b"all well")) as server:
        found = await look(f"http://127.0.0.1:{server.port}/", "all well")
    assert (found.state, words(found).endswith(f"answers {status[:3]}")) == ("missing", True)


async def test_a_redirection_is_not_followed() -> None:
    async with serving(answer("200 OK")) as other:
        there = f"Location: http://127.0.0.1:{other.port}/"
        async with serving(answer("302 Found", b"", there)) as server:
            assert (await look(f"http://127.0.0.1:{server.port}/")).state == "missing"
        assert other.requests == []


async def test_pieces_that_are_sent_one_by_one_are_one_answer() -> None:
    body = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nall \r\n4\r\nwell\r\n0\r\n\r\n"
    async with serving(body) as server:
        assert (await look(f"http://127.0.0.1:{server.port}/", "all well")).state == "there"


async def test_of_what_is_too_long_only_the_beginning_is_read() -> None:
    long = b"x" * 1_000_000
    async with serving(answer("200 OK", b"early" + long + b"late")) as server:
        url = f"http://127.0.0.1:{server.port}/"
        states = [(await look(url, text)).state for text in ("", "early", "late")]
    assert states == ["there", "there", "unknown"]


async def test_headers_without_an_end_are_no_answer() -> None:
    async with serving(b"HTTP/1.1 200 OK\r\n" + b"X-More: and more\r\n" * (ANSWER_BYTES_MAX // 10)) as server:
        assert (await look(f"http://127.0.0.1:{server.port}/")).state == "missing"


@pytest.mark.parametrize("said", [b"", b"SSH-2.0-OpenSSH_9.6\r\n", b"\x00\xff" * 500, b"HTTP/1.1 two hundred\r\n\r\n"])
async def test_what_speaks_something_else_is_no_server(said: bytes) -> None:
    async with serving(said) as server:
        found = await look(f"http://127.0.0.1:{server.port}/")
    assert (found.state, "No HTTP server" in words(found)) == ("missing", True)


@pytest.mark.parametrize("said", [b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nwait"])
async def test_one_that_hangs_is_given_up(said: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof_urls, "URL_S_MAX", 0.2)
    async with serving(said, then_hang=True) as server:
        found = await look(f"http://127.0.0.1:{server.port}/", "x")
    assert (found.state, "did not answer" in words(found)) == ("missing", True)


async def test_where_nothing_listens_nothing_is_there() -> None:
    async with serving(b"") as server:
        port = server.port
    assert (await look(f"http://127.0.0.1:{port}/")).state == "missing"


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/",
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/meta-data",
        "http://0.0.0.0/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://127.1/",
        "http://localhost.example.com/",
        "http://[::]/",
        "http://[fe80::1]/",
        "http://me:secret@127.0.0.1/",
        "http://127.0.0.1@example.com/",
        "https://127.0.0.1/",
        "file:///etc/passwd",
        "gopher://127.0.0.1/",
        "127.0.0.1:80",
        "http://",
        "http://127.0.0.1:99999/",
        "http://127.0.0.1:x/",
        "http://[127.0.0.1/",
        "http://127.0.0.1/\r\nX-Evil: 1",
        "http://127.0.0.1/\tx",
        "http://127.0.0.1/ö",
        "http://127.0.0.1/" + "x" * 2_000,
    ],
)
async def test_no_other_address_is_asked(url: str) -> None:
    found = await look(url)
    assert (found.state, "was not asked for" in words(found)) == ("unknown", True)


async def test_pulse_itself_is_not_asked_under_any_name() -> None:
    async with serving(answer("200 OK")) as server:
        for host in ("127.0.0.1", "localhost", "127.0.0.2", "[::ffff:127.0.0.1]"):
            assert (await look(f"http://{host}:{server.port}/", own=frozenset({server.port}))).state == "unknown"
        assert server.requests == []
