"""What is said about a card: the script of CROSSPOLL 6.5, brief by default.

How much is said is the profile's `verbosity`: `terse` (the suggestion alone), `brief` (with the words to answer with,
and how sure Pulse is where it has learnt anything), `full` (with reason and cost).
"""

import hashlib
from typing import Literal

from edge.speech.aloud import aloud, is_readable, money, percent
from edge.speech.sentences import Sentences
from hub.contract.api import Prediction
from hub.contract.base import Value
from hub.contract.permission import Act
from hub.contract.words import Risk, Source, Verb
from hub.kit.naming import percent_sure
from hub.kit.permissions import TARGET_CHARS_MAX, effects_said, sentence
from hub.kit.shown import fields_text
from hub.kit.wordings import card_in

Verbosity = Literal["terse", "brief", "full"]
BRIEF_CHARS_MAX = 160
"""Of the suggestion itself; about ten seconds of speech."""
DETAILS_CHARS_MAX = 1_200
"""About a minute and a quarter; whoever wants more had better read."""
OUTCOME_CHARS_MAX = 200
RUNS_CHARS_MAX = 300
PLACE_CHARS_MAX = 40


READ_BACK_KEYS = {
    Verb.APPROVE: "read_back",
    Verb.EDIT: "read_back_edit",
    Verb.NEVER: "read_back_never",
    Verb.RETRY: "read_back_retry",
}
AFTER_FAILURE_KEYS = {Verb.RETRY: "word_retry", Verb.FIX: "word_fix", Verb.IGNORE: "word_ignore"}


class Said(Value):
    """A text to speak; `whole` is false where something of the card was left out."""

    text: str
    whole: bool


def card(
    prediction: Prediction, verbs: tuple[Verb, ...], sentences: Sentences, verbosity: Verbosity, check: str = ""
) -> Said:
    """Return what is said when a card comes. Without a `check` word a risky card cannot be approved by voice."""
    prediction = card_in(prediction, sentences.phrases)
    if not is_readable(prediction.prompt):
        return Said(text=sentences.say("unreadable"), whole=False)
    body = _spoken(prediction, sentences)
    short = cut(body, BRIEF_CHARS_MAX)
    parts = [_opening(prediction, _ended(short), sentences)]
    if short != body:
        parts.append(sentences.say("more"))
    if verbosity != "terse" and percent_sure(prediction) is not None:
        parts.append(sentences.say("confidence", percent=percent(prediction.confidence, sentences)))
    if verbosity == "full":
        parts += _background(prediction, sentences)
    if verbosity != "terse" or prediction.risk is Risk.HIGH:
        parts.append(options(prediction, verbs, sentences, check))
    return Said(text=_tidy(" ".join(parts)), whole=short == body)


def details(prediction: Prediction, verbs: tuple[Verb, ...], sentences: Sentences, check: str = "") -> Said:
    """Return the whole of a card, as far as it can be listened to."""
    prediction = card_in(prediction, sentences.phrases)
    if not is_readable(prediction.prompt):
        return Said(text=sentences.say("unreadable"), whole=False)
    body = _spoken(prediction, sentences)
    short = cut(body, DETAILS_CHARS_MAX)
    parts = [f"{_ended(short)}."]
    if short != body:
        parts.append(sentences.say("too_long"))
    parts += _run(prediction, sentences)
    parts += _background(prediction, sentences)
    parts.append(options(prediction, verbs, sentences, check))
    return Said(text=_tidy(" ".join(parts)), whole=short == body)


def options(prediction: Prediction, verbs: tuple[Verb, ...], sentences: Sentences, check: str = "") -> str:
    """Return the words that a person may answer with."""
    if AFTER_FAILURE_KEYS.keys() & set(verbs):
        return options_failed(verbs, sentences)
    if prediction.in_person or prediction.cannot_run:
        return sentences.say("options_in_person")
    if Verb.APPROVE not in verbs or (prediction.risk is Risk.HIGH and not check):
        return sentences.say("options_skip")
    if prediction.risk is Risk.HIGH:
        return sentences.say("options_check", check=check)
    return sentences.say("options")


def options_failed(verbs: tuple[Verb, ...], sentences: Sentences) -> str:
    """Return the words for what failed; `verbs` has at least one of them."""
    *others, last = (sentences.say(key) for verb, key in AFTER_FAILURE_KEYS.items() if verb in verbs)
    return sentences.say("options_failed" if others else "option_failed", words=", ".join(others), last=last)


def read_back(prediction: Prediction, verb: Verb, sentences: Sentences, *, changed: str = "") -> str:
    """Return an answer as it is read back before it counts, with what it runs; or the words it was changed to."""
    said = cut(aloud(changed or card_in(prediction, sentences.phrases).prompt, sentences), BRIEF_CHARS_MAX)
    runs = [] if changed or verb is Verb.NEVER else _run(prediction, sentences)
    parts = [sentences.say(READ_BACK_KEYS[verb], prompt=_ended(said)), *runs]
    return _tidy(" ".join([*parts, sentences.say("say_confirm")]))


def outcome(key: str, slot: str, text: str, sentences: Sentences) -> str:
    """Return the sentence `key` with one text of the hub's put in, shortened."""
    said = cut(aloud(text, sentences), OUTCOME_CHARS_MAX) if is_readable(text) else ""
    return _tidy(sentences.say(key, **{slot: _ended(said)}))


def failure(error: str, verbs: tuple[Verb, ...], sentences: Sentences) -> Said:
    """Return that something failed, and the words that mend it or let it be."""
    told = outcome("failed", "error", error, sentences)
    return Said(text=_tidy(f"{told} {options_failed(verbs, sentences)}"), whole=False)


def check_word(card_hash: str, words: tuple[str, ...]) -> str:
    """Return the check word of a card; another text of the card mostly has another word."""
    number = int.from_bytes(hashlib.sha256(card_hash.encode()).digest()[:4], "big")
    return words[number % len(words)]


def cut(text: str, chars_max: int) -> str:
    """Return at most that much of a text, ended where a sentence or at least a word ends."""
    if len(text) <= chars_max:
        return text
    head = text[:chars_max]
    at = max(head.rfind(end) for end in (". ", "! ", "? "))
    if at > chars_max // 2:
        return head[: at + 1]
    return head.rpartition(" ")[0] or head


def _spoken(prediction: Prediction, sentences: Sentences) -> str:
    """Return a card's own text aloud; what an agent asks begins with who wants what, and ends with what it would do."""
    text, permission = aloud(prediction.prompt, sentences), prediction.permission
    if permission is None or permission.act is Act.QUESTION:
        return text
    first = aloud(sentence(permission, sentences.phrases), sentences)
    does = effects_said(permission, sentences.phrases).replace(" · ", ", ")
    is_told = permission.act is Act.COMMAND and 0 < len(permission.target) <= TARGET_CHARS_MAX
    fields = aloud(fields_text(permission).replace("\n", ", "), sentences)
    return ". ".join(filter(None, (first, fields) if is_told else (first, text, does, fields)))


def _opening(prediction: Prediction, said: str, sentences: Sentences) -> str:
    """Return how a card begins: with the repository or folder that it is about, where its own words do not name it."""
    if prediction.permission is not None:
        return f"{said}."
    if prediction.source is Source.ASK:
        return sentences.say("question", prompt=said)
    folder = prediction.runs.folder if prediction.runs is not None else ""
    place = prediction.repository or folder.rstrip("/").rpartition("/")[2]
    if not is_readable(place) or place.casefold() in prediction.prompt.casefold():
        return sentences.say("suggestion", prompt=said)
    return sentences.say("suggestion_for", place=cut(aloud(place, sentences), PLACE_CHARS_MAX), prompt=said)


def _run(prediction: Prediction, sentences: Sentences) -> list[str]:
    """Return what would run and where, and that there is more of it than can be listened to."""
    if prediction.runs is None or not is_readable(prediction.runs.summary):
        return []
    said = aloud(prediction.runs.summary, sentences)
    short = cut(said, RUNS_CHARS_MAX)
    return [sentences.say("runs", command=_ended(short)), *([] if short == said else [sentences.say("too_long")])]


def _background(prediction: Prediction, sentences: Sentences) -> list[str]:
    parts = []
    if is_readable(prediction.reasoning):
        reasoning = cut(aloud(prediction.reasoning, sentences), OUTCOME_CHARS_MAX)
        parts.append(sentences.say("why", reasoning=_ended(reasoning)))
    if prediction.cost_estimate_usd > 0:
        parts.append(sentences.say("cost", cost=money(prediction.cost_estimate_usd, sentences)))
    return parts


def _ended(text: str) -> str:
    """Leave the full stop to the sentence around it."""
    return text.rstrip(" .")


def _tidy(text: str) -> str:
    for double, single in (("?.", "?"), ("!.", "!"), ("..", "."), (": .", ".")):
        text = text.replace(double, single)
    return text
