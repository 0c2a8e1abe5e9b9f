"""`pulse doctor`: look for what is wrong, and say what to do; or for who could come in, and what they would need."""

from collections.abc import Sequence

import click
import msgspec

from hub import __version__
from hub.cli.arriving import arriving
from hub.cli.checkup import CheckResult, examine
from hub.cli.command import EXIT_FAILED, CommandContext, command
from hub.cli.doors import Door, doors
from hub.domain.lookalikes import reveal
from hub.kit.called import as_called
from hub.kit.text import counted

MARKS = {"ok": ("✓", "green"), "note": ("·", None), "warning": ("!", "yellow"), "broken": ("✗", "red")}
THREATS = "SECURITY.md explains what each could still do, and what Pulse promises."


@command()
@click.option("--all", "everything", is_flag=True, help="Also list the checks that passed.")
@click.option("--security", is_flag=True, help="List every way into this Pulse, and what it requires.")
@click.pass_context
def doctor(ctx: click.Context, *, everything: bool, security: bool) -> None:
    """Find problems, and say how to fix them.

    Exit status: 0 nothing is broken, 1 something is.
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
    shown = found if everything or security else [one for one in found if one.state != "ok"]
    wide = max((len(one.name) for one in shown), default=0)
    if passed := len(found) - len(shown):
        context.say(f"✓ Pulse {__version__}: {counted(passed, 'check')} passed (--all lists them)", "green")
    for one in shown:
        show_finding(context, one, wide)
    context.say()
    context.say(*verdict_of(found))
    if security:
        context.say(THREATS)
    ctx.exit(EXIT_FAILED if broken else 0)


def verdict_of(found: Sequence[CheckResult | Door]) -> tuple[str, str]:
    """Return the sentence about all that was looked at, and its colour."""
    states = [one.state for one in found]
    if broken := states.count("broken"):
        return f"{counted(broken, 'check')} failed: see → above.", "red"
    if warnings := states.count("warning"):
        are = "is" if warnings == 1 else "are"
        return f"Nothing is broken, but there {are} {counted(warnings, 'warning')}: see → above.", "yellow"
    return "No problems found.", "green"


def show_finding(context: CommandContext, one: CheckResult | Door, wide: int) -> None:
    """Print one thing that was looked at, with what to do about it."""
    mark, tone = MARKS[one.state]
    detail = one.where if isinstance(one, Door) else one.detail
    margin = " " * (wide + 3)
    context.say_below(f"{click.style(mark, fg=tone)} {one.name:<{wide}} ", reveal(as_called(detail)), margin)
    if isinstance(one, Door) and one.asks:
        context.say_below(margin, f"requires: {reveal(as_called(one.asks))}", f"{margin}  ")
    if one.fix:
        context.say_below(margin, f"→ {reveal(as_called(one.fix))}", f"{margin}  ")
