"""What another user's process prints reaches the terminal as text, and cannot make it answer."""

import pytest

from hub.io.processes.relayed_output import TerminalText


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        ("  … begun\r  \x1b[32m✓\x1b[0m done\x1b[K\r\n", "  … begun\r  \x1b[32m✓\x1b[0m done\x1b[K\r\n"),
        ("\x1b]52;c;cm0gLXJm\x07", "]52;c;cm0gLXJm"),  # puts text on the clipboard
        ("\x1b[21t\x1b[6n\x1bP$qm\x1b\\\x05", "[21t[6nP$qm\\"),  # each is answered as if typed
        ("\x9b6n\x7f\x08", "6n"),
    ],
)
@pytest.mark.parametrize("size", [1, 3, 1_000])
def test_only_text_colours_and_erasing_are_let_through(printed: str, shown: str, size: int) -> None:
    take, output = TerminalText(), printed.encode()
    parts = [take(output[at : at + size]) for at in range(0, len(output), size)]
    assert b"".join(parts).decode() == shown


def test_what_is_no_text_is_replaced() -> None:
    assert TerminalText()(b"a\xffb") == "a\N{REPLACEMENT CHARACTER}b".encode()


def test_a_sequence_without_end_holds_nothing_back() -> None:
    take = TerminalText()
    assert take(b"\x1b[" + b"1" * 100) + take(b"m") == b"[" + b"1" * 100 + b"m"
