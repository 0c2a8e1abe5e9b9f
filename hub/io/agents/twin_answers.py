"""Read what a model answered. It may be anything: what is not what was asked for is named, and not used.

It is asked for JSON. One that learnt from pairs as text (CROSSPOLL 7.3) says `Run the tests → koji-core`, which is read
where the channel is known. Neither that nor a pair's JSON says how sure it is: then it has no confidence of its own.
"""

import json
import re
from collections.abc import Iterator
from typing import NoReturn

from hub.contract.base import Value
from hub.domain.policy import Policy
from hub.domain.provenance import ModelText
from hub.domain.suggestion import Guess
from hub.io.agents.chat_completion import CUT_OFF, NO_COMPLETION, ChoiceText, read_completion
from hub.kit.jsonc import without_trailing_commas
from hub.kit.loose_json import LooseJson, text_of, texts_of
from hub.kit.model_text import answer_in
from hub.learn.pairs import TO_CHANNEL

GUESSES_MAX = 3
VALUES_MAX = 10
PROMPT_CHARS_MAX = 4_000
NAME_CHARS_MAX = 200
FENCED = re.compile(r"```[\w-]{0,20}\s*\n?(?P<inner>.*?)```", re.DOTALL)
GAP = re.compile(r"[\s,]*")
PERCENT = 100
NOT_ASKED_FOR = "its answer was not the JSON asked for"


class _Candidate(Value):
    confidence: float | None = None
    idea: str = ""
    prompt: str = ""
    channel: str = ""
    reasoning: str = ""


class ReadAnswer(Value):
    """What was read of an answer; `wrong` names what in it was not used, `tokens` those in and out, if it said so."""

    guesses: tuple[Guess, ...] = ()
    wrong: tuple[str, ...] = ()
    tokens: tuple[int, int] | None = None


class ReadWords(Value):
    """What a model said in its first choice, or what is wrong; and the tokens in and out, if it counted them."""

    words: ModelText = ModelText("")
    wrong: str = ""
    is_cut: bool = False
    tokens: tuple[int, int] | None = None


def read_answer(body: str, model: str, policy: Policy) -> ReadAnswer:
    """Read a chat completion: one candidate, a list of them, or several choices; with a fence around or without."""
    completion = read_completion(body)
    found, wrong = list[_Candidate](), list[str](completion.wrong)
    for choice in completion.texts:
        for one in _candidates(choice, policy):
            if isinstance(one, str):
                wrong.append(one)
            else:
                found.append(one)
    guesses = []
    for one in found[:GUESSES_MAX]:
        guess, trouble = _guess(one, model, policy)
        guesses += [guess] if guess else []
        wrong += trouble
    if completion.texts and found:
        wrong = [one for one in wrong if one not in completion.wrong]  # another choice than one without a text
    if not completion.has_choices and not wrong:
        wrong.append(NOT_ASKED_FOR)
    return ReadAnswer(guesses=tuple(guesses), wrong=tuple(dict.fromkeys(wrong)), tokens=completion.tokens)


def read_words(body: str) -> ReadWords:
    """Read a chat completion that may say anything; one that ended for want of tokens before it said a word is well."""
    completion = read_completion(body)
    if completion.texts:
        first = completion.texts[0]
        return ReadWords(words=ModelText(first.text), is_cut=first.is_cut, tokens=completion.tokens)
    wrong = next(iter(completion.wrong), NO_COMPLETION)
    is_cut = wrong == CUT_OFF
    return ReadWords(wrong="" if is_cut else wrong, is_cut=is_cut, tokens=completion.tokens)


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
    return guess, [] if is_known else ["it named an unknown channel"]


def _candidates(choice: ChoiceText, policy: Policy) -> Iterator[_Candidate | str]:
    """Yield the candidates of an answer, and what is wrong with those that are none."""
    document = _document(choice)
    if document is None:
        is_cut = choice.is_cut or answer_in(choice.text) is None
        yield CUT_OFF if is_cut else _as_in_a_pair(choice.text, policy) or NOT_ASKED_FOR
        return
    inner = (document.get("candidates", document) if isinstance(document, dict) else document) or []
    for each in inner[:GUESSES_MAX] if isinstance(inner, list) else [inner]:
        yield _candidate(each) if isinstance(each, dict) else NOT_ASKED_FOR


def _candidate(said: LooseJson) -> _Candidate:
    """Read what is as it should be; a field that is null or of another kind counts as left out."""
    return _Candidate(
        confidence=_confidence(said.get("confidence")),
        idea=text_of(said, "idea"),
        prompt=text_of(said, "prompt"),
        channel=text_of(said, "channel"),
        reasoning=text_of(said, "reasoning") or " ".join(texts_of(said, "reasoning")),
    )


def _confidence(said: object) -> float | None:
    """Read a number, also one in quotes or in percent; None for anything else."""
    if isinstance(said, str):
        text = said.strip()
        try:
            return float(text.removesuffix("%")) / (PERCENT if text.endswith("%") else 1)
        except ValueError:
            return None
    if isinstance(said, int) and not isinstance(said, bool):
        return float(min(max(said, -PERCENT), PERCENT))  # it may have more digits than a float has room for
    return said if isinstance(said, float) else None


def _as_in_a_pair(content: str, policy: Policy) -> _Candidate | None:
    """Return a candidate of one line, the suggestion and a channel that there is; None if it is none."""
    prompt, _, channel = (answer_in(content) or "").rpartition(TO_CHANNEL)
    if not prompt or "\n" in prompt or policy.channel(channel) is None:
        return None
    return _Candidate(prompt=prompt, channel=channel)


def _document(choice: ChoiceText) -> dict[str, object] | list[object] | None:
    """Return the JSON in an answer: all of it, what the last fence with any holds, or what is left beside words."""
    for text in _places(choice):
        found = _json(text)
        if found is None:
            found = _in_a_row(text)
        if isinstance(found, dict | list):
            return found
    return None


def _places(choice: ChoiceText) -> Iterator[str]:
    yield choice.text  # first of all: a tag may stand in a string
    text = answer_in(choice.text)
    if text is None:
        return
    yield text
    yield from (fenced["inner"] for fenced in reversed(tuple(FENCED.finditer(text))))
    if choice.is_cut:
        return  # the words around it may be a thought that has no tags and no end
    for first, last in (("{", "}"), ("[", "]")):
        start, end = text.find(first), text.rfind(last)
        if 0 <= start < end:
            yield text[start : end + 1]


def _json(text: str) -> object | None:
    """Read JSON; strings may hold line breaks, and lists and objects end with a comma, as small models write them."""
    for written in (text, without_trailing_commas(text)):
        try:
            found: object = json.loads(written.strip(), strict=False, parse_constant=_no_number)
        except (ValueError, OverflowError, RecursionError):
            continue
        return found
    return None


def _in_a_row(text: str) -> list[object] | None:
    """Read values of which each stands by itself, one a line; None where there is anything else between them."""
    decoder, values, at = json.JSONDecoder(strict=False, parse_constant=_no_number), list[object](), 0
    text = text.strip()
    while at < len(text) and len(values) < VALUES_MAX:
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return None
        values.append(value)
        gap = GAP.match(text, at)
        at = gap.end() if gap else at
    return values or None


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)
