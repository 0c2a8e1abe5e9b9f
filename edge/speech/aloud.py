"""Makes a text fit to be spoken: numbers, percentages, money, file names, flags and links in words."""

import re
import unicodedata

from edge.speech.numbers import in_words
from edge.speech.sentences import Sentences

READ_CHARS_MAX = 16_384
"""More of a text than this is not looked at."""
LATIN_SHARE_MIN = 0.8
"""A text with fewer Latin letters than this cannot be read by our voices."""
NUMBER_DIGITS_MAX = 12
_TOKEN = re.compile(r"\S+")
_LINK = re.compile(r"(?:https?|ssh|git)://([^/\s:?#]{1,253})\S*", re.IGNORECASE)
_PERCENT = re.compile(r"(\d{1,6})(?:[.,](\d{1,3}))?\s?%")
_MONEY = re.compile(r"\$\s?(\d{1,9})(?:\.(\d{2}))?(?!\d|[.,]\d)")
_DECIMAL = re.compile(r"^(\d{1,9})[.,](\d{1,6})$")
_LONE_DASHES = re.compile(r"^[-\u2013\u2014]+$")
_NUMBER = re.compile(r"\d+")
_PUNCTUATION = "\"'`()[]{}<>,;:!?\u2026\u201e\u201c\u201d\u201a\u2018\u2019"
_PATHLIKE = re.compile(r"^(?:[.~]?/)?[\w.+@-]+(?:/[\w.+@*-]*)+$|^[\w-]*\.?[\w+-]+\.[A-Za-z][A-Za-z0-9]{0,5}$")
_FLAG = re.compile(r"^(--?)([A-Za-z][\w-]*)(?:=(.*))?$")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def is_readable(text: str) -> bool:
    """Say whether our voices can read this: most of its letters are Latin, and there are some."""
    letters = [char for char in text[:READ_CHARS_MAX] if char.isalpha()]
    latin = sum(unicodedata.name(char, "").startswith("LATIN") for char in letters)
    return bool(letters) and latin >= LATIN_SHARE_MIN * len(letters)


def aloud(text: str, sentences: Sentences) -> str:
    """Return a text as it is to be spoken; control characters and marks are left out."""
    text = "".join(char if _is_said(char) else " " for char in text[:READ_CHARS_MAX])
    text = _LINK.sub(lambda found: sentences.say("link", host=_host(found[1], sentences)), text)
    text = _PERCENT.sub(lambda found: _percent(found, sentences), text)
    text = _MONEY.sub(lambda found: _money(found, sentences), text)
    words = [_word(found[0], sentences) for found in _TOKEN.finditer(text)]
    return " ".join(" ".join(words).split()).replace(" ,", ",")


def _is_said(char: str) -> bool:
    return unicodedata.category(char)[0] not in "CZ" and char not in "⟨⟩|*#"


def _host(host: str, sentences: Sentences) -> str:
    return host.replace(".", f" {sentences.say('dot')} ")


def percent(share: float, sentences: Sentences) -> str:
    """Return a share of 0 to 1 in words: `seventy-two percent`."""
    return sentences.say("percent_sign", number=in_words(round(share * 100), sentences.language))


def money(dollars: float, sentences: Sentences) -> str:
    """Return an amount in words: whole dollars, or cents below one dollar."""
    if dollars < 1:
        return sentences.say("cents", number=in_words(round(dollars * 100), sentences.language))
    return sentences.say("dollars", number=in_words(round(dollars), sentences.language))


def _percent(found: re.Match[str], sentences: Sentences) -> str:
    return sentences.say("percent_sign", number=_fraction(found[1], found[2], sentences))


def _money(found: re.Match[str], sentences: Sentences) -> str:
    return money(float(f"{found[1]}.{found[2] or '0'}"), sentences)


def _fraction(whole: str, digits: str | None, sentences: Sentences) -> str:
    language = sentences.language
    said = in_words(int(whole), language)
    if not digits:
        return said
    point = "Komma" if language == "de" else "point"
    return f"{said} {point} {' '.join(in_words(int(digit), language) for digit in digits)}"


def _word(token: str, sentences: Sentences) -> str:
    """Return one token as words, with the sentence's own punctuation kept after it."""
    core = token.strip(_PUNCTUATION)
    tail = token.rstrip(_PUNCTUATION)
    ending = token[len(tail) :]
    body = core[:-1] if core.endswith(".") and not core.endswith("..") else core
    stop = core[len(body) :]
    pause = "".join(char for char in stop + ending if char in ".,;:!?")
    return _core(body, sentences) + pause


def _core(body: str, sentences: Sentences) -> str:
    flag = _FLAG.match(body)
    if flag:
        value = f" {_core(flag[3], sentences)}" if flag[3] else ""
        return f"{sentences.say('flag')} {_plain(flag[2], sentences)}{value}"
    decimal = _DECIMAL.match(body)
    if decimal:
        return _fraction(decimal[1], decimal[2], sentences)
    if _LONE_DASHES.match(body):
        return "," if len(body) == 1 else ""
    if _PATHLIKE.match(body) and not body[:1].isdigit():
        return _path(body, sentences)
    return _plain(body, sentences)


def _path(body: str, sentences: Sentences) -> str:
    said = body.replace("/", f" {sentences.say('slash')} ").replace(".", f" {sentences.say('dot')} ")
    return _plain(said, sentences)


def _plain(body: str, sentences: Sentences) -> str:
    said = _CAMEL.sub(" ", body).replace("_", " ").replace("*", " ")
    if _NUMBER.search(said):
        said = said.replace(".", f" {sentences.say('dot')} ")
        said = _NUMBER.sub(lambda found: f" {_digits(found[0], sentences)} ", said)
    return " ".join(said.split()).replace(" ,", ",")


def _digits(digits: str, sentences: Sentences) -> str:
    """Return a number in words; one with leading zeros, or a very long one, digit by digit."""
    language = sentences.language
    digits = digits[:NUMBER_DIGITS_MAX]
    if digits.startswith("0") and len(digits) > 1:
        return " ".join(in_words(int(digit), language) for digit in digits)
    return in_words(int(digits), language)
