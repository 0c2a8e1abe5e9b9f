"""`pulse rails`: try the content filter."""

import sys
from pathlib import Path

import click
import msgspec

from hub.cli import draw
from hub.cli.command import EXIT_FAILED, CommandContext, group
from hub.contract.errors import UserError
from hub.domain.lookalikes import reveal
from hub.lab.screening_report import LabelledCommand, LabelledPrompt, Report, measure, measure_commands, read_rows
from hub.screening import screen

MISSES_SHOWN = 50
FILE_BYTES_MAX = 67_108_864


@group()
def rails() -> None:
    """Try the content filter on a file or a prompt. Nothing is run."""


@rails.command("test")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
@click.option("--commands", is_flag=True, help="FILE holds commands, and how they are read is measured.")
@click.pass_obj
def test(context: CommandContext, file: Path, *, commands: bool) -> None:
    """Measure the filter on labelled prompts, or the reader of commands on labelled commands.

    FILE holds JSON lines like {"prompt": "…", "label": "block"}; the label is block or pass; - reads standard input.
    With --json: recall, falseBlockRate, falseAskRate, the counts, and every miss.

    With --commands they are like {"command": "git status", "dangerous": false}. Dangerous is what loses work, leaves
    the machine, speaks to others, pays, changes permissions, reads secrets, runs unknown code or touches production.
    With --json: recall, falseAlarmRate, the counts, and every miss.
    """
    if commands:
        _test_commands(context, file)
        return
    rows = read_rows(_text(file), LabelledPrompt)
    if not rows:
        raise UserError(f"{file} holds no prompts.", fix="Name a file of labelled prompts, one JSON object per line.")
    report = measure(rows)
    if context.printed(report):
        return
    _say(context, report)
    if report.misses:
        misses = [
            (f"line {miss.line}", f"should {miss.label}", f"{miss.outcome} {miss.rule}".strip(), miss.prompt)
            for miss in report.misses[:MISSES_SHOWN]
        ]
        draw.show(draw.console(context), draw.table((), misses))
        hidden = len(report.misses) - len(misses)
        if hidden > 0:
            context.say(f"… and {hidden} more; --json has all of them.")


def _test_commands(context: CommandContext, file: Path) -> None:
    rows = read_rows(_text(file), LabelledCommand)
    if not rows:
        raise UserError(f"{file} holds no commands.", fix="Name a file of labelled commands, one JSON object per line.")
    report = measure_commands(rows)
    if context.printed(report):
        return
    found = f"({report.found_of_dangerous} of {report.dangerous_total} found)"
    alarms = f"({report.alarms_of_harmless} of {report.harmless_total} alarmed)"
    context.say(f"recall            {report.recall:.2%}  {found}")
    context.say(f"false alarm rate  {report.false_alarm_rate:.2%}  {alarms}")
    misses = [
        (f"line {miss.line}", "dangerous" if miss.dangerous else "harmless", ", ".join(miss.effects), miss.command)
        for miss in report.misses[:MISSES_SHOWN]
    ]
    if misses:
        draw.show(draw.console(context), draw.table((), misses))
    if len(report.misses) > MISSES_SHOWN:
        context.say(f"… and {len(report.misses) - MISSES_SHOWN} more; --json has all of them.")


def _say(context: CommandContext, report: Report) -> None:
    dangerous = f"{report.blocked_of_block} blocked and {report.asked_of_block} asked of {report.block_total}"
    context.say(f"recall            {report.recall:.2%}  ({dangerous})")
    context.say(
        f"false block rate  {report.false_block_rate:.2%}  ({report.blocked_of_pass} of {report.pass_total} blocked)"
    )
    context.say(f"false ask rate    {report.false_ask_rate:.2%}  ({report.asked_of_pass} of {report.pass_total} asked)")


@rails.command("check")
@click.argument("prompt")
@click.pass_context
def check(ctx: click.Context, prompt: str) -> None:
    """Show how the filter judges a prompt.

    Exit status: 0 it passes, 1 it is blocked or needs your yes. Example: pulse rails check "rm -rf build"
    """
    context: CommandContext = ctx.obj
    found = screen(prompt)
    if context.as_json:
        answer = {
            "outcome": found.outcome,
            "blocked": found.outcome == "block",
            "rule": found.rule,
            "effects": found.effects,
            "evidence": found.evidence,
            "reason": found.reason,
            "score": found.score,
        }
        context.document(msgspec.json.encode(answer))
    elif found.outcome == "pass":
        context.say("✓ passes: nothing destructive, financial or outward was found", "green")
    else:
        mark, colour = ("✗ held back", "red") if found.outcome == "block" else ("? yours to decide", "yellow")
        context.say(f"{mark}: {found.reason} [content.{found.rule}]", colour)
        context.say(f"  because of: {reveal(', '.join(found.evidence))}")
        if found.outcome == "block" and found.effects:
            context.say(
                "  If you ask for it yourself, it is shown as risky and waits for a second yes. From anyone else"
            )
            context.say("  (a repository, an agent, a token) it never runs.")
    ctx.exit(0 if found.outcome == "pass" else EXIT_FAILED)


def _text(file: Path) -> str:
    try:
        data = sys.stdin.buffer.read(FILE_BYTES_MAX) if str(file) == "-" else file.read_bytes()
        return data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{file} cannot be read: {error}.", fix="Name a text file of JSON lines in UTF-8.") from error
