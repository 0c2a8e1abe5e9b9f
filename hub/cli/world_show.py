"""Sessions and lines of the world log for people: aligned, and coloured by status. Words come here safe to show."""

from datetime import UTC, datetime

import click

from hub.cli.command import CommandContext
from hub.cli.draw import near
from hub.contract.world import AgentStatus
from hub.contract.world_api import WorldLineView, WorldSessionView
from hub.contract.world_day import WorldLane
from hub.domain.lookalikes import reveal
from hub.kit.text import counted, duration, one_line

TONES = {
    AgentStatus.START: "cyan",
    AgentStatus.ACTIVE: "cyan",
    AgentStatus.FINISH: "yellow",
    AgentStatus.VERIFIED: "green",
    AgentStatus.RETRY: "yellow",
    AgentStatus.FAILED: "red",
}
TEXT_CHARS_MAX = 500
CELL_CHARS_MAX = 120
TAG_WIDTH, TIME_WIDTH = 9, 8
CHECKED = {"proof": "by proof", "model": "by a model", "person": "by you"}


def status_said(one: WorldSessionView | WorldLane) -> str:
    """Return how a session is; what nobody asks about any more is said otherwise."""
    if not one.left:
        return one.status
    return {AgentStatus.FAILED: "failed, left", AgentStatus.FINISH: "handed over"}.get(one.status, one.status)


def line(context: CommandContext, one: WorldLineView) -> None:
    """Print one line of the log."""
    at = f"{_time(one.at) if one.at else '-':<{TIME_WIDTH}}"
    click.echo(f"{at}  {_words(one)}".rstrip(), color=context.colours)


def lines(context: CommandContext, found: tuple[WorldLineView, ...]) -> None:
    """Print several lines of the log."""
    for one in found:
        line(context, one)


def sessions(context: CommandContext, found: tuple[WorldSessionView, ...], more: int) -> None:
    """Print sessions as a table."""
    from rich.text import Text  # noqa: PLC0415  only where a table is drawn

    from hub.cli import draw  # noqa: PLC0415  the same

    now = datetime.now(UTC)
    rows = [
        (one.id, Text(status_said(one), TONES[one.status]), duration(now - one.moved_at), str(one.tries), _cell(one))
        for one in found
    ]
    draw.show(draw.console(context), draw.table(("session", "status", "for", "try", "task"), rows))
    if more:
        context.say(f"… and {counted(more, 'more session', 'more sessions')}: --limit shows more.")


def session(context: CommandContext, one: WorldSessionView) -> None:
    """Print all that is known of one session."""
    from rich.text import Text  # noqa: PLC0415  only where a table is drawn

    from hub.cli import draw  # noqa: PLC0415  the same

    checked = f" ({CHECKED[one.checked_by]})" if one.checked_by else ""
    told: list[tuple[str, str | Text]] = [
        ("session", one.id),
        ("status", Text(f"{status_said(one)}{checked}, since {_time(one.moved_at)}", TONES[one.status])),
        ("task", one.task),
        ("need", one.need),
        ("said", one.said),
        ("asks you", one.asks),
        ("began", _time(one.started_at)),
        ("try", f"{one.tries}" + (f", {counted(one.retries, 'retry', 'retries')} in all" if one.retries else "")),
        ("agent", one.agent),
        ("folder", one.folder),
        ("process", "" if one.pid is None else str(one.pid)),
        ("proven", "every line is known to be its own or Pulse's" if one.proven else "no: lines of the file moved it"),
        ("refused", "" if not one.refused else f"{counted(one.refused, 'line')} could not follow, or were not its own"),
        ("card", one.card_id or ""),
    ]
    draw.show(draw.console(context), draw.table((), [row for row in told if row[1]]))


def taken(context: CommandContext, one: WorldSessionView | None, *, repeated: bool) -> None:
    """Say that a line was taken."""
    again = " (it was said before; nothing changed)" if repeated else ""
    if one is None:
        context.say(f"✓ written{again}", "green")
    else:
        context.say(f"✓ {one.id} is {one.status}{again}", TONES[one.status])


def _words(one: WorldLineView) -> str:
    text = one_line(reveal(one.text), TEXT_CHARS_MAX)
    match one.kind:
        case "agent":
            tag = click.style(f"{one.tag:<{TAG_WIDTH}}", fg=TONES[AgentStatus(one.tag)])
            need = f" | need: {one_line(reveal(one.need), TEXT_CHARS_MAX)}" if one.need else ""
            return f"{tag}  {one.name}  {text}{need}"
        case "event":
            name = one_line(reveal(one.name), CELL_CHARS_MAX)
            return f"{click.style(f'{one.tag:<{TAG_WIDTH}}', fg='blue')}  {name}  {text}"
        case "read":
            return click.style(f"{'read':<{TAG_WIDTH}}  {one.tag or 'somebody'} read {one.name}", dim=True)
        case "remark":
            return click.style(f"# {text}", dim=True)
        case "unparsed":
            return click.style(f"{'?':<{TAG_WIDTH}}  {text}  ({one.fault}, {one.size_bytes:,} bytes)", fg="yellow")


def _cell(one: WorldSessionView) -> str:
    said = f"asks you: {one.asks}" if one.asks and one.status is AgentStatus.FAILED else one.said
    task = one_line(one.task, CELL_CHARS_MAX)
    return task if said in {"", one.task} else f"{task} · {one_line(said, CELL_CHARS_MAX)}"


def _time(at: datetime) -> str:
    return near(at, "%H:%M:%S", "%Y-%m-%d %H:%M:%S")
