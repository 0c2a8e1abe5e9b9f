"""How much of a card one message shows, and what may then be said to it. Pure.

Everybody in the channel reads the same message, so a text that it has no room for, or that is hidden there, is read and
approved elsewhere. What is of high risk takes a second press, which no reaction is.
"""

from msgspec.structs import replace

from hub.contract.api import Prediction
from hub.contract.permission import Act, Permission
from hub.contract.words import GRANTING
from hub.kit.changed import changed_said
from hub.kit.chat.card import ChatCard
from hub.kit.permissions import sentence
from hub.kit.phrase_files import phrases
from hub.kit.questions import questions_of, questions_text
from hub.kit.shown import sayable, yes_text
from hub.kit.text import unbroken
from hub.kit.wordings import unusual_said
from surfaces.discord.text import block, block_cuts, escaped, is_cut, one_line

TEXT_UNITS, SENTENCE_UNITS, RUNS_UNITS, NEW_UNITS = 2_000, 600, 400, 1_000
SAY = phrases()


def told(prediction: Prediction) -> str:
    """What a person says yes to: the card's text, or what an agent asks for as a sentence with its exact text below."""
    permission = prediction.permission
    if changed := changed_said(prediction, SAY):
        return "\n".join(escaped(one, TEXT_UNITS // 2) for one in changed)
    if asked := questions_of(permission):
        return escaped(questions_text(asked), TEXT_UNITS)
    text = yes_text(prediction)
    if permission is None or not text:
        return escaped(prediction.prompt, TEXT_UNITS)
    return (
        f"**{one_line(sentence(permission, SAY), SENTENCE_UNITS)}**\n{block(text, TEXT_UNITS, _language(prediction))}"
    )


def is_whole(card: ChatCard) -> bool:
    """Return True if the card's message shows all that a yes lets run."""
    prediction = card.prediction
    permission, text = prediction.permission, yes_text(prediction)
    if card.is_hidden or is_cut(new_here(permission), NEW_UNITS):
        return False
    if asked := questions_of(permission):
        return not is_cut(questions_text(asked), TEXT_UNITS)
    if permission is None:
        runs = "" if prediction.runs is None else prediction.runs.line
        is_one_line = " ".join(runs.split()) == runs
        return is_one_line and not is_cut(prediction.prompt, TEXT_UNITS) and not is_cut(runs, RUNS_UNITS)
    if is_cut(sentence(permission, SAY), SENTENCE_UNITS):
        return False
    return (
        not block_cuts(text, TEXT_UNITS, _language(prediction)) if text else not is_cut(prediction.prompt, TEXT_UNITS)
    )


def new_here(permission: Permission | None) -> str:
    """Return all that is unusual about a request, a sentence on each line."""
    return "" if permission is None else "\n".join(map(unbroken, unusual_said(permission, SAY)))


def as_shown(card: ChatCard) -> ChatCard:
    """Return a card with just those verbs that may be said beside what its message shows."""
    return replace(card, verbs=sayable(card.verbs, is_whole=is_whole(card)))


def keeps_yes_away(card: ChatCard) -> bool:
    """Return True if an open card could be approved here if all of it were shown."""
    return card.phase == "open" and not is_whole(card) and not GRANTING & {*card.verbs}


def _language(prediction: Prediction) -> str:
    permission = prediction.permission
    return "diff" if permission is not None and permission.act is Act.EDIT else ""
