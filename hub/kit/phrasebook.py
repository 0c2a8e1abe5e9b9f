"""The phrasebook: what people read and hear of each verb and each outcome, one entry each for all surfaces. Pure.

A language is a table of entries, an entry a table of forms: `word` is the plain one, others are named: `done`.
`{=entry.form}` within a text takes another phrase in; written with a capital, it begins with one. `patterns` make a
form for every entry that has their word: `there = "{done} {where}"` gives each verb its `approve.there`.
"""

import re
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from hub.contract.base import Value

DEFAULT = "en"
PATTERNS = "patterns"
PLAIN = "word"
_REFERENCE = re.compile(r"\{=([A-Za-z_]+)((?:\.[a-z_]+)?)\}")
T = TypeVar("T")
_SLOT = re.compile(r"\{([a-z_]+)\}")
_NO_LETTERS = re.compile(r"[^a-z]+")
SENTENCES = "say"
"""The entry of the sentences that are named by their English."""
SENTENCE_CHARS_MAX = 56


class Phrase(Value):
    """A phrase by its name, with what goes into its slots, others among it; a number is an amount of money.

    Put into another one it may name what is said `otherwise`, where the phrasebook has no phrase of that name.
    """

    name: str
    values: "Mapping[str, Slotted]" = msgspec.field(default_factory=dict)
    otherwise: str = ""


Slotted = str | float | Phrase


class Phrases(Value):
    """The phrases of one language by name: `reject` is what is pressed, `reject.done` what was done."""

    language: str
    texts: Mapping[str, str]

    def say(self, name: str, /, **values: Slotted) -> str:
        """Return a phrase with its slots filled.

        Raises:
            KeyError: there is no such phrase.
        """
        return _SLOT.sub(lambda slot: self.written(values.get(slot[1], slot[0])), self.texts[name])

    def slots(self, name: str) -> frozenset[str]:
        """Return what has to be put into a phrase."""
        return frozenset(_SLOT.findall(self.texts[name]))

    def title(self, name: str, /, **values: Slotted) -> str:
        """Return `say` as it begins a line."""
        return capital(self.say(name, **values))

    def put(self, phrase: Phrase) -> str:
        """Return a phrase as it begins a line."""
        return self.title(phrase.name, **phrase.values)

    def fill(self, text: str) -> str:
        """Return a text of a surface's own with the phrases that it names put in.

        Raises:
            KeyError: it names one that there is not.
        """
        return _REFERENCE.sub(lambda found: _named(self.texts, found), text)

    def written(self, value: Slotted) -> str:
        """Return a value as it is put in."""
        if isinstance(value, Phrase):
            return self.say(value.name if value.name in self.texts else value.otherwise, **value.values)
        return value if isinstance(value, str) else f"{value:.2f}".replace(".", self.texts["decimal"])


def read_phrases(language: str, table: Mapping[str, Any]) -> Phrases:
    """Read a language's entries from their parsed table.

    Raises:
        msgspec.ValidationError: it is no table of tables of texts.
        KeyError: a phrase names one that there is not, or that itself names another.
    """
    entries = msgspec.convert(table, dict[str, dict[str, str]])
    patterns = entries.pop(PATTERNS, {})
    written = {_name(entry, form): text for entry, forms in entries.items() for form, text in forms.items()}
    texts = {name: _REFERENCE.sub(lambda found: _named(written, found), text) for name, text in written.items()}
    for entry, forms in entries.items():
        for made, pattern in patterns.items():
            base = next(iter(set(_SLOT.findall(pattern)) & set(forms)), "")
            if base:
                texts[_name(entry, made)] = pattern.replace(f"{{{base}}}", texts[_name(entry, base)])
    return Phrases(language=language, texts=texts)


def sentence_code(english: str) -> str:
    """Return the name of the phrase that says an English sentence, by its letters: `say.run_the_tests_of`."""
    return f"{SENTENCES}.{_NO_LETTERS.sub('_', english.lower()).strip('_')[:SENTENCE_CHARS_MAX].strip('_')}"


def in_language(tag: str, known: Mapping[str, T]) -> T:
    """Return what is in the language of a tag such as `de-AT`, else what is in English."""
    return known.get(tag.partition("-")[0].lower(), known[DEFAULT])


def capital(text: str) -> str:
    """Return a text that begins with a capital."""
    return text[:1].upper() + text[1:]


def _name(entry: str, form: str) -> str:
    return entry if form == PLAIN else f"{entry}.{form}"


def _named(texts: Mapping[str, str], found: re.Match[str]) -> str:
    entry, form = found.groups()
    text = texts[entry.lower() + form]
    return capital(text) if entry[0].isupper() else text
