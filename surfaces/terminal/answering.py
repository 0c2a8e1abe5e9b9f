"""Answering an agent's questions one after the other, by numbers or in own words. Pure."""

from msgspec.structs import replace

from hub.contract.permission import Permission, PermissionAnswer
from hub.kit import questions
from hub.kit.questions import Given
from surfaces.terminal.asked import KEYS
from surfaces.terminal.editing import edit
from surfaces.terminal.view import View


def begin(view: View, permission: Permission) -> View:
    """Ask the first question."""
    return _after(view, permission, Given())[0]


def choose(view: View, permission: Permission, key: str) -> tuple[View, PermissionAnswer | None]:
    """Take a key while a question is asked; return all answers once the last one is given."""
    asked, given = permission.questions, view.given
    if key == "escape":
        return replace(view, mode="cards", given=Given()), None
    if key == "e" and asked[given.asked].own_words:
        return replace(view, mode="words", draft="", cursor=0), None
    if key == "enter":
        return _after(view, permission, questions.go_on(asked, given))
    place = KEYS.find(key) if len(key) == 1 else -1
    return _after(view, permission, questions.choose(asked, given, place))


def write(view: View, permission: Permission, key: str) -> tuple[View, PermissionAnswer | None]:
    """Take a key while an answer is written."""
    if key == "escape":
        has_choices = bool(permission.questions[view.given.asked].choices)
        return replace(view, mode="question" if has_choices else "cards"), None
    if key == "enter":
        return _after(view, permission, questions.write(permission.questions, view.given, view.draft))
    draft, cursor = edit(view.draft, view.cursor, key)
    return replace(view, draft=draft, cursor=cursor), None


def _after(view: View, permission: Permission, given: Given) -> tuple[View, PermissionAnswer | None]:
    """Go on to the next question, one without choices in words at once; or end, with all answers."""
    if given is view.given:  # the key means nothing here
        return view, None
    answer = questions.answer_of(permission.questions, given)
    if answer is not None:
        return replace(view, mode="cards", given=Given()), answer
    has_choices = bool(permission.questions[given.asked].choices)
    return replace(view, given=given, mode="question" if has_choices else "words", draft="", cursor=0), None
