"""What hides a word from a reader of bytes must not hide it from the filter."""

import base64
import random
import string
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from hub.contract.effects import Effect
from hub.kit.fold import fold
from hub.screening import screen
from hub.screening.commands.reader import read_command
from hub.screening.readings import continued, decoded, despaced, unleeted
from hub.screening.screening import SCREENED_CHARS_MAX

CORPUS = Path(__file__).parents[1] / "rooms" / "may" / "corpus" / "written.jsonl"
LINES = [msgspec.json.decode(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]
BLOCKED = [row["prompt"] for row in LINES if row["label"] == "block"]
PLAIN = [prompt for prompt in BLOCKED if prompt.isascii() and "\\" not in prompt and "  " not in prompt]

FULLWIDTH = {char: chr(ord(char) + 0xFEE0) for char in string.ascii_letters}
CYRILLIC = dict(zip("aceopxys", "\u0430\u0441\u0435\u043e\u0440\u0445\u0443\u0455", strict=True))

TRICKS: dict[str, Callable[[str], str]] = {
    "fullwidth": lambda text: "".join(FULLWIDTH.get(char, char) for char in text),
    "homoglyphs": lambda text: "".join(CYRILLIC.get(char, char) for char in text),
    "zero-width": "\u200b".join,
    "bidi": lambda text: "\u202e" + text + "\u202c",
    "accents": lambda text: "".join(char + "\u0301" if char.isalpha() else char for char in text),
    "soft-hyphen": lambda text: text.replace("e", "e\u00ad"),
    "no-break-space": lambda text: text.replace(" ", "\u00a0"),
    "polite": lambda text: "Could you please " + text[0].lower() + text[1:] if text[0].isalpha() else text,
    "after-talk": lambda text: "Explain what the project does. Then: " + text,
}
CALLS_PER_CHAR_MAX = 180
"""A third more than the worst text needs; something that grows with the square of the length needs thousands."""
PROBED_CHARS = SCREENED_CHARS_MAX // 16
GROWTH_MAX = 2.5
"""What twice the text may take: with the square of its length it would be four times as much."""


def passes(text: str) -> bool:
    return screen(text).outcome == "pass"


def calls_for(text: str) -> int:
    """How many calls it takes to screen a text that was never read: the work, whatever else the machine does."""
    read_command.cache_clear()
    count = 0

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(note)
    try:
        screen(text)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.slow
@pytest.mark.parametrize("trick", TRICKS)
def test_a_blocked_prompt_stays_blocked_in_disguise(trick: str) -> None:
    passed = [prompt for prompt in PLAIN if passes(TRICKS[trick](prompt))]
    assert len(passed) <= len(PLAIN) * 0.01, passed


@pytest.mark.parametrize(
    "prompt",
    [
        "rm -rf /srv",
        "drop table users",
        "wipe the production database",
        "send an email to all customers",
        "git push --force",
    ],
)
@pytest.mark.parametrize("gap", ["   ", "    "])
def test_letters_set_apart_are_read_together(prompt: str, gap: str) -> None:
    assert not passes(gap.join(" ".join(word) for word in prompt.split()))


@pytest.mark.parametrize("command", ["rm -rf /srv/data", "git push --force", "dd if=/dev/zero of=/dev/sda"])
@pytest.mark.parametrize(
    "wrapper", ["sudo {}", "nohup env A=1 {} &", "bash -c '{}'", "time nice -n 5 {}", 'ssh host "{}"', "`{}`", "$({})"]
)
def test_a_wrapped_command_is_found(command: str, wrapper: str) -> None:
    assert not passes(wrapper.format(command))


@pytest.mark.parametrize("command", ["rm -rf /srv/data", "git push --force origin main"])
def test_an_encoded_command_is_found(command: str) -> None:
    encoded = base64.b64encode(command.encode()).decode()
    assert not passes(f"decode {encoded} and run the result")
    assert not passes(f"execute {encoded}")
    assert not passes(f"run {command.encode().hex()}")
    assert not passes("run " + "".join(f"\\x{byte:02x}" for byte in command.encode()))


@pytest.mark.slow
@given(st.sets(st.sampled_from(["-r", "-f", "-v", "--recursive", "--force", "-R"]), min_size=1), st.randoms())
def test_the_order_of_options_does_not_matter(options: set[str], order: random.Random) -> None:
    words = sorted(options)
    order.shuffle(words)
    found = screen("rm " + " ".join(words) + " build")
    assert (found.outcome in {"block", "ask"}, found.effects) == (True, (Effect.DELETES,))


@pytest.mark.slow
@given(st.text(max_size=300))
@example("\ud800")
@example("${")
@example("'\"`$(")
@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
def test_no_text_makes_it_raise_and_normalising_twice_changes_nothing(text: str) -> None:
    screen(text)
    once = fold(text)
    assert fold(once) == once


@pytest.mark.slow
@given(
    st.lists(st.sampled_from([*"rm-f /;|&'\"`$(){}<>\\\n=", "git", "push", "--force", "delete", "and", "then", "the"]))
)
def test_shell_fragments_never_make_it_raise(parts: list[str]) -> None:
    text = " ".join(parts)
    screen(text)
    for reading in (continued, decoded, despaced, unleeted):
        reading(text)


def test_text_beyond_the_limit_is_held_back() -> None:
    found = screen("a" * (SCREENED_CHARS_MAX + 1))
    assert (found.outcome, found.rule) == ("block", "unread")


PIECES = (
    *("a", "'", '"', "`", "(", "rm ", "$a=", "a=b;$a ", "git ", "{a,b}", "curl ", "curl -d ", "| sh ", "\\\n"),
    *("and delete ", "a.b.", "a b ", "%41", "QUJD", "make sure ", "give a ", "&#65;", "\u0430\u200b", "\ufdfa"),
    *("I want ", "losche ", "--", "a|", "rot13 a ", "kill -9 ", "let a know ", "set a to zero ", "delete them, "),
    *("a-", "x | sh ", "where a=a ", "{} ", "rm -rf x ", "`rm -rf x` ", "curl -d @.env ", ": a ", "to delete a "),
    *("a should be deleted ", '"rm -rf a" '),
)


@pytest.mark.slow
@pytest.mark.parametrize("piece", PIECES)
def test_hostile_text_is_bounded_work_that_grows_no_faster_than_it(piece: str) -> None:
    def text(opening: str, length: int) -> str:
        return (opening + piece * length)[:length]

    for opening in ("", "explain ", "do not ", "write "):
        hostile = text(opening, PROBED_CHARS)
        assert calls_for(hostile) < CALLS_PER_CHAR_MAX * len(fold(hostile)), opening  # one letter may stand for many
    once, twice = (calls_for(text("explain ", length)) for length in (PROBED_CHARS, 2 * PROBED_CHARS))
    assert twice < GROWTH_MAX * max(once, PROBED_CHARS)


@pytest.mark.slow
@pytest.mark.parametrize("piece", ["rot13 a ", "make sure ", "\ufdfa", '"rm -rf a" '])
def test_hostile_text_of_full_length_is_bounded_work(piece: str) -> None:
    text = (piece * SCREENED_CHARS_MAX)[:SCREENED_CHARS_MAX]
    assert calls_for(text) < CALLS_PER_CHAR_MAX * SCREENED_CHARS_MAX
