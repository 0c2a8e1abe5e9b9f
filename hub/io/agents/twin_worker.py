"""Ask a model once, in a process of its own that ends with the answer.

A process, because the client costs 39 MB that the hub need not keep (docs/adr/0055), and because what a service sends
comes from outside: a bomb of an answer hits the limits here and nothing else. It runs isolated
(`python -I twin_worker.py`) and with an environment of its own, so nothing in the current folder is imported and no
`OPENAI_…` variable that is meant for others changes what is asked; therefore it imports nothing of the hub. The key
comes in on stdin, not as an argument, and never goes out again.
"""

import asyncio
import resource
import sys
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

import msgspec

if TYPE_CHECKING:
    from httpx2 import Response
    from openai import AsyncOpenAI

CPU_S_MAX = 30
MEMORY_BYTES_MAX = 1024 * 1024 * 1024
OK = 200
NOT_UNDERSTOOD = frozenset({400, 422})
"""A service that knows no `response_format` says so with these; it is asked once more without."""
Wrong = Literal["", "timeout", "unreachable", "status", "too-large", "bad-key", "bad-address"]


class ChatMessage(msgspec.Struct, frozen=True, kw_only=True):
    """One message of a chat."""

    role: str
    content: str


class ChatRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What to ask of whom. `url` is the service's address up to `/chat/completions`."""

    url: str
    key: str
    model: str
    messages: tuple[ChatMessage, ...]
    temperature: float
    tokens_max: int
    timeout_s: float
    answer_bytes_max: int
    as_json: bool = True


class ChatAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The body of a success as it came, or what went wrong; `status` is the service's own."""

    body: str = ""
    wrong: Wrong = ""
    status: int = 0


class NoSuccessError(Exception):
    """The service answered, and it was no success. Its text is not read: it may be endless, and quote the key."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class TooLongError(Exception):
    """The answer is larger than any honest one."""


async def answer(request: ChatRequest) -> ChatAnswer:
    """Ask; never raises for what a service, an address or a key may have wrong with it."""
    import openai  # noqa: F401, PLC0415  heavy: before the time begins that is the service's

    try:
        async with asyncio.timeout(request.timeout_s):
            said = await _asked(request, as_json=request.as_json)
            if request.as_json and said.status in NOT_UNDERSTOOD:
                said = await _asked(request, as_json=False)
            return said
    except TimeoutError:
        return ChatAnswer(wrong="timeout")


async def _asked(request: ChatRequest, *, as_json: bool) -> ChatAnswer:
    import openai  # noqa: PLC0415  heavy, and only this process pays for it

    if not (request.key.isascii() and request.key.isprintable()):
        return ChatAnswer(wrong="bad-key")
    if not _is_address(request.url):
        return ChatAnswer(wrong="bad-address")
    try:
        async with _client(request) as client:
            return ChatAnswer(body=await _body(client, request, as_json=as_json), status=OK)
    except NoSuccessError as error:
        return ChatAnswer(wrong="status", status=error.status)
    except openai.APITimeoutError:
        return ChatAnswer(wrong="timeout")
    except TooLongError:
        return ChatAnswer(wrong="too-large")
    except (openai.OpenAIError, _http_error()):  # the latter: the connection broke within the answer
        return ChatAnswer(wrong="unreachable")


def _client(request: ChatRequest) -> "AsyncOpenAI":
    """Return a client that follows no redirect and tries once: the key goes to the address that was named."""
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient  # noqa: PLC0415  see above

    http = DefaultAsyncHttpxClient(
        timeout=request.timeout_s, follow_redirects=False, event_hooks={"response": [_only_success]}
    )
    return AsyncOpenAI(
        api_key=request.key or "none",
        base_url=request.url,
        timeout=request.timeout_s,
        max_retries=0,
        http_client=http,
        default_headers={"Accept-Encoding": "identity"},
    )


async def _only_success(response: "Response") -> None:
    """Stop before a body is read that is no answer."""
    if response.status_code != OK:
        raise NoSuccessError(response.status_code)


async def _body(client: "AsyncOpenAI", request: ChatRequest, *, as_json: bool) -> str:
    """Return the answer's body as it comes.

    Raises:
        TooLongError: it is larger than any honest one.
    """
    from openai import Omit  # noqa: PLC0415  see above

    received = bytearray()
    more: dict[str, Any] = {"response_format": {"type": "json_object"}} if as_json else {}
    async with client.chat.completions.with_streaming_response.create(
        model=request.model,
        messages=[msgspec.to_builtins(each) for each in request.messages],
        temperature=request.temperature,
        max_tokens=request.tokens_max,
        extra_headers=None if request.key else {"Authorization": Omit()},
        **more,
    ) as said:
        async for piece in said.iter_bytes():
            received += piece
            if len(received) > request.answer_bytes_max:
                raise TooLongError
    return received.decode("utf-8", "replace")


def _is_address(url: str) -> bool:
    """Say whether it can be one; the libraries find out in different places, some of them by a bug."""
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _http_error() -> type[Exception]:
    from httpx2 import HTTPError  # noqa: PLC0415  see above

    return HTTPError


def main() -> None:
    """Answer one request."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S_MAX, CPU_S_MAX))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES_MAX, MEMORY_BYTES_MAX))
    request = msgspec.json.decode(sys.stdin.buffer.read(), type=ChatRequest)
    sys.stdout.buffer.write(msgspec.json.encode(asyncio.run(answer(request))))


if __name__ == "__main__":
    main()
