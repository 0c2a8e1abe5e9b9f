"""What a person approves: its hash, and the text made safe to look at."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.domain.canonical import card_hash, visible
from hub.domain.suggestion import Need, Work

WORK = Work(playbook="run-tests", workspace="/w", args=("-x",))
NEED = Need(text="the tests pass")


def test_the_hash_is_stable_and_short() -> None:
    assert card_hash("Run the tests", "koji-core", WORK, NEED) == card_hash("Run the tests", "koji-core", WORK, NEED)
    assert re.fullmatch("[0-9a-f]{32}", card_hash("Run the tests", "koji-core", WORK, NEED))


def test_anything_that_would_change_the_run_changes_the_hash() -> None:
    hashes = {
        card_hash("a", "c", WORK, NEED),
        card_hash("a ", "c", WORK, NEED),
        card_hash("a\u200b", "c", WORK, NEED),
        card_hash("\u0430", "c", WORK, NEED),
        card_hash("", "ac", WORK, NEED),
        card_hash("a", "d", WORK, NEED),
        card_hash("a", "c", Work(playbook="run-tests", workspace="/w"), NEED),
        card_hash("a", "c", Work(playbook="run-tests", workspace="/w", args=("-x", "")), NEED),
        card_hash("a", "c", Work(playbook="run-tests", workspace=None, args=("-x",)), NEED),
        card_hash("a", "c", WORK, Need(text="the tests pass", exit_code=None)),
        card_hash("a", "c", WORK, Need(text="the tests pass", expected_text="ok")),
    }
    assert len(hashes) == 11


@pytest.mark.slow
@given(st.text(alphabet=st.characters(codec=None)))
def test_every_text_has_a_hash_and_a_visible_form_that_is_stable(text: str) -> None:
    assert len(card_hash(text, "c", WORK, NEED)) == 32
    shown = visible(text)
    assert visible(shown) == shown
    shown.encode()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("rm \u202egpj.exe", "rm ⟨U+202E⟩gpj.exe"),
        ("pay\u200bpal \u2066x\u2069", "pay⟨U+200B⟩pal ⟨U+2066⟩x⟨U+2069⟩"),
        ("a\u00adb\ufeffc\x1b[2J", "a⟨U+00AD⟩b⟨U+FEFF⟩c⟨U+001B⟩[2J"),
        ("a\u3164b\U000e0041", "a⟨U+3164⟩b⟨U+E0041⟩"),
        ("rm\u2003-rf", "rm⟨U+2003⟩-rf"),
        ("\u0430dmin", "\u0430⟨U+0430⟩dmin"),
        ("\u0441\u043e\u0440\u0443 it", "\u0441⟨U+0441⟩\u043e⟨U+043E⟩\u0440⟨U+0440⟩\u0443⟨U+0443⟩ it"),
        ("\uff52m", "\uff52⟨U+FF52⟩m"),
        ("https:\u2215\u2215a", "https:\u2215⟨U+2215⟩\u2215⟨U+2215⟩a"),
        ("rm \u2013rf", "rm \u2013⟨U+2013⟩rf"),
        ("git push \u2013\u2013force", "git push \u2013⟨U+2013⟩\u2013force"),
    ],
)
def test_what_deceives_the_eye_is_marked(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "Run the tests: 3 modules changed in hub/store since the last run, 2 h ago",
        "line one\n\tline two",
        "Запусти тесты и проверь сборку, потом tests",
        "Ελέγξτε τις δοκιμές",
        "テストを実行する",
        "naïve café – “quoted” … 2–3 × 5 µs",  # noqa: RUF001  everyday typography
        "\U0001f469\u200d\U0001f4bb ship it \u2764\ufe0f",
        "α = 0.8",  # noqa: RUF001  a formula
    ],
)
def test_honest_text_stays_as_it_is(text: str) -> None:
    assert visible(text) == text
