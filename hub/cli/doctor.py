"""`pulse doctor`: look for what is wrong, and say what to do."""

import click
import msgspec

from hub.cli.checkup import examine
from hub.cli.command import EXIT_FAILED, Here, command
from hub.domain.lookalikes import reveal

MARKS = {"ok": ("✓", "green"), "note": ("·", None), "warning": ("!", "yellow"), "broken": ("✗", "red")}


@command()
@click.pass_context
def doctor(ctx: click.Context) -> None:
    """Look for what is wrong, and say what to do.

    Exit status: 0 nothing is broken, 1 something is.
    """
    here: Here = ctx.obj
    findings = examine(here.home)
    broken = sum(finding.state == "broken" for finding in findings)
    if here.as_json:
        here.document(msgspec.json.encode({"ok": not broken, "findings": findings}))
        ctx.exit(EXIT_FAILED if broken else 0)
    wide = max(len(finding.name) for finding in findings)
    for finding in findings:
        mark, tone = MARKS[finding.state]
        click.echo(f"{click.style(mark, fg=tone)} {finding.name:<{wide}} {reveal(finding.detail)}", color=here.colours)
        if finding.fix:
            here.say(f"  {'':<{wide}} → {reveal(finding.fix)}")
    here.say()
    here.say("Nothing is broken." if not broken else f"{broken} broken: see → above.", "red" if broken else "green")
    ctx.exit(EXIT_FAILED if broken else 0)
