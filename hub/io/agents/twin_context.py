"""What a model is told: an instruction of ours, the situation, and one document of data, bounded and without secrets.

The situation is told in the words in which training pairs have it (`hub/learn/pairs/context.py`), and comes first, so
that what a model learnt from pairs is of use when it is asked.
"""

import re
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from hub.domain.masking import mask
from hub.domain.policy import Policy
from hub.domain.provenance import WorldText, untrusted
from hub.domain.twin import TwinQuestion
from hub.io.agents.twin_worker import ChatMessage
from hub.kit.text import one_line
from hub.learn.pairs import context_of

QUOTE_CHARS_MAX = 200
"""Of each text, so much is told."""
CONTEXT_BYTES_MAX = 24_000
"""Of the document, beside the situation; together about 8,000 tokens (`TWIN_INPUT_TOKENS`)."""
ITEMS_MAX = (40, 20, 10, 5, 2, 1)
"""So many entries of each list are told; the first number with which all of it fits."""
INSTRUCTION = (Path(__file__).parent / "twin_instruction.txt").read_text(encoding="utf-8")
VERSIONED = re.compile(r"/v\d+\w*(?:/openai)?$")


def address_of(url: str) -> str:
    """Return a service's address up to `/chat/completions`; one without a version gets `/v1`."""
    bare = url.rstrip("/")
    return bare if VERSIONED.search(bare) else f"{bare}/v1"


def messages(asked: TwinQuestion, policy: Policy) -> tuple[ChatMessage, ...]:
    """Return what is sent."""
    channels = {channel.name: channel.specialty for channel in policy.channels}
    more = {"ideas": asked.offers, "channels": channels, "earlier_answers": asked.answers}
    plain = msgspec.to_builtins(more, enc_hook=_bare, builtin_types=(datetime,))
    question = f"{context_of(asked.situation)}\n\n{_fitted(plain)}"
    return (ChatMessage(role="system", content=INSTRUCTION), ChatMessage(role="user", content=question))


def _fitted(plain: object) -> str:
    """Return the document; longer lists are cut until it fits."""
    said = b""
    for items_max in ITEMS_MAX:
        said = msgspec.json.encode(_told(plain, items_max))
        if len(said) <= CONTEXT_BYTES_MAX:
            break
    return said[:CONTEXT_BYTES_MAX].decode("utf-8", "ignore")


def _told(value: Any, items_max: int) -> Any:  # noqa: ANN401  any part of a document
    """Return a part of the document: each text on one line, bounded, without what is not seen and without secrets."""
    match value:
        case str():
            return one_line(mask(value), QUOTE_CHARS_MAX)
        case list() | tuple():
            return [_told(each, items_max) for each in value[:items_max]]
        case dict():
            return {key: _told(each, items_max) for key, each in value.items()}
        case _:
            return value


def _bare(value: object) -> str:
    if isinstance(value, WorldText):
        return untrusted(value)
    raise TypeError(f"{type(value).__name__} cannot be told")
