"""The moment that a sentence names at its end: "Send the offer tomorrow at 10", "Anna anrufen am Freitag um 9 Uhr".

Only what stands at the end counts, or at the beginning before a colon or comma, or there a day with its clock time
("morgen um 10 die Bank anrufen", as German has it), and only what names a day or a clock time beyond doubt; everything
else is the task's own text. English and German, in the person's zone. A day without a
time is due at six in the evening, and a date without a year is the next one of that name.

A sentence may be clear enough to be kept and still mean something else: `doubt` says so. A bare hour up to eight is
daytime, as people mean it ("at 3" is 15:00); after midnight "tomorrow" may be the day that has begun.
"""

import re
from datetime import date, datetime, time, timedelta
from typing import NamedTuple

from hub.contract.api import TaskDoubt

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
AFTERNOON_MAX, EVENING_MAX = 6, 8
"""A bare hour up to the first is one of the afternoon, up to the second one of the morning or the evening."""
NIGHT_ENDS = 4
"""Until this hour "tomorrow" is often said of the day that has begun already."""
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
_ONLY_DAY = rf"(?:{_ON}(?:{_DAY}|{_ISO}|{_NAMED})|{_ON_GERMAN})"
_ON_DAY = rf"{_ONLY_DAY}(?:,?\s+(?:{_AT})?{_CLOCK})?"
_ONLY_CLOCK = _AT + _CLOCK.replace("?P<", "?P<only_")
_END = re.compile(rf"(?:^|[\s,])(?:{_SPAN}|{_ON_DAY}|{_ONLY_CLOCK})[.!]?$", re.IGNORECASE)


_START = re.compile(rf"(?:{_SPAN}|{_ON_DAY}|{_ONLY_CLOCK})\s*[:,](?!\d)\s*(?P<rest>\S.*)", re.IGNORECASE | re.DOTALL)
"""A moment at the beginning counts where a sign ends it: "In 6 minutes: take the laundry out"."""
_HOUR = r"(?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2}))?"
_OPEN_STARTS = tuple(
    re.compile(rf"{_ONLY_DAY},?\s+{at}\s+{_HOUR}{half}\s+(?P<rest>[^\W\d].*)", re.IGNORECASE | re.DOTALL)
    for at, half in (("um", r"(?:\s*(?P<half>uhr))?"), ("at", r"(?:\s*(?P<half>am|pm))?"))
)
"""A day and its clock time at the beginning need no sign; "am" behind "um 10" is the German word."""
_ASKED = re.compile(
    r"/?(?:task|todo|remind me to|remind me|aufgabe|erinnere mich an|erinnere mich)\b[:,]?\s+(?P<task>\S.*)",
    re.IGNORECASE | re.DOTALL,
)


_NOTHING: dict[str, str | None] = dict.fromkeys(_END.groupindex)


class DatedTask(NamedTuple):
    """What is to be done, without its moment, and the moment; `doubt` is what else it could have meant."""

    title: str
    at: datetime
    doubt: TaskDoubt = ""


class _When(NamedTuple):
    at: datetime
    doubt: TaskDoubt = ""


def due_of(sentence: str, now: datetime) -> DatedTask | None:
    """Return what a sentence asks for and until when; None where it names no moment, or nothing besides.

    Args:
        sentence: one line, as a person writes it.
        now: the present moment in the person's zone; a moment that has passed today is tomorrow's.
    """
    written = _parts(sentence)
    if written is None:
        return None
    title, when = written[0], _moment(written[1], now)
    if not title or when is None or when.at <= now:
        return None
    return DatedTask(title=title, at=when.at, doubt=when.doubt)


def task_in(text: str) -> str:
    """Return the task that a text says to be one: "remind me to call Anna", "task: …"; empty where it does not."""
    found = _ASKED.fullmatch(text.strip())
    return "" if found is None else found["task"]


def names_a_moment(sentence: str, now: datetime) -> bool:
    """Return True if a sentence asks for something and names a moment for it, be it past."""
    written = _parts(sentence)
    return written is not None and bool(written[0]) and _moment(written[1], now) is not None


def names_the_past(sentence: str, now: datetime) -> bool:
    """Return True if a sentence names a moment at its end that has passed, so that nothing can be kept for it."""
    written = _parts(sentence)
    when = None if written is None else _moment(written[1], now)
    return when is not None and when.at <= now


def _parts(sentence: str) -> tuple[str, re.Match[str]] | None:
    """Return what a sentence asks for and where it names a moment: at its end, or at its beginning before a sign."""
    line = sentence.strip()
    if (found := _END.search(line)) is not None:
        return line[: found.start()].rstrip(" ,"), found
    started = next(filter(None, (one.fullmatch(line) for one in (_START, *_OPEN_STARTS))), None)
    return None if started is None else (started["rest"], started)


def _moment(found: re.Match[str], now: datetime) -> _When | None:
    said: dict[str, str | None] = {**_NOTHING, **found.groupdict()}
    if said["count"] is not None and said["unit"] is not None:
        return _When(now + timedelta(**{UNITS[said["unit"][0].lower()]: int(said["count"])}))
    if said["only_hour"] is not None:
        return _next(now, said)
    day = _day(said, now)
    if day is None or (day - now.date()).days > DAYS_MAX:
        return None
    name = (said["day"] or "").lower()
    if said["hour"] is None:
        return _When(datetime.combine(day, PARTS.get(name, DAY_ENDS), tzinfo=now.tzinfo), _doubt_of_day(name, now))
    times = _clocks(said["hour"], said["minute"], said["half"])
    ahead = [at for one in times if (at := datetime.combine(day, one, tzinfo=now.tzinfo)) > now]
    if not times:
        return None
    at = ahead[0] if ahead else datetime.combine(day, times[0], tzinfo=now.tzinfo)
    return _When(at, "hour" if len(ahead) > 1 else _doubt_of_day(name, now))


def _doubt_of_day(name: str, now: datetime) -> TaskDoubt:
    if WEEKDAYS.get(name) == now.weekday():
        return "weekday"
    return "night" if now.hour < NIGHT_ENDS and NEAR_DAYS.get(name, 0) > 0 else ""


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


def _clocks(hour: str | None, minute: str | None, half: str | None) -> tuple[time, ...]:
    """Return the times of day that are meant, the likeliest first; none where there is no such time."""
    written, past = hour or "0", int(minute or 0)
    number = int(written)
    if half is not None and half.lower() in {"am", "pm"}:
        if not 1 <= number <= 12 or past >= 60:  # noqa: PLR2004  the hours of a twelve-hour clock
            return ()
        return (time(number % 12 + (12 if half.lower() == "pm" else 0), past),)
    if number >= 24 or past >= 60:  # noqa: PLR2004  the hours and minutes there are
        return ()
    if half is not None or written.startswith("0") or number > EVENING_MAX:
        return (time(number, past),)
    both = time(number, past), time(number + 12, past)
    return both[::-1] if number <= AFTERNOON_MAX else both


def _next(now: datetime, said: dict[str, str | None]) -> _When | None:
    """Return the next time that this clock time comes; of two that it may be the nearer one of today."""
    times = _clocks(said["only_hour"], said["only_minute"], said["only_half"])
    if not times:
        return None
    today = [at for one in times if (at := datetime.combine(now.date(), one, tzinfo=now.tzinfo)) > now]
    at = today[0] if today else datetime.combine(now.date() + timedelta(days=1), times[0], tzinfo=now.tzinfo)
    return _When(at, "hour" if len(times) > 1 else "")
