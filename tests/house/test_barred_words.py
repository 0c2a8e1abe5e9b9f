"""What people read is plain English and German: no phrase of the old dialect, which `barred_words.toml` lists."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.source import ROOT, at, python_files, short
from tests.house.test_plain_words import NOT_FOR_PEOPLE, WORDS, sentences_of, words_of

LISTS = tomllib.loads((ROOT / "tests" / "house" / "barred_words.toml").read_text(encoding="utf-8"))
Patterns = list[tuple[re.Pattern[str], str]]
PAGES = ("README.md", "SECURITY.md", "docs/*.md", "docs/howto/*.md")
WORD_LIST = "docs/contributing.md"
"""It names the words that it replaces."""
TYPED = "-also"
"""What a search finds besides: people type their own words, nobody reads these."""
README_WORDS_MAX = 600
README_PICTURES_MAX = 2
README_LINKS_MAX = 8


def compiled(*names: str) -> Patterns:
    return [
        (re.compile(pattern, 0 if any(map(str.isupper, re.sub(r"\\.", "", pattern))) else re.IGNORECASE), instead)
        for name in names
        for pattern, instead in LISTS[name].items()
    ]


EVERYWHERE = compiled("english", "german")
IN_WORDS = [*EVERYWHERE, *compiled("english_words")]
SLOT = re.compile(r"\{=?[\w.]+\}")


def barred(text: str, patterns: Patterns = EVERYWHERE) -> Iterator[str]:
    """Yield each barred phrase of a text, with what to write instead."""
    for pattern, instead in patterns:
        for found in pattern.finditer(text):
            yield f"“{found[0]}” (write: {instead})"


def said_in_pages() -> Iterator[tuple[str, str]]:
    for page in sorted(path for pattern in PAGES for path in ROOT.glob(pattern)):
        if short(page) != WORD_LIST:
            for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
                yield at(page, number), line


def said_in_words() -> Iterator[tuple[str, str]]:
    for path in sorted(path for pattern in WORDS for path in ROOT.glob(pattern)):
        for key, text in words_of(path):
            if not key.endswith(TYPED):
                yield f"{short(path)} {key}", text


def said_in_modules() -> Iterator[tuple[str, str]]:
    speaking: list[Path] = [one for one in python_files("hub", "surfaces", "edge") if short(one) not in NOT_FOR_PEOPLE]
    for path in speaking:
        for number, text in sentences_of(path):
            yield at(path, number), text


def faults(said: Iterator[tuple[str, str]], patterns: Patterns = EVERYWHERE) -> list[str]:
    return [f"{place}: {fault}" for place, text in said for fault in barred(text, patterns)]


def test_no_word_of_any_surface_is_barred() -> None:
    said = ((place, SLOT.sub("", text)) for place, text in said_in_words())
    assert faults(said, IN_WORDS) == []


def test_no_page_of_the_docs_has_a_barred_word() -> None:
    assert faults(said_in_pages()) == []


@pytest.mark.slow
def test_no_module_says_a_barred_word() -> None:
    assert faults(said_in_modules()) == []


def test_a_barred_word_is_seen() -> None:
    assert list(barred("Enough presses (3.0 of 2.0), but you were typing."))
    assert list(barred("Your person said no."))
    assert list(barred("Say which agent."))
    assert not list(barred("It does not say which branch it pushes."))
    assert list(barred("Alles zusammen drückt mit 4,0."))
    assert list(barred("Andere Antriebe"))
    assert list(barred("Other drives", IN_WORDS))
    assert not list(barred("Show the drives."))


def test_the_readme_is_one_page() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.split()) <= README_WORDS_MAX
    assert text.count("![") + text.count("<img") <= README_PICTURES_MAX
    assert len(re.findall(r"(?<!!)\[[^\]]+\]\(", text)) <= README_LINKS_MAX
