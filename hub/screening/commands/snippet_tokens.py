"""The words of a snippet of JavaScript: names, texts, patterns, numbers and signs."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from hub.screening.commands.snippet_names import DYNAMIC

TOKENS_MAX = 4_000
_DEPTH_MAX = 4
_BLANK = re.compile(r"(?:\s|//[^\n]*|/\*[^*]*+(?:\*(?!/)[^*]*+)*\*/)+")
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_NUMBER = re.compile(r"(?:0[xXbBoO][\da-fA-F_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?)n?")
_STRING = re.compile(r"""'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)\"""", re.DOTALL)
_REGEX = re.compile(r"/(?![*/])(?:\\.|\[(?:\\.|[^\]\n\\])+\]|[^/\n\\\[])+/[dgimsuvy]*")
_MARK = re.compile(
    r"=>|\.\.\.|\?\.(?!\d)|[=!]==?|\*\*=?|(?:&&|\|\||\?\?)=?|[+\-*/%&|^]=|<<|>>>?|[<>]=?|[-+]{2}|[^\w\s]"
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_OPAQUE = re.compile(r"\\[xu0-7]")
_BEFORE_PATTERN = frozenset(
    {"return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do", "await"}
)
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_PLAIN_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "", "f": "", "v": "", "\n": ""}


class Token(NamedTuple):
    """A word of the snippet; of a text only what is in it."""

    kind: Literal["name", "string", "regex", "number", "mark"]
    text: str
    """What is put into a text when the code runs stands in it as `$`."""
    is_template: bool = False
    is_open: bool = False
    """Whether it is only known when the code runs what the text is."""


class UnclearTokenError(ValueError):
    """Raised where a text is not surely what it seems to be."""


def tokens(text: str, depth: int = 0) -> list[Token]:
    """Return the words of a text."""
    words: list[Token] = []
    at = 0
    if depth > _DEPTH_MAX or "<!--" in text or "-->" in text or text.startswith("#!"):
        raise UnclearTokenError(text)
    while at < len(text):
        if blank := _BLANK.match(text, at):
            at = blank.end()
        elif text[at] == "`":
            if (
                words
                and (words[-1].kind in {"name", "string"} or words[-1].text in {")", "]"})
                and not _is_before(words[-1])
            ):
                raise UnclearTokenError(text[at:])  # a call
            inner, at = _template(text, at, depth)
            words += inner
        else:
            token, at = _token(text, at, words)
            words.append(token)
        if len(words) > TOKENS_MAX:
            raise UnclearTokenError(text)
    _check_pairs(words, text)
    return words


def _is_before(token: Token) -> bool:
    """Return True if a value may follow a word."""
    return token.text in _BEFORE_PATTERN or (token.kind == "name" and token.text in {"default", "from", "yield"})


def _token(text: str, at: int, words: list[Token]) -> tuple[Token, int]:
    if match := _STRING.match(text, at):
        text, is_open = _unescaped(match.group(1) if match.group(1) is not None else match.group(2))
        return Token("string", text, is_open=is_open), match.end()
    if match := _NAME.match(text, at):
        return Token("name", match.group()), match.end()
    if match := _NUMBER.match(text, at):
        return Token("number", match.group()), match.end()
    if text[at] == "/" and (match := _pattern(text, at, words)):
        return Token("regex", match.group()), match.end()
    if text[at] in "'\"\\@#" or not text[at].isascii() or not (match := _MARK.match(text, at)):
        raise UnclearTokenError(text[at:])
    return Token("mark", match.group()), match.end()


def _pattern(text: str, at: int, words: list[Token]) -> re.Match[str] | None:
    """Return a pattern, or None where the sign divides."""
    last = words[-1] if words else None
    is_value = last is not None and (
        last.kind in {"string", "number", "regex"}
        or (last.kind == "name" and last.text not in _BEFORE_PATTERN)
        or last.text in {")", "]"}
    )
    if not is_value and (last is None or last.text != "}"):
        if match := _REGEX.match(text, at):
            return match
        raise UnclearTokenError(text[at:])
    if (last is not None and last.text == "}") or "/" in text[at + 1 :].partition("\n")[0]:
        raise UnclearTokenError(text[at:])  # it may be either
    return None


def _unescaped(text: str) -> tuple[str, bool]:
    """Return a text as it is, and whether letters of it stand there only by their numbers."""
    plain = _ESCAPE.sub(lambda match: _PLAIN_ESCAPES.get(match.group(1), match.group(1)), text)
    return plain, _OPAQUE.search(text) is not None


def _template(text: str, at: int, depth: int) -> tuple[list[Token], int]:
    """Return a text in backticks with what is put into it, and where it ends."""
    if depth > _DEPTH_MAX:
        raise UnclearTokenError(text[at:])
    plain, inner, start = "", list[Token](), at
    at += 1
    while at < len(text) and text[at] != "`":
        if text.startswith("${", at):
            end = _end_of_part(text, at + 2, depth)
            inner += [
                Token("mark", "+"),
                Token("mark", "("),
                *tokens(text[at + 2 : end], depth + 1),
                Token("mark", ")"),
            ]
            plain, at = plain + DYNAMIC, end + 1
        else:
            size = 2 if text[at] == "\\" else 1
            plain, at = plain + text[at : at + size], at + size
    if at >= len(text):
        raise UnclearTokenError(text[start:])
    text, is_open = _unescaped(plain)
    return [Token("string", text, is_template=True, is_open=is_open or bool(inner)), *inner], at + 1


def _end_of_part(text: str, at: int, depth: int) -> int:
    """Return where the bracket closes that `${` opened."""
    level = 0
    while at < len(text):
        if text[at] == "`":
            _, at = _template(text, at, depth + 1)
            continue
        if match := _STRING.match(text, at):
            at = match.end()
            continue
        if text[at] == "}" and level == 0:
            return at
        level += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
    raise UnclearTokenError(text)


def _check_pairs(words: list[Token], text: str) -> None:
    stack: list[str] = []
    for token in words:
        if token.kind != "mark":
            continue
        if token.text in _PAIRS:
            stack.append(_PAIRS[token.text])
        elif token.text in _PAIRS.values() and (not stack or stack.pop() != token.text):
            raise UnclearTokenError(text)
    if stack:
        raise UnclearTokenError(text)


def pairs(words: list[Token]) -> dict[int, int]:
    """Return for each bracket where the other one of its pair stands."""
    stack: list[int] = []
    pair: dict[int, int] = {}
    for place, token in enumerate(words):
        if token.kind == "mark" and token.text in _PAIRS:
            stack.append(place)
        elif token.kind == "mark" and token.text in _PAIRS.values() and stack:
            pair[place] = stack.pop()
            pair[pair[place]] = place
    return pair


def parts(words: list[Token], start: int, end: int) -> Iterator[range]:
    """Yield what stands between commas in the brackets at two places."""
    first, level = start + 1, 0
    for place in range(start + 1, end):
        if words[place].kind == "mark":
            level += (words[place].text in _PAIRS) - (words[place].text in _PAIRS.values())
            if level == 0 and words[place].text == ",":
                if first < place:
                    yield range(first, place)
                first = place + 1
    if first < end:
        yield range(first, end)
