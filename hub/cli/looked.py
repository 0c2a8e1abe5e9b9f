"""What the person saw on this command line. `latest` is what they looked at last, by itself, or else the newest one.

What came since is never answered by it unseen.
"""

import contextlib
import sys
from collections.abc import Iterable
from pathlib import Path

import click
import msgspec

from hub.cli.command import CommandContext
from hub.contract.api import Prediction
from hub.contract.base import Value
from hub.contract.errors import UserError
from hub.contract.words import Verb
from hub.domain.lookalikes import reveal
from hub.io.home.private_files import write_private

FILE = "looked.json"
SEEN_MAX = 200
ANY_TIME = frozenset({Verb.STOP, Verb.UNDO})
"""What is never held up: it lets nothing begin."""


class NotLookedAtError(UserError):
    """The suggestion is newer than what you last looked at, so nothing was sent. `pulse cards` shows it."""

    code = "not-looked-at"
    status = 409


class ShownCards(Value):
    """The suggestions that were shown: each id with what was shown of it; `alone` is the one shown last, by itself."""

    shown: dict[str, str] = msgspec.field(default_factory=dict)
    alone: str = ""


def remember(context: CommandContext, cards: Iterable[Prediction]) -> None:
    """Keep what was just listed."""
    _keep(context.home, ShownCards(shown={card.id: _mark(card) for card in cards}))


def remember_alone(context: CommandContext, card: Prediction) -> None:
    """Keep the one that was just shown by itself, beside what was seen before."""
    before = _looked(context.home).shown
    earlier = [(name, mark) for name, mark in before.items() if name != card.id][: SEEN_MAX - 1]
    _keep(context.home, ShownCards(shown={card.id: _mark(card), **dict(earlier)}, alone=card.id))


def shown_alone(home: Path) -> str:
    """Return the id of the suggestion that was shown last, by itself; empty where that was a list, or nothing."""
    return _looked(home).alone


def _keep(home: Path, looked: ShownCards) -> None:
    with contextlib.suppress(OSError):  # then the next `latest` is shown before it is answered, which does no harm
        write_private(home / FILE, msgspec.json.encode(looked).decode())


def require_look(context: CommandContext, card: Prediction, verb: Verb, *, named: bool) -> None:
    """Make sure that the person answers what they saw; at a terminal it is shown to them now.

    A suggestion that they name by its id is meant, unless it was shown and has changed since.

    Raises:
        NotLookedAtError: they have not seen it.
    """
    shown = _looked(context.home).shown.get(card.id)
    if verb in ANY_TIME or shown == _mark(card) or (named and shown is None):
        return
    if not context.as_json and sys.stdin.isatty() and sys.stdout.isatty():
        context.say(f"{card.id}  {reveal(card.prompt)}")
        if click.confirm(f"It came after you last looked. {verb.capitalize()} it?"):
            return
    happened = "came back, or changed, after" if shown else "came after"
    more = "" if shown else f", or name it: `pulse {verb} {card.id}`"
    raise NotLookedAtError(
        f"{card.id} ({reveal(card.prompt)}) {happened} you last looked, so nothing was sent.",
        fix=f"Look at it (`pulse cards`){more}.",
    )


def _mark(card: Prediction) -> str:
    return f"{card.card_hash}/{card.round}"


def _looked(home: Path) -> ShownCards:
    try:
        return msgspec.json.decode((home / FILE).read_bytes(), type=ShownCards)
    except (OSError, msgspec.DecodeError):
        return ShownCards()
