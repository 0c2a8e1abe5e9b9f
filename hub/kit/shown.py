"""What a yes to a card lets run, and what may be said where it was shown or was not: one rule for all surfaces. Pure.

Nobody says yes to what they could not read. A surface works out whether all of `yes_text` was shown, offers only
`sayable`, and says with each answer what was shown; the hub takes no yes to a part.
"""

from collections.abc import Iterable
from typing import Literal

from hub.contract.api import Prediction
from hub.contract.permission import Act, CallField, Permission
from hub.contract.words import GRANTING, Risk, Verb
from hub.kit.permissions import TARGET_CHARS_MAX, TOOL_CHARS_MAX
from hub.kit.text import visible

TARGETED = frozenset({Act.EDIT, Act.READ, Act.FETCH})


def yes_text(card: Prediction) -> str:
    """Return all that a yes is about, beside the sentence: the text, and what would run."""
    permission = card.permission
    if permission is None:
        runs = "" if card.runs is None else visible(card.runs.line)
        return "\n".join(filter(None, (visible(card.prompt), runs)))
    return "\n".join(filter(None, (target_text(card), visible(permission.text), fields_text(permission))))


def is_told_by_prompt(card: Prediction) -> bool:
    """Return True if the prompt is all that a yes is about, and nothing beside it is to be looked at before."""
    is_odd = card.permission is not None and bool(card.permission.unusual)
    return yes_text(card) == visible(card.prompt) and not (is_odd or card.details or card.in_person)


def fields_text(permission: Permission | None) -> str:
    """Return what a call says beside its text that changes how it runs, or that nobody knows: a field on each line."""
    if permission is None:
        return ""
    known = (f"⚙ {_field(one)}" for one in permission.settings)
    return "\n".join((*known, *(f"⚙ ? {_field(one)}" for one in permission.unknown_fields)))


def _field(one: CallField) -> str:
    return f"{visible(one.name)}: {visible(one.value)}"


def target_text(card: Prediction) -> str:
    """Return what is meant, where the sentence has no room for all of it: the files, the tool, a line each."""
    permission = card.permission
    if permission is None:
        return ""
    target, tool = visible(permission.target), visible(permission.tool)
    if permission.act is Act.OTHER:
        return "\n".join(filter(None, (tool if len(tool) > TOOL_CHARS_MAX else "", target)))
    if permission.act not in TARGETED:
        return ""
    others = tuple(map(visible, permission.other_files))
    return "\n".join((target, *others)) if others or len(target) > TARGET_CHARS_MAX else ""


def asks_twice(card: Prediction) -> bool:
    """Return True if a yes takes a second step, so that none is given by mistake."""
    return card.risk is Risk.HIGH


def sayable(verbs: Iterable[Verb], *, is_whole: bool) -> tuple[Verb, ...]:
    """Return what may be said beside a text: what lets something run only where all of it was shown."""
    return tuple(verb for verb in verbs if is_whole or verb not in GRANTING)


def shown_part(*, is_whole: bool) -> Literal["whole", "part"]:
    """Return how much was shown, as a decision says it."""
    return "whole" if is_whole else "part"
