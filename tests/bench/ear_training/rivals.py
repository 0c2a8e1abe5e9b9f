"""Lists what sounds like the words that grant something: `python -m tests.bench.ear_training.rivals`.

Only the dictionary decides: words, and words after an article, whose phones are nearest.
"""

from collections.abc import Iterator
from pathlib import Path

from pocketsphinx import get_model_path  # type: ignore[import-untyped]  # it has no types

from edge.engines.pronunciation import distance
from tests.bench.ear_training.texts import read_pronunciations

GRANTING = {"approve": 120, "confirm": 40, "send": 12, "ahead": 12}
"""So many of the nearest of each are kept."""
ARTICLES = {"": (), "a ": ("AH",), "the ": ("DH", "AH")}
FAR_MAX, UNLIKE_MAX = 1.7, 2


def near(word: str, most: int) -> list[str]:
    """Return what is nearest to a word, the nearest first."""
    known = read_pronunciations(Path(get_model_path("en-us/cmudict-en-us.dict")))
    own = known[word]

    def found() -> Iterator[tuple[float, str]]:
        for article, sounds in ARTICLES.items():
            for other, phones in known.items():
                whole = sounds + phones
                if other != word and whole != own and len({*own} - {*whole}) <= UNLIKE_MAX:
                    yield distance(whole, own), article + other

    return [text for far, text in sorted(found())[:most] if far <= FAR_MAX]


if __name__ == "__main__":
    for granting, count in GRANTING.items():
        print(granting, "=", near(granting, count))  # noqa: T201  a program
