"""Whole numbers as words, in English and German, up to a million; larger ones digit by digit."""

from collections.abc import Callable

SPOKEN_BELOW = 1_000_000
HUNDRED, THOUSAND = 100, 1_000
_EN_SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_EN_TENS = ["_", "_", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_DE_SMALL = [
    "null",
    "eins",
    "zwei",
    "drei",
    "vier",
    "fünf",
    "sechs",
    "sieben",
    "acht",
    "neun",
    "zehn",
    "elf",
    "zwölf",
    "dreizehn",
    "vierzehn",
    "fünfzehn",
    "sechzehn",
    "siebzehn",
    "achtzehn",
    "neunzehn",
]
_DE_TENS = ["_", "_", "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"]


def in_words(number: int, language: str) -> str:
    """Return a number as a person says it; `language` is `en` or `de`, anything else is read as `en`."""
    if number < 0:
        return f"minus {in_words(-number, language)}"
    speak = _german if language == "de" else _english
    if number >= SPOKEN_BELOW:
        return " ".join(speak(int(digit)) for digit in str(number))
    return _thousands(number, speak, language)


def _thousands(number: int, speak: Callable[[int], str], language: str) -> str:
    thousands, rest = divmod(number, THOUSAND)
    if not thousands:
        return speak(rest)
    if language == "de":
        head = f"{_joined(thousands)}tausend"
        return head + (_german(rest) if rest else "")
    return f"{_english(thousands)} thousand" + (f" {_english(rest)}" if rest else "")


def _english(number: int) -> str:
    hundreds, rest = divmod(number, HUNDRED)
    if hundreds:
        return f"{_EN_SMALL[hundreds]} hundred" + (f" {_english(rest)}" if rest else "")
    if rest < len(_EN_SMALL):
        return _EN_SMALL[rest]
    tens, ones = divmod(rest, 10)
    return _EN_TENS[tens] + (f"-{_EN_SMALL[ones]}" if ones else "")


def _german(number: int) -> str:
    hundreds, rest = divmod(number, HUNDRED)
    if hundreds:
        return f"{_joined(hundreds)}hundert" + (_german(rest) if rest else "")
    if rest < len(_DE_SMALL):
        return _DE_SMALL[rest]
    tens, ones = divmod(rest, 10)
    return (f"{_joined(ones)}und" if ones else "") + _DE_TENS[tens]


def _joined(number: int) -> str:
    """Say one as it is said in front of another word: einundzwanzig, not einsundzwanzig."""
    word = _german(number)
    return f"{word[:-1]}" if word.endswith("eins") else word
