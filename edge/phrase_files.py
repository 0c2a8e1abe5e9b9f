"""Reads the phrases of a language from the files beside the grammar."""

from functools import cache
from importlib import resources

from edge.speech.phrasebook import BadPhrasesError, Phrasebook, read_phrases
from edge.speech.sentences import Sentences, read_sentences
from hub.kit.phrase_files import phrases

LANGUAGES = ("en", "de")


@cache
def phrasebook(language: str) -> Phrasebook:
    """Return the phrases of a language.

    Raises:
        BadPhrasesError: there are none for it, or the file is broken.
    """
    if language not in LANGUAGES:
        raise BadPhrasesError(f"There are no phrases for {language!r}.", fix=f"Choose one of {', '.join(LANGUAGES)}.")
    return read_phrases((resources.files("edge.speech") / "phrases" / f"{language}.toml").read_text(encoding="utf-8"))


@cache
def sentences(language: str) -> Sentences:
    """Return what is said in a language.

    Raises:
        BadPhrasesError: there is nothing for it, or the file is broken.
    """
    if language not in LANGUAGES:
        raise BadPhrasesError(f"There are no sentences for {language!r}.", fix=f"Choose one of {', '.join(LANGUAGES)}.")
    script = (resources.files("edge.speech") / "script" / f"{language}.toml").read_text(encoding="utf-8")
    return read_sentences(script, phrases(language))
