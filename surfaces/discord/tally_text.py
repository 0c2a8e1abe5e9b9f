"""Who voted how, as it stands in the embed, and the votes of buttons read back from there after a restart. Pure.

Discord keeps reactions; a vote that was given with a button is kept by nobody but the card's own message. So the
voters of each answer are listed there by mention (an embed never alerts anybody), those by button behind `⏺`.
"""

import re
from collections.abc import Iterable, Sequence

from hub.contract.words import Verb
from hub.kit.phrase_files import phrases
from surfaces.discord.limits import Field
from surfaces.discord.settings import Emoji
from surfaces.discord.votes import Mark, Tally

SHOWN_MAX = 8
BUTTON_VOTES_MAX = 16
"""Votes by button of one answer: all of them must be in the message, for it is where they are kept."""
LISTED = "⏺"
NAMES = {verb: phrases().title(verb.value) for verb in (Verb.APPROVE, Verb.REJECT, Verb.SNOOZE)}
NOBODY = "—"
_MENTION = re.compile(r"<@(\d{15,20})>")
_VERBS = {name: verb for verb, name in NAMES.items()}
_NAME = re.compile(rf"({'|'.join(NAMES.values())}) · ")


def fields(marks: Iterable[Mark], tally: Tally, offered: Sequence[Verb], emoji: Emoji) -> tuple[Field, ...]:
    """Return one field for each answer: how much weighs for it, and whose votes they are."""
    signs = {Verb.APPROVE: emoji.approve, Verb.REJECT: emoji.reject, Verb.SNOOZE: emoji.snooze}
    buttons = {verb: set[str]() for verb in NAMES}
    for mark in marks:
        if mark.via == "button":
            buttons[mark.verb].add(mark.voter)
    return tuple(
        Field(
            name=f"{shown(signs[verb])} {NAMES[verb]} · {tally.weight(verb):g}",
            value=_value(tally, verb, buttons[verb]),
            inline=True,
        )
        for verb in NAMES
        if verb in offered
    )


def shown(emoji: str) -> str:
    """Write an emoji as text: itself, or the form of a custom one."""
    return f"<:{emoji}>" if ":" in emoji else emoji


def button_marks(shown_fields: Iterable[tuple[str, str]]) -> frozenset[Mark]:
    """Read the votes of buttons back from the names and values of a card's fields."""
    found = set()
    for name, value in shown_fields:
        verb = _NAME.search(name)
        listed = value.partition(LISTED)[2]
        if verb and listed:
            found |= {Mark(voter=voter, verb=_VERBS[verb[1]], via="button") for voter in _MENTION.findall(listed)}
    return frozenset(found)


def _value(tally: Tally, verb: Verb, by_button: set[str]) -> str:
    choosing = [voter for voter in tally.voters if voter.choice is verb and voter.id not in by_button]
    counted = [voter for voter in choosing if voter.counted]
    strangers = len(choosing) - len(counted)
    words = [f"<@{voter.id}>" for voter in counted[:SHOWN_MAX]]
    if len(counted) > SHOWN_MAX:
        words.append(f"and {len(counted) - SHOWN_MAX} more")
    if strangers:
        words.append(f"({strangers} not counted)")
    lines = [" ".join(words)] if words else []
    if by_button:
        lines.append(f"{LISTED} " + " ".join(f"<@{voter}>" for voter in sorted(by_button)))
    return "\n".join(lines) or NOBODY
