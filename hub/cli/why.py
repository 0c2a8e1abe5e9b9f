"""`pulse why`: how a suggestion came about and what came of it, in short or step by step."""

import shlex
from collections.abc import Sequence

import click
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from hub.cli import draw
from hub.cli.api import open_api, read
from hub.cli.command import EXIT_FAILED, CommandContext, command
from hub.cli.finding import find
from hub.contract.api import Prediction
from hub.contract.rerun import ReplayAnswer
from hub.contract.runs import PlannedRun
from hub.contract.story import StepView, WhyAnswer
from hub.contract.words import Status
from hub.domain.lookalikes import reveal
from hub.kit.beside import beside_prompt
from hub.kit.committing import Tone, commit_lines
from hub.kit.fates import fate_of
from hub.kit.naming import agent_title, origin_of
from hub.kit.phrase_files import phrases
from hub.kit.text import one_line

ROOMS = {"what": "what to suggest", "may": "what the rules say", "where": "how you are notified"}
SAME = {True: ("the same", "green"), False: ("otherwise", "red"), None: ("not enough data was kept to tell", "yellow")}
TONES: dict[Tone, str] = {"plain": "", "added": "green", "removed": "red", "place": "dim"}
Fact = tuple[str, str | Text]
SHORT = frozenset({"asked", "id", "status", "because", "runs", "for", "decided", "", "answered", "result"})
"""What is told in short of what is over: with the prompt and the hint at most fifteen lines."""
RULES_SHOWN = ANSWERS_SHOWN = 2
CHARS_MAX = 500
OUTCOME_TONES = {"pass": "green", "ask": "yellow", "block": "red"}


@command()
@click.argument("card_id", metavar="ID", default="latest")
@click.option("--all", "wants_all", is_flag=True, help="Show every step, each rule and each notification.")
@click.option(
    "--replay", is_flag=True, help="Decide again from the stored data, and check that the result is the same."
)
@click.pass_obj
def why(context: CommandContext, card_id: str, *, wants_all: bool, replay: bool) -> None:
    """Show how a suggestion came about.

    What was asked, what decided it, who answered, and the result; with --all each step. Without an ID: the latest
    one. With --json: the answer of GET /api/v1/predictions/{id}/why, or of …/replay with --replay, which exits with
    1 if a decision now comes out differently.
    """
    api = open_api(context.home)
    if replay:
        _decide_again(context, api.call("GET", f"/predictions/{find(api, card_id, 'why').id}/replay"))
        return
    document = api.call("GET", f"/predictions/{find(api, card_id, 'why').id}/why")
    if context.printed(document):
        return
    story = read(document, WhyAnswer)
    if wants_all:
        _whole(draw.console(context), story)
        return
    _in_short(draw.console(context), story)
    context.hint(f"More: `pulse why {story.prediction.id} --all`")


def _in_short(out: Console, story: WhyAnswer) -> None:
    """Show the story in few lines. What a yes can still start is shown whole; what is over is cut."""
    card = story.prediction
    is_over = card.status not in {Status.PENDING, Status.FAILED}
    facts = [*_facts(card), *_decided(story.steps)]
    if not is_over:
        draw.show(out, Text(reveal(card.prompt), "bold"), draw.table((), facts))
        _looked_at(out, card)
        return
    shown = [(name, told) for name, told in facts if name in SHORT]
    head = Text(one_line(reveal(card.prompt), CHARS_MAX), "bold", no_wrap=True, overflow="ellipsis")
    draw.show(out, head, draw.table((), [(name, _cut(told)) for name, told in shown], is_cut=True))


def _cut(told: str | Text) -> Text:
    """Return one line of a fact."""
    return Text(one_line(reveal(str(told)), CHARS_MAX), told.style if isinstance(told, Text) else "")


def _decided(steps: Sequence[StepView]) -> list[Fact]:
    """Return what decided it, the answers, and what came of it, as far as there was any."""
    judged = [one for one in steps if one.kind == "judged"][-1:]
    rules = [f"{one.rule}: {one.reason}" for step in judged for one in step.verdicts if one.outcome != "pass"]
    answers = [one.text for one in steps if one.kind == "decided"]
    results = [one for one in steps if one.kind == "result"][-1:]
    ends = [line for one in results for line in (one.text, *one.lines[-1:])]
    return [
        *(("decided", one.text) for one in judged),
        *(("", rule) for rule in rules[:RULES_SHOWN]),
        *(("answered", told) for told in answers[-ANSWERS_SHOWN:]),
        *(("result", told) for told in ends),
    ]


def _whole(out: Console, story: WhyAnswer) -> None:
    card = story.prediction
    draw.show(out, Text(reveal(card.prompt), "bold"))
    draw.show(out, draw.table((), [*_facts(card), *draw.status_lines(story.status)[:2]]))
    _looked_at(out, card)
    for step in story.steps:
        _step(out, step)


def _facts(card: Prediction) -> list[Fact]:
    """Return what a suggestion is, in rows."""
    return [
        *((("asked", reveal(card.asked)),) if card.asked else ()),
        ("id", card.id),
        ("status", Text(draw.outcome_line(card), draw.FATE_TONES[fate_of(card)])),
        ("because", card.reasoning),
        *planned_rows(card.runs),
        ("for", _for(card)),
        *((("like this", said),) if (said := draw.answers_to_the_like(card)) else ()),
        ("risk", str(card.risk)),
        *((("counts as", f"${card.cost_estimate_usd:.2f} towards the caps"),) if card.cost_estimate_usd else ()),
    ]


def _looked_at(out: Console, card: Prediction) -> None:
    """Show what there is to look at before a yes: what would be committed, line by line, or what the card names."""
    commit = None if card.runs is None else card.runs.commit
    lines = (
        [] if commit is None else [Text(reveal(one.text), TONES[one.tone]) for one in commit_lines(commit, phrases())]
    )
    beside = () if card.permission is None else beside_prompt(card, phrases())
    lines += [Text(reveal(one)) for one in (*beside, *card.details.splitlines())]
    if lines:
        draw.show(out, "", *(Padding(one, (0, 0, 0, 4)) for one in lines))


def _decide_again(context: CommandContext, document: bytes) -> None:
    answer = read(document, ReplayAnswer)
    if not context.printed(document):
        for one in answer.decisions:
            mark, tone = SAME[one.same]
            head = Text.assemble((f"{draw.moment(one.at)}  ", "dim"), (f"{ROOMS[one.room]:<16} ", "cyan"), (mark, tone))
            draw.show(draw.console(context), head, Padding(Text(reveal(one.was)), (0, 0, 0, 4)))
            if one.same is False:
                draw.show(draw.console(context), Padding(Text(reveal(f"now: {one.now}"), "red"), (0, 0, 0, 4)))
        if not answer.decisions:
            context.say("Pulse decided nothing here: someone asked.")
    if not answer.same:
        raise SystemExit(EXIT_FAILED)


def _for(card: Prediction) -> str:
    """Say where a suggestion belongs, whose work it is, how sure Pulse is of it, and whose idea, where not its own."""
    said, words = "" if draw.answers_to_the_like(card) else draw.sure(card), phrases()
    agent = f"agent {agent_title(card.target_agent, words)}"
    parts = (draw.where(card), agent, f"{said} sure" if said else "", origin_of(card, words))
    return " · ".join(filter(None, parts))


def planned_rows(runs: PlannedRun | None) -> tuple[tuple[str, str], ...]:
    """Return what would run as rows: the command, its folder, the files that say so, and what follows it."""
    if runs is None:
        return ()
    command = shlex.join(runs.argv) if runs.argv else runs.line
    files = tuple(("defined by", f"{file.path}  sha256 {file.sha256[:16]}") for file in runs.defined_by)
    rows = (
        ("runs", runs.problem or command),
        ("script", runs.script),
        ("in", runs.folder),
        ("sees", ", ".join(runs.environment)),
        ("containment", runs.containment),
        ("not known", runs.unclear),
    )
    then = () if runs.then is None else tuple((f"then {word}", told) for word, told in planned_rows(runs.then))
    return (*(row for row in rows if row[1]), *files, *then)


def _step(out: Console, step: StepView) -> None:
    head = Text.assemble((f"{draw.moment(step.at)}  ", "dim"), (f"{step.kind:<12} ", "cyan"), reveal(step.text))
    draw.show(out, "")
    draw.show(out, head)
    if step.verdicts:
        rows = [
            (
                Text(one.outcome, OUTCOME_TONES[one.outcome]),
                one.rule,
                one.reason,
            )
            for one in step.verdicts
        ]
        draw.show(out, Padding(draw.table(("answer", "rule", "reason"), rows), (0, 0, 0, 4)))
    for line in step.lines:
        draw.show(out, Padding(Text(reveal(line), "dim"), (0, 0, 0, 4)))
