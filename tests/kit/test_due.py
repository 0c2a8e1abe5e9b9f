"""A moment at the end of a sentence, in English and German; whatever is not surely one stays part of the task."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from hub.kit.due import due_of, names_a_moment, names_the_past

NOW = datetime(2026, 3, 3, 14, 30, tzinfo=ZoneInfo("Europe/Berlin"))
"""A Tuesday."""


@pytest.mark.parametrize(
    ("sentence", "title", "at"),
    [
        ("Send the offer tomorrow at 10", "Send the offer", "2026-03-04T10:00"),
        ("Send the offer tomorrow", "Send the offer", "2026-03-04T18:00"),
        ("Call Anna at 15:30", "Call Anna", "2026-03-03T15:30"),
        ("Call Anna at 9", "Call Anna", "2026-03-04T09:00"),
        ("Call Anna at 9pm.", "Call Anna", "2026-03-03T21:00"),
        ("Water the plants tonight", "Water the plants", "2026-03-03T20:00"),
        ("Pay the rent by Friday", "Pay the rent", "2026-03-06T18:00"),
        ("Pay the rent on Tuesday, 9:15", "Pay the rent", "2026-03-10T09:15"),
        ("Ship it in 2 hours", "Ship it", "2026-03-03T16:30"),
        ("Ship it on 2026-04-01 at 8", "Ship it", "2026-04-01T08:00"),
        ("Anna anrufen am Freitag um 9 Uhr", "Anna anrufen", "2026-03-06T09:00"),
        ("Angebot schicken bis morgen um 10", "Angebot schicken", "2026-03-04T10:00"),
        ("Blumen gießen in 30 Minuten", "Blumen gießen", "2026-03-03T15:00"),
        ("In 6 minutes: take the laundry out", "take the laundry out", "2026-03-03T14:36"),
        ("Tomorrow at 10, call the bank", "call the bank", "2026-03-04T10:00"),
        ("morgen um 10 die Bank anrufen", "die Bank anrufen", "2026-03-04T10:00"),
        ("Am Freitag um 9 Uhr Anna anrufen", "Anna anrufen", "2026-03-06T09:00"),
        ("Morgen um 10 am Bahnhof sein", "am Bahnhof sein", "2026-03-04T10:00"),
        ("Tomorrow at 10 call the bank", "call the bank", "2026-03-04T10:00"),
        ("Tomorrow at 10 am call the bank", "call the bank", "2026-03-04T10:00"),
        ("Am 3.4. um 9:30 den Vertrag kündigen", "den Vertrag kündigen", "2026-04-03T09:30"),
        ("Um 15:30: Anna anrufen", "Anna anrufen", "2026-03-03T15:30"),
        ("Send the photos to Anna today by 15:05", "Send the photos to Anna", "2026-03-03T15:05"),
        ("Pull ziehen übermorgen", "Pull ziehen", "2026-03-05T18:00"),
        ("Send it by 3 December", "Send it", "2026-12-03T18:00"),
        ("Send it on December 3rd, 2026 at 9", "Send it", "2026-12-03T09:00"),
        ("Pay the rent by 1 March", "Pay the rent", "2027-03-01T18:00"),
        ("Anna anrufen bis 3.12.", "Anna anrufen", "2026-12-03T18:00"),
        ("Anna anrufen am Freitag, den 6.3. um 10 Uhr", "Anna anrufen", "2026-03-06T10:00"),
        ("Angebot schicken am 3. April", "Angebot schicken", "2026-04-03T18:00"),
    ],
)
def test_a_moment_at_the_end_is_read(sentence: str, title: str, at: str) -> None:
    found = due_of(sentence, NOW)
    assert found is not None
    assert (found.title, found.at.isoformat()[:16]) == (title, at)
    assert found.at.tzinfo == NOW.tzinfo


@pytest.mark.parametrize(
    ("sentence", "at", "doubt"),
    [
        ("Call the bank tomorrow at 10", "2026-03-04T10:00", ""),
        ("Call the bank tomorrow at 3", "2026-03-04T15:00", "hour"),
        ("Call the bank tomorrow at 7:30", "2026-03-04T07:30", "hour"),
        ("Call the bank tomorrow at 03:00", "2026-03-04T03:00", ""),
        ("Die Bank anrufen morgen um 3", "2026-03-04T15:00", "hour"),
        ("Die Bank anrufen morgen um 15 Uhr", "2026-03-04T15:00", ""),
        ("Call the bank at 8", "2026-03-03T20:00", "hour"),
        ("Call the bank today at 3", "2026-03-03T15:00", ""),
        ("Call the bank on Tuesday", "2026-03-10T18:00", "weekday"),
        ("Call the bank on Tuesday at 10", "2026-03-10T10:00", "weekday"),
        ("Call the bank at 3am", "2026-03-04T03:00", ""),
    ],
)
def test_what_else_a_sentence_could_mean_is_told(sentence: str, at: str, doubt: str) -> None:
    found = due_of(sentence, NOW)
    assert found is not None
    assert (found.at.isoformat()[:16], found.doubt) == (at, doubt)


def test_after_midnight_tomorrow_may_be_today() -> None:
    found = due_of("Call the bank tomorrow at 10", NOW.replace(hour=1))
    assert found is not None
    assert (found.at.day, found.doubt) == (4, "night")


def test_a_moment_that_has_passed_is_told_from_no_moment() -> None:
    assert names_the_past("Ship it today at 9", NOW)
    assert not names_the_past("Ship it", NOW)
    assert not names_the_past("Ship it tomorrow at 9", NOW)
    assert names_a_moment("Ship it today at 9", NOW)
    assert names_a_moment("Ship tomorrow", NOW)
    assert not names_a_moment("Ship it", NOW)
    assert not names_a_moment("tomorrow at 9", NOW)


@pytest.mark.parametrize(
    "sentence",
    [
        "Read chapter 10",
        "Look at 3 designs",
        "Prepare tomorrow's talk",
        "tomorrow at 10",
        "Look at today's figures again",
        "Tomorrow I call the bank",
        "In 2 hours nobody will care",
        "Move to Monday.com",
        "Ship it at 25:00",
        "Ship it at 13pm",
        "Ship it today at 9",
        "Ship it on 2026-02-30",
        "Ship it on 31 November",
        "Move to Python 3.12.",
        "Run it on 3.12.",
        "Say what we may",
        "Um 9:30 den Vertrag kündigen",
        "morgen um 10 30 Leute anrufen",
        "Morgen 10 Leute anrufen",
        "Ship it on 2030-01-01",
        "",
    ],
)
def test_what_is_no_moment_to_come_stays_in_the_text(sentence: str) -> None:
    assert due_of(sentence, NOW) is None


def test_a_long_line_ends_soon() -> None:
    assert due_of("by at " * 50_000 + "x", NOW) is None
