"""Days as parts of sentences."""

from datetime import date

from hub.domain.provenance import Wording, say

MONTHS = (
    say("January"),
    say("February"),
    say("March"),
    say("April"),
    say("May"),
    say("June"),
    say("July"),
    say("August"),
    say("September"),
    say("October"),
    say("November"),
    say("December"),
)


def day_said(day: date) -> Wording:
    """Return "2 March 2026"."""
    return say("{day} {month} {year}", day=day.day, month=MONTHS[day.month - 1], year=day.year)
