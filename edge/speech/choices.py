"""What answers a question that was just read out: its choices by number or by their own words, or a sentence. Pure.

While a question is asked, these forms come before all others. What would mean two of its choices means none of them,
and no choice takes a command's words, but for a bare yes and no, which nobody is asked for then.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from edge.speech.aloud import aloud
from edge.speech.grammar import COMMAND_WORDS_MAX, words_in
from edge.speech.numbers import in_words
from edge.speech.phrasebook import CHOICES_MAX, Form, Phrasebook, Tokens, expand, words_of
from edge.speech.sentences import Sentences
from hub.contract.permission import AgentQuestion
from hub.kit.wordings import question_said

OWN_WORD_CHARS_MIN = 3
YIELDING = frozenset({"yes", "cancel"})


def book_for(question: AgentQuestion, book: Phrasebook, sentences: Sentences) -> Phrasebook:
    """Return the phrases with which a question can be answered, before those of every day."""
    question = question_said(question, sentences.phrases)
    meant = dict(_meant(question, book, sentences))
    forms = [Form(key="choose", tokens=tokens, place=place) for tokens, place in meant.items()]
    forms += _forms("enough", book.questions.enough) if question.several else []
    forms += _forms("answer", book.questions.answer) if question.own_words else []
    patterns = tuple((form.key, " ".join(form.tokens)) for form in forms)
    others = tuple(form for form in book.forms if form.tokens not in meant)
    return replace(book, forms=(*forms, *others), patterns=(*patterns, *book.patterns))


def _forms(key: str, patterns: Iterable[str]) -> list[Form]:
    return [Form(key=key, tokens=tokens) for pattern in patterns for tokens in expand(pattern)]


def _meant(question: AgentQuestion, book: Phrasebook, sentences: Sentences) -> Iterator[tuple[Tokens, int]]:
    """Yield what names a choice, with its place from 1; nothing that could be another choice, or a command."""
    labels = [words_of(aloud(one.label, sentences)) for one in question.choices[:CHOICES_MAX]]
    ways = [
        (tokens, place)
        for place, label in enumerate(labels, start=1)
        for tokens in {*_by_number(place, book), *_by_label(label, labels)}
    ]
    seen = Counter(tokens for tokens, _ in ways)
    taken = {form.tokens for form in book.forms if form.key not in YIELDING}
    yield from ((tokens, place) for tokens, place in ways if seen[tokens] == 1 and tokens not in taken)
    yield from _single_words(labels, book, frozenset(seen))


def _by_number(place: int, book: Phrasebook) -> Iterator[Tokens]:
    """Yield `two`, `number two`, `the second`."""
    slots = {"{number}": in_words(place, book.language), "{ordinal}": book.questions.ordinals[place - 1]}
    for pattern in book.questions.choose:
        for tokens in expand(pattern):
            yield tuple(word for token in tokens for word in words_of(slots.get(token, token)))


def _by_label(label: Tokens, labels: Sequence[Tokens]) -> Iterator[Tokens]:
    """Yield a label as it is read out, where it can be said in one breath, and is no part of another one."""
    is_part = any(set(label) < set(other) for other in labels)
    if 0 < len(label) <= COMMAND_WORDS_MAX and not is_part:
        yield label


def _single_words(labels: Sequence[Tokens], book: Phrasebook, seen: frozenset[Tokens]) -> Iterator[tuple[Tokens, int]]:
    """Yield words that are in the label of one choice alone, and in no command."""
    count = Counter(word for label in labels for word in set(label))
    known = {*words_in(book), *book.negation, *book.quotation}
    for place, label in enumerate(labels, start=1):
        own = (word for word in sorted({*label} - known) if count[word] == 1 and len(word) >= OWN_WORD_CHARS_MIN)
        yield from (((word,), place) for word in own if (word,) not in seen)
