"""Reads the phrasebook: one TOML file for each language in `phrases/`, so that a further language is a file."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from hub.kit.phrasebook import Phrases, in_language, read_phrases, sentence_code

FOLDER = Path(__file__).with_name("phrases")
SENTENCES = FOLDER / "sentences"
"""Sentences by their English, which stands in the code alone: one file for each other language."""


@cache
def all_phrases() -> dict[str, Phrases]:
    """Return the phrases of all languages, by their code."""
    found = sorted(FOLDER.glob("*.toml"))
    return {path.stem: _with_sentences(read_phrases(path.stem, _table(path))) for path in found}


def phrases(tag: str = "en") -> Phrases:
    """Return the phrases for a language tag; English where we do not speak it."""
    return in_language(tag, all_phrases())


def sentences(language: str) -> dict[str, str]:
    """Return the sentences of a language by their English; none for English."""
    path = SENTENCES / f"{language}.toml"
    return _table(path) if path.exists() else {}


def _with_sentences(words: Phrases) -> Phrases:
    added = {sentence_code(english): text for english, text in sentences(words.language).items()}
    return replace(words, texts={**words.texts, **added})


def _table(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))
