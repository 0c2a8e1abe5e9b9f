"""Sentences of an episode, told in English and as a code, so that a page can say them in its language. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from functools import reduce

from msgspec.structs import replace

from hub.contract.phrasing import Phrasing
from hub.domain.canonical import visible, wording_for
from hub.domain.provenance import Wording, say
from hub.domain.worded import Worded
from hub.kit.phrase_files import phrases
from hub.kit.wordings import worded

Sentence = Worded | str
"""What has no code is told in English alone: the words of a person, a program or a model."""
SAY = phrases()
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def phrase(
    code: str,
    /,
    *,
    numbers: Mapping[str, float] | None = None,
    parts: Mapping[str, Phrasing] | None = None,
    **values: str,
) -> Worded:
    """Return a sentence of the phrasebook, in English with its code; what goes into it is made visible."""
    return _told(code, values, numbers or {}, parts or {})


def number_of(code: str, count: int, /, **values: str) -> Worded:
    """Return a sentence that counts something: `code` for many, `code_one` for one."""
    return _told(f"{code}_one" if count == 1 else code, {"number": str(count), **values}, {}, {})


def quoting(sentence: Worded, said: Worded | None, text: str, slot: str = "text") -> Worded:
    """Return a sentence of which a slot is said in the reader's language too, where `text` has a code of its own."""
    within = wording_for(said, text)
    if within is None:
        return sentence
    values = {name: value for name, value in sentence.wording.values.items() if name != slot}
    wording = replace(sentence.wording, values=values, parts={**sentence.wording.parts, slot: within})
    return replace(sentence, wording=wording)


def length_of(span: timedelta) -> Phrasing:
    """Return a length of time in whole minutes, hours or days, at least a minute."""
    unit, name = (DAY, "day") if span >= 2 * DAY else (HOUR, "hour") if span >= HOUR else (MINUTE, "minute")
    count = max(1, span // unit)
    return Phrasing(code=f"so_long.{name}" if count == 1 else f"so_long.{name}s", values={"number": str(count)})


def in_a_row(parts: Sequence[Wording]) -> Wording:
    """Return parts of a sentence with commas between them."""
    return reduce(lambda told, one: say("{told}, {one}", told=told, one=one), parts) if parts else Wording()


def sentence_of(said: Wording) -> Sentence:
    """Return a sentence with its code, where nothing in it has to be masked."""
    return said.text if said.worded is None or wording_for(said.worded, said.text) is None else said.worded


def text_of(sentence: Sentence) -> str:
    """Return a sentence in English, with what hides in it made visible."""
    return visible(sentence if isinstance(sentence, str) else sentence.text)


def wording_of(sentence: Sentence) -> Phrasing | None:
    """Return the code of a sentence; None where it has none."""
    return None if isinstance(sentence, str) else sentence.wording


def wordings_of(sentences: Iterable[Sentence]) -> tuple[Phrasing | None, ...]:
    """Return the codes of sentences in their order; none at all where no sentence has one."""
    found = tuple(map(wording_of, sentences))
    return found if any(found) else ()


def _told(code: str, values: Mapping[str, str], numbers: Mapping[str, float], parts: Mapping[str, Phrasing]) -> Worded:
    shown = {slot: visible(text) for slot, text in values.items()}
    wording = Phrasing(code=code, values=shown, numbers=dict(numbers), parts=dict(parts))
    return Worded(text=worded(wording, "", SAY), wording=wording)
