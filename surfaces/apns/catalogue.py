"""Reads the sentences: one TOML file for each language in `words/`."""

import tomllib
from collections.abc import Mapping
from pathlib import Path

from surfaces.apns.says import Words

FOLDER = Path(__file__).resolve().parent / "words"
DEFAULT = "en"


def read_words(folder: Path = FOLDER) -> dict[str, Words]:
    """Read all languages, by their code."""
    found = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.toml"))}
    return {lang: Words(lang=lang, version=book["version"], texts=book["texts"]) for lang, book in found.items()}


def words_for(lang: str, words: Mapping[str, Words]) -> Words:
    """Return the sentences of a language, without its region if need be; English where we do not speak it."""
    return words.get(lang) or words.get(lang.partition("-")[0].lower()) or words[DEFAULT]
