"""Text for people: what hides in it made visible, cut to a size, counted, listed, and lengths of time. Pure."""

import math
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Literal

import msgspec

ELLIPSIS = "…"
_TWO_UNITS_FROM = 0x10000
READ_FACTOR = 4
"""Of a text that is cut to a line, this many times the line is looked at: a huge one costs no more."""
HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_USUAL_SPACES = frozenset(" \u00a0\u202f\u3000")  # what French and Japanese set every day
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
_VARIATIONS = frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
_BLANK = _FILLERS | _VARIATIONS
_EMOJI_STYLE, _JOINER = "\ufe0f", "\u200d"
_REGIONAL = range(0x1F1E6, 0x1F200)
_SKIN_TONES = range(0x1F3FB, 0x1F400)
_ATTACHED = frozenset({"Mn", "Mc", "Me"})

Language = Literal["en", "de"]
Form = Literal["short", "spoken"]
Rounded = Literal["down", "up", "exact"]
_UNITS_S = (1, 60, 3_600, 86_400)
_UNIT_FROM_S = (60, 3_600, 2 * 86_400)
"""From when on minutes, hours and days are told: one day and a half is 36 h."""
_UNITS: dict[tuple[str, Form], tuple[tuple[str, str], ...]] = {
    ("en", "short"): (("s", "s"), ("min", "min"), ("h", "h"), ("day", "days")),
    ("de", "short"): (("s", "s"), ("min", "min"), ("h", "h"), ("Tag", "Tage")),
    ("en", "spoken"): (("second", "seconds"), ("minute", "minutes"), ("hour", "hours"), ("day", "days")),
    ("de", "spoken"): (("Sekunde", "Sekunden"), ("Minute", "Minuten"), ("Stunde", "Stunden"), ("Tag", "Tage")),
}
_KILO, _ROUND_FROM = 1_000, 9.95
_SIZES = ("B", "kB", "MB", "GB")
_AND = {"en": "and", "de": "und"}
_MONTHS = {
    "en": [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
    "de": [
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ],
}
_DAY = {"en": "{day} {month} {year}", "de": "{day}. {month} {year}"}
_WEEKDAYS = {
    "en": ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
    "de": ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"],
}
_NEAR = {"en": ("today", "tomorrow"), "de": ("heute", "morgen")}
_DAY_IN_FULL = {"en": "{weekday} {day} {month}", "de": "{weekday}, {day}. {month}"}


def utf16_units(text: str) -> int:
    """Return how long a text is in UTF-16 units, as many services count."""
    return len(text) + sum(ord(char) >= _TWO_UNITS_FROM for char in text)


def mark(char: str) -> str:
    """Return what stands for a character that cannot be seen, such as ⟨U+202E⟩."""
    return f"⟨U+{ord(char):04X}⟩"


def is_hidden(text: str, place: int, *, emoji: bool = True) -> bool:
    """Return True if the character there cannot be seen or steers others; with `emoji`, a joiner within one stays."""
    char = text[place]
    if " " <= char <= "~" or char in _USUAL_SPACES:
        return False
    if char in (_EMOJI_STYLE, _JOINER):
        return not (emoji and _in_emoji(text, place))
    return char in _BLANK or unicodedata.category(char) in HIDDEN or unicodedata.category(char) == "Zs"


def visible(text: str, kept: str = "\n\t", *, emoji: bool = True) -> str:
    """Return `text` with each hidden character but those of `kept` as a mark; idempotent."""
    if text.isprintable() and (text.isascii() or _BLANK.isdisjoint(text)):
        return text
    return "".join(visible_parts(text, kept, emoji=emoji))


def visible_parts(text: str, kept: str = "\n\t", *, emoji: bool = True) -> Iterator[str]:
    """Yield one part for each character of `text`: itself, or its mark."""
    for place, char in enumerate(text):
        yield mark(char) if char not in kept and is_hidden(text, place, emoji=emoji) else char


def one_line(text: str, chars_max: int) -> str:
    """Return `text` as one line without control, bidi, zero-width or broken characters, of at most `chars_max`."""
    return cut(" ".join(_seen(_looked_at(text, chars_max)).split()), chars_max)


def unbroken(text: str) -> str:
    """Return all of `text` as one line, with each hidden character as a mark."""
    return " ".join(visible(text).split())


def several_lines(text: str, chars_max: int) -> str:
    """Return `text` as `one_line` does, but with its line breaks."""
    found = _looked_at(text, chars_max).split("\n")
    return cut("\n".join(" ".join(_seen(line).split()) for line in found).strip(), chars_max)


def cut(text: str, room: int, size: Callable[[str], int] = len) -> str:
    """Return the text, or its beginning with an ellipsis, of at most `room` as `size` counts; no character is torn.

    Where there is no room for an ellipsis either, nothing is returned. `size` must be additive.
    """
    return text if size is len and len(text) <= room else cut_parts(characters(text), room, size)


def cut_parts(parts: Iterable[str], room: int, size: Callable[[str], int] = len) -> str:
    """Return `cut` of a text that comes in parts, of which none is torn."""
    seen: list[str] = []
    used, kept, room_cut = 0, 0, room - size(ELLIPSIS)
    for part in parts:
        used += size(part)
        if used > room:
            return "".join(seen[:kept]).rstrip() + ELLIPSIS if room_cut >= 0 else ""
        seen.append(part)
        kept += used <= room_cut
    return "".join(seen)


def json_bytes(text: str) -> int:
    """Return the size of a text in JSON, without its quotes."""
    return len(msgspec.json.encode(text)) - 2


def characters(text: str) -> Iterator[str]:
    """Yield what a person sees as one character: with its accents, joined parts, skin tone; a flag whole."""
    start = 0
    for end in range(1, len(text)):
        if not _tears(text, start, end):
            yield text[start:end]
            start = end
    if text:
        yield text[start:]


def counted(number: int, one: str, many: str = "") -> str:
    """Return "1 module", "3 modules"; `many` for words that do not just take an s."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def listed(names: Sequence[str], *, shown_max: int = 0, language: str = "en") -> str:
    """Return "a", "a and b", "a, b and c"; with `shown_max`, in English, "a, b and 2 more" where there are more."""
    more = [f"{len(names) - shown_max} more"] if 0 < shown_max < len(names) else []
    shown = [*(names[:shown_max] if more else names), *more]
    return f" {_AND[language]} ".join(filter(None, (", ".join(shown[:-1]), *shown[-1:])))


def file_size(size: int) -> str:
    """Return a number of bytes in the unit that fits, as file managers say it: `12 B`, `631 kB`, `2.1 MB`."""
    value, units = float(size), list(_SIZES)
    while value >= _KILO - 0.5 and len(units) > 1:
        value /= _KILO
        del units[0]
    return f"{value:.1f} {units[0]}" if value < _ROUND_FROM and size >= _KILO else f"{value:.0f} {units[0]}"


def day_said(day: date, language: str = "en") -> str:
    """Write a day as a person says it: `8 June 2026`, `8. Juni 2026`."""
    return _DAY[language].format(day=day.day, month=_MONTHS[language][day.month - 1], year=day.year)


def weekday_said(day: date, language: str = "en") -> str:
    """Return the name of a day's weekday."""
    return _WEEKDAYS[language][day.weekday()]


def moment_in_full(at: datetime, now: datetime, language: str = "en") -> str:
    """Return a moment in full, so that it cannot be mistaken for another: `tomorrow, Sunday 29 November, 10:00`.

    Both are in the reader's zone; the year stands there only where it is not the present one.
    """
    day, month = at.date(), _MONTHS[language][at.month - 1]
    near = (day - now.date()).days
    said = _DAY_IN_FULL[language].format(weekday=weekday_said(day, language), day=day.day, month=month)
    year = f" {day.year}" if day.year != now.year else ""
    is_near = 0 <= near < len(_NEAR[language])
    return ", ".join((*((_NEAR[language][near],) if is_near else ()), f"{said}{year}", f"{at:%H:%M}"))


def duration(
    length: timedelta | float, language: str = "en", form: Form = "short", *, rounded: Rounded = "down"
) -> str:
    """Write a length of time, in seconds where it is a number, in its largest fitting unit: `45 s`, `9 min`, `2 days`.

    Rounded up, waiting so long suffices; exact, the unit is one that leaves nothing over. Never negative.
    """
    seconds = length.total_seconds() if isinstance(length, timedelta) else length
    whole = max(0, math.ceil(seconds) if rounded == "up" else int(seconds))
    unit = _unit(whole)
    if rounded == "up":
        whole = math.ceil(whole / _UNITS_S[unit]) * _UNITS_S[unit]
        unit = _unit(whole)
    while rounded == "exact" and whole % _UNITS_S[unit]:
        unit -= 1
    number = whole // _UNITS_S[unit]
    return f"{number} {_UNITS[language, form][unit][number != 1]}"


def _unit(seconds: int) -> int:
    return sum(seconds >= first for first in _UNIT_FROM_S)


def _looked_at(text: str, chars_max: int) -> str:
    read = READ_FACTOR * chars_max
    return text if len(text) <= read else text[:read] + ELLIPSIS


def _seen(text: str) -> str:
    return "".join(_seen_char(char) for char in text) if not text.isprintable() else text


def _seen_char(char: str) -> str:
    category = unicodedata.category(char)
    if char.isspace() or category in {"Cc", "Zl", "Zp"}:
        return " "
    return "" if category.startswith("C") else char


def _in_emoji(text: str, place: int) -> bool:
    """Whether the character before belongs to an emoji, where a joiner or a style is part of what is seen."""
    before = text[place - 1] if place else " "
    after = text[place + 1] if place + 1 < len(text) else " "
    joined = text[place] == _EMOJI_STYLE or unicodedata.category(after) == "So" or after in "\u2640\u2642"
    return joined and (unicodedata.category(before) in {"So", "Sk"} or before == _EMOJI_STYLE)


def _tears(text: str, start: int, end: int) -> bool:
    """Return True if a cut at `end` would take something off the character that begins at `start`."""
    before, after = text[end - 1], text[end]
    if _JOINER in (before, after) or unicodedata.category(after) in _ATTACHED or ord(after) in _SKIN_TONES:
        return True
    if ord(before) in _REGIONAL and ord(after) in _REGIONAL:
        return end - start == 1
    return (before, after) == ("\r", "\n")
