"""Answering an agent's questions one after the other, by numbers or in own words. Pure."""

from msgspec.structs import replace

from hub.contract.permission import AgentQuestion, Permission, PermissionAnswer
from surfaces.terminal.asked import KEYS
from surfaces.terminal.editing import edit
from surfaces.terminal.view import View


def begin(view: View, permission: Permission) -> View:
    """Ask the first question."""
    return _asking(replace(view, given={}, asked=0), permission)


def choose(view: View, permission: Permission, key: str) -> tuple[View, PermissionAnswer | None]:
    """Take a key while a question is asked; return all answers once the last one is given."""
    question = permission.questions[view.asked]
    given = view.given.get(question.id, ())
    place = KEYS.find(key) if key else -1
    if key == "e" and question.own_words:
        return replace(view, mode="words", draft="", cursor=0), None
    if key == "enter" and question.several and given:
        return _next(view, permission)
    if not 0 <= place < len(question.choices) or len(key) != 1:
        return (replace(view, mode="cards", given={}), None) if key == "escape" else (view, None)
    label = question.choices[place].label
    if not question.several:
        return _next(_with(view, question, (label,)), permission)
    known = tuple(one for one in given if one in {choice.label for choice in question.choices})
    others = tuple(one for one in known if one != label)
    return _with(view, question, others if label in known else (*known, label)), None


def write(view: View, permission: Permission, key: str) -> tuple[View, PermissionAnswer | None]:
    """Take a key while an answer is written."""
    question = permission.questions[view.asked]
    if key == "escape":
        return replace(view, mode="question" if question.choices else "cards"), None
    if key == "enter":
        words = view.draft.strip()
        return _next(_with(view, question, (words,)), permission) if words else (view, None)
    draft, cursor = edit(view.draft, view.cursor, key)
    return replace(view, draft=draft, cursor=cursor), None


def _with(view: View, question: AgentQuestion, given: tuple[str, ...]) -> View:
    return replace(view, given={**view.given, question.id: given})


def _next(view: View, permission: Permission) -> tuple[View, PermissionAnswer | None]:
    if view.asked + 1 < len(permission.questions):
        return _asking(replace(view, asked=view.asked + 1), permission), None
    return replace(view, mode="cards", given={}, asked=0), PermissionAnswer(answers=dict(view.given))


def _asking(view: View, permission: Permission) -> View:
    """Ask a question; one without choices is answered in words at once."""
    has_choices = bool(permission.questions[view.asked].choices)
    return replace(view, mode="question" if has_choices else "words", draft="", cursor=0)
