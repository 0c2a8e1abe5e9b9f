"""Text for people is cut between whole characters and hides nothing; a length of time is written one way."""

import unicodedata
from datetime import timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hub.kit.text import (
    Form,
    characters,
    counted,
    cut,
    duration,
    file_size,
    json_bytes,
    listed,
    one_line,
    several_lines,
    visible,
)


@pytest.mark.slow
@given(text=st.text("a👩‍💻🇩🇪👍🏽é́\u0301\u200d\r\n", max_size=40), chars=st.integers(1, 40))
def test_no_character_is_torn(text: str, chars: int) -> None:
    short = cut(text, chars)
    if short == text:
        return
    kept = short[:-1]
    after = text[len(kept) :]
    assert short == f"{kept}…"
    assert text.startswith(kept)
    assert len(short) <= chars
    if kept and not after[0].isspace():
        assert not unicodedata.combining(after[0])
        assert "\u200d" not in (kept[-1], after[0])


def test_a_flag_stays_whole() -> None:
    flags = "🇩🇪🇫🇷🇮🇹"
    assert cut(flags, 4) == "🇩🇪…"
    assert cut(flags, 5) == "🇩🇪🇫🇷…"
    assert list(characters(flags)) == ["🇩🇪", "🇫🇷", "🇮🇹"]


@pytest.mark.slow
@given(text=st.text(max_size=30), bytes_max=st.integers(0, 60))
@example(text="ab", bytes_max=2)
def test_its_json_fits_and_no_longer_beginning_would(text: str, bytes_max: int) -> None:
    short = cut(text, bytes_max, json_bytes)
    assert json_bytes(short) <= bytes_max
    longer = (cut(text, chars) for chars in range(len(short) + 1, len(text) + 1))
    assert all(json_bytes(one) > bytes_max or len(one) <= len(short) for one in longer)


@pytest.mark.slow
@given(text=st.text())
def test_what_is_visible_hides_nothing_and_stays_as_it_is(text: str) -> None:
    shown = visible(text, kept="", emoji=False)
    assert not {unicodedata.category(char) for char in shown} & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert visible(shown, kept="", emoji=False) == shown


def test_what_hides_gets_a_mark() -> None:
    assert visible("rm\u202e -rf\u200b /\x1b[2J") == "rm⟨U+202E⟩ -rf⟨U+200B⟩ /⟨U+001B⟩[2J"
    assert visible("a\tb\nc") == "a\tb\nc"
    assert visible("a\tb\nc", kept="") == "a⟨U+0009⟩b⟨U+000A⟩c"
    assert visible("👩\u200d💻 ❤\ufe0f") == "👩\u200d💻 ❤\ufe0f"
    assert visible("👩\u200d💻", emoji=False) == "👩⟨U+200D⟩💻"
    assert visible("a\u200db") == "a⟨U+200D⟩b"
    assert visible("\u2800") == "⟨U+2800⟩"


def test_one_line_holds_what_can_be_read() -> None:
    assert one_line("a\u202eb\u200bc\x00 \n\t d", 80) == "abc d"
    assert one_line("x" * 100, 10) == "x" * 9 + "…"
    assert one_line("\ud800ok", 80) == "ok"
    assert one_line(" " * 60 + "much later", 10) == "…"
    assert several_lines("a \u202e b\r\n\nc", 100) == "a b\n\nc"


def test_things_are_counted_and_listed() -> None:
    assert counted(1, "branch", "branches") == "1 branch"
    assert counted(2, "branch", "branches") == "2 branches"
    assert [listed("abc"[:count]) for count in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert listed("abc", language="de") == "a, b und c"
    assert listed("abc", shown_max=3) == "a, b and c"
    assert listed("abcde", shown_max=3) == "a, b, c and 2 more"


@pytest.mark.parametrize(
    ("seconds", "language", "form", "written"),
    [
        (-5, "en", "short", "0 s"),
        (0.9, "en", "short", "0 s"),
        (59.9, "en", "short", "59 s"),
        (60, "en", "short", "1 min"),
        (3_599, "en", "short", "59 min"),
        (3_600, "en", "short", "1 h"),
        (47.9 * 3_600, "en", "short", "47 h"),
        (48 * 3_600, "en", "short", "2 days"),
        (83 * 3_600, "de", "short", "3 Tage"),
        (5 * 3_600, "de", "short", "5 h"),
        (1, "en", "spoken", "1 second"),
        (60, "en", "spoken", "1 minute"),
        (600, "de", "spoken", "10 Minuten"),
        (3_600, "de", "spoken", "1 Stunde"),
    ],
)
def test_a_length_of_time_is_written_one_way(seconds: float, language: str, form: Form, written: str) -> None:
    assert duration(seconds, language, form) == written
    assert duration(timedelta(seconds=seconds), language, form) == written


@pytest.mark.parametrize(
    ("seconds", "written"),
    [(0, "0 s"), (0.1, "1 s"), (59.1, "1 min"), (61, "2 min"), (3_541, "1 h"), (47 * 3_600 + 1, "2 days")],
)
def test_a_wait_is_rounded_up_so_that_it_suffices(seconds: float, written: str) -> None:
    assert duration(seconds, rounded="up") == written


@pytest.mark.parametrize(
    ("minutes", "written"), [(5, "5 minutes"), (60, "1 hour"), (90, "90 minutes"), (2_880, "2 days")]
)
def test_a_length_that_was_named_is_said_back_as_it_is(minutes: int, written: str) -> None:
    assert duration(60 * minutes, form="spoken", rounded="exact") == written


@pytest.mark.parametrize(
    ("size", "written"),
    [
        *((0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (9_949, "9.9 kB"), (631_400, "631 kB")),
        *((999_499, "999 kB"), (999_500, "1.0 MB"), (2_100_000, "2.1 MB"), (53_000_000_000, "53 GB")),
        (5 * 10**15, "5000000 GB"),
    ],
)
def test_a_size_is_written_in_the_unit_that_fits(size: int, written: str) -> None:
    assert file_size(size) == written
