"""Lengths of time and moments as people write them on a command line."""

import re
from datetime import datetime, time, timedelta

from hub.contract.errors import UserError

_PART = re.compile(r"(\d+)\s*(sec|s|min|m|h|d)")
_UNITS_S = {"s": 1, "sec": 1, "m": 60, "min": 60, "h": 3_600, "d": 86_400}
MORNING, DAY_ENDS = time(8), time(23, 59)

NIGHT_ENDS = time(5)
"""Before this hour, `tonight` is still the night that one is in."""


class BadTimeTextError(UserError):
    """Not a time. Write a duration like 10m, 1h30m or 2d, or a time like 18:00, tomorrow or 2030-01-31T08:00."""

    code = "bad-time-text"


def length(text: str) -> timedelta:
    """Read `90`, `90s`, `10m`, `1h30m`, `2d`; a bare number means minutes.

    Raises:
        BadTimeTextError: it is none of these, or nothing.
    """
    plain = text.strip().lower()
    if plain.isdecimal():
        plain += "m"
    parts = _PART.findall(plain)
    if not parts or _PART.sub("", plain).strip():
        raise BadTimeTextError(f"{text!r} is not a duration.", fix="Write it like 10m, 1h30m or 2d.")
    try:
        total = timedelta(seconds=sum(int(number) * _UNITS_S[unit] for number, unit in parts))
    except OverflowError as error:
        raise BadTimeTextError(f"{text!r} is too long.", fix="Write it like 10m, 1h30m or 2d.") from error
    if not total:
        raise BadTimeTextError(f"{text!r} is zero.", fix="Write it like 10m, 1h30m or 2d.")
    return total


def moment(text: str, now: datetime) -> datetime:
    """Read `18:00` (today, or tomorrow if that is over), `today`, `tomorrow`, `2030-01-31T08:00`; in the zone of `now`.

    Today is over at its end, tomorrow begins in the morning.

    Raises:
        BadTimeTextError: it is none of these.
    """
    plain = text.strip().lower()
    if plain == "today":
        return datetime.combine(now.date(), DAY_ENDS, tzinfo=now.tzinfo)
    if plain == "tomorrow":
        return datetime.combine(now.date() + timedelta(days=1), MORNING, tzinfo=now.tzinfo)
    try:
        if re.fullmatch(r"\d{1,2}:\d{2}", plain):
            hour, minute = map(int, plain.split(":"))
            clock = time(hour, minute)
            today = datetime.combine(now.date(), clock, tzinfo=now.tzinfo)
            return today if today > now else today + timedelta(days=1)
        found = datetime.fromisoformat(text.strip())
    except ValueError as error:
        raise BadTimeTextError(
            f"{text!r} is not a time.", fix="Write it like 18:00, tomorrow or 2030-01-31T08:00."
        ) from error
    return found if found.tzinfo else found.replace(tzinfo=now.tzinfo)


def until(text: str, now: datetime) -> datetime:
    """Read the end of something that begins now: `2h`, `18:00`, or `tonight`, which lasts until 8 in the morning.

    Raises:
        BadTimeTextError: it is none of these.
    """
    plain = text.strip().lower()
    if plain == "tonight":
        morning = now.date() + timedelta(days=0 if now.time() < NIGHT_ENDS else 1)
        return datetime.combine(morning, MORNING, tzinfo=now.tzinfo)
    try:
        return moment(text, now)
    except BadTimeTextError:
        return _after(text, now)


def _after(text: str, now: datetime) -> datetime:
    try:
        return now + length(text)
    except (BadTimeTextError, OverflowError) as error:
        fix = "Write it like 2h, tonight, 18:00, tomorrow or 2030-01-31T08:00."
        raise BadTimeTextError(f"{text!r} is neither a duration nor a time.", fix=fix) from error
