"""Deadlines in a text: the lines that name one, in English and German, and those that only look like it."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.sense.deadline_lines import FOUND_MAX, deadlines_in

WRITTEN = datetime(2026, 3, 3, 14, 30, tzinfo=ZoneInfo("Europe/Berlin"))
"""A Tuesday."""


@pytest.mark.parametrize(
    ("line", "what", "at"),
    [
        ("Deadline: 3 December", "", "2026-12-03T18:00"),
        ("**Deadline:** Friday, 6 March", "", "2026-03-06T18:00"),
        ("## Deadline 2026-04-01 at 9", "", "2026-04-01T09:00"),
        ("- [ ] Send the proof to print, due Friday", "Send the proof to print", "2026-03-06T18:00"),
        ("Text freigeben bis 3.12.", "Text freigeben", "2026-12-03T18:00"),
        ("Abgabetermin: 12.3.2026", "", "2026-03-12T18:00"),
        ("Redaktionsschluss bis morgen um 10", "Redaktionsschluss", "2026-03-04T10:00"),
        ("Deadline für Bilder: 5. März", "für Bilder", "2026-03-05T18:00"),
        ("| Print | Deadline March 9th |", "Print", "2026-03-09T18:00"),
        ("Due date: tomorrow", "", "2026-03-04T18:00"),
        ("> Frist: Montag, 9.3., 12 Uhr", "", "2026-03-09T12:00"),
    ],
)
def test_a_line_that_names_a_deadline_is_read(line: str, what: str, at: str) -> None:
    (found,) = deadlines_in(f"# Brief\n\n{line}\n", WRITTEN)
    assert (found.what, found.at.isoformat()[:16], found.line) == (what, at, 3)


@pytest.mark.parametrize(
    "line",
    [
        "- [x] Send the proof, due Friday",
        "~~Deadline: 3 December~~",
        "Doors open until 10",
        "Geöffnet bis 18 Uhr",
        "The deadline was moved.",
        "We meet on Friday",
        "Deadline: in 2 hours",
        "Deadline: 31 November",
        "Deadline: soon",
        "Deadline: 3 December, as we said on the phone",
        f"Deadline: {'x' * 600} Friday",
    ],
)
def test_what_names_none_is_passed_over(line: str) -> None:
    assert list(deadlines_in(line, WRITTEN)) == []


def test_there_is_an_end_to_them() -> None:
    assert len(list(deadlines_in("Deadline: Friday\n" * 500, WRITTEN))) == FOUND_MAX


@given(st.text(max_size=300))
def test_any_text_is_read(content: str) -> None:
    for found in deadlines_in(f"Deadline {content}\nbis {content} Friday", WRITTEN):
        assert found.at > WRITTEN
