"""The page's own sources: types, lint, unit tests, and a catalogue of words that is whole in every language."""

import json
import re
from pathlib import Path

import pytest

from hub.kit.phrase_files import phrases
from tests.house.source import ROOT
from tests.web.node_tools import MANIFESTS, assert_silent, installed, program, run

PAGE = ROOT / "surfaces" / "web" / "page"
WORDS = sorted((PAGE / "words").glob("*.json"))
PLURAL = re.compile(r"\.(zero|one|two|few|many|other)$")
PLACEHOLDER = re.compile(r"\{(\w+)\}")


def scripts() -> list[Path]:
    return sorted([*PAGE.glob("js/**/*.js"), *PAGE.glob("*.js")])


def catalogue(path: Path) -> dict[str, str]:
    words: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return {key: phrases(path.stem).fill(text) for key, text in words.items()}


def stem(key: str) -> str:
    return PLURAL.sub("", key)


@pytest.mark.slow
@pytest.mark.needs_node
@pytest.mark.parametrize("part", ["page", "worker"])
def test_types(part: str) -> None:
    tsc = program(installed(), "tsc")
    assert_silent(run([tsc, "--pretty", "false", "--project", str(MANIFESTS / f"tsconfig.{part}.json")]))


@pytest.mark.slow
@pytest.mark.needs_node
def test_lint() -> None:
    folder = installed()
    config = str(folder / "eslint.config.mjs")
    assert_silent(
        run([program(folder, "eslint"), "--config", config, "--max-warnings", "0", str(PAGE), "tests/web/unit"])
    )


@pytest.mark.slow
@pytest.mark.needs_node
def test_units() -> None:
    files = sorted(str(path) for path in (ROOT / "tests" / "web" / "unit").glob("**/*.test.*js"))
    assert files
    assert_silent(run(["node", "--test", *files]))


def test_every_language_has_every_word_with_the_same_placeholders() -> None:
    assert {"en.json", "de.json"} <= {path.name for path in WORDS}
    english = catalogue(PAGE / "words" / "en.json")
    for path in WORDS:
        other = catalogue(path)
        assert {stem(key) for key in english} ^ {stem(key) for key in other} == set(), path.name
        wrong = [
            key
            for key in english.keys() & other.keys()
            if set(PLACEHOLDER.findall(english[key])) != set(PLACEHOLDER.findall(other[key]))
        ]
        assert wrong == [], path.name
        assert [key for key, text in other.items() if not text.strip()] == [], path.name


def test_every_plural_has_the_form_for_all_other_numbers() -> None:
    for path in WORDS:
        words = catalogue(path)
        assert [key for key in words if PLURAL.search(key) and f"{stem(key)}.other" not in words] == [], path.name


def test_every_word_is_used_and_every_used_word_is_there() -> None:
    """A key is used where it stands whole in quotes, or where a template begins with all before its last parts."""
    source = "\n".join(path.read_text(encoding="utf-8") for path in [*scripts(), PAGE / "index.html"])
    english = {stem(key) for key in catalogue(PAGE / "words" / "en.json")}
    whole = set(re.findall(r"[\"'`]([\w.-]+)[\"'`]", source))
    beginnings = tuple(set(re.findall(r"`([\w-]+\.(?:[\w-]+\.)*[\w-]*)\$\{", source)))
    assert sorted(key for key in english - whole if not key.startswith(beginnings)) == []
    asked = set(re.findall(r"(?<![\w.$])t\(\s*[\"']([\w.-]+)[\"']", source))
    assert sorted(asked - english) == []
