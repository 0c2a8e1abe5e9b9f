"""The card in the middle, like the one of CROSSPOLL 4.1: the whole prompt, how sure, how old, what a key would do."""

from datetime import datetime

from hub.contract.api import Prediction
from hub.contract.base import Value
from hub.contract.runs import CommitPlan
from hub.contract.words import GRANTING, Risk, Source, Verb
from hub.kit.changed import changed_said
from hub.kit.committing import Tone, commit_lines
from hub.kit.naming import agent_title, place_of, share_sure, sure_of
from surfaces.terminal import words
from surfaces.terminal.alike import alike_lines, alike_to, still_open
from surfaces.terminal.asked import asked_lines, option_lines, question_hints
from surfaces.terminal.cells import safe, width, wrap
from surfaces.terminal.keys import SNOOZES
from surfaces.terminal.picture import Line, Span, Style, boxed, edge, line, style_of
from surfaces.terminal.view import Shown, View

PROGRESS_SHOWN = 3
ASKED_LINES_MAX = 6
"""So many lines of why a card is there are shown without its details."""
COMMIT_STYLES: dict[Tone, Style] = {"plain": "plain", "added": "good", "removed": "bad", "place": "dim"}
CHROME_ROWS = 2
"""The box's upper and lower edge."""


class Box(Value):
    """A drawn card. `clipped`: a part of what a yes is about is not in it; `cursor` is (row, column) within it."""

    lines: tuple[Line, ...]
    clipped: bool
    page_rows: int
    cursor: tuple[int, int] | None = None


def draw_card(view: View, card: Shown, cells: int, rows: int, now: datetime) -> Box:
    """Draw the focused card into at most `rows` lines of `cells`."""
    inner = cells - 4
    below = _below(view, card, inner, now)
    room = max(1, rows - CHROME_ROWS - len(below))
    cursor: tuple[int, int] | None = None
    if view.mode in {"edit", "words"}:
        text, cursor = _draft(view, inner, room)
        clipped = False
    else:
        text, clipped = _text(view, card, inner, room, now)
    border: Style = "bad" if card.prediction.risk is Risk.HIGH else "dim"
    top = edge("╭╮", _title(card), _badges(card), cells)
    bottom = edge("╰╯", _position(view, card), (), cells)
    body = tuple(boxed(one, cells, border) for one in (*text, *below))
    at = (cursor[0] + 1, cursor[1] + 2) if cursor else None
    return Box(lines=(top, *body, bottom)[:rows], clipped=clipped, page_rows=max(1, room - 1), cursor=at)


def draw_row(card: Shown, cells: int, now: datetime) -> Line:
    """Draw a card that is not in the middle, in one line."""
    prediction = card.prediction
    said, tone = words.state_line(card, now)
    prompt = safe(" ".join(prediction.prompt.split()))
    if card.is_answerable:
        said_sure = sure_of(prediction)
        sure = "" if said_sure is None else f"{words.SAY.written(said_sure)} "
        return line(f"  {sure}{safe(place_of(prediction, words.SAY))}  {prompt}", cells)
    return line(f"  {said}  {prompt}", cells, style_of(tone))


def _text(view: View, card: Shown, cells: int, rows: int, now: datetime) -> tuple[list[Line], bool]:
    """What a yes is about, and with details everything else; what does not fit is said."""
    prompt = _prompt(view, card, cells)
    content = list(prompt)
    scrolls = view.details or view.mode == "alike"
    if view.details:
        content += _details(card, view.command, cells, now)
    if len(content) <= rows:
        return content, False
    if rows == 1:
        return content[:1], len(prompt) > 1
    first = min(view.scroll, len(content) - (rows - 1)) if scrolls else 0
    end = first + rows - 1
    more = len(content) - end
    hint = f"… {more} more line{'s' if more > 1 else ''}: space" if scrolls else f"… {more} more: i shows all of it"
    last = line(hint if more else "(the end)", cells, "warn" if more else "dim")
    return [*content[first:end], last], end < len(prompt)


def _prompt(view: View, card: Shown, cells: int) -> list[Line]:
    """All that a person has to see before a yes, none of it cut: what does not fit is scrolled."""
    if view.mode == "alike":
        return alike_lines(view, cells)
    prediction = card.prediction
    if prediction.permission is not None and not prediction.asked:
        options = prediction.permission.options if card.phase == "open" else ()
        rows = [*asked_lines(view, prediction, cells), *option_lines(options, cells)]
    else:
        told = changed_said(prediction, words.SAY) or (prediction.prompt,)
        rows = [line(text, cells, "bold") for one in told for text in wrap(one, cells)]
    if prediction.runs is not None and GRANTING & {*card.verbs}:
        style: Style = "warn" if prediction.runs.problem else "accent"
        rows += [line(text, cells, style) for text in wrap(prediction.runs.line, cells)]
    return rows


def _details(card: Shown, command: str, cells: int, now: datetime) -> list[Line]:
    prediction = card.prediction
    parts: list[Line] = [(Span(""),)]
    if prediction.reasoning:
        parts += [line(text, cells) for text in wrap(f"because: {prediction.reasoning}", cells)]
    if why := words.always_asks(prediction):
        parts += [line(text, cells) for text in wrap(why, cells)]
    if prediction.always_asked:
        parts += [line(text, cells) for text in wrap(f"asked each time: {prediction.always_asked}", cells)]
    if prediction.runs is not None:
        parts += [line(text, cells) for one in words.runs(prediction.runs) for text in wrap(one, cells)]
        parts += _commit(prediction.runs.commit, cells)
    parts += [line(text, cells) for one in prediction.details.splitlines() for text in wrap(one, cells)]
    agent = agent_title(prediction.target_agent, words.SAY)
    cost = f"about ${prediction.cost_estimate_usd:.2f}" if prediction.cost_estimate_usd else ""
    known = (f"made at {words.at(prediction.created_at, now)}", f"agent {agent}", cost, prediction.id)
    parts += [line(text, cells, "dim") for text in wrap(" · ".join(filter(None, known)), cells)]
    parts += [line(text, cells, "dim") for text in wrap(f"full story: {command} why {prediction.id}", cells)]
    if card.lines:
        parts.append((Span(""),))
        parts += [line(text, cells, "dim") for one in card.lines for text in wrap(one, cells)]
    return parts


def _commit(commit: CommitPlan | None, cells: int) -> list[Line]:
    """All of what would be committed: its files and the diff."""
    lines = () if commit is None else commit_lines(commit, words.SAY)
    return [line(text, cells, COMMIT_STYLES[one.tone]) for one in lines for text in wrap(one.text, cells)]


def _because(prediction: Prediction, cells: int) -> list[Line]:
    """Say why on one line; what was written on several keeps them."""
    if "\n" not in prediction.reasoning:
        return [line(f"because: {safe(' '.join(prediction.reasoning.split()))}", cells)]
    said = wrap(prediction.reasoning, cells)
    more = [line("… i shows all of it", cells, "dim")] if len(said) > ASKED_LINES_MAX else []
    return [*(line(text, cells) for text in said[:ASKED_LINES_MAX]), *more]


def _below(view: View, card: Shown, cells: int, now: datetime) -> list[Line]:
    said, tone = words.state_line(card, now)
    rows: list[Line] = [(Span(""),)]
    if card.phase == "open":
        if card.prediction.reasoning and not view.details:
            rows = [*_because(card.prediction, cells), *rows]
        if (sure := sure_of(card.prediction)) is not None:
            bar = words.bar(share_sure(card.prediction), words.SAY.written(sure), cells)
            rows.append(line(bar, cells, "accent"))
        rows += [line(text, cells, "dim") for text in wrap(words.facts(card.prediction, now), cells)]
        if elsewhere := words.elsewhere(card.prediction):
            rows += [line(text, cells, "warn") for text in wrap(elsewhere, cells)]
    if said:
        rows += [line(text, cells, style_of(tone)) for text in wrap(said, cells)[:PROGRESS_SHOWN]]
    if answered := words.answered_line(card, now):
        rows += [line(text, cells, "dim") for text in wrap(answered, cells)]
    if card.phase == "running" and not view.details:
        rows += [line(f"  {safe(one)}", cells, "dim") for one in card.lines[-PROGRESS_SHOWN:]]
    hints = _hints(view, card)
    if hints:
        rows.append((Span(""),))
        rows += [line(text, cells, "accent") for text in _joined(hints, cells)]
    return rows


def _hints(view: View, card: Shown) -> list[str]:
    if view.mode == "confirm":
        does = "tries it again" if view.after_confirm is Verb.RETRY else "approves it"
        return ["This one is risky.", f"y {does},", "any other key cancels."]
    if view.mode == "snooze":
        return ["until when?", *(f"{key} {label}" for key, label in SNOOZES.items()), "Esc no"]
    if view.mode == "edit":
        return ["Enter approves the text above", "Esc cancels"]
    if view.mode == "words":
        return ["Enter answers with the text above", "Esc cancels"]
    if view.mode == "alike":
        return [f"y yes to these {len(still_open(view))}", "space reads on", "any other key cancels"]
    permission = card.prediction.permission
    if view.mode == "question" and permission is not None:
        return question_hints(view, permission.questions[view.given.asked])
    offered = {
        Verb.REJECT: "← d",
        Verb.SNOOZE: "↑ s",
        Verb.EDIT: "e",
        Verb.APPROVE: "→ a",
        Verb.LESS: "l",
        Verb.NEVER: "n",
        Verb.STOP: "x",
        Verb.RETRY: "r",
        Verb.FIX: "f",
        Verb.IGNORE: "g",
        Verb.UNDO: "u",
    }
    if card.sending:
        return []
    no_edit = card.prediction.source is Source.ASK and (permission is None or not permission.editable)
    verbs = [verb for verb in offered if verb in card.verbs and not (no_edit and verb is Verb.EDIT)]
    alike = alike_to(view, card)
    together = [f"y look at {len(alike)} alike"] if alike else []
    return [*(f"{offered[verb]} {words.SAY.say(verb.value)}" for verb in verbs), *together]


def _joined(parts: list[str], cells: int) -> list[str]:
    """Put hints side by side, and on further lines where they do not fit."""
    lines: list[str] = []
    for part in parts:
        longer = f"{lines[-1]}   {part}" if lines else part
        if lines and width(longer) <= cells:
            lines[-1] = longer
        else:
            lines.append(part)
    return lines


def _draft(view: View, cells: int, rows: int) -> tuple[list[Line], tuple[int, int]]:
    """Lay the draft out cell by cell, so that the cursor is where the text is."""
    lines, at = [""], (0, 0)
    for index, char in enumerate(f"{view.draft} "):
        shown = "↵" if char == "\n" else safe(char)
        if width(lines[-1]) + width(shown) > cells:
            lines.append("")
        if index == view.cursor:
            at = (len(lines) - 1, width(lines[-1]))
        lines[-1] += shown
    first = max(0, at[0] - rows + 1)
    return [line(text, cells, "bold") for text in lines[first : first + rows]], (at[0] - first, at[1])


def _title(card: Shown) -> Line:
    asked = "question from " if card.prediction.source is Source.ASK else ""
    branch = f" · {safe(card.prediction.branch)}" if card.prediction.branch else ""
    return (Span(f"{asked}{safe(place_of(card.prediction, words.SAY))}", "bold"), Span(f"{branch} ", "dim"))


def _badges(card: Shown) -> Line:
    text = words.badges(card.prediction)
    return (Span(f" {text} ", "bad" if words.is_risky(card.prediction) else "warn"),) if text else ()


def _position(view: View, card: Shown) -> Line:
    ids = [one.id for one in view.cards]
    return (Span(f"{ids.index(card.id) + 1} of {len(ids)} ", "dim"),) if len(ids) > 1 else ()
