"""Reads the phrasebook: one TOML file for each language in `phrases/`, so that a further language is a file."""

import tomllib
from functools import cache
from pathlib import Path

from hub.kit.phrasebook import Phrases, in_language, read_phrases

FOLDER = Path(__file__).with_name("phrases")


@cache
def all_phrases() -> dict[str, Phrases]:
    """Return the phrases of all languages, by their code."""
    found = sorted(FOLDER.glob("*.toml"))
    return {path.stem: read_phrases(path.stem, tomllib.loads(path.read_text(encoding="utf-8"))) for path in found}


def phrases(tag: str = "en") -> Phrases:
    """Return the phrases for a language tag; English where we do not speak it."""
    return in_language(tag, all_phrases())
