"""`pulse why`: the whole story of a suggestion, from signal to result."""

from typing import TYPE_CHECKING

import click

from hub.cli.command import Here, command

if TYPE_CHECKING:
    from rich.console import Console

    from hub.contract.api import StepView

OUTCOME_TONES = {"pass": "green", "ask": "yellow", "block": "red"}


@command()
@click.argument("card_id", metavar="ID", default="latest")
@click.pass_obj
def why(here: Here, card_id: str) -> None:
    """Tell the whole story of a suggestion.

    Why it was made, what each rail said, where it was shown, who answered, what came of it. Without an ID: the
    latest one. With --json: the answer of GET /api/v1/predictions/{id}/why.
    """
    from rich.text import Text  # noqa: PLC0415  see draw

    from hub.cli import draw  # noqa: PLC0415  rich is imported when something is printed
    from hub.cli.api import open_api, read  # noqa: PLC0415  not for --help
    from hub.cli.finding import find  # noqa: PLC0415  not for --help
    from hub.contract.api import WhyAnswer  # noqa: PLC0415  not for --help

    api = open_api(here.home)
    document = api.call("GET", f"/predictions/{find(api, card_id, 'why').id}/why")
    if here.as_json:
        here.document(document)
        return
    story = read(document, WhyAnswer)
    card, out = story.prediction, draw.console(here)
    out.print(Text(draw.safe(card.prompt), "bold"))
    facts: list[tuple[str | Text, ...]] = [
        ("id", card.id),
        ("status", Text(draw.outcome_line(card), draw.STATUS_TONES[card.status])),
        ("because", card.reasoning),
        ("for", f"{card.target_channel} ({card.target_agent}) · {card.confidence:.0%} sure · {card.source}"),
        ("costs", f"about ${card.cost_estimate_usd:.2f} · {card.risk} risk"),
        *draw.status_lines(story.status)[:1],
    ]
    out.print(draw.table((), facts))
    for step in story.steps:
        _step(out, step)


def _step(out: "Console", step: "StepView") -> None:
    from rich.padding import Padding  # noqa: PLC0415  see draw
    from rich.text import Text  # noqa: PLC0415  see draw

    from hub.cli import draw  # noqa: PLC0415  rich is imported when something is printed

    head = Text.assemble((f"{draw.moment(step.at)}  ", "dim"), (f"{step.kind:<12} ", "cyan"), draw.safe(step.text))
    out.print()
    out.print(head)
    if step.verdicts:
        rows = [
            (
                Text(one.outcome, OUTCOME_TONES[one.outcome]),
                one.rule,
                f"{one.reason}{_numbers(one.numbers)}",
            )
            for one in step.verdicts
        ]
        out.print(Padding(draw.table(("verdict", "rule", "reason"), rows), (0, 0, 0, 4)))
    for line in step.lines:
        out.print(Padding(Text(draw.safe(line), "dim"), (0, 0, 0, 4)))


def _numbers(numbers: dict[str, float]) -> str:
    return f"  ({', '.join(f'{name} {value:g}' for name, value in numbers.items())})" if numbers else ""
