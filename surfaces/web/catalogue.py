"""Reads the sentences of all languages: one TOML file each in `words/`, so that a further language is a file."""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from surfaces.web.says import Words

FOLDER = Path(__file__).with_name("words")
FALLBACK = "en"


def read_words(folder: Path = FOLDER) -> Mapping[str, Words]:
    """Return each language's sentences by its code, such as `de`."""
    return {
        path.stem: Words(lang=path.stem, texts=msgspec.toml.decode(path.read_bytes(), type=dict[str, str]))
        for path in sorted(folder.glob("*.toml"))
    }


def words_for(lang: str, known: Mapping[str, Words]) -> Words:
    """Return the sentences for a language tag such as `de-AT`: its language where we have it, else English."""
    return known.get(lang.partition("-")[0].lower(), known[FALLBACK])
