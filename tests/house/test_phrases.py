"""No surface spells a verb or an outcome: what people read of them is named in the phrasebook and nowhere else."""

import ast
import json
import string
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from hub.contract.words import Status, Verb
from hub.kit.phrase_files import all_phrases
from hub.kit.phrasebook import capital
from tests.house.source import ROOT

OUTCOMES = (*(status.value for status in Status if status is not Status.PENDING), "interrupted", "timeout")
"""`open` is also what is done with a page."""
FORMS = (*(f"{verb.value}{form}" for verb in Verb for form in ("", ".done")), *OUTCOMES, "expired.long")
PAGE = ROOT / "surfaces" / "web" / "page" / "words"
SCRIPT = ROOT / "edge" / "speech" / "script"
OTHER_THINGS = {
    "kill.button": "the kill switch",
    "episode.kind-ran": "a kind of step",
}


def spelled(text: str, language: str) -> bool:
    if "{=" in text:
        return False
    bare = text.strip(string.punctuation + string.whitespace).casefold()
    return bare in {all_phrases()[language].say(form).casefold() for form in FORMS}


@pytest.mark.parametrize("language", all_phrases())
def test_the_page_and_the_glasses_name_phrases(language: str) -> None:
    page = json.loads((PAGE / f"{language}.json").read_text(encoding="utf-8"))
    script = tomllib.loads((SCRIPT / f"{language}.toml").read_text(encoding="utf-8"))["sentences"]
    texts = {key: text for key, text in (page | script).items() if key not in OTHER_THINGS}
    assert len(texts) > 500
    assert {key: text for key, text in texts.items() if spelled(text, language)} == {}


def literals(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@pytest.mark.slow
def test_no_module_of_a_surface_spells_one() -> None:
    """A lower-case word may be an id; one with a capital, and each phrase of several words, is for people."""
    english = all_phrases()["en"]
    barred = {capital(english.say(form)) for form in FORMS}
    barred |= {english.say(form) for form in FORMS if " " in english.say(form)}
    files = [path for folder in ("surfaces", "edge") for path in (ROOT / folder).rglob("*.py")]
    found = {
        f"{path.relative_to(ROOT)}: {text}"
        for path in files
        for text in literals(path)
        if "{=" not in text and text.strip(string.punctuation + string.whitespace + "✅❌⌛↩️✖️✔️⏰▶️⏹⚠️⏸") in barred
    }
    assert files
    assert found == set()
