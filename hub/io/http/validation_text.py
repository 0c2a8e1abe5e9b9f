"""What a value does not fit, in plain words: msgspec says it in Python's, and most who read it do not write Python."""

import re
from collections.abc import Callable

NAMES = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "object": "an object",
    "array": "a list",
    "datetime": "a time",
    "null": "null",
}
TIME = "a time with its zone, like 2030-01-31T08:00:00Z"
WORD_PATTERN = "[A-Za-z0-9_-]+"
_PLACE = re.compile(r" - at `(?:key in )?\$?\.?(.*?)`$")


def plainly(said: str) -> str:
    """Return msgspec's message as a sentence that names the field as it is sent; one that is not known stays."""
    found = _PLACE.search(said)
    text = said[: found.start()] if found else said
    place = f"`{found[1]}`" if found and found[1] else "What was sent"
    inside = f" in `{found[1]}`" if found and found[1] else ""
    for pattern, words in _SENTENCES:
        match = pattern.fullmatch(text)
        if match:
            return words(match, place, inside)
    return said


def _names(types: str) -> str:
    return " or ".join(NAMES.get(one, one) for one in types.split(" | "))


def _size(match: re.Match[str], place: str, _inside: str) -> str:
    kind, sign, number = match.groups()
    one, many = ("entry", "entries") if kind.startswith("array") else ("character", "characters")
    unit = one if number == "1" else many
    return f"{place} must have {_bound(sign)} {number} {unit}."


def _bound(sign: str) -> str:
    return {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}[sign]


def _shape(match: re.Match[str], place: str, _inside: str) -> str:
    letters = "may hold letters, digits, _ and - only" if WORD_PATTERN in match[2] else "has the wrong form"
    return f"{place} {letters}."


_SENTENCES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], str, str], str]], ...] = (
    (re.compile(r"Object missing required field `(.+)`"), lambda m, _p, i: f"`{m[1]}` is missing{i}."),
    (re.compile(r"Object contains unknown field `(.+)`"), lambda m, _p, i: f"`{m[1]}` is not known{i or ' here'}."),
    (re.compile(r"Invalid enum value (.+)"), lambda m, p, _i: f"{p} cannot be {m[1]}."),
    (re.compile(r"Invalid value (.+)"), lambda m, p, _i: f"{p} cannot be {m[1]}."),
    (re.compile(r"Expected `(.+)`, got `(.+)`"), lambda m, p, _i: f"{p} must be {_names(m[1])}, not {_names(m[2])}."),
    (re.compile(r"Expected `(.+)` of length (>=|<=) (\d+)"), _size),
    (
        re.compile(r"Expected `(.+)` (>=|<=|>|<) (\S+)"),
        lambda m, p, _i: f"{p} must be {_bound(m[2])} {m[3].removesuffix('.0')}.",
    ),
    (re.compile(r"Expected `(.+)` matching regex (.+)"), _shape),
    (re.compile(r"Expected `datetime` with a timezone component"), lambda _m, p, _i: f"{p} must be {TIME}."),
    (re.compile(r"Invalid RFC3339 encoded datetime"), lambda _m, p, _i: f"{p} must be {TIME}."),
)
