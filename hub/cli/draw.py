"""Tables and lines for people. rich is imported here only, and only when a table is printed."""

from collections.abc import Sequence
from datetime import UTC, datetime

import click
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from hub.cli.command import CommandContext
from hub.cli.person_clock import here, now_here
from hub.contract.api import CrossPollStatus, Prediction
from hub.contract.drives import DrivesStatus
from hub.contract.words import Autonomy, Risk, Status
from hub.contract.world_api import WorldStatus
from hub.domain.lookalikes import reveal
from hub.kit.called import as_called
from hub.kit.fates import Fate, fate_of
from hub.kit.naming import UNLESS_PERMITTED, held_of, interruptions_of, place_of, sure_of, where_of, who_of
from hub.kit.phrase_files import phrases
from hub.kit.text import counted, duration

PIPE_COLUMNS = 160
"""The width where there is no terminal: long enough for a line, short enough for a log."""
ID_SHOWN = 18
"""How much of an id a terminal shows in a list, where that tells it from the others: as much as an ordinary id has."""
NOTHING_LET = "autopilot: nothing allowed yet"
"""Said where acting alone is on, and the person has let nothing run alone."""
STATE_TONES = {
    Autonomy.WATCHING: "cyan",
    Autonomy.PRIMING: "yellow",
    Autonomy.AUTONOMOUS: "green",
    Autonomy.PAUSED: "yellow",
    Autonomy.DISABLED: "red",
}
FATE_TONES: dict[Fate, str] = {
    "pending": "cyan",
    "confirmed": "green",
    "executed": "green",
    "handed_over": "yellow",
    "failed": "red",
    "ignored": "yellow",
    "mended": "green",
    "rejected": "yellow",
    "expired": "yellow",
    "passed": "yellow",
    "cancelled": "yellow",
}


def console(context: CommandContext) -> Console:
    """Return where tables go: as wide as the terminal, colours only where they are wanted; markup is never read."""
    plain = Console()
    width = None if plain.is_terminal else PIPE_COLUMNS
    return Console(no_color=not context.colour, highlight=False, markup=False, emoji=False, width=width)


def show(out: Console, *parts: RenderableType) -> None:
    """Print tables and texts, without the spaces at the ends of lines that their layout leaves."""
    with out.capture() as captured:
        for part in parts:
            out.print(part)
    for line in captured.get().splitlines():
        click.echo(line.rstrip(), color=True)  # whether there are colours was decided when they were drawn


def table(headings: Sequence[str], rows: Sequence[Sequence[str | Text]], *, is_cut: bool = False) -> Table:
    """Lay rows out; the last column takes what is left, and with `is_cut` one line."""
    grid = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", show_header=bool(headings), expand=is_cut)
    for number in range(len(rows[0]) if rows else len(headings)):
        heading = headings[number] if headings else ""
        if number < len(headings or rows[0]) - 1:
            grid.add_column(heading, no_wrap=True, overflow="ellipsis")
        elif is_cut:
            grid.add_column(heading, no_wrap=True, overflow="ellipsis", ratio=1)
        else:
            grid.add_column(heading, overflow="fold")
    for row in rows:
        grid.add_row(*(cell if isinstance(cell, Text) else Text(reveal(cell)) for cell in row))
    return grid


def moment(at: datetime) -> str:
    """Write a moment in the person's time, with its day where that is not today."""
    return near(at, "%H:%M:%S", "%Y-%m-%d %H:%M")


def until_moment(at: datetime) -> str:
    """Write the end of something, in the person's time, with its day where that is not today."""
    return near(at, "%H:%M", "%a %d %b %H:%M")


def near(at: datetime, today: str, other_day: str) -> str:
    """Write a moment in the person's time, by one form where that is today and by another where it is not."""
    local = here(at)
    is_today = local.date() == now_here().date()
    return local.strftime(today if is_today else other_day)


def undisturbed(until: datetime) -> str:
    """Say until when Pulse does not disturb, and what ends that."""
    return as_called(f"Do not disturb until {until_moment(until)}. `pulse dnd off` ends it.")


def status_lines(status: CrossPollStatus, *, snoozed: int = 0) -> list[tuple[str, Text]]:
    """Say the autonomous state and its budgets; `snoozed` of the open suggestions do not wait now."""
    state = Text(f"● {'off' if status.state is Autonomy.DISABLED else status.state}", STATE_TONES[status.state])
    is_on = status.autonomous and status.state is not Autonomy.PAUSED
    lets = status.progress is None or status.progress.allowed > 0
    alone = (
        ("autopilot on" if lets else NOTHING_LET)
        if is_on
        else f"asks before everything{UNLESS_PERMITTED if status.grants else ''}"
    )
    quiet = " · quiet hours" if status.quiet and status.dnd_until is None else ""
    return [
        ("state", state.append(f" · {alone}{quiet}", "default")),
        *([("because", Text(reveal(status.reason)))] if status.reason else []),
        *([("away", Text(status.away.says))] if status.away else []),
        *([("alone", Text(status.progress.says))] if status.progress else []),
        *([("quiet", Text(undisturbed(status.dnd_until)))] if status.dnd_until else []),
        *([("model", Text(reveal(status.model_trouble), "yellow"))] if status.model_trouble else []),
        ("waiting", Text(_waiting(status.pending, min(snoozed, status.pending)))),
        *([("attention", Text(attention_line(status)))] if status.attention else []),
        *([("drives", Text(drives_line(status.drives)))] if status.drives else []),
        *([("sessions", said)] if status.world and (said := sessions_line(status.world)) else []),
        (
            "spent",
            Text(
                f"${status.cost_this_hour:.2f} of ${status.cost_cap_per_hour:.2f} this hour · "
                f"${status.cost_today:.2f} of ${status.cost_cap_per_day:.2f} today · "
                f"${status.cost_this_month:.2f} of ${status.cost_cap_per_month:.2f} this month"
            ),
        ),
    ]


def attention_line(status: CrossPollStatus) -> str:
    """Say what today has cost in interruptions, and what waits for a good moment."""
    found = status.attention
    if found is None:
        return ""
    said = [interruptions_of(status, phrases())]
    if found.held:
        said.append(f"{counted(found.held, 'suggestion')} waiting for a good moment")
        said += [f"next digest {until_moment(found.next_digest_at)}"] if found.next_digest_at else []
    return " · ".join(said)


def drives_line(part: DrivesStatus) -> str:
    """Say what presses most, and why Pulse wakes or does not."""
    top = f"{reveal(part.top)} {part.load:.1f} · " if part.top else ""
    return f"{top}{reveal(part.says)}"


def sessions_line(world: WorldStatus) -> Text:
    """Say how many sessions of the world log work, wait to be checked, and need somebody; nothing if none is open."""
    said = [f"{world.active} at work"] if world.active else []
    said += [f"{world.pending} to be checked"] if world.pending else []
    if not world.failed:
        return Text(" · ".join(said))
    needs = f"{counted(world.failed, 'needs', 'need')} you"
    return Text(" · ".join([*said, as_called(f"{needs}: pulse world query session {world.asks}")]), "yellow")


def _waiting(open_cards: int, snoozed: int) -> str:
    if snoozed:
        return f"{open_cards - snoozed} open, {snoozed} snoozed"
    return counted(open_cards, "suggestion")


def cards_table(out: Console, cards: Sequence[Prediction]) -> Table:
    """Lay suggestions out. A script gets whole ids; at a terminal a long one would take the room of the words."""
    ids = [card.id for card in cards]
    shown = [_beginning(card_id, ids) for card_id in ids] if out.is_terminal else ids
    rows = [(begins, *card_row(card)[1:]) for begins, card in zip(shown, cards, strict=True)]
    return table(("id", "sure", "where", "age", "suggestion"), rows)


def past_table(out: Console, cards: Sequence[Prediction]) -> Table:
    """Lay out suggestions that are not open any more, each with what became of it below."""
    ids = [card.id for card in cards]
    shown = [_beginning(card_id, ids) for card_id in ids] if out.is_terminal else ids
    said = [Text.assemble(reveal(card.prompt), "\n", (outcome_line(card), FATE_TONES[fate_of(card)])) for card in cards]
    rows = [
        (begins, moment(card.created_at), reveal(where(card)), text)
        for begins, card, text in zip(shown, cards, said, strict=True)
    ]
    return table(("id", "made", "where", "suggestion"), rows)


def _beginning(card_id: str, ids: Sequence[str]) -> str:
    """Return the shortest beginning of an id, from `ID_SHOWN` on, that no other of the ids has."""
    others = [other for other in ids if other != card_id]
    lengths = range(ID_SHOWN, len(card_id))
    fitting = (card_id[:length] for length in lengths if not any(o.startswith(card_id[:length]) for o in others))
    return next(fitting, card_id)


def card_row(card: Prediction) -> tuple[str | Text, ...]:
    """One suggestion as a row: id, how sure, where or who asks, age, marks and text."""
    now = datetime.now(UTC)
    marks = [badge.value for badge in card.badges]
    if card.risk is not Risk.LOW:
        marks.append(f"{card.risk} risk")
    if card.held is not None:
        marks.append(held_of(card, phrases()))
    if card.snoozed_until is not None and card.snoozed_until > now:
        marks.append(f"snoozed until {moment(card.snoozed_until)}")
    if card.status is Status.PENDING and card.outcome:  # it ran before and came back
        marks.append(card.outcome.partition(":")[0])
    said = Text(reveal(card.prompt))
    if card.runs is not None and card.status is Status.PENDING:
        said.append(f"  {reveal(card.runs.line)}", "dim")
    if card.asked:
        said.append(f"  {phrases().say('asked.told', text=reveal(card.asked))}", "dim")
    if marks:
        said.append(f"  [{', '.join(marks)}]", "yellow")
    return (card.id, sure(card), reveal(where(card)), duration(now - card.created_at), said)


def answers_to_the_like(card: Prediction) -> str:
    """Say how the person answered the like, where they did."""
    said = card.likelihood
    return f"you said yes to {said.yes} of {said.answers}" if said is not None and said.answers else ""


def sure(card: Prediction) -> str:
    """Say how sure Pulse is of a suggestion; nothing where nothing was learnt, or where somebody else asks."""
    said = sure_of(card)
    return "" if said is None else phrases().written(said)


def where(card: Prediction) -> str:
    """Say what a card is about: its repository, or who asks, or what kind of work it is."""
    return place_of(card, phrases())


def outcome_line(card: Prediction) -> str:
    """Say in one line what became of a suggestion."""
    settled = card.settled
    words, by = phrases(), ""
    if settled:
        said = words.say(f"{settled.verb.value}.by", who=who_of(settled.by), where=where_of(settled.surface))
        by = f", {said} at {moment(settled.at)}"
    return reveal(f"{words.say(fate_of(card))}{by}{': ' + card.outcome if card.outcome else ''}")
