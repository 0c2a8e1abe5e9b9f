"""Asks a server on this machine for an address that a need names: one GET, without anything that is the person's.

Theory: whoever can write a need could have Pulse ask for any address, with Pulse's place in the network. So only this
machine is asked, by a number that is the loopback's; never Pulse itself or its broker; no redirection is followed, no
proxy, cookie, password or header of the person's is used; and what comes back is bounded in time and size.
"""

import asyncio
from ipaddress import ip_address
from typing import Literal
from urllib.parse import SplitResult, urlsplit

import httptools

from hub.contract.base import Value
from hub.domain.provenance import LogText, Wording, say, untrusted
from hub.domain.world_proof import ProofFinding, UrlNeed

URL_S_MAX = 5.0
ANSWER_BYTES_MAX = 64 * 1024
READ_BYTES = 16 * 1024
URL_CHARS_MAX = 1_024
LOCAL = ("127.0.0.1", "::1")
PLAIN_PORT = 80
GOOD = range(200, 300)
State = Literal["there", "missing", "unknown"]


class _Address(Value):
    hosts: tuple[str, ...]
    port: int
    named: str
    target: str


class _Answer:
    """What a server says, as its parser tells it."""

    def __init__(self) -> None:
        self.body = b""
        self.has_status = False
        self.is_whole = False

    def on_headers_complete(self) -> None:
        """The status is known."""
        self.has_status = True

    def on_body(self, body: bytes) -> None:
        """Keep a part of what was sent."""
        self.body += body

    def on_message_complete(self) -> None:
        """All of it is there."""
        self.is_whole = True


async def look_at(need: UrlNeed, own_ports: frozenset[int]) -> ProofFinding:
    """Ask a server of this machine whether it answers well; `own_ports` are not asked."""
    address = _address(untrusted(need.url), own_ports)
    if isinstance(address, str):
        words = say("{url} was not asked for: {why}", url=need.url, why=address)
        return _finding(need, "unknown", words)
    try:
        async with asyncio.timeout(URL_S_MAX):
            status, answer = await _get(address)
    except TimeoutError:
        return _finding(need, "missing", say("{url} did not answer within 5 s", url=need.url))
    except (OSError, httptools.HttpParserError, httptools.HttpParserUpgrade):
        return _finding(need, "missing", say("No HTTP server answers at {url}", url=need.url))
    return _judged(need, status, answer)


def _judged(need: UrlNeed, status: int, answer: _Answer) -> ProofFinding:
    if status not in GOOD:
        return _finding(need, "missing", say("{url} answers {status}", url=need.url, status=status))
    if not need.text:
        return _finding(need, "there", say("{url} answers {status}", url=need.url, status=status))
    if untrusted(need.text).encode() in answer.body:
        words = say("{url} answers {status} with “{text}”", url=need.url, status=status, text=need.text)
        return _finding(need, "there", words)
    state: State = "missing" if answer.is_whole else "unknown"
    where = "in its answer" if answer.is_whole else "in the first 64 KiB of its answer"
    words = say(
        "{url} answers {status}, without “{text}” {where}", url=need.url, status=status, text=need.text, where=where
    )
    return _finding(need, state, words)


def _address(url: str, own_ports: frozenset[int]) -> _Address | str:
    """Return where to connect, or why not to."""
    if len(url) > URL_CHARS_MAX or not url.isascii() or not url.isprintable() or " " in url:
        return "it is not a plain address"
    try:
        parts = urlsplit(url)
        port, host = parts.port or PLAIN_PORT, parts.hostname or ""
    except ValueError:
        return "it is not a plain address"
    if parts.scheme != "http" or "@" in parts.netloc:
        return "it must begin with http:// and hold no name or password"
    hosts = _hosts(host)
    if not hosts:
        return "only this machine is asked (127.0.0.1, localhost)"
    if port in own_ports:
        return "that is Pulse itself"
    return _Address(hosts=hosts, port=port, named=parts.netloc, target=_target(parts))


def _target(parts: SplitResult) -> str:
    return f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"


def _hosts(host: str) -> tuple[str, ...]:
    """Return the numbers to connect to, all of them this machine's; no name is looked up."""
    if host == "localhost":
        return LOCAL
    try:
        return (host,) if ip_address(host).is_loopback else ()
    except ValueError:
        return ()


async def _get(address: _Address) -> tuple[int, _Answer]:
    reader, writer = await _connected(address)
    try:
        headers = f"Host: {address.named}\r\nAccept: */*\r\nConnection: close"
        writer.write(f"GET {address.target} HTTP/1.1\r\n{headers}\r\n\r\n".encode())
        await writer.drain()
        answer = _Answer()
        parser = httptools.HttpResponseParser(answer)
        left = ANSWER_BYTES_MAX
        while left > 0 and not answer.is_whole and (data := await reader.read(min(READ_BYTES, left))):
            left -= len(data)
            _feed(parser, data, answer)
        if not answer.has_status:
            raise ConnectionResetError
        answer.is_whole = answer.is_whole or left > 0
        return parser.get_status_code(), answer
    finally:
        writer.transport.abort()


def _feed(parser: httptools.HttpResponseParser, data: bytes, answer: _Answer) -> None:
    """Give the parser what came; what comes behind a whole answer is nobody's."""
    try:
        parser.feed_data(data)
    except httptools.HttpParserError:
        if not answer.is_whole:
            raise


async def _connected(address: _Address) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    wrong = ConnectionRefusedError()
    for host in address.hosts:
        try:
            return await asyncio.open_connection(host, address.port, limit=READ_BYTES)
        except OSError as error:
            wrong = ConnectionRefusedError(*error.args)
    raise wrong


def _finding(need: UrlNeed, state: State, words: Wording) -> ProofFinding:
    return ProofFinding(part=need, state=state, words=LogText(words.text))
