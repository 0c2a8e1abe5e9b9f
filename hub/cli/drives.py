"""`pulse drives`: what presses, why Pulse woke or did not, and what was changed of it by whom."""

import math
import urllib.parse
import uuid
from datetime import datetime

import click

from hub.cli import draw
from hub.cli.api import open_api, read
from hub.cli.command import CommandContext, group
from hub.cli.drive_files import export
from hub.cli.drive_import import import_
from hub.cli.drive_lines import bar, curve
from hub.cli.person_clock import here
from hub.contract.drives import (
    AuditView,
    DrivesHistory,
    DrivesView,
    DriveView,
    FeedbackAnswer,
    FeedbackRequest,
    IdleReason,
    MutationsAnswer,
    MutationView,
    Outcome,
    WeightRequest,
)
from hub.domain.lookalikes import reveal
from hub.kit.called import as_called
from hub.kit.text import counted, one_line

PATH = "/drives"
REASON_CHARS_MAX = 60
WAKES_SHOWN_MAX = 20
DAYS_MAX = 90
AUDIT_MAX = 1_000
EXIT_BROKEN = 1
IDLE: dict[IdleReason, str] = {
    "no-agent": "no agent here can do it; `pulse agent setup` adds one",
    "less-wanted": "you asked to see it less often; see `pulse muted`",
    "answered": "you already answered it, or let it expire",
}


@group(invoke_without_command=True)
@click.pass_context
def drives(ctx: click.Context) -> None:
    """Show the drives, their pressure, and why Pulse wakes or does not.

    Without a command: each drive as a bar, its open needs, and the total against the threshold. With --json:
    the answer of GET /api/v1/drives. docs/drives.md explains it.
    """
    if ctx.invoked_subcommand is None:
        context: CommandContext = ctx.obj
        document = open_api(context.home).call("GET", PATH)
        if not context.printed(document):
            _show(context, read(document, DrivesView))


@drives.command("history")
@click.option("--days", type=click.IntRange(1, DAYS_MAX), default=7, show_default=True, help="How many days back.")
@click.pass_obj
def history(context: CommandContext, days: int) -> None:
    """Show pressure over several days, and each time it woke Pulse."""
    document = open_api(context.home).call("GET", f"{PATH}/history?days={days}")
    if context.printed(document):
        return
    found = read(document, DrivesHistory)
    names = sorted({line.name for sample in found.samples for line in sample.drives})
    if names:
        rows = [(reveal(name), curve(found, name)) for name in names]
        draw.show(
            draw.console(context), draw.table(("drive", f"pressure, {_day(found.since)} to {_day(found.until)}"), rows)
        )
    else:
        context.say("There was no pressure on these days.")
    for wake in found.wakes[-WAKES_SHOWN_MAX:]:
        ended = f"  → {wake.ended}" if wake.ended else ""
        context.say(f"{_moment(wake.at)}  {reveal(wake.says)}{ended}")
    if not found.wakes:
        context.say("Pulse did not wake.")


@drives.command("weight")
@click.argument("name")
@click.argument("value", type=click.FloatRange(0, 3))
@click.pass_obj
def weight(context: CommandContext, name: str, value: float) -> None:
    """Change how much a drive counts.

    Example: pulse drives weight curiosity 0.8
    """
    if not math.isfinite(value):
        raise click.UsageError("A weight is a number from 0 to 3.")
    document = open_api(context.home).call("POST", f"{PATH}/weights", WeightRequest(name=name, weight=value))
    _changed(context, document)


@drives.command("feedback")
@click.option(
    "--drive", "names", multiple=True, required=True, help="The drive that was worked on; repeat for several."
)
@click.option("--outcome", type=click.Choice(["success", "partial", "blocked"]), required=True, help="The result.")
@click.option("--summary", default="", help="What was done, in one line.")
@click.option("--key", help="A key, so that the same report counts once; generated if left out.")
@click.pass_obj
def feedback(context: CommandContext, names: tuple[str, ...], outcome: Outcome, summary: str, key: str | None) -> None:
    """Report what was done, so that pressure falls.

    Example: pulse drives feedback --drive goals --outcome success --summary "Shipped it"
    """
    body = FeedbackRequest(
        drives_addressed=names, outcome=outcome, summary=summary, idempotency_key=key or uuid.uuid4().hex
    )
    document = open_api(context.home).call("POST", f"{PATH}/feedback", body)
    if context.printed(document):
        return
    found = read(document, FeedbackAnswer)
    for name, moved in found.decayed.items():
        context.say(f"✓ {reveal(name)}: {moved.before:.1f} → {moved.after:.1f}", "green")
    if found.repeated:
        context.say("This was already reported; nothing changed.")


@drives.command("audit")
@click.option("--limit", type=click.IntRange(1, AUDIT_MAX), default=50, show_default=True, help="How many to show.")
@click.pass_context
def audit(ctx: click.Context, limit: int) -> None:
    """Show who changed what and why, and check the record for tampering.

    All changes are checked and the latest shown. The exit status is 1 if the record was altered.
    """
    context: CommandContext = ctx.obj
    document = open_api(context.home).call("GET", f"{PATH}/mutations?limit={limit}")
    found = read(document, AuditView)
    if not context.printed(document):
        for one in found.mutations:
            _line(context, one)
        _verdict(context, found)
    if not found.intact:
        ctx.exit(EXIT_BROKEN)


@drives.command("undo")
@click.argument("change_id", metavar="ID")
@click.pass_obj
def undo(context: CommandContext, change_id: str) -> None:
    """Undo a change.

    `pulse drives audit` lists them. Example: pulse drives undo mut_7f3a1
    """
    path = f"{PATH}/mutations/{urllib.parse.quote(change_id, safe='')}/undo"
    _changed(context, open_api(context.home).call("POST", path))


drives.add_command(export)
drives.add_command(import_)


def _show(context: CommandContext, found: DrivesView) -> None:
    rows = [
        (reveal(one.name), bar(one.pressure, one.pressure_max), f"{one.load:.1f}", _open(one)) for one in found.drives
    ]
    rows.append(("total", bar(found.total, found.threshold), f"{found.total:.1f}", f"wakes at {found.threshold:.1f}"))
    draw.show(draw.console(context), draw.table(("drive", "pressure", "weighs", "open"), rows))
    context.say(reveal(found.verdict.says))
    for each in found.idle:
        context.say(f"Not counted: {one_line(reveal(each.says), REASON_CHARS_MAX)} ({as_called(IDLE[each.why])})")
    if found.last_wake is not None:
        context.say(f"{_moment(found.last_wake.at)}  {reveal(found.last_wake.says)}")


def _open(one: DriveView) -> str:
    if not one.wants:
        return "-"
    more = f" (+{one.open - 1})" if one.open > 1 else ""
    waits = "" if one.counts else ", suggested recently"
    return f"{one_line(reveal(one.wants[0].says), REASON_CHARS_MAX)}{more}{waits}"


def _changed(context: CommandContext, document: bytes) -> None:
    if context.printed(document):
        return
    for one in read(document, MutationsAnswer).mutations:
        _line(context, one)


def _line(context: CommandContext, one: MutationView) -> None:
    """Show one change in a line, and why in another."""
    values = [f"{value:g}" for value in (one.before, one.after) if value is not None]
    change = " → ".join(values) or ("" if one.value is None else f"{one.value:g}")
    words = f"{one.type} {reveal(one.drive)}".strip()
    undoes = f"  undoes {one.undoes}" if one.undoes else ""
    context.say(f"{_moment(one.at)}  {one.id}  {reveal(one.by)}  {words} {change}  {one.status}{undoes}", bold=True)
    for text in (one.reason, one.note):
        if text:
            context.say(f"  {reveal(text)}")


def _verdict(context: CommandContext, found: AuditView) -> None:
    if found.broken is None:
        context.say(f"✓ {counted(found.count, 'change')}, none altered.", "green")
        return
    context.say(f"✗ Record {found.broken.index + 1}: {reveal(found.broken.says)}", "red")


def _moment(at: datetime) -> str:
    return f"{here(at):%Y-%m-%d %H:%M}"


def _day(at: datetime) -> str:
    return f"{here(at):%d %b}"
