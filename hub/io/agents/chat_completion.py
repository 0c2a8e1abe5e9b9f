"""Read the body of a chat completion as services really write it, choice by choice. It may be anything.

Beside the form of the API (one JSON object, each choice with a text) there are texts in parts, events though nobody
asked for a stream, and choices without a text. What a choice has instead of one is said; nothing else is taken for it:
thoughts are no answer, and no tool was offered.
"""

import json
from collections import defaultdict
from collections.abc import Iterator

from hub.contract.base import Value
from hub.kit.loose_json import LooseJson, object_of, objects_of, text_of

CHOICES_MAX = 5
TOKENS_MAX = 100_000_000
"""More tokens than this no answer has, whatever it says of itself."""
NO_COMPLETION = "its answer was not a chat completion"
CUT_OFF = "its answer was cut off: it ran out of tokens"
TEXT_PARTS = frozenset({"text", "output_text"})
EVENTS = ("data:", "event:", "id:", "retry:", ":")
DONE = "[DONE]"


class ChoiceText(Value):
    """What one choice says; `is_cut`: it ended for want of tokens."""

    text: str
    is_cut: bool = False


class Completion(Value):
    """The choices' texts, what is wrong with those that have none, and the tokens in and out, if it counted them.

    `has_choices` is whether it had any.
    """

    texts: tuple[ChoiceText, ...] = ()
    wrong: tuple[str, ...] = ()
    tokens: tuple[int, int] | None = None
    has_choices: bool = False


def read_completion(body: str) -> Completion:
    """Return what a body says; never raises."""
    documents = tuple(_documents(body))
    listed = [document for document in documents if isinstance(document.get("choices"), list)]
    if not listed:
        is_error = any(document.get("error") for document in documents)
        return Completion(wrong=("its service answered with an error" if is_error else NO_COMPLETION,))
    whole = [choice for document in listed for choice in objects_of(document, "choices") if "delta" not in choice]
    choices = [*whole, *_put_together(listed)][:CHOICES_MAX]
    texts = [ChoiceText(text=_text(choice), is_cut=_is_cut(choice)) for choice in choices]
    return Completion(
        texts=tuple(each for each in texts if each.text),
        wrong=tuple(_why_none(choice) for choice, each in zip(choices, texts, strict=True) if not each.text),
        tokens=next((found for each in reversed(listed) if (found := _tokens(object_of(each, "usage")))), None),
        has_choices=bool(choices),
    )


def _documents(body: str) -> Iterator[LooseJson]:
    """Yield the objects of a body: the first and only one, whatever follows it, or that of each event of a stream."""
    text = body.lstrip("\ufeff \t\r\n")
    is_stream = text.startswith(EVENTS)
    pieces = [line.removeprefix("data:").strip() for line in text.splitlines() if line.startswith("data:")]
    for piece in pieces if is_stream else [text]:
        if piece == DONE:
            return
        try:
            found, _ = json.JSONDecoder().raw_decode(piece)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            yield found


def _put_together(documents: list[LooseJson]) -> Iterator[LooseJson]:
    """Yield the choices whose texts came in pieces."""
    pieces: dict[object, list[LooseJson]] = defaultdict(list)
    for document in documents:
        for choice in objects_of(document, "choices"):
            if "delta" in choice:
                pieces[str(choice.get("index"))].append(choice)
    for those in pieces.values():
        deltas = [object_of(each, "delta") for each in those]
        ended = next((said for each in reversed(those) if (said := text_of(each, "finish_reason"))), "")
        message = {name: value for each in deltas for name, value in each.items() if value and name != "content"}
        yield {"message": {**message, "content": "".join(map(_content, deltas))}, "finish_reason": ended}


def _text(choice: LooseJson) -> str:
    return (_content(object_of(choice, "message")) or text_of(choice, "text")).strip()


def _content(message: LooseJson) -> str:
    """Return a message's text: as it is, or that of its parts which are text; empty if it has none."""
    content = message.get("content")
    if isinstance(content, list):
        parts = (each for each in content if isinstance(each, dict) and each.get("type") in TEXT_PARTS)
        return "".join(text_of(each, "text") for each in parts)
    return content if isinstance(content, str) else ""


def _is_cut(choice: LooseJson) -> bool:
    return text_of(choice, "finish_reason") == "length"


def _why_none(choice: LooseJson) -> str:
    message = object_of(choice, "message")
    if text_of(message, "refusal"):
        return "it refused to answer"
    if message.get("tool_calls") or message.get("function_call"):
        return "it called a tool, and gave no answer"
    if _is_cut(choice):
        return CUT_OFF
    if text_of(choice, "finish_reason") == "content_filter":
        return "its service withheld the answer"
    if text_of(message, "reasoning_content", "reasoning"):
        return "it only returned its reasoning, not an answer"
    return "its answer is empty"


def _tokens(usage: LooseJson) -> tuple[int, int] | None:
    sent, answered = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if type(sent) is not int or type(answered) is not int:
        return None
    return min(max(0, sent), TOKENS_MAX), min(max(0, answered), TOKENS_MAX)
