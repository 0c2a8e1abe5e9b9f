"""The twin: a model of the person behind an OpenAI-compatible service (CROSSPOLL 2.3). Its answer is never trusted."""

import asyncio
import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from hub.contract.base import Value
from hub.domain.policy import Policy
from hub.domain.provenance import ModelText, WorldText, untrusted
from hub.domain.situation import Situation
from hub.domain.suggestion import Guess, Offer
from hub.kit.text import one_line

if TYPE_CHECKING:
    from httpx import AsyncClient  # imported where it is used, see `predict`

TEMPERATURE = 0.3
ANSWER_TOKENS_MAX = 200
ANSWER_BYTES_MAX = 65_536
OK = 200
PROMPT_CHARS_MAX = 4_000
NAME_CHARS_MAX = 200
QUOTE_CHARS_MAX = 200
"""Of each text of others, so much is told."""
INSTRUCTION = (Path(__file__).parent / "twin_instruction.txt").read_text(encoding="utf-8")
log = logging.getLogger(__name__)


class _Answer(Value):
    confidence: float
    idea: str = ""
    prompt: str = ""
    channel: str = ""
    reasoning: str = ""


class _Message(Value):
    content: str


class _Choice(Value):
    message: _Message


class _Reply(Value):
    choices: tuple[_Choice, ...]


class HttpTwin:
    """Asks `POST {url}/v1/chat/completions`. A reply that is not the JSON asked for is no answer, and no crash."""

    def __init__(self, *, url: str, model: str, key_env: str, timeout_s: float) -> None:
        self._url = f"{url.rstrip('/')}/v1/chat/completions"
        self._model = model
        self._key_env = key_env
        self._timeout_s = timeout_s

    async def predict(self, situation: Situation, policy: Policy, offers: tuple[Offer, ...] = ()) -> Guess | None:
        """Ask for the most valuable action; None when the model did not answer in time, or not with what was asked."""
        import httpx  # noqa: PLC0415  costs memory that a hub without a twin need not pay

        if not _has_port(self._url):
            log.warning("twin.url names a port that there is not")
            return None
        try:
            async with (
                asyncio.timeout(self._timeout_s),
                httpx.AsyncClient(timeout=self._timeout_s, follow_redirects=False) as client,
            ):
                reply = await self._ask(client, msgspec.json.encode(self._body(situation, policy, offers)))
        except TimeoutError:
            log.warning("the twin did not answer within %g s", self._timeout_s)
            return None
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:  # the last: an address or key beyond ASCII
            log.warning("the twin did not answer: %s", type(error).__name__)
            return None
        return read_guess(reply, self._model) if reply is not None else None

    async def _ask(self, client: "AsyncClient", body: bytes) -> bytes | None:
        """Return the reply's body as it comes; None when it is no success, or larger than any honest one."""
        headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
        if key := os.environ.get(self._key_env):
            headers["Authorization"] = f"Bearer {key}"
        async with client.stream("POST", self._url, content=body, headers=headers) as answer:
            if answer.status_code != OK:
                log.warning("the twin answered with status %d", answer.status_code)
                return None
            received = bytearray()
            async for piece in answer.aiter_raw():
                received += piece
                if len(received) > ANSWER_BYTES_MAX:
                    log.warning("the twin's answer was larger than %d bytes", ANSWER_BYTES_MAX)
                    return None
            return bytes(received)

    def _body(self, situation: Situation, policy: Policy, offers: tuple[Offer, ...]) -> dict[str, object]:
        channels = {channel.name: channel.specialty for channel in policy.channels}
        context = {"ideas": offers, "channels": channels, "situation": situation}
        data = msgspec.json.encode(context, enc_hook=_told).decode()
        return {
            "model": self._model,
            "messages": [{"role": "system", "content": INSTRUCTION}, {"role": "user", "content": data}],
            "temperature": TEMPERATURE,
            "max_tokens": ANSWER_TOKENS_MAX,
            "response_format": {"type": "json_object"},
        }


def _has_port(url: str) -> bool:
    """Say whether the port, if one is named, can be one: httpx finds out only in the middle of connecting."""
    try:
        return urlsplit(url).port != 0
    except ValueError:
        return False


def read_guess(reply: bytes, model: str) -> Guess | None:
    """Read a chat completion whose content is the JSON that was asked for; None when it is anything else."""
    try:
        content = msgspec.json.decode(reply, type=_Reply).choices[0].message.content
        answer = msgspec.json.decode(content, type=_Answer)
    except (msgspec.DecodeError, IndexError):
        log.warning("the twin's answer was not the JSON asked for")
        return None
    return Guess(
        prompt=ModelText(answer.prompt[:PROMPT_CHARS_MAX]),
        channel=answer.channel[:NAME_CHARS_MAX],
        confidence=answer.confidence,
        reasoning=ModelText(answer.reasoning[:PROMPT_CHARS_MAX]),
        model=model,
        idea=answer.idea[:NAME_CHARS_MAX],
    )


def _told(value: object) -> str:
    """Tell the world's words as data: on one line, without what cannot be seen, and not at length."""
    if isinstance(value, WorldText):
        return one_line(untrusted(value), QUOTE_CHARS_MAX)
    raise TypeError(f"{type(value).__name__} cannot be told")
