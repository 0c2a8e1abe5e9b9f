"""Which commands our own prompt contains: while it says them, they are never taken for an answer.

The ear is open while we speak only where the sound server takes our voice out of what the microphone hears. What is
left of it must not count either, so every run of words of the prompt is read as the grammar would read it.
"""

from edge.speech.commands import Command, Word
from edge.speech.grammar import COMMAND_WORDS_MAX, understand
from edge.speech.phrasebook import Phrasebook, words_of

QUOTES = "'\u2018\u2019"
WORDS_READ_MAX = 400
"""Of what is being said at one moment; a longer one is cut, and then everything counts as its own."""


def own_words(text: str, book: Phrasebook) -> frozenset[Word]:
    """Return every command that is found anywhere in a text that we say."""
    tokens = tuple(word for token in words_of(text) if (word := token.strip(QUOTES)))
    if len(tokens) > WORDS_READ_MAX:
        return frozenset(Word)
    found = set()
    for begin in range(len(tokens)):
        for end in range(begin + 1, min(begin + COMMAND_WORDS_MAX, len(tokens)) + 1):
            understood = understand(" ".join(tokens[begin:end]), book)
            if isinstance(understood, Command):
                found.add(understood.word)
    return frozenset(found)
