"""A message of ours as every chat can show it: parts of text, choices below. Pure; each chat writes it its own way."""

import hashlib
from collections.abc import Sequence
from typing import Literal

import msgspec

from hub.contract.base import Value

PartKind = Literal["title", "text", "code", "diff", "quote", "note"]
"""How a part looks: a line in bold, plain text, a block of code or of a diff, somebody's words, small print."""
Tone = Literal["yes", "no", "plain"]
HASH_CHARS = 12


class PostPart(Value):
    """One part; its text is shown as it is, whatever signs it has. One that is `aside` may be cut for want of room."""

    kind: PartKind
    text: str
    aside: bool = False


class Choice(Value):
    """Something to press, or to react with: `id` says what for, `sign` is one emoji that no other choice has."""

    id: str
    label: str
    sign: str
    tone: Tone = "plain"


class ChatPost(Value):
    """One message. `binding` is what its choices are bound to: a choice of another text is none of this one.

    `takes_words` is what to write in a field for an answer in own words; empty where none is asked for. One that
    `calls` waits for the person and is to be heard, so a chat that may mention them does.
    """

    parts: tuple[PostPart, ...]
    rows: tuple[tuple[Choice, ...], ...] = ()
    binding: str = ""
    is_silent: bool = False
    calls: bool = False
    takes_words: str = ""

    @property
    def choices(self) -> tuple[Choice, ...]:
        """Return all choices in their order."""
        return tuple(choice for row in self.rows for choice in row)

    @property
    def face(self) -> str:
        """Tells one picture from another; how loudly it comes is no part of it."""
        shown = (self.parts, self.rows, self.binding)
        return hashlib.sha256(msgspec.json.encode(shown)).hexdigest()[:16]


def binding_of(card_hash: str, round_number: int) -> str:
    """Return what the choices of a card's message carry: the beginning of its hash, and which time it was opened."""
    return f"{(card_hash + '0' * HASH_CHARS)[:HASH_CHARS]}.{round_number}"


def button_data(choice: Choice, binding: str) -> str:
    """Return what a button carries: its choice, and what that is bound to."""
    return f"{choice.id}|{binding}"


def read_button_data(text: str) -> tuple[str, str]:
    """Read it back."""
    choice, _, binding = text.partition("|")
    return choice, binding


def in_rows(choices: Sequence[Choice], most: int) -> tuple[tuple[Choice, ...], ...]:
    """Put choices into rows of at most so many."""
    return tuple(tuple(choices[start : start + most]) for start in range(0, len(choices), most))
