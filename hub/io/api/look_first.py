"""What is answered at a terminal was shown there: what was not is refused, with the card, to be looked at first."""

from collections.abc import Iterable
from typing import Any

from hub.contract.api import AnswerRequest, Prediction
from hub.contract.words import AFTER_FAILURE, GRANTING, Risk, Status, Verb
from hub.domain.requests import Refused
from hub.domain.storage import CardsByIds
from hub.domain.suggestion import Card
from hub.io.access.shown_cards import ShownAt, mark_of
from hub.io.access.tokens import is_by_hand
from hub.io.api.call import Call
from hub.io.http.judged_card import judged_card
from hub.io.http.terminal_errors import NotLookedAtError
from hub.loop.reworded import with_words
from hub.loop.views import prediction_of

ANY_TIME = frozenset({Verb.STOP, Verb.UNDO})
"""What is never held up: it lets nothing begin."""
READ_IT = "Read it as it is now, and give the same answer again."
YESES = GRANTING | {Verb.FIX}


def shell_at(call: Call[Any, Any]) -> str | None:
    """Return the shell at which a call was typed, empty where it was typed at none; None if nobody typed it."""
    if call.caller is None or call.client is None or not is_by_hand(call.client):
        return None
    return call.to.terminals.place_of(call.caller.process)


def note_list(call: Call[Any, Any], cards: Iterable[Prediction]) -> None:
    """Take note of a list that this call shows at its terminal."""
    shell = shell_at(call)
    if shell is not None:
        call.to.terminals.shown.note_list(shell, cards)


def note_alone(call: Call[Any, Any], card: Prediction, *, is_row: bool = False) -> None:
    """Take note of a card that this call shows at its terminal by itself: whole, or as a row of a list."""
    shell = shell_at(call)
    if shell is not None:
        call.to.terminals.shown.note_alone(shell, card, is_row=is_row)


async def look_first(call: Call[Any, Any], card_id: str, verb: Verb, said: AnswerRequest) -> Refused | None:
    """Return the card that has to be looked at before this answer counts; None where it was.

    Once agents are connected, a yes takes that the hub itself showed the card at this shell; what is of high risk, or
    says more than yes, that it was looked at just now. Else only `latest`, and what has changed since, are held up.
    Other words than the card's are shown with what the hub makes of them: at a shell always, since what an editor left
    in a file may be somebody else's, and elsewhere where an agent would do by them what is risky.
    """
    shell, client = shell_at(call), call.client
    if client is None or verb in ANY_TIME or (shell is None and said.prompt is None):
        return None
    parts, shown = call.parts, call.to.terminals.shown
    card = await judged_card(parts, card_id)
    meant = card if said.prompt is None else with_words(card, said.prompt)
    place = client.id if shell is None else shell
    if card.status is not _answerable(verb) or (said.look and shown.takes(said.look, place, meant)):
        return None
    is_at_risk = shell is not None and call.to.terminals.are_needed  # an agent could have written the words
    why = _why_words(meant, is_at_shell=is_at_risk) if meant is not card else ""
    if not why and shell is not None:
        why = _why(card, shown.at(shell), said, is_proven_yes=call.to.terminals.are_needed and verb in YESES)
        if not why and said.latest and await _latest(call, verb, shown.at(shell)) != card_id:
            why = "It is not the one that you looked at last."
    if not why:
        return None
    return Refused(
        code=NotLookedAtError.code,
        status=NotLookedAtError.status,
        detail=why,
        fix=NotLookedAtError.FIX if shell is not None else READ_IT,
        prediction=prediction_of(meant, parts.hub_api.policy()),
        look=shown.hand_out(place, meant),
    )


def _why_words(meant: Card, *, is_at_shell: bool) -> str:
    """Return why a card with other words has to be looked at; empty where it need not be.

    What Pulse itself would run, its rails judge: they let no edit do what is risky.
    """
    if meant.permission is not None and meant.proposal.risk is Risk.HIGH:
        return "With these words it is risky, so you are asked again."
    return "This is what would run now." if is_at_shell else ""


def _why(card: Card, at: ShownAt, said: AnswerRequest, *, is_proven_yes: bool) -> str:
    seen = at.marks.get(card.id)
    if seen is None and said.latest:
        return "It came after you last looked."
    if seen is not None and seen != mark_of(card):
        return "It came back, or changed, after you last looked."
    if not is_proven_yes:
        return ""
    if card.id not in at.whole:
        return "It was not shown in this terminal yet."
    if card.proposal.risk is Risk.HIGH:
        return "It is risky, so you are asked again."
    return "Your answer is more than a yes, so you are asked again." if said.permission is not None else ""


def _answerable(verb: Verb) -> Status:
    return Status.FAILED if verb in AFTER_FAILURE else Status.PENDING


async def _latest(call: Call[Any, Any], verb: Verb, at: ShownAt) -> str:
    """Return the card that was shown last of those that this verb can answer."""
    parts = call.parts
    found = await parts.store.read(CardsByIds(user=parts.user, ids=tuple(at.marks)))
    return next((name for name in at.marks if name in found and found[name].status is _answerable(verb)), "")
