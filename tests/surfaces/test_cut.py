"""Text is cut to a size between characters as a person sees them."""

import unicodedata

import msgspec
from hypothesis import example, given
from hypothesis import strategies as st

from surfaces.cut import cut_to_chars, cut_to_json_bytes


@given(text=st.text("a👩‍💻🇩🇪👍🏽é́\u0301\u200d\r\n", max_size=40), chars=st.integers(1, 40))
def test_no_character_is_torn(text: str, chars: int) -> None:
    short = cut_to_chars(text, chars)
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
    assert cut_to_chars(flags, 4) == "🇩🇪…"
    assert cut_to_chars(flags, 5) == "🇩🇪🇫🇷…"


@given(text=st.text(max_size=30), bytes_max=st.integers(0, 60))
@example(text="ab", bytes_max=2)
def test_its_json_fits_and_no_longer_beginning_would(text: str, bytes_max: int) -> None:
    short = cut_to_json_bytes(text, bytes_max)
    assert size(short) <= bytes_max
    longer = (cut_to_chars(text, chars) for chars in range(len(short) + 1, len(text) + 1))
    assert all(size(one) > bytes_max or len(one) <= len(short) for one in longer)


def size(text: str) -> int:
    return len(msgspec.json.encode(text)) - 2
