"""Read what a model answered. It may be anything: what is not what was asked for is named, and not used.

It is asked for JSON. One that learnt from pairs as text (CROSSPOLL 7.3) says `Run the tests → koji-core`, which is read
where the channel is known. Neither that nor a pair's JSON says how sure it is: then it has no confidence of its own.
"""

import re
from collections.abc import Iterator

import msgspec

from hub.contract.base import Value
from hub.domain.policy import Policy
from hub.domain.provenance import ModelText
from hub.domain.suggestion import Guess
from hub.learn.pairs import TO_CHANNEL

GUESSES_MAX = 3
CHOICES_MAX = 5
PROMPT_CHARS_MAX = 4_000
NAME_CHARS_MAX = 200
TOKENS_MAX = 100_000_000
"""More tokens than this no answer has, whatever it says of itself."""
FENCED = re.compile(r"```[\w-]{0,20}\s*\n?(?P<inner>.*?)```", re.DOTALL)
THOUGHT = "</think>"
NOT_ASKED_FOR = "its answer was not the JSON asked for"


class _Candidate(Value):
    confidence: float | None = None
    idea: str = ""
    prompt: str = ""
    channel: str = ""
    reasoning: str = ""


class _Message(Value):
    content: str


class _Choice(Value):
    message: _Message


class _Usage(Value):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _ChatCompletion(Value):
    choices: tuple[_Choice, ...]
    usage: msgspec.Raw = msgspec.Raw(b"null")


class ReadAnswer(Value):
    """What was read of an answer; `wrong` names what in it was not used, `tokens` those in and out, if it said so."""

    guesses: tuple[Guess, ...] = ()
    wrong: tuple[str, ...] = ()
    tokens: tuple[int, int] | None = None


def read_answer(body: str, model: str, policy: Policy) -> ReadAnswer:
    """Read a chat completion: one candidate, a list of them, or several choices; with a fence around or without."""
    try:
        completion = msgspec.json.decode(body, type=_ChatCompletion)
    except (msgspec.DecodeError, RecursionError):
        return ReadAnswer(wrong=("its answer was no chat completion",))
    found, wrong = list[_Candidate](), list[str]()
    for choice in completion.choices[:CHOICES_MAX]:
        for one in _candidates(choice.message.content, policy):
            if isinstance(one, str):
                wrong.append(one)
            else:
                found.append(one)
    guesses = []
    for one in found[:GUESSES_MAX]:
        guess, trouble = _guess(one, model, policy)
        guesses += [guess] if guess else []
        wrong += trouble
    if not completion.choices:
        wrong.append(NOT_ASKED_FOR)
    return ReadAnswer(guesses=tuple(guesses), wrong=tuple(dict.fromkeys(wrong)), tokens=_tokens(completion.usage))


def read_words(body: str) -> tuple[ModelText | None, tuple[int, int] | None]:
    """Return what a model said in its first choice, None if it said nothing; and the tokens in and out, if counted."""
    try:
        completion = msgspec.json.decode(body, type=_ChatCompletion)
    except (msgspec.DecodeError, RecursionError):
        return None, None
    words = ModelText(completion.choices[0].message.content) if completion.choices else None
    return words, _tokens(completion.usage)


def _guess(one: _Candidate, model: str, policy: Policy) -> tuple[Guess | None, list[str]]:
    if one.confidence is not None and not 0.0 <= one.confidence <= 1.0:
        return None, [f"it gave a confidence of {one.confidence:.6g}, which is not from 0 to 1"]
    if not (one.idea or one.prompt.strip()):
        return None, ["it proposed nothing"]
    is_known = not one.channel or policy.channel(one.channel) is not None
    guess = Guess(
        prompt=ModelText(one.prompt[:PROMPT_CHARS_MAX]),
        channel=one.channel if is_known else "",
        confidence=one.confidence,
        reasoning=ModelText(one.reasoning[:PROMPT_CHARS_MAX]),
        model=model,
        idea=one.idea[:NAME_CHARS_MAX],
    )
    return guess, [] if is_known else ["it named a channel that there is not"]


def _candidates(content: str, policy: Policy) -> Iterator[_Candidate | str]:
    """Yield the candidates of an answer, and what is wrong with those that are none."""
    document = _document(content)
    if document is None:
        yield _as_in_a_pair(content, policy) or NOT_ASKED_FOR
        return
    inner = document.get("candidates", document) if isinstance(document, dict) else document
    for each in inner[:GUESSES_MAX] if isinstance(inner, list) else [inner]:
        try:
            yield msgspec.convert(each, _Candidate)
        except msgspec.ValidationError:
            yield NOT_ASKED_FOR


def _as_in_a_pair(content: str, policy: Policy) -> _Candidate | None:
    """Return a candidate of one line, the suggestion and a channel that there is; None if it is none."""
    prompt, _, channel = content.rpartition(THOUGHT)[2].strip().rpartition(TO_CHANNEL)
    if not prompt or "\n" in prompt or policy.channel(channel) is None:
        return None
    return _Candidate(prompt=prompt, channel=channel)


def _document(content: str) -> object | None:
    """Return the JSON in an answer: all of it, what a fence holds, or what is left beside other words."""
    for text in _places(content):
        try:
            found: object = msgspec.json.decode(text)
        except (msgspec.DecodeError, RecursionError):
            continue
        if isinstance(found, dict | list):
            return found
    return None


def _places(content: str) -> Iterator[str]:
    text = content.rpartition(THOUGHT)[2].strip()
    yield text
    fenced = FENCED.search(text)
    if fenced:
        yield fenced["inner"].strip()
    for first, last in (("{", "}"), ("[", "]")):
        start, end = text.find(first), text.rfind(last)
        if 0 <= start < end:
            yield text[start : end + 1]


def _tokens(usage: msgspec.Raw) -> tuple[int, int] | None:
    try:
        said = msgspec.json.decode(usage, type=_Usage | None)
    except (msgspec.DecodeError, RecursionError):
        return None
    if said is None or said.prompt_tokens is None or said.completion_tokens is None:
        return None
    return min(max(0, said.prompt_tokens), TOKENS_MAX), min(max(0, said.completion_tokens), TOKENS_MAX)
