"""`pulse doctor`: look for what is wrong, and say what to do; or for who could come in, and what they would need."""

from collections.abc import Sequence

import click
import msgspec

from hub.cli.arriving import arriving
from hub.cli.checkup import CheckResult, examine
from hub.cli.command import EXIT_FAILED, CommandContext, command
from hub.cli.doors import Door, doors
from hub.domain.lookalikes import reveal
from hub.kit.called import as_called

MARKS = {"ok": ("✓", "green"), "note": ("·", None), "warning": ("!", "yellow"), "broken": ("✗", "red")}
THREATS = "SECURITY.md explains what each could still do, and what Pulse promises."


@command()
@click.option("--security", is_flag=True, help="List every way into this Pulse, and what it requires.")
@click.pass_context
def doctor(ctx: click.Context, *, security: bool) -> None:
    """Find problems, and say how to fix them.

    Exit status: 0 everything works, 1 something is broken.
    """
    context: CommandContext = ctx.obj
    found: Sequence[CheckResult | Door] = (
        doors(context.home) if security else [*examine(context.home), *arriving(context.home)]
    )
    broken = sum(one.state == "broken" for one in found)
    if context.as_json:
        key = "doors" if security else "findings"
        context.document(msgspec.json.encode({"ok": not broken, key: found}))
        ctx.exit(EXIT_FAILED if broken else 0)
    wide = max(len(one.name) for one in found)
    for one in found:
        show_finding(context, one, wide)
    context.say()
    context.say("Everything works." if not broken else f"{broken} broken: see → above.", "red" if broken else "green")
    if security:
        context.say(THREATS)
    ctx.exit(EXIT_FAILED if broken else 0)


def show_finding(context: CommandContext, one: CheckResult | Door, wide: int) -> None:
    """Print one thing that was looked at, with what to do about it."""
    mark, tone = MARKS[one.state]
    detail = one.where if isinstance(one, Door) else one.detail
    click.echo(f"{click.style(mark, fg=tone)} {one.name:<{wide}} {reveal(as_called(detail))}", color=context.colours)
    if isinstance(one, Door) and one.asks:
        context.say(f"  {'':<{wide}} requires: {reveal(as_called(one.asks))}")
    if one.fix:
        context.say(f"  {'':<{wide}} → {reveal(as_called(one.fix))}")
