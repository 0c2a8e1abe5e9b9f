"""The buttons below a card, and what their ids mean: they must still be understood after a restart. Pure."""

import re
from typing import Literal

from hub.contract.base import Value
from hub.contract.words import Verb
from hub.kit.phrase_files import phrases
from surfaces.discord.limits import Button, Style

Action = Literal[
    "approve",
    "confirm",
    "reject",
    "snooze",
    "details",
    "edit",
    "words",
    "undo",
    "stop",
    "retry",
    "less",
    "never",
    "fix",
    "ignore",
]
HASH_CHARS = 12
_ID = re.compile(
    rf"pulse:(approve|confirm|reject|snooze|details|edit|words|undo|stop|retry|less|never|fix|ignore):([A-Za-z0-9_-]{{1,64}}):([0-9a-f]{{{HASH_CHARS}}})\Z"
)
VOTES: dict[Action, Verb] = {"approve": Verb.APPROVE, "reject": Verb.REJECT, "snooze": Verb.SNOOZE}
STYLES: dict[Action, Style] = {
    "approve": "success",
    "confirm": "danger",
    "reject": "danger",
    "snooze": "secondary",
    "details": "secondary",
    "edit": "primary",
    "words": "primary",
    "undo": "secondary",
    "stop": "danger",
    "retry": "primary",
    "less": "secondary",
    "never": "secondary",
    "fix": "primary",
    "ignore": "secondary",
}
MENDING: dict[Action, Verb] = {"fix": Verb.FIX, "ignore": Verb.IGNORE}
WISHES: dict[Action, Verb] = {"less": Verb.LESS, "never": Verb.NEVER}
SAY = phrases()


class Pressed(Value):
    """What a button or a modal was for: `confirm` is the second press of an approval.

    `hash` is the beginning of the hash of the card that was shown.
    """

    action: Action
    card_id: str
    hash: str


def short(card_hash: str) -> str:
    """Return the part of a card's hash that a button carries."""
    return (card_hash + "0" * HASH_CHARS)[:HASH_CHARS]


def custom_id(action: Action, card_id: str, card_hash: str) -> str:
    """Write a button's id."""
    return f"pulse:{action}:{card_id}:{short(card_hash)}"


def read_custom_id(text: str) -> Pressed | None:
    """Read a button's id back; None when it is none of ours."""
    found = _ID.match(text)
    if found is None:
        return None
    return Pressed(action=_action(found[1]), card_id=found[2], hash=found[3])


def button(action: Action, card_id: str, card_hash: str) -> Button:
    """Make one button."""
    named = {"details": "Details", "words": SAY.title("chat.own_words"), "confirm": SAY.title("shown.go_on")}
    label = named[action] if action in named else SAY.title(action)
    return Button(label=label, custom_id=custom_id(action, card_id, card_hash), style=STYLES[action])


def open_buttons(
    card_id: str, card_hash: str, verbs: tuple[Verb, ...], *, takes_words: bool = False
) -> tuple[Button, ...]:
    """Return the one row below an open card: only what may be answered there."""
    actions: list[Action] = [action for action, verb in VOTES.items() if verb in verbs]
    actions.append("details")
    if Verb.EDIT in verbs:
        actions.append("edit")
    if takes_words:
        actions.append("words")
    return tuple(button(action, card_id, card_hash) for action in actions)


def wish_buttons(card_id: str, card_hash: str, verbs: tuple[Verb, ...]) -> tuple[Button, ...]:
    """Return what stands below a card's details: show less often, never suggest this here."""
    return tuple(button(action, card_id, card_hash) for action, verb in WISHES.items() if verb in verbs)


def failure_buttons(card_id: str, card_hash: str, verbs: tuple[Verb, ...]) -> tuple[Button, ...]:
    """Return what stands below work that failed: try again, which else is proposed anew, and what may be said to it."""
    offered = (action for action, verb in MENDING.items() if verb in verbs)
    return tuple(button(action, card_id, card_hash) for action in ("retry", *offered))


def _action(text: str) -> Action:
    return next(action for action in STYLES if action == text)
