"""The hub's own sentences in the reader's language, by the codes that come beside them. Pure."""

from hub.contract.permission import Permission
from hub.contract.phrasing import Phrasing
from hub.kit.phrasebook import Phrases
from hub.kit.text import day_said, listed

DEPTH_MAX = 3
"""Phrases within phrases."""


def worded(wording: Phrasing | None, text: str, words: Phrases) -> str:
    """Return a sentence in the language of `words`; `text`, as the hub said it, where they have no such phrase."""
    return _said(wording, words, DEPTH_MAX) or text


def unusual_said(permission: Permission, words: Phrases) -> tuple[str, ...]:
    """Return what is unusual about a request."""
    texts, wordings = permission.unusual, permission.unusual_worded
    if len(texts) != len(wordings):
        return texts
    return tuple(worded(wording, text, words) for text, wording in zip(texts, wordings, strict=True))


def _said(wording: Phrasing | None, words: Phrases, depth: int) -> str:
    if wording is None or not depth or wording.code not in words.texts:
        return ""
    values = dict(wording.values)
    if wording.listed:
        values["listed"] = listed(wording.listed, language=words.language)
    if wording.day is not None:
        values["day"] = day_said(wording.day, words.language)
    if wording.about is not None:
        values["about"] = _said(wording.about, words, depth - 1)
    is_whole = all(values.get(slot) for slot in words.slots(wording.code))
    return words.say(wording.code, **values) if is_whole else ""
