"""The sentences of one language that the glasses say, read from TOML text."""

import string

import msgspec

from edge.speech.phrasebook import BadPhrasesError
from hub.contract.base import Value
from hub.kit.phrasebook import Phrases

SLOTS_OF = {
    "suggestion": {"prompt"},
    "suggestion_for": {"place", "prompt"},
    "question": {"prompt"},
    "confidence": {"percent"},
    "options": set(),
    "options_skip": set(),
    "options_in_person": set(),
    "options_check": {"check"},
    "options_failed": {"words", "last"},
    "option_failed": {"words", "last"},
    "word_retry": set(),
    "word_fix": set(),
    "word_ignore": set(),
    "more": set(),
    "too_long": set(),
    "unreadable": set(),
    "why": {"reasoning"},
    "runs": {"command"},
    "cost": {"cost"},
    "read_back": {"prompt"},
    "read_back_edit": {"prompt"},
    "read_back_never": {"prompt"},
    "read_back_retry": {"prompt"},
    "read_back_answer": {"answer"},
    "asks": {"agent", "text"},
    "next_question": {"text"},
    "choice": {"place", "label"},
    "say_number": set(),
    "say_number_or_words": set(),
    "say_several": set(),
    "say_words": set(),
    "question_elsewhere": set(),
    "taken": {"labels"},
    "answered_with": {"answer"},
    "ask_approve": set(),
    "ask_approve_again": set(),
    "say_confirm": set(),
    "say_stop": set(),
    "running": set(),
    "answered": set(),
    "skipped": set(),
    "later": set(),
    "later_minutes": {"time"},
    "less": set(),
    "never": set(),
    "handed_over": set(),
    "ignored": set(),
    "undone": set(),
    "stopped": set(),
    "left_open": set(),
    "next": set(),
    "nothing_else": set(),
    "again": set(),
    "not_negated": set(),
    "not_your_voice": set(),
    "wearer_again": set(),
    "lock_not_ready": set(),
    "wrong_check": {"check"},
    "not_here": set(),
    "no_snooze": set(),
    "nothing_undo": set(),
    "cancelled": set(),
    "settled": {"what", "where"},
    "expired": set(),
    "refused": {"message"},
    "no_verdict": set(),
    "kept": set(),
    "done": {"result"},
    "handed_on": {"result"},
    "failed": {"error"},
    "nothing_waiting": set(),
    "waiting": {"count"},
    "nothing_happened": set(),
    "paused": set(),
    "resumed": set(),
    "no_microphone": set(),
    "slash": set(),
    "dot": set(),
    "flag": set(),
    "link": {"host"},
    "percent_sign": {"number"},
    "dollars": {"number"},
    "cents": {"number"},
}
"""Every sentence and what may be put into it."""


class Sentences(Value):
    """What is said, by key, and what every surface calls a verb or an outcome."""

    language: str
    texts: tuple[tuple[str, str], ...]
    phrases: Phrases

    def say(self, key: str, **values: str) -> str:
        """Return a sentence with its values put in."""
        return dict(self.texts)[key].format(**values)


class _SentenceFile(msgspec.Struct, forbid_unknown_fields=True):
    language: str
    sentences: dict[str, str]


def read_sentences(text: str, phrases: Phrases) -> Sentences:
    """Read one language's sentences, with the phrases of the phrasebook that they name.

    Raises:
        BadPhrasesError: not TOML, or a sentence or slot that is missing or unknown.
    """
    try:
        file = msgspec.toml.decode(text, type=_SentenceFile)
    except (msgspec.DecodeError, ValueError) as error:
        raise BadPhrasesError(str(error)) from error
    wrong = sorted(set(file.sentences) ^ set(SLOTS_OF))
    if wrong:
        raise BadPhrasesError(f"[sentences] lacks, or should not have: {', '.join(wrong)}.")
    try:
        texts = tuple((key, phrases.fill(sentence)) for key, sentence in file.sentences.items())
    except KeyError as error:
        raise BadPhrasesError(f"[sentences] names {error}, which the phrasebook has not.") from error
    for key, sentence in texts:
        slots = {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}
        if not slots <= SLOTS_OF[key]:
            raise BadPhrasesError(f"[sentences] {key}: {', '.join(sorted(slots - SLOTS_OF[key]))} is not known there.")
    return Sentences(language=file.language, texts=texts, phrases=phrases)
