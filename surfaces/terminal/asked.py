"""What an agent asks leave for, drawn: a sentence, then its exact text with the dangerous parts, diffs as diffs. Pure.

The text is broken at the edge and nowhere else: a space that is gone could be a command that is another one.
"""

from collections.abc import Iterable, Sequence

from hub.contract.api import Prediction
from hub.contract.permission import Act, AgentQuestion, Permission, PermissionOption
from hub.kit.permissions import Piece, effects_said, pieces, sentence
from hub.kit.questions import asked_text, choice_text
from hub.kit.shown import fields_text, target_text
from surfaces.terminal import words
from surfaces.terminal.cells import safe, width, wrap
from surfaces.terminal.picture import Line, Span, Style, line
from surfaces.terminal.view import View

DIFF_STYLES: dict[str, Style] = {"+": "good", "-": "bad", "@": "accent"}
KEYS = "123456789"


def asked_lines(view: View, prediction: Prediction, cells: int) -> list[Line]:
    """Draw all that a person has to see before a yes; nothing where no agent asks."""
    permission = prediction.permission
    if permission is None:
        return []
    rows = [line(text, cells, "bold") for text in wrap(sentence(permission, words.SAY), cells)]
    if target := target_text(prediction):
        rows += [(Span(""),), *_broken([Piece(target, is_dangerous=False)], cells, "accent")]
    if permission.act is Act.QUESTION:
        rows += _questions(view, permission.questions, cells)
    elif permission.text:
        rows += [(Span(""),), *_text(permission, cells)]
    if fields := fields_text(permission):
        rows += [(Span(""),), *_broken([Piece(fields, is_dangerous=False)], cells, "warn")]
    if permission.left_out:
        rows += [line(text, cells, "warn") for text in wrap(_left_out(permission), cells)]
    if said := effects_said(permission, words.SAY):
        rows += [(Span(""),), *(line(text, cells, "warn") for text in wrap(f"It {_joined(said)}.", cells))]
    rows += [line(text, cells, "warn") for one in permission.unusual for text in wrap(one, cells)]
    return rows


def option_lines(options: Sequence[PermissionOption], cells: int) -> list[Line]:
    """Draw each option whole, with its key and whether that is a yes: its label is the agent's own."""
    said = [
        part
        for number, one in enumerate(options)
        for part in (f"{_key(number)} {'no' if one.refuses else 'yes'}: {one.label}", one.note)
        if part
    ]
    return [
        *(line(text, cells, "accent") for part in said for text in wrap(part, cells)),
        *_without_key(options, cells),
    ]


def question_hints(view: View, question: AgentQuestion) -> list[str]:
    """Say which keys answer a question."""
    more = ["Enter continues"] if question.several and view.given.answers.get(question.id) else []
    own = ["e own words"] if question.own_words else []
    numbers = ["1, 2, … choose"] if question.choices else []
    return [*numbers, *own, *more, "Esc cancels"]


def _text(permission: Permission, cells: int) -> list[Line]:
    if permission.act is Act.EDIT:
        return [
            row
            for one in permission.text.split("\n")
            for row in _broken([Piece(one, is_dangerous=False)], cells, DIFF_STYLES.get(one[:1], "plain"))
        ]
    if permission.act is Act.PLAN:
        return [line(one, cells) for one in wrap(permission.text, cells)]
    return _broken(pieces(permission), cells, "accent")


def _broken(parts: Iterable[Piece], cells: int, style: Style) -> list[Line]:
    """Break a text at the edge, each part in its style."""
    rows: list[list[Span]] = [[]]
    used = 0
    for part in parts:
        shown_as: Style = "bad" if part.is_dangerous else style
        for char in part.text:
            shown = safe(char)
            if char == "\n" or used + width(shown) > cells:
                rows.append([])
                used = 0
            if char == "\n":
                continue
            if rows[-1] and rows[-1][-1].style == shown_as:
                rows[-1][-1] = Span(rows[-1][-1].text + shown, shown_as)
            else:
                rows[-1].append(Span(shown, shown_as))
            used += width(shown)
    return [tuple(row) or (Span(""),) for row in rows]


def _questions(view: View, questions: Iterable[AgentQuestion], cells: int) -> list[Line]:
    rows: list[Line] = []
    for number, question in enumerate(questions):
        is_now = view.mode in {"question", "words"} and number == view.given.asked
        rows += [
            (Span(""),),
            *(line(text, cells, "accent" if is_now else "bold") for text in wrap(asked_text(question), cells)),
        ]
        given = view.given.answers.get(question.id, ())
        for place, choice in enumerate(question.choices):
            sign = "✓" if choice.label in given else " "
            rows += [line(text, cells) for text in wrap(f"{sign} {_key(place)} {choice_text(choice)}", cells)]
        rows += _without_key(question.choices, cells)
        own = [one for one in given if one not in {choice.label for choice in question.choices}]
        rows += [line(text, cells) for one in own for text in wrap(f"✓ {one}", cells)]
    return rows


def _key(place: int) -> str:
    return KEYS[place] if place < len(KEYS) else " "


def _without_key(listed: Sequence[object], cells: int) -> list[Line]:
    """Say where those are chosen for which there is no key."""
    said = f"Only the first {len(KEYS)} can be chosen here; the others on the page."
    return [line(text, cells, "warn") for text in wrap(said, cells)] if len(listed) > len(KEYS) else []


def _left_out(permission: Permission) -> str:
    return f"The agent left out {permission.left_out:,} more characters."


def _joined(said: str) -> str:
    return said.replace(" · ", ", ")
