"""The phrases of one language, read from TOML text and spread out into every form that counts.

A pattern is words, `[may be left out]`, `(one | of these)` and slots in braces: the syntax that JSGF shares, so that an
engine's grammar and the judge of what it heard come from the same line.
"""

import re
from collections.abc import Iterator
from itertools import product

import msgspec

from edge.speech.commands import WAIT_MINUTES_MAX
from hub.contract.base import Value
from hub.contract.errors import UserError

FORMS_MAX = 4_000
CHOICES_MAX = 10
"""Nobody keeps more than ten answers in mind; such a question is answered where it can be read."""
CLOSING = {"(": ")", "[": "]"}
OPTIONAL = "["
SLOTS = frozenset({"{minutes}", "{hours}", "{text}", "{check}", "{number}", "{ordinal}"})
KEYS = frozenset(
    {
        "approve",
        "skip",
        "later",
        "later_minutes",
        "later_hours",
        "later_tonight",
        "later_tomorrow",
        "repeat",
        "details",
        "edit",
        "less",
        "never",
        "retry",
        "fix",
        "ignore",
        "next",
        "confirm",
        "cancel",
        "yes",
        "undo",
        "pause",
        "resume",
        "stop",
        "waiting",
        "happened",
    }
)
ASKED_KEYS = frozenset({"choose", "enough"})
"""What a question adds to a grammar; dictation cannot be in one."""
_TOKEN = re.compile(r"\{[a-z]+\}|[\w'\u2019-]+|[\[\]()|]")
_WORDS = re.compile(r"[\w'\u2019-]+")

Tokens = tuple[str, ...]


class BadPhrasesError(UserError):
    """A file of phrases cannot be read. The message says which line of it."""

    code = "bad-phrases"


class Form(Value):
    """One way to say something: its meaning's key and its words, slots among them; `place` is the choice it names."""

    key: str
    tokens: Tokens
    place: int = 0


class QuestionPhrases(Value):
    """How a question is answered, as patterns: a choice, a sentence of one's own, and that several are enough."""

    choose: tuple[str, ...] = ()
    ordinals: tuple[str, ...] = ()
    answer: tuple[str, ...] = ()
    enough: tuple[str, ...] = ()


class Phrasebook(Value):
    """Everything that may be said in one language; `patterns` are the lines as they were written, by key."""

    language: str
    patterns: tuple[tuple[str, str], ...]
    forms: tuple[Form, ...]
    numbers: tuple[tuple[Tokens, int], ...]
    polite: tuple[Tokens, ...]
    negation: frozenset[str]
    quotation: frozenset[str]
    check_words: Tokens
    questions: QuestionPhrases = QuestionPhrases()


class _Words(msgspec.Struct, forbid_unknown_fields=True):
    polite: list[str]
    negation: list[str]
    quotation: list[str]


class _Check(msgspec.Struct, forbid_unknown_fields=True):
    words: list[str]


class _PhraseFile(msgspec.Struct, forbid_unknown_fields=True):
    language: str
    forms: dict[str, list[str]]
    words: _Words
    numbers: dict[str, int]
    check: _Check
    questions: QuestionPhrases = QuestionPhrases()


def words_of(text: str) -> Tokens:
    """Return the words of a text in lower case, without punctuation."""
    return tuple(_WORDS.findall(text.casefold().replace("\u2019", "'")))


def read_phrases(text: str) -> Phrasebook:
    """Read one language's phrases.

    Raises:
        BadPhrasesError: not TOML, an unknown meaning or slot, two meanings for one form, or too many forms.
    """
    try:
        file = msgspec.toml.decode(text, type=_PhraseFile)
    except (msgspec.DecodeError, ValueError) as error:
        raise BadPhrasesError(str(error)) from error
    patterns = tuple((key, line) for key, lines in file.forms.items() for line in lines)
    _check_keys(file)
    return Phrasebook(
        language=file.language,
        patterns=patterns,
        forms=_forms(patterns),
        numbers=tuple(sorted(((words_of(word), value) for word, value in file.numbers.items()), reverse=True)),
        polite=tuple(sorted((words_of(line) for line in file.words.polite), key=len, reverse=True)),
        negation=frozenset(file.words.negation),
        quotation=frozenset(file.words.quotation),
        check_words=tuple(file.check.words),
        questions=_questions(file.questions),
    )


def _questions(found: QuestionPhrases) -> QuestionPhrases:
    """Look at the patterns once, when they are read."""
    for pattern in (*found.choose, *found.answer, *found.enough):
        expand(pattern)
    if found.choose and len(found.ordinals) < CHOICES_MAX:
        raise BadPhrasesError(f"[questions] ordinals: {CHOICES_MAX} are needed.")
    return found


def _check_keys(file: _PhraseFile) -> None:
    unknown = sorted(set(file.forms) - KEYS)
    if unknown:
        raise BadPhrasesError(f"[forms] names no meaning of Pulse's: {', '.join(unknown)}.")
    wrong = [word for word, value in file.numbers.items() if not 0 < value <= WAIT_MINUTES_MAX]
    if wrong:
        raise BadPhrasesError(f"[numbers] {wrong[0]!r} is outside 1 to {WAIT_MINUTES_MAX}.")
    if not file.check.words:
        raise BadPhrasesError("[check] needs words.")


def _forms(patterns: tuple[tuple[str, str], ...]) -> tuple[Form, ...]:
    """Spread all patterns out; a form that would mean two things is an error, not a matter of order."""
    meaning: dict[Tokens, str] = {}
    for key, line in patterns:
        for tokens in expand(line):
            if meaning.setdefault(tokens, key) != key:
                raise BadPhrasesError(f"{' '.join(tokens)!r} means {meaning[tokens]} and {key}.")
            if len(meaning) > FORMS_MAX:
                raise BadPhrasesError(f"more than {FORMS_MAX} forms")
    return tuple(Form(key=key, tokens=tokens) for tokens, key in meaning.items())


def expand(pattern: str) -> tuple[Tokens, ...]:
    """Return every sequence of words that a pattern stands for.

    Raises:
        BadPhrasesError: brackets that do not match, or an unknown slot.
    """
    tokens = _TOKEN.findall(pattern.casefold())
    strange = [token for token in tokens if token.startswith("{") and token not in SLOTS]
    if strange:
        raise BadPhrasesError(f"{pattern!r}: {strange[0]} is no slot.")
    rest = list(tokens)
    ways = tuple(_choice(rest, pattern))
    if rest or () in ways:
        raise BadPhrasesError(f"{pattern!r}: the brackets do not match, or it may be empty.")
    return ways


def _choice(rest: list[str], pattern: str) -> Iterator[Tokens]:
    """Read `a | b` up to a closing bracket or the end, consuming `rest`."""
    found = list(_sequence(rest, pattern))
    while rest and rest[0] == "|":
        rest.pop(0)
        found += _sequence(rest, pattern)
    return iter(dict.fromkeys(found))


def _sequence(rest: list[str], pattern: str) -> list[Tokens]:
    parts: list[list[Tokens]] = []
    while rest and rest[0] not in {"|", ")", "]"}:
        head = rest.pop(0)
        if head in CLOSING:
            inner = list(_choice(rest, pattern))
            if not rest or rest.pop(0) != CLOSING[head]:
                raise BadPhrasesError(f"{pattern!r}: {head} is not closed.")
            parts.append([*inner, ()] if head == OPTIONAL else inner)
        else:
            parts.append([(head,)])
    return [sum(way, ()) for way in product(*parts)]
