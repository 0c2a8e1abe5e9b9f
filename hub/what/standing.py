"""Does an open card say already what comes up: a person's hint, a model's guess, another's idea, a playbook's work?

Two are the same when the same would be done: the same playbook with the same arguments in the same place, or else the
same words to an agent in the same place, however spelled (case, spaces, a full stop). The channel counts only where
one was asked for, for otherwise Pulse chose it. A hint is also an open card of a signal's where it means that signal's
idea and says nothing beyond it: what it would add, a number included, makes it a wish of its own.

What an open card would do is written as a key beside its reason, so that a decision can be made again from keys alone.
"""

import unicodedata
from collections.abc import Collection, Iterable

from hub.contract.words import Source
from hub.domain.situation import Situation
from hub.domain.suggestion import Candidate, Card, Work
from hub.what.matching import WORD, read, same_idea
from hub.what.reasons import digest

DEED = "does"
BETWEEN_SENTENCES = " .!?…"


def keys_open(cards: Iterable[Card]) -> tuple[str, ...]:
    """Return what open cards are known by: each one's reason, and what it would do."""
    return tuple(key for card in cards for key in keys_of(card))


def keys_of(card: Card) -> tuple[str, ...]:
    """Return what one card is known by; an agent's question does nothing, and is its reason alone."""
    proposal = card.proposal
    if proposal.source is Source.ASK:
        return (proposal.reason_key,)
    work = proposal.work
    deeds = {_deed(proposal.prompt, work, work.args, channel) for channel in (None, proposal.channel)}
    return (proposal.reason_key, *sorted(deeds))


def open_key(candidate: Candidate, open_keys: Collection[str], channel: str | None = None) -> str:
    """Return the key by which an open card says what a candidate does, on a channel where one is asked for; or none."""
    keys = (candidate.reason_key, _deed(candidate.prompt.text, candidate.work, _args_of(candidate), channel))
    return next((key for key in keys if key in open_keys), "")


def hint_open_key(
    hint: str,
    wish: Candidate,
    found: tuple[Candidate, ...],
    situation: Situation,
    *,
    open_keys: Collection[str],
    channel: str | None,
) -> str:
    """Return the key by which an open card says what a hint, made to a wish, asks for; empty where none does."""
    meant = same_idea(hint, found, situation)
    if meant is not None and _adds_nothing(hint, meant):
        key = _deed(meant.prompt.text, meant.work, _args_of(meant), channel) if channel else meant.reason_key
        if key in open_keys:
            return key
    return open_key(wish, open_keys, channel)


def _adds_nothing(hint: str, meant: Candidate) -> bool:
    """Say whether every word and number of a hint stands in the idea that it means."""
    said = meant.prompt.text
    return read(hint).words <= read(f"{meant.kind} {said}").words and _numbers(hint) <= _numbers(said)


def _numbers(text: str) -> frozenset[str]:
    return frozenset(word for word in WORD.findall(text) if not word.isalpha())


def _args_of(candidate: Candidate) -> tuple[str, ...]:
    return tuple(each.text for each in candidate.args) or candidate.work.args


def _deed(prompt: str, work: Work, args: tuple[str, ...], channel: str | None) -> str:
    if work.playbook is not None:
        return f"{DEED}:{digest(work.playbook, work.workspace, *args)}"
    words = " ".join(unicodedata.normalize("NFKC", prompt).casefold().split()).rstrip(BETWEEN_SENTENCES)
    return f"{DEED}:{digest(words, work.workspace, channel)}"
