"""Requests of an agent that are alike, looked at together: which they are, and all of each, drawn. Pure."""

from hub.contract.words import Verb
from hub.kit.naming import agent_title
from surfaces.terminal import words
from surfaces.terminal.asked import asked_lines
from surfaces.terminal.cells import wrap
from surfaces.terminal.picture import Line, Span, line
from surfaces.terminal.view import Shown, View

LISTED_MAX = 8


def alike_to(view: View, card: Shown) -> tuple[Shown, ...]:
    """Return the open requests alike that a yes here answers, this one first; nothing where it is the only one."""
    name = card.prediction.alike
    found = [one for one in view.cards if name and one.prediction.alike == name and _takes_yes(one)]
    found.sort(key=lambda one: (one.id != card.id, one.prediction.created_at, one.id))
    return tuple(found[:LISTED_MAX]) if len(found) > 1 and card in found else ()


def still_open(view: View) -> tuple[Shown, ...]:
    """Return those that were listed and can still be answered as they were shown."""
    shown = dict(view.listed)
    return tuple(one for one in view.cards if shown.get(one.id) == one.prediction.card_hash and _takes_yes(one))


def alike_lines(view: View, cells: int) -> list[Line]:
    """Draw all that are listed, each whole."""
    left = still_open(view)
    agent = agent_title(left[0].prediction.target_agent, words.SAY) if left else ""
    said = f"{agent} has {len(left)} similar requests:" if left else "All of them have been answered."
    rows = [line(text, cells, "bold") for text in wrap(said, cells)]
    for number, card in enumerate(left, start=1):
        asked = card.prediction.permission
        reason = wrap(f"because: {asked.reason}", cells) if asked is not None and asked.reason else []
        rows += [(Span(""),), line(f"{number} of {len(left)}", cells, "dim")]
        rows += asked_lines(view, card.prediction, cells)
        rows += [line(text, cells) for text in reason]
    return rows


def _takes_yes(card: Shown) -> bool:
    return card.is_answerable and Verb.APPROVE in card.verbs and bool(card.token)
