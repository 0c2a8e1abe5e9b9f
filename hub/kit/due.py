"""The moment that a sentence names at its end: "Send the offer tomorrow at 10", "Anna anrufen am Freitag um 9 Uhr".

Only what stands at the end counts, and only what names a day or a clock time beyond doubt; everything else is the
task's own text. English and German, in the person's zone. A day without a time is due at six in the evening, and a date
without a year is the next one of that name.
"""

import re
from datetime import date, datetime, time, timedelta
from typing import NamedTuple

DAY_ENDS = time(18)
"""When a day without a time is due."""
DAYS_MAX = 366
WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            ("monday", "montag"),
            ("tuesday", "dienstag"),
            ("wednesday", "mittwoch"),
            ("thursday", "donnerstag"),
            ("friday", "freitag"),
            ("saturday", "samstag", "sonnabend"),
            ("sunday", "sonntag"),
        )
    )
    for name in names
}
NEAR_DAYS = {"today": 0, "heute": 0, "tonight": 0, "tomorrow": 1, "morgen": 1, "übermorgen": 2}
PARTS = {"tonight": time(20)}
MONTHS = {
    name: number
    for number, names in enumerate(
        (
            ("january", "januar", "jan"),
            ("february", "februar", "feb"),
            ("march", "märz", "mar"),
            ("april", "apr"),
            ("may", "mai"),
            ("june", "juni", "jun"),
            ("july", "juli", "jul"),
            ("august", "aug"),
            ("september", "sept", "sep"),
            ("october", "oktober", "oct", "okt"),
            ("november", "nov"),
            ("december", "dezember", "dec", "dez"),
        ),
        start=1,
    )
    for name in names
}
UNITS = {"m": "minutes", "h": "hours", "s": "hours", "d": "days", "t": "days", "w": "weeks"}
"""By their first letter: minute, Minute; hour, Stunde; day, Tag; week, Woche."""

_CLOCK = r"(?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2}))?\s*(?P<half>am|pm|uhr)?"
_DAY = rf"(?P<day>{'|'.join((*NEAR_DAYS, *WEEKDAYS))})"
_ISO = r"(?P<iso>\d{4}-\d{2}-\d{2})"
_MONTH = rf"(?P<month>{'|'.join(MONTHS)})"
_DATE = rf"(?P<date>\d{{1,2}})(?:\.|st|nd|rd|th)?\s+{_MONTH}\b\.?"
_DATE_AFTER = rf"{_MONTH.replace('month', 'month_before')}\b\.?\s+(?P<date_after>\d{{1,2}})(?:st|nd|rd|th)?\b"
_NAMED = rf"(?:{_DATE}|{_DATE_AFTER})(?:,?\s*(?P<year>20\d{{2}}))?"
_GERMAN = r"(?P<german_date>\d{1,2})\.(?P<german_month>\d{1,2})\.(?P<german_year>20\d{2})?"
_SPAN = r"in (?P<count>\d{1,3}) (?P<unit>minutes?|minuten?|hours?|stunden?|days?|tage?n?|weeks?|wochen?)"
_ON = r"(?:(?:by|on|until|due|am|bis|fällig)\s+){0,2}"
_AT = r"(?:at|by|um|bis)\s+"
_ON_GERMAN = rf"(?:(?:am|bis|zum|fällig)\s+){{1,2}}(?:(?:{'|'.join(WEEKDAYS)}),?\s+(?:den\s+)?)?{_GERMAN}"
"""A number with points may be a version; after one of these words it is a date."""
_ON_DAY = rf"(?:{_ON}(?:{_DAY}|{_ISO}|{_NAMED})|{_ON_GERMAN})(?:,?\s+(?:{_AT})?{_CLOCK})?"
_ONLY_CLOCK = _AT + _CLOCK.replace("?P<", "?P<only_")
_END = re.compile(rf"(?:^|[\s,])(?:{_SPAN}|{_ON_DAY}|{_ONLY_CLOCK})[.!]?$", re.IGNORECASE)


class DatedTask(NamedTuple):
    """What is to be done, without its moment, and the moment."""

    title: str
    at: datetime


def due_of(sentence: str, now: datetime) -> DatedTask | None:
    """Return what a sentence asks for and until when; None where it names no moment, or nothing besides.

    Args:
        sentence: one line, as a person writes it.
        now: the present moment in the person's zone; a moment that has passed today is tomorrow's.
    """
    found = _END.search(sentence.strip())
    if found is None:
        return None
    title, at = sentence.strip()[: found.start()].rstrip(" ,"), _moment(found, now)
    return DatedTask(title=title, at=at) if title and at is not None and at > now else None


def _moment(found: re.Match[str], now: datetime) -> datetime | None:
    said = found.groupdict()
    if said["count"] is not None:
        return now + timedelta(**{UNITS[said["unit"][0].lower()]: int(said["count"])})
    if said["only_hour"] is not None:
        at = _clock(said["only_hour"], said["only_minute"], said["only_half"])
        return None if at is None else _next(now, at)
    day = _day(said, now)
    if day is None or (day - now.date()).days > DAYS_MAX:
        return None
    if said["hour"] is None:
        at = PARTS.get((said["day"] or "").lower(), DAY_ENDS)
    else:
        at = _clock(said["hour"], said["minute"], said["half"])
    return None if at is None else datetime.combine(day, at, tzinfo=now.tzinfo)


def _day(said: dict[str, str | None], now: datetime) -> date | None:
    if said["iso"] is not None:
        try:
            return date.fromisoformat(said["iso"])
        except ValueError:
            return None
    if said["day"] is None:
        return _date(said, now.date())
    name = said["day"].lower()
    if name in NEAR_DAYS:
        return now.date() + timedelta(days=NEAR_DAYS[name])
    ahead = (WEEKDAYS[name] - now.weekday()) % 7 or 7
    return now.date() + timedelta(days=ahead)


def _date(said: dict[str, str | None], today: date) -> date | None:
    """Return the day of a date with a month; without a year it is the next one of that name."""
    month = said["german_month"] or str(MONTHS[(said["month"] or said["month_before"] or "").lower()])
    number = int(said["german_date"] or said["date"] or said["date_after"] or 0)
    year = said["german_year"] or said["year"]
    try:
        day = date(int(year or today.year), int(month), number)
        return day.replace(year=today.year + 1) if day < today and year is None else day
    except ValueError:  # 31 November; 29 February of another year
        return None


def _clock(hour: str | None, minute: str | None, half: str | None) -> time | None:
    number, past = int(hour or 0), int(minute or 0)
    if half is not None and half.lower() in {"am", "pm"}:
        if not 1 <= number <= 12:  # noqa: PLR2004  the hours of a twelve-hour clock
            return None
        number = number % 12 + (12 if half.lower() == "pm" else 0)
    return time(number, past) if number < 24 and past < 60 else None  # noqa: PLR2004  the hours and minutes there are


def _next(now: datetime, at: time) -> datetime:
    today = datetime.combine(now.date(), at, tzinfo=now.tzinfo)
    return today if today > now else today + timedelta(days=1)
