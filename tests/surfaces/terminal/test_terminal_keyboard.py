"""Bytes to keys, however they arrive."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surfaces.terminal.cells import clip, width, wrap
from surfaces.terminal.editing import edit
from surfaces.terminal.keyboard import decode


@pytest.mark.parametrize(
    ("data", "keys"),
    [
        (b"a", ["a"]),
        (b"ad", ["a", "d"]),
        (b"\x1b[C", ["right"]),
        (b"\x1bOD", ["left"]),
        (b"\x1b[A\x1b[B", ["up", "down"]),
        (b"\r\n\t\x7f", ["enter", "enter", "tab", "backspace"]),
        (b"\x03\x15", ["ctrl-c", "ctrl-u"]),
        (b"\x1b[5~\x1b[Z", ["page-up", "shift-tab"]),
        (b"\x1b[99;5u", []),
        ("é日".encode(), ["é", "日"]),
        (b"\x1b[200~rm -rf\nx\x1b[201~q", ["text:rm -rf x", "q"]),
        (b"\x1bq", ["escape", "q"]),
        (b"\xff", []),
    ],
)
def test_keys(data: bytes, keys: list[str]) -> None:
    assert decode(data, final=True) == (keys, b"")


@pytest.mark.parametrize("data", [b"\x1b", b"\x1b[", b"\x1b[1", b"\x1bO", "é".encode()[:1], b"\x1b[200~abc"])
def test_what_is_not_complete_waits(data: bytes) -> None:
    assert decode(data) == ([], data)


def test_a_lone_escape_is_the_key_in_the_end() -> None:
    assert decode(b"\x1b", final=True) == (["escape"], b"")


@pytest.mark.slow
@given(st.binary(max_size=40))
def test_anything_can_be_typed(data: bytes) -> None:
    keys, rest = decode(data)
    assert data.endswith(rest)
    assert all(key.isprintable() for key in keys)


@pytest.mark.slow
@given(st.text(max_size=60), st.integers(2, 20))
def test_wrapping_loses_nothing_but_spaces_and_fits(text: str, cells: int) -> None:
    lines = wrap(text, cells)
    assert all(width(line) <= cells for line in lines)
    assert all(width(clip(line, 3)) <= 3 for line in lines)


@pytest.mark.slow
@given(
    st.text("ab ", max_size=12),
    st.lists(
        st.sampled_from(["x", "left", "right", "home", "end", "backspace", "delete", "ctrl-w", "ctrl-u", "ctrl-k", "q"])
    ),
)
def test_the_cursor_stays_in_the_text(text: str, keys: list[str]) -> None:
    cursor = len(text)
    for key in keys:
        text, cursor = edit(text, cursor, key)
        assert 0 <= cursor <= len(text)


def test_editing() -> None:
    assert edit("run tests", 9, "ctrl-w") == ("run ", 4)
    assert edit("run", 3, "backspace") == ("ru", 2)
    assert edit("run", 0, "delete") == ("un", 0)
    assert edit("ab", 1, "text:XY") == ("aXYb", 3)
    assert edit("ab", 1, "page-up") == ("ab", 1)
