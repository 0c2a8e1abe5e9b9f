"""Reads JSON that others wrote, half wrote or changed: what cannot be meant is named and left out, never believed.

The standard library's reader is used, for the public implementation's own writes `NaN` and `Infinity`, which JSON has
not; what is read is then looked at field by field.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import msgspec

from hub.contract.base import Value
from hub.kit.text import one_line

V = TypeVar("V", bound=Value)

COMPLAINTS_MAX = 50
"""So many are told one by one; the others are counted."""
COMPLAINT_CHARS_MAX = 300
TEXT_CHARS_MAX = 4_000
LINE_BYTES_MAX = 65_536
NUMBER_MAX = 1e12
"""No number in these files is larger; a moment in seconds is the largest."""
EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
AHEAD_MAX = timedelta(hours=48)
"""How far ahead a moment may lie: what was handed in ends after a day, and clocks differ."""

JsonObject = Mapping[str, object]


class Complaints:
    """What could not be read or had to be changed, in order; bounded."""

    def __init__(self) -> None:
        self._told: list[str] = []
        self._more = 0

    def tell(self, where: str, what: str) -> None:
        """Add one; `where` names the file and the place."""
        if len(self._told) < COMPLAINTS_MAX:
            self._told.append(one_line(f"{where}: {what}", COMPLAINT_CHARS_MAX))
        else:
            self._more += 1

    def told(self) -> tuple[str, ...]:
        """Return all, with how many more there are."""
        return (*self._told, *([f"and {self._more} more"] if self._more else []))


class Place:
    """A place in a file, and where to tell what is wrong with it."""

    def __init__(self, where: str, complaints: Complaints) -> None:
        self.where, self._complaints = where, complaints

    def tell(self, what: str) -> None:
        """Tell what is wrong here."""
        self._complaints.tell(self.where, what)

    def within(self, part: str) -> "Place":
        """Return a part of this place."""
        return Place(f"{self.where}, {part}", self._complaints)


def json_of(body: bytes, place: Place) -> object:
    """Return what a JSON document holds, or None where it is none; `NaN` and `Infinity` are floats."""
    try:
        found = json.loads(body.decode("utf-8-sig"), parse_constant=float)
        msgspec.json.encode(found)
    except UnicodeError:
        place.tell("it is not UTF-8 text.")
    except json.JSONDecodeError as error:
        place.tell(f"it is not complete JSON: {error.msg} in line {error.lineno}, column {error.colno}.")
    except (ValueError, OverflowError, RecursionError):
        place.tell("a number in it is too long, or it is nested too deeply.")
    else:
        return found
    return None


def lines_of(body: bytes, file: Place) -> Iterator[tuple[Place, JsonObject]]:
    """Yield each object of a file with one a line, with its place; what is no object is told."""
    for number, line in enumerate(body.split(b"\n"), start=1):
        place = file.within(f"line {number}")
        if not line.strip():
            continue
        if len(line) > LINE_BYTES_MAX:
            place.tell(f"it is longer than {LINE_BYTES_MAX} bytes.")
            continue
        found = json_of(line, place)
        if isinstance(found, dict):
            yield place, found
        elif found is not None:
            place.tell("it is not an object.")


def number_of(fields: JsonObject, name: str, place: Place) -> float | None:
    """Return a number, or None where there is none; what is there and no plain number is told."""
    found = fields.get(name)
    if found is None:
        return None
    if isinstance(found, bool) or not isinstance(found, int | float) or not abs(found) <= NUMBER_MAX:
        place.tell(f"{name} is not a plausible number; it was skipped.")
        return None
    return float(found)


def moment_of(fields: JsonObject, name: str, now: datetime, place: Place) -> datetime | None:
    """Return a moment that is given in seconds since 1970; 0 is none."""
    seconds = number_of(fields, name, place)
    if not seconds:
        return None
    if not 0.0 < seconds <= (now + AHEAD_MAX).timestamp():
        place.tell(f"{name} is too far in the future, or before 1970; it was skipped.")
        return None
    return datetime.fromtimestamp(seconds, UTC)


def text_of(fields: JsonObject, name: str, chars_max: int = TEXT_CHARS_MAX) -> str:
    """Return a text, shortened; empty where there is none."""
    found = fields.get(name)
    return found[:chars_max] if isinstance(found, str) else ""


def value_of(kind: type[V], found: object, now: datetime, place: Place) -> V | None:
    """Return one of our own values, or None where it is none that can be believed."""
    try:
        value = msgspec.convert(found, kind)
    except msgspec.ValidationError as error:
        place.tell(f"{error}.")
        return None
    wrong = next((wrong for part in _parts(value) if (wrong := _wrong(part, now))), "")
    if wrong:
        place.tell(wrong)
    return None if wrong else value


def _parts(value: object) -> Iterator[object]:
    """Yield all that a value is made of."""
    match value:
        case tuple():
            for one in value:
                yield from _parts(one)
        case Value():
            for name in value.__struct_fields__:
                yield from _parts(getattr(value, name))
        case _:
            yield value


def _wrong(part: object, now: datetime) -> str:
    """Say what no value of ours holds: a moment without a zone or far ahead, a number that is none, a long text."""
    match part:
        case datetime() if part.tzinfo is None:
            return "a time has no time zone."
        case datetime() if not EARLIEST <= part <= now + AHEAD_MAX:
            return "a time is too far in the future, or before 1970."
        case int() | float() if not abs(part) <= NUMBER_MAX:
            return "a number is not plausible."
        case str() if len(part) > TEXT_CHARS_MAX:
            return f"a text is longer than {TEXT_CHARS_MAX} characters."
    return ""
