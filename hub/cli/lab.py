"""`pulse lab`: how well what Pulse expects agrees with answers that are known."""

import sys
from pathlib import Path

import click

from hub.cli import draw
from hub.cli.command import CommandContext, group
from hub.cli.lab_replay import replay_folder
from hub.contract.errors import UserError
from hub.lab import ScoreReport, read_offers, score
from hub.lab.marks import Marks
from hub.lab.rows import FILE_BYTES_MAX

BAR_CELLS = 40


@group()
def lab() -> None:
    """Measure how well Pulse predicts your answers. Nothing is run, and no answer is changed."""


lab.add_command(replay_folder)


@lab.command("score")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
@click.option("--reliability", is_flag=True, help="Also show predictions against outcomes.")
@click.pass_obj
def score_file(context: CommandContext, file: Path, *, reliability: bool) -> None:
    """Score the shipped prior on labelled offers: offer it, or stay silent.

    FILE holds JSON lines like {"obs": [{"event": "…"}], "pred_task": "…", "valid": true}; - reads standard input.
    pred_task null means that nothing was offered, and valid then that staying silent was right; valid is never
    looked at for predicting. With --json: auc, f1, precision, recall, ece, brier, rows, labelled; the same apart
    for offers and silences; and the curve.
    """
    report = score(read_offers(_content(file)))
    if context.printed(report):
        return
    every = Marks(
        rows=report.labelled,
        right=None,
        auc=report.auc,
        f1=report.f1,
        precision=report.precision,
        recall=report.recall,
        ece=report.ece,
        brier=report.brier,
    )
    parts = (("all", every), ("with an offer", report.offers), ("silent", report.silences))
    lines = [(name, str(marks.rows), *_shown(marks)) for name, marks in parts]
    draw.show(
        draw.console(context), draw.table(("", "rows", "AUC", "F1", "precision", "recall", "ECE", "Brier"), lines)
    )
    if report.labelled < report.rows:
        context.say(f"Rows without a label, which were not scored: {report.rows - report.labelled}.")
    if reliability:
        _say_curve(context, report)


def _shown(marks: Marks) -> tuple[str, ...]:
    found = (marks.auc, marks.f1, marks.precision, marks.recall, marks.ece, marks.brier)
    return tuple("-" if one is None else f"{one:.3f}" for one in found)


def _say_curve(context: CommandContext, report: ScoreReport) -> None:
    context.say("expected  came   rows")
    for band in report.curve:
        bar = "█" * round(BAR_CELLS * band.came)
        context.say(f"{band.expected:8.0%}  {band.came:4.0%}  {band.rows:5}  {bar}")


def _content(file: Path) -> bytes:
    """Read no more than what is taken, and one byte, which tells that there is more."""
    try:
        if str(file) == "-":
            return sys.stdin.buffer.read(FILE_BYTES_MAX + 1)
        with file.open("rb") as opened:
            return opened.read(FILE_BYTES_MAX + 1)
    except OSError as error:
        raise UserError(f"{file} cannot be read: {error}.", fix="Name a file of JSON lines.") from error
