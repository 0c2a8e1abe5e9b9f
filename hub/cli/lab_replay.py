"""`pulse lab replay`: what Pulse would have said of recorded work, before scripted persons, beside plain rules."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import click
from msgspec.structs import replace

from hub.cli import draw
from hub.cli.command import CommandContext, command
from hub.contract.errors import UserError
from hub.domain.policy import Agent
from hub.io.sensors.past_commits import past_commits
from hub.lab.replay import (
    HISTORY_FORMAT,
    Figure,
    ReplayReport,
    TraceEvent,
    read_history,
    read_observed,
    read_trace,
    report_of,
)
from hub.lab.replay.report import DAYS_MAX, PersonFigures
from hub.lab.replay.trace import TRACE_BYTES_MAX
from hub.loop import State
from hub.settings import Settings, policy_of

ANYBODY = Agent(name="anybody", kind="command", argv=("replay",))
"""In a replay there is an agent for everything; it runs nothing."""
FILES_MAX = 100
COLUMNS = (
    ("precision", "precision"),
    ("recall", "recall"),
    ("interruptions_a_day", "a day"),
    ("ece", "ECE"),
    ("cost_a_day", "cost a day"),
    ("regret_a_day", "regret a day"),
)


@command("replay")
@click.argument("folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--days", type=click.IntRange(1, 366), default=DAYS_MAX, help="Only this many of the latest days with events."
)
@click.option("--persons", is_flag=True, help="Show each person as well as the total.")
@click.pass_obj
def replay_folder(context: CommandContext, folder: Path, *, days: int, persons: bool) -> None:
    """Replay recorded work before scripted persons: would Pulse have asked at the right times?

    DIR holds traces (trace*.jsonl, docs/lab.md; also trace_*.json of ProactiveBench), is a git repository, or holds
    some; all are replayed as one person's work, under a virtual clock and with the default settings. Nothing is run,
    and nothing is kept. Pulse is set beside plain rules: always ask, never ask, a fixed 0.4, the most frequent answer,
    the time of day.
    """
    report = report_of(replay_state(), tuple(_events(folder)), days_max=days)
    if context.printed(report):
        return
    _say(context, report)
    for person in (*(report.persons if persons else ()), report.everybody):
        _say_person(context, person)


def replay_state() -> State:
    """Return a hub that has just been made: the default settings, and somebody for every work."""
    policy = policy_of(Settings(), "UTC")
    channels = tuple(replace(channel, agent=ANYBODY.name) for channel in policy.channels)
    policy = replace(policy, agents=(*policy.agents, ANYBODY), channels=channels)
    return State(user="me", secret=b"replay", file_policy=policy, policy=policy, profiles={})


def _events(folder: Path) -> Iterator[TraceEvent]:
    for file in sorted(folder.glob("trace*.jsonl"))[:FILES_MAX]:
        yield from read_trace(_content(file), file.name)
    for file in sorted(folder.glob("trace_*.json"))[:FILES_MAX]:
        yield from read_observed(_content(file), file.name)
    places = [folder, *sorted(one for one in folder.iterdir() if one.is_dir() and not one.is_symlink())]
    for place in places[: FILES_MAX + 1]:
        if (place / ".git").exists():
            yield from read_history(asyncio.run(past_commits(place, HISTORY_FORMAT)), place.resolve().name)


def _content(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read(TRACE_BYTES_MAX + 1)
    except OSError as error:
        raise UserError(f"{file} cannot be read: {error}.", fix="Make it readable, or remove it.") from error


def _say(context: CommandContext, report: ReplayReport) -> None:
    where = ", ".join(report.repositories) or "no repository"
    context.say(f"{report.events} events of {report.days} days, {report.first_day} to {report.last_day}, in {where}.")
    context.say(
        f"Each person answers {report.odd:.0%} at odds with their habit. In brackets: 95 % intervals over days."
    )


def _say_person(context: CommandContext, person: PersonFigures) -> None:
    context.say()
    context.say(f"{person.person}: {person.habit}; {person.wanted} of {person.offered} wanted", bold=True)
    lines = [
        (one.contender, str(one.said), *(_shown(one.figures[name]) for name, _ in COLUMNS)) for one in person.contenders
    ]
    draw.show(draw.console(context), draw.table(("", "said", *(title for _, title in COLUMNS)), lines))
    fewer = ", ".join(f"{one.against} {_share(one.fewer_at_equal_recall)}" for one in person.against)
    context.say(f"Interruptions at equal recall, Pulse against {fewer}")


def _shown(figure: Figure) -> str:
    if figure.value is None:
        return "-"
    return f"{figure.value:.2f} ({figure.low:.2f}-{figure.high:.2f})"


def _share(figure: Figure) -> str:
    if figure.value is None:
        return "-"
    return f"{-figure.value:+.0%} ({-(figure.high or 0.0):+.0%} to {-(figure.low or 0.0):+.0%})"
