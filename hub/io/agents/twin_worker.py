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
from msgspec.structs import replace

if TYPE_CHECKING:
    from httpx2 import Response
    from openai import AsyncOpenAI

CPU_S_MAX = 30
MEMORY_BYTES_MAX = 1024 * 1024 * 1024
OK = 200
NOT_UNDERSTOOD = frozenset({400, 422})
"""With these a service says that it does not take a parameter; it is asked once more without."""
REASON_BYTES_MAX = 4_096
"""So much is read of why it does not, for the name of the parameter alone."""
TRIES_MAX = 4
Wrong = Literal["", "timeout", "unreachable", "status", "too-large", "bad-key", "bad-address"]


class ChatMessage(msgspec.Struct, frozen=True, kw_only=True):
    """One message of a chat."""

    role: str
    content: str


class ChatDialect(msgspec.Struct, frozen=True, kw_only=True):
    """Which parameters a service takes; models differ, and say so only by refusing."""

    tokens: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    has_temperature: bool = True
    has_json: bool = True


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
    dialect: ChatDialect = ChatDialect()


class ChatAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The body of a success as it came, or what went wrong; `status` is the service's own.

    `dialect` is how it was asked at last.
    """

    body: str = ""
    wrong: Wrong = ""
    status: int = 0
    dialect: ChatDialect = ChatDialect()


class NoSuccessError(Exception):
    """The service answered, and it was no success.

    Of its text, which may be endless and quote the key, the beginning is kept for the names of parameters, and goes
    nowhere.
    """

    def __init__(self, status: int, reason: str = "") -> None:
        super().__init__(status)
        self.status = status
        self.reason = reason


class TooLongError(Exception):
    """The answer is implausibly large."""


async def answer(request: ChatRequest) -> ChatAnswer:
    """Ask; never raises for what a service, an address or a key may have wrong with it."""
    import openai  # noqa: F401, PLC0415  a slow import, done before the service's time begins

    try:
        async with asyncio.timeout(request.timeout_s):
            return await _understood(request)
    except TimeoutError:
        return ChatAnswer(wrong="timeout", dialect=request.dialect)


async def _understood(request: ChatRequest) -> ChatAnswer:
    """Ask until the service takes the parameters, each time another way."""
    dialect = replace(request.dialect, has_json=request.dialect.has_json and request.as_json)
    tried: set[ChatDialect] = set()
    while True:
        tried.add(dialect)
        said, reason = await _asked(request, dialect)
        following = another_way(dialect, reason.lower())
        if said.status not in NOT_UNDERSTOOD or following in tried or len(tried) == TRIES_MAX:
            # That nothing was asked for as JSON says nothing of whether the service knows it.
            known = dialect if request.as_json else replace(dialect, has_json=request.dialect.has_json)
            return replace(said, dialect=known)
        dialect = following


def another_way(dialect: ChatDialect, reason: str) -> ChatDialect:
    """Return another way to ask, by the parameters that a refusal names in small letters.

    Where it names none, JSON is left out first, which the fewest services know, and then whatever newer models refuse.
    """
    names_tokens = dialect.tokens in reason
    other: Literal["max_tokens", "max_completion_tokens"]
    other = "max_completion_tokens" if dialect.tokens == "max_tokens" else "max_tokens"
    named = ChatDialect(
        tokens=other if names_tokens else dialect.tokens,
        has_temperature=dialect.has_temperature and "temperature" not in reason,
        has_json=dialect.has_json and "response_format" not in reason and "json" not in reason,
    )
    if named != dialect:
        return named
    if dialect.has_json:
        return replace(dialect, has_json=False)
    return ChatDialect(tokens="max_completion_tokens", has_temperature=False, has_json=False)


async def _asked(request: ChatRequest, dialect: ChatDialect) -> tuple[ChatAnswer, str]:
    """Ask once; beside the answer comes what a refusal says."""
    import openai  # noqa: PLC0415  heavy, and only this process pays for it

    if not (request.key.isascii() and request.key.isprintable()):
        return ChatAnswer(wrong="bad-key"), ""
    if not _is_address(request.url):
        return ChatAnswer(wrong="bad-address"), ""
    try:
        async with _client(request) as client:
            return ChatAnswer(body=await _body(client, request, dialect), status=OK), ""
    except NoSuccessError as error:
        return ChatAnswer(wrong="status", status=error.status), error.reason
    except openai.APITimeoutError:
        return ChatAnswer(wrong="timeout"), ""
    except TooLongError:
        return ChatAnswer(wrong="too-large"), ""
    except (openai.OpenAIError, _http_error()):  # the latter: the connection broke within the answer
        return ChatAnswer(wrong="unreachable"), ""


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
    """Stop before a body is read that is no answer; of a refusal the beginning is."""
    if response.status_code in NOT_UNDERSTOOD:
        reason = bytearray()
        async for piece in response.aiter_raw():
            reason += piece[:REASON_BYTES_MAX]
            if len(reason) >= REASON_BYTES_MAX:
                break
        raise NoSuccessError(response.status_code, reason.decode("utf-8", "replace"))
    if response.status_code != OK:
        raise NoSuccessError(response.status_code)


async def _body(client: "AsyncOpenAI", request: ChatRequest, dialect: ChatDialect) -> str:
    """Return the answer's body as it comes.

    Raises:
        TooLongError: it is larger than any honest one.
    """
    from openai import Omit  # noqa: PLC0415  see above

    received = bytearray()
    more: dict[str, Any] = {dialect.tokens: request.tokens_max}
    if dialect.has_temperature:
        more["temperature"] = request.temperature
    if dialect.has_json:
        more["response_format"] = {"type": "json_object"}
    async with client.chat.completions.with_streaming_response.create(
        model=request.model,
        messages=[msgspec.to_builtins(each) for each in request.messages],
        stream=False,
        extra_headers=None if request.key else {"Authorization": Omit()},
        **more,
    ) as said:
        async for piece in said.iter_bytes():
            received += piece
            if len(received) > request.answer_bytes_max:
                raise TooLongError
    return received.decode("utf-8", "replace")


def _is_address(url: str) -> bool:
    """Return True if it can be one; the libraries find out in different places, some of them by a bug."""
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
