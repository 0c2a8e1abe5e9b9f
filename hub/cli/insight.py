"""`pulse insight`: how suggestions were answered, how sure Pulse was and how right, what it cost."""

from collections.abc import Sequence

import click
from rich.console import Console
from rich.text import Text

from hub.cli import draw
from hub.cli.api import open_api, read
from hub.cli.command import CommandContext, command
from hub.contract.insight import Cap, ChancesJudged, Day, InsightAnswer
from hub.kit.naming import channel_title
from hub.kit.phrase_files import phrases
from hub.kit.text import counted

DAYS_MAX = 365
BARS = "▁▂▃▄▅▆▇█"
NO_ANSWER = "·"
BAR_CELLS = 5
SHARE_FROM = 10
"""Short enough for the table of days on 80 columns."""


@command()
@click.option(
    "--days", type=click.IntRange(1, DAYS_MAX), default=30, show_default=True, help="How many days, including today."
)
@click.pass_obj
def insight(context: CommandContext, days: int) -> None:
    """Show how suggestions were answered, how confident Pulse was, and what it cost.

    Day by day, by kind of work, and by confidence. With --json: the answer of GET /api/v1/insight.
    """
    document = open_api(context.home).call("GET", f"/insight?days={days}")
    if context.printed(document):
        return
    found = read(document, InsightAnswer)
    out = draw.console(context)
    draw.show(out, draw.table((), _summary(found)))
    if any(_is_busy(day) for day in found.days):
        _tables(out, found)
    else:
        context.hint("\nNothing was suggested on these days. To ask for a suggestion now: `pulse trigger`.")
    if found.truncated:
        context.say("\nThere is more than can be counted at once, so the oldest days are incomplete.", "yellow")


def sparkline(rates: Sequence[float | None]) -> str:
    """Draw one bar for each share, from low to full; a dot where there is none."""
    return "".join(NO_ANSWER if rate is None else BARS[min(len(BARS) - 1, int(rate * len(BARS)))] for rate in rates)


def bar(share: float | None) -> str:
    """Draw a share as a bar with its number."""
    if share is None:
        return "-"
    full = round(share * BAR_CELLS)
    return f"{'█' * full}{'░' * (BAR_CELLS - full)} {share:.0%}"


def _approved(yes: int, answered: int) -> str:
    """Return how many suggestions were approved; a share of few answers would say more than is known."""
    if not answered:
        return "nothing answered yet"
    return f"{yes} of {answered} approved" if answered < SHARE_FROM else f"{yes / answered:.0%} of {answered} approved"


def _summary(found: InsightAnswer) -> list[tuple[str | Text, ...]]:
    yes, no = sum(day.approved for day in found.days), sum(day.rejected for day in found.days)
    made, loud = sum(day.suggestions for day in found.days), sum(day.interruptions for day in found.days)
    share = _approved(yes, yes + no)
    handed = sum(day.handed_over for day in found.days)
    first, last = found.days[0].day, found.days[-1].day
    return [
        ("days", f"{first} to {last} ({found.zone})"),
        ("approved", Text(f"{sparkline([day.approval_rate for day in found.days])}  {share}", "cyan")),
        ("made", f"{counted(made, 'suggestion')}, {counted(loud, 'interruption')}"),
        *([("handed over", f"{counted(handed, 'run')}, not confirmed")] if handed else []),
        ("spent", " · ".join(map(_cap, found.caps))),
    ]


def _cap(cap: Cap) -> str:
    return f"${cap.spent_usd:.2f} of ${cap.cap_usd:.2f} this {cap.window}".replace("this day", "today")


def _tables(out: Console, found: InsightAnswer) -> None:
    days = [_day_row(day) for day in found.days if _is_busy(day)]
    headings = ("day", "made", "yes", "no", "expired", "done", "failed", "blocked", "sound", "cost", "approved")
    draw.show(out, "", draw.table(headings, days))
    words = phrases()
    channels = [
        (
            channel_title(one.channel, words),
            *map(str, (one.suggestions, one.approved, one.rejected, one.executed, one.handed_over, one.failed)),
            *(f"${one.cost_usd:.2f}", bar(_share(one.approved, one.rejected))),
        )
        for one in found.channels
    ]
    over = ("kind of work", "made", "yes", "no", "done", "handed", "failed", "cost", "approved")
    draw.show(out, "", draw.table(over, channels))
    bands = [
        (f"{one.low:.0%} to {one.high:.0%}", str(one.answered), bar(one.mean_confidence), bar(one.approval_rate))
        for one in found.calibration
        if one.answered
    ]
    if bands:
        draw.show(out, "", draw.table(("sure", "answered", "said", "approved"), bands))
    points = [
        (f"{one.low:.0%} to {one.high:.0%}", str(one.answers), bar(one.said), bar(one.came))
        for one in found.chances.points
    ]
    draw.show(out, "", Text(_believed(found.chances)))
    if points:
        draw.show(out, draw.table(("chance of a yes", "answers", "said", "came"), points))


def _believed(found: ChancesJudged) -> str:
    if found.apart is None or found.brier is None or found.sharpness is None:
        left = counted(found.more, "more answer")
        return f"How likely Pulse thought your yes: {left} until this can be judged."
    return (
        f"How likely Pulse thought your yes, and what you said ({found.answers} answers): {found.apart:.0%} apart on "
        f"average. Brier score {found.brier:.2f} (0 is perfect, 0.25 a coin), "
        f"sharpness {found.sharpness:.2f} (0 means the same was said each time)."
    )


def _day_row(day: Day) -> tuple[str, ...]:
    made = (day.suggestions, day.approved, day.rejected, day.expired)
    came = (day.executed, day.failed, day.blocked, day.interruptions)
    return (f"{day.day:%d %b}", *map(str, (*made, *came)), f"${day.cost_usd:.2f}", bar(day.approval_rate))


def _is_busy(day: Day) -> bool:
    ran = day.executed or day.handed_over or day.failed
    return bool(day.suggestions or ran or day.blocked or day.interruptions or day.cost_usd)


def _share(yes: int, no: int) -> float | None:
    return yes / (yes + no) if yes + no else None
