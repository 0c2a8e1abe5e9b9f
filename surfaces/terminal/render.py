"""The whole screen as a picture, from a view, a size and the time. Pure: it touches no terminal."""

from datetime import datetime

from surfaces.terminal import words
from surfaces.terminal.card_box import draw_card, draw_row
from surfaces.terminal.cells import safe, wrap
from surfaces.terminal.picture import Line, Picture, Span, ends, fit, line, style_of
from surfaces.terminal.view import Shown, View

CARD_CELLS_MAX = 100
CARD_ROWS_MIN = 10
OTHERS_ROWS_MIN = 3
NARROW_CELLS = 60
NOTICE_ROWS_MAX = 3
HELP = (
    "a  or →   {=approve}            d  or ←   {=reject}",
    "s  or ↑   {=snooze}             e         {=edit}, then {=approve}",
    "u         {=undo} an answer     x         {=stop} what runs",
    "l         {=less}       n         {=never}",
    "r         {=retry}          g         {=ignore} a failure",
    "f         {=fix}",
    "y         all alike, at once",
    "j  Tab ↓  next card          k         previous card",
    "space b   read on, and back  i  Enter  details",
    "?         this help          q         quit",
)
LINK_WORDS = {
    "connecting": "connecting …",
    "up": "",
    "lost": "no connection to the broker",
    "refused": "no connection to the broker",
    "gone": "Pulse is not running",
}


def render(view: View, cells: int, rows: int, now: datetime) -> Picture:
    """Draw the view into `rows` lines of `cells`."""
    head = _head(view, cells, now)
    foot, told = _foot(view, cells)
    room = max(1, rows - len(head) - len(foot))
    if view.mode == "help":
        body = Picture(lines=tuple(_help(cells)[:room]), drawn=frozenset())
    else:
        body = _body(view, cells, room, now)
    filler = [(Span(""),)] * (room - len(body.lines))
    lines = (*head, *body.lines, *filler, *foot)[:rows]
    cursor = (body.cursor[0] + len(head), body.cursor[1]) if body.cursor else None
    return Picture(lines=lines, drawn=body.drawn | told, clipped=body.clipped, page_rows=body.page_rows, cursor=cursor)


def _head(view: View, cells: int, now: datetime) -> list[Line]:
    word, tone = words.light(view.status)
    left: Line = (Span(" Pulse ", "bold"), Span("● ", style_of(tone)), Span(word))
    waiting = sum(card.is_answerable for card in view.cards)
    right: Line = (Span(f"{waiting} waiting " if waiting else "nothing waiting ", "bold" if waiting else "dim"),)
    rows = [ends(left, right, cells)]
    if view.status is not None:
        rows += _status_rows(view, cells, now)
    trouble = LINK_WORDS[view.link]
    if trouble:
        note = f" {trouble}: {safe(view.link_note)}" if view.link_note else f" {trouble}"
        rows += [line(text, cells, "plain" if view.link == "connecting" else "bad") for text in wrap(note, cells)]
    return [*rows, (Span(""),)]


def _status_rows(view: View, cells: int, now: datetime) -> list[Line]:
    status = view.status
    if status is None:
        return []
    costs: Line = (Span(f" {words.costs(status)}", "dim"),)
    broker: Line = (Span(f"{safe(view.broker)} ", "dim"),)
    rows = [ends(costs, broker, cells)]
    if cells < NARROW_CELLS:
        rows = [line(f" {part}", cells, "dim") for part in words.costs(status).split(" · ")]
    if status.away is not None:
        rows += [line(text, cells, "dim") for text in wrap(f" {status.away.says}", cells)[:2]]
    if said := words.spirit(status, now):
        text, tone = said
        rows.append(line(f" {text}", cells, style_of(tone)))
    if status.reach is not None and status.reach.line:
        rows += [line(text, cells, "warn") for text in wrap(f" {safe(status.reach.line)}", cells)[:2]]
    if status.reason:
        rows += [line(text, cells, "warn") for text in wrap(f" {status.reason}", cells)[:2]]
    return rows


def _foot(view: View, cells: int) -> tuple[list[Line], frozenset[str]]:
    rows: list[Line] = []
    for notice in view.notices:
        rows += [line(text, cells, style_of(notice.tone)) for text in wrap(f" {notice.text}", cells)[:NOTICE_ROWS_MAX]]
    keys = " j/k next · i details · ? help · q quit" if len(view.cards) > 1 else " i details · ? help · q quit"
    rows.append(line(keys, cells, "dim"))
    return rows, frozenset(notice.delivery_id for notice in view.notices if notice.delivery_id)


def _body(view: View, cells: int, rows: int, now: datetime) -> Picture:
    card = view.focused
    if card is None:
        return Picture(lines=tuple(_nothing(view, cells)[:rows]), drawn=frozenset())
    wide = min(cells, CARD_CELLS_MAX)
    box = draw_card(view, card, wide, rows, now)
    others = [] if view.details else _others(view, card, max(rows - len(box.lines) - 1, OTHERS_ROWS_MIN))
    if others and len(box.lines) + 1 + len(others) > rows:
        if rows < CARD_ROWS_MIN + OTHERS_ROWS_MIN:
            others = []
        else:
            box = draw_card(view, card, wide, rows - len(others) - 1, now)
    gap: list[Line] = [(Span(""),)] if others else []
    listed = [draw_row(one, cells, now) for one in others]
    drawn = frozenset({card.delivery_id, *(one.delivery_id for one in others)})
    return Picture(
        lines=(*box.lines, *gap, *listed),
        drawn=drawn,
        clipped=box.clipped,
        page_rows=box.page_rows,
        cursor=box.cursor,
    )


def _others(view: View, focused: Shown, rows: int) -> list[Shown]:
    """The cards beside the focused one: what runs first, then what waits, then what is settled."""
    order = {"running": 0, "waiting": 1, "open": 2, "settled": 3}
    others = [card for card in view.cards if card.id != focused.id]
    return sorted(others, key=lambda card: (order[card.phase], not card.sending))[:rows]


def _nothing(view: View, cells: int) -> list[Line]:
    text = "Nothing is waiting for you. A card appears here as soon as there is something worth doing."
    if view.link != "up":
        text = "Cards stay here; you can answer when the connection is back."
    return [line(one, cells, "dim") for one in wrap(f" {text}", cells)]


def _help(cells: int) -> list[Line]:
    rows: list[Line] = [fit((Span(" Keys", "bold"),), cells), (Span(""),)]
    for text in map(words.SAY.fill, HELP):
        halves = [text] if cells >= NARROW_CELLS else [half for half in (text[:29].rstrip(), text[29:]) if half]
        rows += [line(f" {half}", cells) for half in halves]
    rows += [(Span(""),)]
    rows += [line(one, cells, "dim") for one in wrap(" Risky cards need a second key, y.", cells)]
    return [*rows, line(" Press any key to go back.", cells, "dim")]
