"""An answer that the hub has said nothing to is handed in again, under the same id, until its verdict or its end.

The verdict may be lost where the connection is lost, and so may the decision; nobody can tell which from here. The hub
knows a decision by its id, so that one that it has taken already is only told again. Pure; `now` is an argument.
"""

from collections.abc import Callable
from datetime import datetime

from msgspec.structs import replace

from hub.contract.surface import Decision
from hub.contract.words import Verb
from hub.kit.answer_retry import GIVE_UP, HandedAnswer, handed, hurried, put_off
from surfaces.terminal.view import Shown, View


def sent_now(decision: Decision, card: Shown) -> HandedAnswer:
    """Return what is kept of a decision that is being handed in; an open card's own end bounds it as well."""
    until = decision.at + GIVE_UP
    if card.phase == "open":
        until = min(until, card.prediction.expires_at)
    return handed(decision, card.delivery_id, until, _share(decision))


def hurry(view: View) -> View:
    """The connection is back: whatever has no verdict yet is due at once, and soon again.

    The hub may be back a little later than we are; then the broker has nobody to give it to.
    """
    return replace(view, sent=tuple(hurried(one, one.decision.at) for one in view.sent))


def hand_in_again(view: View, now: datetime) -> tuple[View, tuple[Decision, ...]]:
    """Return the answers that are due again; one that has been seen to be done is let go instead."""
    if view.link != "up":
        return view, ()
    due = tuple(one for one in view.sent if one.again_at <= now < one.until)
    again = tuple(one for one in due if _is_undecided(view, one))
    kept = tuple(
        put_off(one, now, _share(one.decision)) if one in again else one
        for one in view.sent
        if one not in due or one in again
    )
    return replace(view, sent=kept), tuple(one.decision for one in again)


def give_up(view: View, now: datetime) -> tuple[View, tuple[HandedAnswer, ...]]:
    """Let go of what nobody will answer any more, and open its cards again; return it, so that the person is told."""
    over = tuple(one for one in view.sent if one.until <= now)
    given_up = tuple(one for one in over if _is_undecided(view, one))
    stuck = {one.decision.card_id for one in given_up}
    cards = tuple(replace(one, sending=False) if one.id in stuck else one for one in view.cards)
    return replace(view, cards=cards, sent=tuple(one for one in view.sent if one not in over)), given_up


def next_due(view: View) -> tuple[datetime, ...]:
    """Return the moments at which something is to be done."""
    ends = tuple(one.until for one in view.sent)
    return ends if view.link != "up" else (*ends, *(one.again_at for one in view.sent))


def _share(decision: Decision) -> Callable[[], float]:
    """Return how long a decision waits, by its id, so that terminals do not all speak at once."""
    share = sum(decision.decision_id.encode()) % 100 / 100
    return lambda: 1.0 - share


def _is_undecided(view: View, sent: HandedAnswer) -> bool:
    """Say whether the screen leaves open what became of an answer."""
    card = next((one for one in view.cards if one.id == sent.decision.card_id), None)
    if card is None:
        return False
    match sent.decision.verb:
        case Verb.STOP:
            return card.phase == "running"
        case Verb.UNDO:
            return not card.is_answerable
        case Verb.RETRY:
            return card.phase == "settled"
        case Verb.FIX | Verb.IGNORE:
            return sent.decision.verb in card.verbs
        case _:
            return card.sending
